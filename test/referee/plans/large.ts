/** A cluster of more objects than one page holds at most. */
import fc from 'fast-check';
import { share, weighted } from './chance';
import type { ListPlan, TokenPlan, VersionPlan, WritePlan } from './plan';

/** Few of them are selected. */
export const largeWrites: readonly WritePlan[] = [
  { kind: 'bulk', namespace: 'bulk', count: 9990, every: 100, badEvery: 0, padding: 0 },
  { kind: 'bulk', namespace: 'default', count: 300, every: 3, badEvery: 0, padding: 100 },
  { kind: 'bulk', namespace: 'web', count: 15, every: 1, badEvery: 0, padding: 0 },
];

/** What is worth asking of the large cluster: pages that double to their bound, limits around it. */
export const largeList: fc.Arbitrary<ListPlan> = fc.record({
  kind: fc.constant('list' as const),
  key: weighted([6, fc.constant('')], [1, fc.constantFrom('/bulk', '/default/', '/web', '/none')]),
  recursive: fc.constant(true),
  version: weighted<VersionPlan>(
    [6, fc.constant({ text: '' })],
    [2, fc.constant({ share: 1 })],
    [1, fc.record({ share })],
  ),
  match: weighted([6, fc.constant('')], [1, fc.constantFrom('Exact', 'NotOlderThan')]),
  limit: weighted(
    [4, fc.constantFrom('1', '2', '99', '100', '500')],
    [3, fc.constantFrom('0', '5000', '9999', '10000', '10001', '10304', '10305', '10306', '20000')],
  ),
  label: weighted(
    [2, fc.constant('')],
    [4, fc.constantFrom('rare=yes', 'rare', 'none=x')],
    [1, fc.constantFrom('!rare', 'rare notin (no)')],
  ),
  field: weighted(
    [5, fc.constant('')],
    [1, fc.constantFrom('metadata.namespace=web', 'metadata.name=bulk-00299', 'spec.nodeName=x')],
  ),
  token: weighted<TokenPlan>(
    [3, fc.constant({ kind: 'none' as const })],
    [
      2,
      fc.record({
        kind: fc.constant('given' as const),
        index: fc.nat(9),
        tamper: fc.constant(''),
        at: fc.constant(0),
      }),
    ],
    [
      1,
      fc.record({
        kind: fc.constant('made' as const),
        version: fc.constant({ text: '-1' }),
        start: fc.constantFrom('bulk/bulk-04000\0', 'default/', 'zzz'),
      }),
    ],
  ),
  stream: fc.boolean(),
  aggregate: fc.boolean(),
  forget: fc.constant(true),
  follow: weighted([5, fc.constant(0)], [1, fc.constant(3)]),
  disturb: fc.constant(0),
  meanwhile: fc.constant([]),
  compactToo: fc.constant(false),
});
