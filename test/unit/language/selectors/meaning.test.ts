import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLabelSelectorDetailed } from '../../../../server/kube/selectors';
import {
  contradictions,
  duplicates,
  type PlacedRequirement,
} from '../../../../server/language/selectors/meaning';

function requirements(text: string): PlacedRequirement[] {
  const { requirements: written, error } = parseLabelSelectorDetailed(text);
  expect(error).toBeNull();
  return written.flatMap(({ requirement, span }) =>
    requirement === null ? [] : [{ ...requirement, span }],
  );
}

describe('a contradiction', () => {
  it.each([
    ['a=1,a=2', 'the label would have to have different values at once'],
    ['a,!a', 'the label would have to be present and absent'],
    ['!a,a=1', 'the label would have to be present and absent'],
    ['a>1,!a', 'the label would have to be present and absent'],
    ['a in (x,y),a notin (y,x)', 'every value that is asked for is excluded as well'],
    ['a=x,a!=x', 'every value that is asked for is excluded as well'],
    ['a>5,a<6', 'no whole number is greater than 5 and less than 6'],
    ['a<0', 'no label is a whole number less than 0'],
    ['a>9223372036854775807', 'no label is greater than 9223372036854775807'],
    ['a>5,a<3', 'no whole number is greater than 5 and less than 3'],
    ['a in (3,x),a>3', 'no value that is asked for lies within the bounds'],
  ])('%s', (text, why) => {
    expect(contradictions(requirements(text)).map((found) => found.why)).toEqual([why]);
  });

  it.each(['a=1,a=1', 'a in (x,y),a notin (y)', '!a,a!=x', 'a>5,a<7', 'a in (4,x),a>3', 'a=1,b=2'])(
    'is none in %s',
    (text) => {
      expect(contradictions(requirements(text))).toEqual([]);
    },
  );

  it('stands at the requirement that brings it about', () => {
    const [found] = contradictions(requirements('a=1,b,a=2,a=3'));
    expect(found?.at.span).toEqual({ start: 6, end: 9 });
  });

  it('is found exactly where no set of labels matches', () => {
    const value = fc.constantFrom('', '1', '2', '3', 'x');
    const requirement = fc.oneof(
      fc.constantFrom('k', '!k'),
      fc.tuple(fc.constantFrom('k=', 'k!='), value).map((pair) => pair.join('')),
      fc
        .tuple(fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
        .map(([operator, values]) => `k ${operator} (${values.join(',')})`),
      fc
        .tuple(fc.constantFrom('>', '<'), fc.integer({ min: 0, max: 4 }))
        .map((p) => `k${p.join('')}`),
    );
    // What is not listed in a requirement may still be the number that it names.
    const candidates = [
      undefined,
      '',
      '0',
      '00',
      '1',
      '01',
      '2',
      '02',
      '3',
      '03',
      '4',
      '5',
      'x',
      'y',
    ];
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 4 }), (texts) => {
        const text = texts.join(',');
        const { selector } = parseLabelSelectorDetailed(text);
        const some = candidates.some((label) =>
          selector!.matches(new Map(label === undefined ? [] : [['k', label]])),
        );
        expect(contradictions(requirements(text)).length > 0).toBe(!some);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a duplicate', () => {
  it.each([
    ['a=1,b,a=1', 1],
    ['a=1,a in (1)', 1],
    ['a==1,a=1', 1],
    ['a in (x,y),a in (y,x)', 1],
    ['a!=1,a notin (1)', 1],
    ['a,a', 1],
    ['a=1,a=2', 0],
    ['a in (x),a notin (x)', 0],
  ])('%s: %i', (text, count) => {
    expect(duplicates(requirements(text))).toHaveLength(count);
  });
});
