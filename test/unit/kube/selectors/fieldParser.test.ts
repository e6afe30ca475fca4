import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldTransform, Span } from '../../../../server/kube/selectors';
import {
  escapeFieldValue,
  fieldSelectorOf,
  parseFieldSelector,
  parseFieldSelectorDetailed,
  SelectorError,
  unescapeFieldValue,
} from '../../../../server/kube/selectors';

function written(text: string) {
  const cut = ({ start, end }: Span) => text.slice(start, end);
  return parseFieldSelectorDetailed(text).requirements.map(({ field, operator, value }) => [
    cut(field.span),
    operator && cut(operator.span),
    value && cut(value.span),
    value && value.text,
  ]);
}

describe('terms', () => {
  it('keep the order and the places in which they are written', () => {
    expect(written('b!=2,a==x\\,y,,c=,d')).toEqual([
      ['b', '!=', '2', '2'],
      ['a', '==', 'x\\,y', 'x,y'],
      ['c', '=', '', ''],
      ['d', null, null, null],
    ]);
  });

  it('split at the first operator', () => {
    expect(written('a!==b')).toEqual([['a', '!=', '=b', null]]);
    expect(written('a!!=b')).toEqual([['a!', '!=', 'b', 'b']]);
  });

  it('have tokens for each part, in order', () => {
    const { tokens } = parseFieldSelectorDetailed('😀=1,,b!=');
    expect(tokens.map(({ kind, span }) => [kind, span.start, span.end])).toEqual([
      ['Field', 0, 2],
      ['Operator', 2, 3],
      ['Value', 3, 4],
      ['Comma', 4, 5],
      ['Comma', 5, 6],
      ['Field', 6, 7],
      ['Operator', 7, 9],
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['a=1,b', 4, 5],
    ['a=1,b=\\x', 6, 8],
    ['a=1,b=x\\😀', 7, 10],
    ['a=x\\', 3, 4],
    ['a=x=y', 3, 4],
    // The raw terms are sorted first, so the later one is blamed here.
    ['z=\\q,a', 5, 6],
  ])('%j is blamed on its characters', (text, start, end) => {
    expect(parseFieldSelectorDetailed(text).error?.span).toEqual({ start, end });
  });

  it('of a transform are blamed on the field, their cause kept', () => {
    const refused = new SelectorError('no such field', { start: 0, end: 0 });
    const transform: FieldTransform = (field, value) => {
      if (field === 'bad') throw refused;
      return [field, value];
    };
    const { error } = parseFieldSelectorDetailed('a=1,bad=2', transform);
    expect(error).toMatchObject({ message: 'no such field', span: { start: 4, end: 7 } });
    expect(error?.cause).toBe(refused);
  });

  it('that a transform did not mean pass through', () => {
    const broken = () => {
      throw new TypeError('broken');
    };
    expect(() => parseFieldSelector('a=1', broken)).toThrow(TypeError);
  });

  it('come before any transform', () => {
    const calls: string[] = [];
    const transform: FieldTransform = (field, value) => {
      calls.push(field);
      return [field, value];
    };
    expect(() => parseFieldSelector('a=1,b', transform)).toThrow(SelectorError);
    expect(calls).toEqual([]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    ...['a', 'metadata.name', '=', '==', '!=', '!', ',', '\\', '\\,', '\\=', '\\\\'],
    ...[' ', '\0', '😀', '\ud800', '\udc00', 'é', '\uffff', "'"],
  );

  it('parses or is a SelectorError within the text', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const { error, selector } = parseFieldSelectorDetailed(text);
        expect(error === null).toBe(selector !== null);
        if (error === null) return;
        expect(error.span.start).toBeGreaterThanOrEqual(0);
        expect(error.span.end).toBeLessThanOrEqual(text.length);
        expect(() => parseFieldSelector(text)).toThrow(SelectorError);
      }),
      { numRuns: 2000 },
    );
  });

  it('is escaped and unescaped to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(piece), (text, pieces) => {
        for (const value of [text, pieces.join('')]) {
          expect(unescapeFieldValue(escapeFieldValue(value))).toBe(value);
        }
      }),
    );
  });

  it('prints what parses to the same selector', () => {
    const requirement = fc.record({
      field: fc.constantFrom('a', 'b', 'metadata.name', 'é'),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.array(piece).map((pieces) => pieces.join('')),
    });
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const once = parseFieldSelector(fieldSelectorOf(requirements).toString());
        const twice = parseFieldSelector(once.toString());
        expect(twice.requirements).toEqual(once.requirements);
        expect(once.requirements).toHaveLength(requirements.length);
        expect(once.requirements).toEqual(expect.arrayContaining(requirements));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('hostile sizes', () => {
  it.each([
    ['backslashes', `a=${'\\'.repeat(4_000_001)}`],
    ['commas', ','.repeat(2_000_000)],
    ['terms', Array.from({ length: 200_000 }, (_, i) => `f${i}=v`).join()],
    ['bad terms', Array.from({ length: 200_000 }, (_, i) => `f${i}`).join()],
    ['bad escapes', Array.from({ length: 200_000 }, (_, i) => `f${i}=\\q`).join()],
    ['equals signs', '='.repeat(4_000_000)],
    ['lone surrogates', `a=${'\ud800'.repeat(1_000_000)}`],
    ['NULs', `a=${'\0'.repeat(1_000_000)}`],
  ])('of %s are read in time', (_, text) => {
    expect(() => parseFieldSelectorDetailed(text)).not.toThrow();
  });
});
