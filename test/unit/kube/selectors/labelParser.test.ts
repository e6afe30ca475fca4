import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../../server/kube/selectors';
import {
  lexLabelSelector,
  parseLabelSelector,
  parseLabelSelectorDetailed,
  SelectorError,
} from '../../../../server/kube/selectors';

function errorOf(text: string): SelectorError {
  const { error } = parseLabelSelectorDetailed(text);
  if (error === null) throw new Error(`${text} parses`);
  return error;
}

/** Requirements with the texts that their spans cut out. */
function written(text: string) {
  const cut = ({ start, end }: Span) => text.slice(start, end);
  return parseLabelSelectorDetailed(text).requirements.map((requirement) => ({
    whole: cut(requirement.span),
    key: requirement.key && cut(requirement.key.span),
    operator: requirement.operator && [requirement.operator.name, cut(requirement.operator.span)],
    values: requirement.values.map(({ span }) => cut(span)),
    complete: requirement.requirement !== null,
  }));
}

describe('tokens', () => {
  it('stand where their characters are, in UTF-16 offsets', () => {
    const text = ' 😀 notin(a ,b)';
    const tokens = lexLabelSelector(text);
    expect(tokens.map(({ kind, span }) => [kind, span.start, span.end])).toEqual([
      ['Identifier', 1, 3],
      ['NotIn', 4, 9],
      ['OpenPar', 9, 10],
      ['Identifier', 10, 11],
      ['Comma', 12, 13],
      ['Identifier', 13, 14],
      ['ClosedPar', 14, 15],
      ['EndOfString', 15, 15],
    ]);
  });

  it('end at a NUL between tokens, and pass over one behind a token', () => {
    const spans = lexLabelSelector('a\0=b \0c').map(({ kind, span }) => [kind, span.start]);
    expect(spans).toEqual([
      ['Identifier', 0],
      ['Equals', 2],
      ['Identifier', 3],
      ['EndOfString', 5],
    ]);
  });

  it('cover every character but blanks and NULs, in order', () => {
    const piece = fc.constantFrom(
      'a',
      'in',
      ' ',
      '=',
      '!',
      '(',
      ')',
      ',',
      '>',
      '<',
      '\0',
      '😀',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        let at = 0;
        for (const token of lexLabelSelector(text)) {
          expect(text.slice(at, token.span.start)).toMatch(/^[ \t\r\n\0]*$/);
          expect(text.slice(token.span.start, token.span.end)).toBe(token.text);
          at = token.span.end;
        }
      }),
    );
  });
});

describe('requirements', () => {
  it('keep the order and the places in which they are written', () => {
    expect(written('z = 1, !y ,x in ( b,a ),w,v>5')).toEqual([
      { whole: 'z = 1', key: 'z', operator: ['=', '='], values: ['1'], complete: true },
      { whole: '!y', key: 'y', operator: ['!', '!'], values: [], complete: true },
      {
        whole: 'x in ( b,a )',
        key: 'x',
        operator: ['in', 'in'],
        values: ['b', 'a'],
        complete: true,
      },
      { whole: 'w', key: 'w', operator: ['exists', ''], values: [], complete: true },
      { whole: 'v>5', key: 'v', operator: ['gt', '>'], values: ['5'], complete: true },
    ]);
  });

  it('have empty values where one is missing', () => {
    const text = 'x in (,a,,b,)';
    const [requirement] = parseLabelSelectorDetailed(text).requirements;
    expect(requirement?.values.map(({ text: value, span }) => [value, span.start])).toEqual([
      ['', 6],
      ['a', 7],
      ['', 9],
      ['b', 10],
      ['', 12],
    ]);
    expect(requirement?.requirement?.values).toEqual(['', 'a', 'b']);
  });

  it('are sorted in the selector, not in the text', () => {
    const { selector } = parseLabelSelectorDetailed('b in (y,x),a');
    expect(selector?.toString()).toBe('a,b in (x,y)');
  });
});

describe('half-typed text', () => {
  it.each([
    ['a=1,', [{ key: 'a', complete: true }]],
    [
      'a=1,b',
      [
        { key: 'a', complete: true },
        { key: 'b', complete: true },
      ],
    ],
    ['a=1,b in', [{ key: 'a' }, { key: 'b', operator: ['in', 'in'], values: [], complete: false }]],
    [
      'a=1,b in (',
      [{ key: 'a' }, { key: 'b', operator: ['in', 'in'], values: [], complete: false }],
    ],
    ['b in (x', [{ key: 'b', values: ['x'], whole: 'b in (x', complete: false }]],
    ['b in (x,', [{ key: 'b', values: ['x'], complete: false }]],
    ['b notin (x,y', [{ operator: ['notin', 'notin'], values: ['x', 'y'], complete: false }]],
    ['!', [{ key: null, operator: ['!', '!'], complete: false }]],
    ['a b', [{ key: 'a', operator: null, whole: 'a', complete: false }]],
    ['-a=1', [{ key: '-a', operator: null, complete: false }]],
    ['a=-', [{ key: 'a', values: ['-'], complete: false }]],
    ['a=1,=', [{ key: 'a', complete: true }]],
    ['', []],
  ])('%j keeps what stands before the error', (text, expected) => {
    expect(written(text)).toMatchObject(expected);
    expect(written(text)).toHaveLength(expected.length);
  });
});

