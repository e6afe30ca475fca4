/** Label selectors: by the grammar, nearly so, and of chance. */
import fc from 'fast-check';
import { weighted } from '../plans/chance';
import { conjunction, joined, ofChance, sets, torn, type Given } from './given';

const keys = ['a', 'app', 'b.c/d', 'in', 'notin', '__proto__'];
const oddKeys = ['A_b', '1', `x.example.com/${'k'.repeat(63)}`, 'constructor'];
/** The numbers are those that sets have too, so that bounds are met. */
const numbers = ['1', '2', '42', '007', '9223372036854775807'];
/** Those that sets mostly have. */
const common = ['a', 'b', '1'];
const words = ['a', 'b', 'app', 'in', 'notin', 'A_b.c-d', 'v'.repeat(63)];

const blank = weighted(
  [8, fc.constant('')],
  [3, fc.constant(' ')],
  [1, fc.constantFrom('\t', '\r\n', '  ')],
);
const gap = weighted([8, fc.constant(' ')], [1, fc.constantFrom('\t', '\n ', '\r')]);
const key = weighted([12, fc.constantFrom(...keys)], [1, fc.constantFrom(...oddKeys)]);
const value = weighted(
  [2, fc.constantFrom(...numbers)],
  [5, fc.constantFrom(...common)],
  [2, fc.constantFrom(...words)],
  [1, fc.constant('')],
);

/** A requirement with what stands around its operator, all that is blank in its place. */
const term = (
  operator: string,
  right: fc.Arbitrary<{ text: string; traits?: readonly string[] }>,
  before: fc.Arbitrary<string> = blank,
): fc.Arbitrary<Given> =>
  fc
    .tuple(blank, key, before, right, blank)
    .map(([first, name, space, { text, traits = [] }, last]) => ({
      text: `${first}${name}${space}${text}${last}`,
      operators: [operator],
      traits,
    }));

const behind = (
  operator: string,
  values: fc.Arbitrary<string>,
): fc.Arbitrary<{ text: string; traits: readonly string[] }> =>
  fc.tuple(blank, values).map(([space, given]) => ({
    text: `${operator}${space}${given}`,
    traits: given === '' ? ['empty value'] : [],
  }));

const isSorted = (values: readonly string[]): boolean =>
  values.every(
    (one, i) => i === 0 || Buffer.compare(Buffer.from(values[i - 1]!), Buffer.from(one)) <= 0,
  );

function listTraits(operator: string, values: readonly string[]): string[] {
  if (values.length === 1) return [`${operator} of one value`];
  const order = isSorted(values) ? 'sorted' : 'unsorted';
  const twice = new Set(values).size < values.length ? [`${operator} with a value twice`] : [];
  return [`${operator} of several, ${order}`, ...twice];
}

const listed = (operator: string) =>
  fc
    .tuple(blank, fc.array(fc.tuple(blank, value, blank), { minLength: 1, maxLength: 4 }))
    .map(([space, values]) => ({
      text: `${operator}${space}(${values.map((parts) => parts.join('')).join(',')})`,
      traits: listTraits(
        operator,
        values.map(([, given]) => given),
      ),
    }));

const nothing = fc.constant({ text: '' });

const requirement: fc.Arbitrary<Given> = fc.oneof(
  ...['=', '==', '!='].map((operator) => term(operator, behind(operator, value))),
  ...['<', '>'].map((operator) => term(operator, behind(operator, fc.constantFrom(...numbers)))),
  ...['in', 'notin'].map((operator) => term(operator, listed(operator), gap)),
  term('exists', nothing),
  fc.tuple(blank, blank, key, blank).map(([first, space, name, last]) => ({
    text: `${first}!${space}${name}${last}`,
    operators: ['!'],
    traits: [],
  })),
);

const fragments = [
  ...['a', 'app', 'b.c/d', 'in', 'notin', '1', '-5', '007', '+7', 'A_b', '9223372036854775808'],
  ...['x'.repeat(64), '__proto__', 'ä', '\u{1f600}', '/', 'x/', '/x', '_', '.'],
];
const marks = [
  ...['=', '==', '!=', '!', ',', '(', ')', '<', '>', ' in ', ' notin ', ' ', '\t', '\n', '\0'],
  ...['\u00a0', '\v', '"', '\\', '&'],
];

const byGrammar = conjunction(requirement);

export const labelText: fc.Arbitrary<Given> = weighted(
  [4, requirement],
  [4, byGrammar],
  [2, torn(byGrammar, [...marks, '', ...fragments])],
  [2, ofChance(joined([...fragments, ...marks], 9))],
  [1, ofChance(joined(['a', '=', ',', 'in', '(', ')', ' ', '!', 'b', '>1'], 14))],
);

export const labelSets = sets(keys, [...common, ...common, ...numbers, '', '-5', 'app']);

const operators = ['=', '==', '!=', '<', '>', 'in', 'notin', 'exists', '!'];

export const labelKinds: readonly string[] = [
  ...operators.flatMap((operator) => [`${operator} matching`, `${operator} not matching`]),
  ...['in', 'notin'].flatMap((operator) => [
    `${operator} of one value`,
    `${operator} of several, sorted`,
    `${operator} of several, unsorted`,
    `${operator} with a value twice`,
  ]),
  ...[
    'valid',
    '< at its bound',
    '> at its bound',
    'empty value',
    'several terms',
    'selects all',
    'refused',
  ],
];
