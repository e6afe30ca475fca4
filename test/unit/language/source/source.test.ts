import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { placedEdits, withEdits } from '../../../../server/language/source/edits';
import { MappedTextBuilder, plainlyMapped } from '../../../../server/language/source/mappedText';
import { written } from '../../../../server/language/source/writing';

describe('a mapped text', () => {
  it('places its characters where they were read from', () => {
    const builder = new MappedTextBuilder();
    builder.run('app', 10);
    builder.piece('=', 13, 16);
    builder.run('x', 16);
    const mapped = builder.build(17, 'percent');
    expect(mapped.text).toBe('app=x');
    expect(mapped.place({ start: 0, end: 3 })).toEqual({ start: 10, end: 13 });
    expect(mapped.place({ start: 3, end: 4 })).toEqual({ start: 13, end: 16 });
    expect(mapped.place({ start: 3, end: 3 })).toEqual({ start: 13, end: 13 });
    expect(mapped.place({ start: 5, end: 5 })).toEqual({ start: 17, end: 17 });
  });

  it('writes edits in the form that stands there', () => {
    const builder = new MappedTextBuilder();
    builder.run('a', 0);
    builder.piece(',', 1, 4);
    builder.run('b', 4);
    const mapped = builder.build(5, 'percent');
    const edits = placedEdits(mapped, [{ span: { start: 1, end: 2 }, text: '=' }]);
    expect(withEdits('a%2Cb', edits!)).toBe('a%3Db');
  });

  it('that is a word of a shell is written as two quotes only where nothing is left', () => {
    const word = plainlyMapped('a=*', 0, 'shell');
    const all = placedEdits(word, [{ span: { start: 0, end: 3 }, text: '' }]);
    expect(withEdits('a=*', all!)).toBe("''");
    const part = placedEdits(word, [{ span: { start: 1, end: 3 }, text: '' }]);
    expect(withEdits('a=*', part!)).toBe('a');
  });

  it('has no edits over more than one line', () => {
    expect(
      placedEdits(plainlyMapped('a', 0), [{ span: { start: 0, end: 1 }, text: 'b\nc' }]),
    ).toBeUndefined();
  });
});

describe('a text that is written', () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((each) => !/[\p{C}\u0085\u2028\u2029]/u.test(each));

  it('is the same string when YAML reads it, by the old rules too', () => {
    const special = fc.constantFrom(
      'yes',
      'no',
      'on',
      'y',
      '~',
      'null',
      '0755',
      '1_000',
      '1e3',
      '',
      '- a',
      'a: b',
      '#a',
      "it's",
      '!a',
    );
    fc.assert(
      fc.property(fc.oneof(text, special), (value) => {
        for (const version of ['1.1', '1.2'] as const) {
          expect(parseDocument(`k: ${written(value, 'yaml')!}\n`, { version }).toJS()).toEqual({
            k: value,
          });
          expect(
            parseDocument(`k: '${written(value, 'yamlSingle')!}'\n`, { version }).toJS(),
          ).toEqual({ k: value });
          expect(
            parseDocument(`k: "${written(value, 'yamlDouble')!}"\n`, { version }).toJS(),
          ).toEqual({ k: value });
        }
      }),
    );
  });

  it('is the same when it is decoded', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decodeURIComponent(written(value, 'percent')!)).toBe(value);
      }),
    );
  });

  it.each(['app', 'app.kubernetes.io/name', '10.0.0.1', 'fd00::1', '=', '!=', '>', ''])(
    'is itself as a word: %j',
    (value) => {
      expect(written(value, 'word')).toBe(value);
    },
  );

  it.each(['a b', 'a: b', 'a:', 'a,b', '#a', "it's", '[a', '$a', 'a\\', 'a=b'])(
    'is no word: %j',
    (value) => {
      expect(written(value, 'word')).toBeUndefined();
    },
  );

  it('takes no time as a word', () => {
    const start = performance.now();
    expect(written(`${'a:'.repeat(100_000)},`, 'word')).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
