import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, utf8 } from '../../../server/common/bytes';
import { isGoPrintable } from '../../../server/common/goPrintable';
import {
  compareUtf8,
  goJsonString,
  goJsonStrings,
  goQuote,
  utf8Length,
} from '../../../server/common/goText';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('goQuote', () => {
  it.each([
    ['', '""'],
    ['plain text', '"plain text"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\x07\b\t\n\v\f\r', '"\\a\\b\\t\\n\\v\\f\\r"'],
    ['\0\x1f\x7f', '"\\x00\\x1f\\x7f"'],
    ['é日本😀', '"é日本😀"'],
    ['\u0080\u00a0\u00ad\u2028\ufeff\ue000', '"\\u0080\\u00a0\\u00ad\\u2028\\ufeff\\ue000"'],
    ['\u{e0001}\u{10ffff}', '"\\U000e0001\\U0010ffff"'],
    ['\ud800', '"\ufffd"'],
    ['\ufffd', '"\ufffd"'],
  ])('quotes %j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
    expect(goQuote(utf8(text))).toBe(quoted);
  });

  it.each([
    [bytes(0xff, 0x61), '"\\xffa"'],
    [bytes(0xc0, 0x80), '"\\xc0\\x80"'],
    [bytes(0xc3), '"\\xc3"'],
    [bytes(0xe2, 0x82), '"\\xe2\\x82"'],
    [bytes(0xed, 0xa0, 0x80), '"\\xed\\xa0\\x80"'],
    [bytes(0xe0, 0x80, 0x80), '"\\xe0\\x80\\x80"'],
    [bytes(0xf4, 0x90, 0x80, 0x80), '"\\xf4\\x90\\x80\\x80"'],
    [bytes(0xf0, 0x9f, 0x98, 0x80), '"😀"'],
  ])('writes bytes that are not UTF-8 one by one: %j', (value, quoted) => {
    expect(goQuote(value)).toBe(quoted);
  });
});

describe('isGoPrintable', () => {
  it('agrees with Go 1.26 on every character', () => {
    let [count, hash] = [0, 0];
    for (let rune = 0; rune <= 0x10ffff; rune++) {
      if ((rune >= 0xd800 && rune <= 0xdfff) || !isGoPrintable(rune)) continue;
      count++;
      hash = (Math.imul(hash, 31) + rune) | 0;
    }
    expect({ count, hash }).toEqual({ count: 148998, hash: 209013740 });
  });
});

describe('goJsonString', () => {
  it.each([
    ['<a>&b', '"\\u003ca\\u003e\\u0026b"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['"\\/', '"\\"\\\\/"'],
    ['\b\f\n\r\t', '"\\b\\f\\n\\r\\t"'],
    ['\0\x1f\x7f', '"\\u0000\\u001f\x7f"'],
    ['é😀', '"é😀"'],
  ])('escapes %j', (text, json) => {
    expect(goJsonString(text)).toBe(json);
  });

  it('writes six characters for each byte that is not UTF-8', () => {
    expect(goJsonString(bytes(0x61, 0xff, 0xe2, 0x82))).toBe('"a\\ufffd\\ufffd\\ufffd"');
  });

  it('is JSON of the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(JSON.parse(goJsonString(text))).toBe(text);
      }),
    );
  });

  it('tells a nil list from an empty one', () => {
    expect(goJsonStrings(null)).toBe('null');
    expect(goJsonStrings([])).toBe('[]');
    expect(goJsonStrings(['a', '<'])).toBe('["a","\\u003c"]');
  });
});

describe('compareUtf8', () => {
  it('puts characters beyond the basic plane last', () => {
    expect(compareUtf8('\u{1f600}', '\uffff')).toBeGreaterThan(0);
    expect(compareUtf8('\ue000', '\u{10000}')).toBeLessThan(0);
    expect(compareUtf8('\u{10000}a', '\u{10000}b')).toBeLessThan(0);
    expect(compareUtf8('\u{1f600}', '\u{1f601}')).toBeLessThan(0);
  });

  it('is the order of the bytes, for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\ud83d', '\ude00', '\ufffd', '\uffff', 'é', '\ue000'),
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(compareBytes(utf8(a), utf8(b))));
      }),
      { numRuns: 2000 },
    );
  });

  it('counts bytes', () => {
    expect(utf8Length('aé日😀\ud800')).toBe(1 + 2 + 3 + 4 + 3);
  });
});
