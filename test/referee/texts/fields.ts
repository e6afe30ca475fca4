/** Field selectors: by the grammar, nearly so, and of chance. */
import fc from 'fast-check';
import { weighted } from '../plans/chance';
import { conjunction, joined, ofChance, sets, torn, type Given } from './given';

const keys = ['metadata.name', 'a', 'b', 'spec.nodeName', '__proto__'];
const values = ['', 'a', 'b', 'pod-1', 'ä', ' ', 'a,b', 'a=b', 'a\\b', '!', '\\,='];

/** Upstream: `fields.EscapeValue`. */
const escaped = (value: string): string => value.replace(/[\\,=]/g, String.raw`\$&`);

const traitsOf = (value: string): string[] => [
  ...(value === '' ? ['empty value'] : []),
  ...(escaped(value) === value ? [] : ['escaped value']),
];

const term: fc.Arbitrary<Given> = fc
  .tuple(fc.constantFrom(...keys), fc.constantFrom('=', '==', '!='), fc.constantFrom(...values))
  .map(([key, operator, value]) => ({
    text: `${key}${operator}${escaped(value)}`,
    operators: [operator],
    traits: traitsOf(value),
  }));

const byGrammar = conjunction(term);
const marks = ['=', '==', '!=', ',', '\\', '\\,', '\\=', '\\\\', ' ', 'ä', '\0', ''];

export const fieldText: fc.Arbitrary<Given> = weighted(
  [3, term],
  [3, byGrammar],
  [2, torn(byGrammar, marks)],
  [3, ofChance(joined(['metadata.name', 'a', 'b', ...marks], 9))],
);

export const fieldSets = sets(keys, values);

export const fieldKinds: readonly string[] = [
  ...['=', '==', '!='].flatMap((operator) => [`${operator} matching`, `${operator} not matching`]),
  ...['valid', 'empty value', 'escaped value', 'several terms', 'selects all', 'refused'],
];
