/** What the texts given to both parsers are made of. */
import fc from 'fast-check';
import type { Pairs } from '../oracle';

/** A text, and what went into it when the grammar made it. */
export interface Given {
  readonly text: string;
  /** Operators in the order written, each once for every term; none in a text of chance. */
  readonly operators: readonly string[];
  /** What else it is an example of, counted where it is valid. */
  readonly traits: readonly string[];
}

export const ofChance = (text: fc.Arbitrary<string>): fc.Arbitrary<Given> =>
  text.map((made) => ({ text: made, operators: [], traits: [] }));

export const joined = (parts: readonly string[], most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...parts), { maxLength: most, size: 'max' })
    .map((found) => found.join(''));

/** Terms with a comma between each two. */
export const conjunction = (term: fc.Arbitrary<Given>): fc.Arbitrary<Given> =>
  fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => ({
    text: terms.map(({ text }) => text).join(','),
    operators: terms.flatMap(({ operators }) => operators),
    traits: [
      ...new Set(terms.flatMap(({ traits }) => traits)),
      ...(terms.length > 1 ? ['several terms'] : []),
    ],
  }));

/** A text with one place of it changed. */
export const torn = (given: fc.Arbitrary<Given>, marks: readonly string[]): fc.Arbitrary<Given> =>
  ofChance(
    fc
      .tuple(given, fc.nat(40), fc.constantFrom(...marks), fc.nat(2))
      .map(([{ text }, at, mark, cut]) => text.slice(0, at) + mark + text.slice(at + cut)),
  );

export const sets = (
  keys: readonly string[],
  values: readonly string[],
): fc.Arbitrary<readonly Pairs[]> => {
  const pair = fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values));
  return fc.array(fc.array(pair, { maxLength: 9, size: 'max' }), { minLength: 1, maxLength: 3 });
};
