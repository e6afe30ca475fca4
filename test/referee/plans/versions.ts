/** Revisions and tokens that lists name. */
import fc from 'fast-check';
import { share, weighted } from './chance';
import type { TokenPlan, VersionPlan } from './plan';

const oddVersions = [
  '00',
  '01',
  '+5',
  ' 5',
  '-1',
  'abc',
  '1.0',
  '18446744073709551615',
  '9223372036854775808',
  '9223372036854775807',
  '99999999999999999999',
];
export const version: fc.Arbitrary<VersionPlan> = weighted<VersionPlan>(
  [75, fc.constant({ text: '' })],
  [8, fc.constant({ text: '0' })],
  [25, fc.record({ share })],
  [6, fc.record({ ahead: fc.constantFrom(1, 2, 1000) })],
  [3, fc.constant({ text: '1' })],
  [4, fc.constantFrom(...oddVersions).map((text) => ({ text }))],
);

const starts = [
  'web/a\0',
  'default/pod-1\0',
  '/web/a\0',
  '/',
  '',
  '.',
  '..',
  '../pods/x',
  'a//b',
  'web/./a',
  'web/a/',
  'zzzz',
  'a',
  '\u2028',
  '<',
  'web',
  '//',
  'web/a\0\0',
];
export const token: fc.Arbitrary<TokenPlan> = weighted<TokenPlan>(
  [50, fc.constant({ kind: 'none' as const })],
  [
    30,
    fc.record({
      kind: fc.constant('given' as const),
      index: fc.nat(30),
      tamper: weighted(
        [12, fc.constant('')],
        [4, fc.constantFrom('flip', 'cut', 'pad', 'newline', 'plus', 'twice', 'space')],
      ),
      at: share,
    }),
  ],
  [
    17,
    fc.record({
      kind: fc.constant('made' as const),
      version: weighted<VersionPlan>(
        [4, fc.record({ share })],
        [2, fc.constant({ text: '-1' })],
        [2, fc.record({ ahead: fc.constant(3) })],
        [
          2,
          fc
            .constantFrom(
              '0',
              '-7',
              '1',
              '1.5',
              '9223372036854775807',
              '9223372036854775808',
              '"1"',
              'null',
            )
            .map((text) => ({ text })),
        ],
      ),
      start: fc.constantFrom(...starts),
    }),
  ],
  [
    3,
    fc
      .constantFrom(
        'x',
        '====',
        'e30',
        'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ',
        'bnVsbA',
        'W10',
        'eyJ2IjoidjIiLCJydiI6MSwic3RhcnQiOiJhIn0',
      )
      .map((text) => ({ kind: 'text' as const, text })),
  ],
);

/** One of a revision that the cluster has had. */
export const pinnedToken: fc.Arbitrary<TokenPlan> = weighted<TokenPlan>(
  [
    3,
    fc.record({
      kind: fc.constant('made' as const),
      version: fc.record({ share: fc.integer({ min: 700, max: 1000 }).map((n) => n / 1000) }),
      start: fc.constantFrom('a', 'default', 'default/a\0', 'kube-system'),
    }),
  ],
  [
    4,
    fc.record({
      kind: fc.constant('given' as const),
      index: fc.nat(30),
      tamper: fc.constant(''),
      at: fc.constant(0),
    }),
  ],
);

/** For lists that each side plays on a cluster of its own: texts of different length tear elsewhere. */
export const untampered = (plan: TokenPlan): TokenPlan =>
  plan.kind === 'given' ? { ...plan, tamper: '' } : plan;