describe('errors', () => {
  it.each([
    [',a', 0, 1],
    ['a,', 2, 2],
    ['a=b  c', 5, 6],
    ['a nope', 2, 6],
    ['a in b', 5, 6],
    ['a in (b', 7, 7],
    ['a in (b=', 7, 8],
    ['a in (b,(', 8, 9],
    ['x=1,-key in (a)', 4, 8],
    ['x=1,k in (ok, bad-, worse_)', 14, 18],
    ['x>abc', 2, 5],
    ['x>', 2, 2],
    ['!!a', 1, 2],
    ['a =(', 3, 4],
  ])('%j is blamed on its characters', (text, start, end) => {
    expect(errorOf(text).span).toEqual({ start, end });
  });

  it('carry the whole text, quoted as Go does', () => {
    expect(errorOf('a=\u00a0é').message).toBe(
      'unable to parse requirement: values[0][a]: Invalid value: "\\u00a0é": ' +
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
        'and must start and end with an alphanumeric character ' +
        "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    );
  });
});

const piece = fc.constantFrom(
  ...[
    'a',
    'b.c/d',
    'in',
    ' in ',
    'notin',
    ' notin (',
    '(',
    ')',
    ',',
    '=',
    '==',
    '!=',
    '!',
    '>',
    '<',
  ],
  ...[
    ' ',
    '\t',
    '\0',
    '-',
    '_',
    '.',
    '/',
    '1',
    '99999999999999999999',
    '😀',
    '\ud800',
    'é',
    '"',
    '\\',
  ],
);

describe('any text', () => {
  const check = (text: string): void => {
    const detailed = parseLabelSelectorDetailed(text);
    expect(detailed.error === null).toBe(detailed.selector !== null);
    if (detailed.error !== null) {
      const { start, end } = detailed.error.span;
      expect(start >= 0 && start <= end && end <= text.length).toBe(true);
      expect(() => parseLabelSelector(text)).toThrow(SelectorError);
    }
  };

  it('parses or is a SelectorError within the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), check), { numRuns: 500 });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        check(pieces.join(''));
      }),
      { numRuns: 2000 },
    );
  });

  it('prints what parses to the same selector', () => {
    const value = fc.constantFrom('', 'a', 'B', '1.x', 'in', 'notin');
    const key = fc.constantFrom('a', 'b', 'in', 'x.y/z', 'notin');
    const requirement = fc.oneof(
      fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((parts) => parts.join('')),
      fc.tuple(key, fc.constantFrom('>', '<'), fc.nat()).map((parts) => parts.join('')),
      fc
        .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value))
        .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
      key,
      key.map((name) => `!${name}`),
    );
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 11 }), (requirements) => {
        const once = parseLabelSelector(requirements.join(' , '));
        const twice = parseLabelSelector(once.toString());
        expect(twice.requirements).toEqual(once.requirements);
        expect(twice.toString()).toBe(once.toString());
      }),
      { numRuns: 1000 },
    );
  });
});

describe('hostile sizes', () => {
  it.each([
    ['a long key', 'a'.repeat(4_000_000)],
    ['a long bad key', `${'a'.repeat(4_000_000)}-`],
    ['a long value', `a=${'a.'.repeat(2_000_000)}`],
    ['a long DNS prefix', `${'a.'.repeat(2_000_000)}a/b`],
    ['slashes', '/'.repeat(4_000_000)],
    ['digits', `a>${'9'.repeat(4_000_000)}`],
    ['parentheses', '('.repeat(2_000_000)],
    ['exclamation marks', '!'.repeat(2_000_000)],
    ['blanks', ' '.repeat(4_000_000) + '='],
    ['NULs', 'a' + '\0'.repeat(4_000_000)],
    ['emoji', '😀'.repeat(1_000_000)],
    ['lone surrogates', '\ud800'.repeat(1_000_000)],
    ['commas in a list', `a in (${','.repeat(1_000_000)})`],
    ['bad values', `a in (${Array.from({ length: 100_000 }, (_, i) => `-${i}`).join()})`],
    ['half a list', `a in (${Array.from({ length: 200_000 }, (_, i) => `v${i}`).join()}`],
  ])('of %s are read in time', (_, text) => {
    expect(() => parseLabelSelectorDetailed(text)).not.toThrow();
  });

  it('of a hundred thousand requirements are read, sorted, matched and printed in time', () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `k${(i * 7919) % 1000}`);
    const selector = parseLabelSelector(keys.map((key, i) => `${key}!=v${i}`).join());
    expect(selector.requirements).toHaveLength(100_000);
    expect(selector.matches(new Map([['k1', 'other']]))).toBe(true);
    expect(selector.toString()).toHaveLength(keys.map((key, i) => `${key}!=v${i}`).join().length);
  });

  it('of a hundred thousand values are matched without a scan', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => `v${i}`);
    const selector = parseLabelSelector(`a in (${values.join()})`);
    let found = 0;
    for (const value of values) if (selector.matches(new Map([['a', value]]))) found++;
    expect(found).toBe(100_000);
  });
});
