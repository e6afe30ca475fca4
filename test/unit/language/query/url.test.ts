import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentDecoded } from '../../../../server/language/query/percent';
import { queryParameters } from '../../../../server/language/query/queryString';
import { readUrl } from '../../../../server/language/query/urlText';
import { segmentsOf } from '../../../../server/language/query/apiPath';
import { plainlyMapped } from '../../../../server/language/source/mappedText';
import { written } from '../../../../server/language/source/writing';
import { wellFormed } from './support';

function decoded(text: string, plus: ' ' | '+' = ' ') {
  return percentDecoded(plainlyMapped(text, 0), { start: 0, end: text.length }, plus);
}

describe('percent-encoding', () => {
  // Go's answers: url.QueryUnescape.
  it.each([
    ['app%3Dnginx', 'app=nginx'],
    ['a+b%20c%2B', 'a b c+'],
    ['%c3%bc%E2%82%AC\u00fc', '\u00fc\u20ac\u00fc'],
    ['%ff%c3x%c3', '\ufffd\ufffdx\ufffd'],
    ['%F0%9F%98%80', '\u{1f600}'],
    ['%00', '\0'],
    ['', ''],
  ])('of %j is read', (text, expected) => {
    expect(decoded(text)).toMatchObject({ text: { text: expected } });
  });

  it('leaves a plus sign of a path alone', () => {
    expect(decoded('a+b', '+')).toMatchObject({ text: { text: 'a+b' } });
  });

  it.each([
    ['a%zz', 'invalid URL escape "%zz"', 1, 4],
    ['a%4', 'invalid URL escape "%4"', 1, 3],
    ['%', 'invalid URL escape "%"', 0, 1],
    ['%%41', 'invalid URL escape "%%4"', 0, 3],
    ['%41%4G', 'invalid URL escape "%4G"', 3, 6],
  ])('of %j is refused', (text, problem, start, end) => {
    expect(decoded(text)).toEqual({ problem, span: { start, end } });
  });

  it('keeps the place of each character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const text = wellFormed(raw);
        const written = encodeURIComponent(text);
        const result = decoded(written);
        if (!('text' in result)) throw new Error(result.problem);
        expect(result.text.text).toBe(text);
        let at = 0;
        for (const character of text) {
          const end = at + character.length;
          const span = result.text.place({ start: at, end });
          expect(decodeURIComponent(written.slice(span.start, span.end))).toBe(character);
          at = end;
        }
      }),
    );
  });
});

describe('what is written into an address', () => {
  it('means nothing to a shell around it, and is read as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const put = written(text, 'percent');
        if (/[\r\n]/.test(text)) expect(put).toBeUndefined();
        else {
          expect(put).toMatch(/^[\w.~%-]*$/);
          expect(decoded(put!)).toMatchObject({ text: { text: wellFormed(text) } });
        }
      }),
    );
    expect(written('\ud800(a)', 'percent')).toBe('%EF%BF%BD%28a%29');
  });
});

describe('parameters', () => {
  const read = (text: string) =>
    queryParameters(plainlyMapped(text, 0), { start: 0, end: text.length }).map(
      ({ name, value, problem }) => [name, value.text, problem?.text],
    );

  // Go's answers: url.ParseQuery.
  it.each<[string, (string | undefined)[][]]>([
    [
      'a=1&b=2',
      [
        ['a', '1', undefined],
        ['b', '2', undefined],
      ],
    ],
    [
      'a=1&&=x&b',
      [
        ['a', '1', undefined],
        ['', 'x', undefined],
        ['b', '', undefined],
      ],
    ],
    ['a=b=c', [['a', 'b=c', undefined]]],
    ['%61=%62', [['a', 'b', undefined]]],
    ['a;b=1', [['a;b', '1', 'invalid semicolon separator in query']]],
    [
      'a=%&b=1',
      [
        ['a', '%', 'invalid URL escape "%"'],
        ['b', '1', undefined],
      ],
    ],
    ['%g=1', [['%g', '1', 'invalid URL escape "%g"']]],
    ['', []],
  ])('of %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('an address', () => {
  const read = (text: string) => readUrl(text, 0, text.length);

  it.each([
    ['/api/v1/pods?limit=5', '/api/v1/pods?limit=5'],
    ['"/api/v1/pods?limit=5",', '/api/v1/pods?limit=5'],
    ["'/api/v1/pods'", '/api/v1/pods'],
    ['/api/v1/pods HTTP/1.1', '/api/v1/pods'],
    ['/api/v1/pods  # all', '/api/v1/pods'],
    ['/api/v1/pods?a=1\\u0026b=\\u003c\\u003E', '/api/v1/pods?a=1&b=<>'],
    ['/api/v1/pods\n  ?a=1\n\t&b=2', '/api/v1/pods?a=1&b=2'],
    ['/api/v1/pods\r\n  ?a=1\r\n  &b=2\r\n', '/api/v1/pods?a=1&b=2'],
    ['/api/v1/pods\n?a=1', '/api/v1/pods'],
    ['/api/v1/pods\n\n  ?a=1', '/api/v1/pods'],
  ])('is read: %j', (text, expected) => {
    const { url, findings } = read(text);
    expect([url.text, findings]).toEqual([expected, []]);
  });

  it('ends at a blank, which is told', () => {
    const text = '/api/v1/pods?labelSelector=a in (b) ';
    const { url, findings } = read(text);
    expect(url.text).toBe('/api/v1/pods?labelSelector=a');
    expect(findings.map(({ message }) => message)).toEqual([
      'A blank ends the address: write it as %20.',
    ]);
  });

  it('says once that headers have no effect', () => {
    const text = '/api/v1/pods\nAccept: application/json\nAuthorization: Bearer x\n\nX: y';
    const { findings, end } = read(text);
    expect(findings).toMatchObject([{ code: 'no-effect', span: { start: 13, end: 37 } }]);
    expect(text.slice(end)).toBe('\n\nX: y');
  });

  it('has segments, of which inner ones may be empty', () => {
    const segments = (text: string) => segmentsOf(plainlyMapped(text, 0)).map((part) => part.text);
    expect(segments('//api/v1//pods/')).toEqual(['api', 'v1', '', 'pods']);
    expect(segments('///')).toEqual([]);
  });
});
