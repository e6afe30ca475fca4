/** What is asked of a cluster. */
import fc from 'fast-check';
import { rarely, weighted } from './chance';
import type { ListPlan, WritePlan } from './plan';
import { addressField, anySelector, field, label, labelTerm } from './selectors';
import { pinnedToken, token, untampered, version } from './versions';

const limit = weighted(
  [6, fc.constant('0')],
  [10, fc.constantFrom('1', '2', '3', '5', '10')],
  [5, fc.constantFrom('99', '100', '101', '500')],
  [2, fc.constantFrom('9999', '10000', '10001', '20000')],
  [
    1,
    fc.constantFrom(
      '-1',
      '-9223372036854775808',
      '2147483648',
      '4611686018427387904',
      '9223372036854775807',
    ),
  ],
);

const keys = [
  '',
  '/',
  '/default',
  '/web',
  '/web/',
  '/web-2',
  '/default/',
  '/none',
  '/web/a',
  '/default/pod-1',
  '/bulk/',
  '/ä\u2028/',
  '/web/a\0',
];
const strayKeys = [
  '=',
  '=/',
  '=..',
  '=/pods/../x',
  '=/foo',
  '=/pod',
  '=pods',
  '=/pods/./a',
  '=/pods//a',
  '=/pods/..',
  '=/podsx',
];
/** Below the resource prefix, or as it is after `=`. */
const key = weighted(
  [20, fc.constant('')],
  [9, fc.constantFrom(...keys)],
  [1, fc.constantFrom(...strayKeys)],
);

export const list: fc.Arbitrary<ListPlan> = fc.record({
  kind: fc.constant('list' as const),
  key,
  recursive: rarely(12).map((single) => !single),
  version,
  match: weighted(
    [30, fc.constant('')],
    [4, fc.constant('Exact')],
    [4, fc.constant('NotOlderThan')],
    [1, fc.constantFrom('exact', 'Bogus')],
  ),
  limit,
  label,
  field,
  token,
  stream: fc.boolean(),
  aggregate: fc.boolean(),
  forget: rarely(20).map((keep) => !keep),
  follow: weighted([3, fc.constant(0)], [1, fc.constantFrom(3, 12)]),
  disturb: weighted([24, fc.constant(0)], [1, fc.constantFrom(1, 2, 3)]),
  meanwhile: fc.constant([]),
  compactToo: fc.constant(false),
});

/** A list whose keys are written while it runs. */
export const writtenList = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<ListPlan> =>
  fc
    .tuple(
      list,
      fc.record({
        disturb: fc.constantFrom(1, 2, 2, 3, 4),
        limit: fc.constantFrom('0', '1', '2', '3', '10', '100'),
        meanwhile: fc.array(write, { minLength: 1, maxLength: 5 }),
        compactToo: rarely(25),
      }),
    )
    .map(([plain, more]) => ({ ...plain, ...more, token: untampered(plain.token) }));

/** The same from a pinned token, filtered, so that it reads on after history was compacted. */
export const pinnedList = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<ListPlan> =>
  fc
    .tuple(
      list,
      anySelector,
      fc.record({
        token: pinnedToken,
        limit: fc.constantFrom('1', '2', '3'),
        disturb: fc.constantFrom(2, 2, 2, 3, 4),
        meanwhile: fc.array(write, { minLength: 1, maxLength: 5 }),
        follow: fc.constantFrom(0, 3),
      }),
    )
    .map(([plain, selector, more]) => ({ ...plain, ...everywhere, ...selector, ...more }));

/** What makes the rest of a plan count: every key, at the token's revision or the latest. */
const everywhere = {
  key: '',
  recursive: true,
  version: { text: '' },
  match: '',
  compactToo: true,
} as const;

export const selectingList: fc.Arbitrary<ListPlan> = fc
  .tuple(list, anySelector)
  .map(([plain, selector]) => ({ ...plain, ...selector }));

/** One requirement of labels, of every object. */
export const labelledList: fc.Arbitrary<ListPlan> = fc
  .tuple(list, labelTerm)
  .map(([plain, asked]) => ({
    ...plain,
    ...{ label: asked, field: '', key: '', recursive: true, token: { kind: 'none' } as const },
    ...{ version: { text: '' }, match: '' },
  }));

export const addressList: fc.Arbitrary<ListPlan> = fc
  .tuple(list, addressField)
  .map(([plain, asked]) => ({ ...plain, label: '', field: asked }));

/** A list of everything, with what a test wants different. */
export const listOf = (more: Partial<ListPlan>): ListPlan => ({
  kind: 'list',
  key: '',
  recursive: true,
  version: { text: '' },
  match: '',
  limit: '0',
  label: '',
  field: '',
  token: { kind: 'none' },
  stream: false,
  aggregate: false,
  forget: true,
  follow: 0,
  disturb: 0,
  meanwhile: [],
  compactToo: false,
  ...more,
});
