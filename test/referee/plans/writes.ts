/** What is written: whole objects, and values that are none. */
import fc from 'fast-check';
import { rarely, weighted } from './chance';
import type { BadPlan, BulkPlan, DeletePlan, PutPlan, WritePlan } from './plan';

const namespaces = ['default', 'web', 'kube-system', 'web-2', '__proto__', 'a', '<&>', 'ä\u2028'];
const names = [
  'a',
  'b',
  'pod-1',
  'pod-10',
  'pod-2',
  'x.y',
  'constructor',
  'a b',
  '\u{1f600}',
  'Ω%2F',
  '"q"',
  'z',
];
const suffixes = ['', '', '', '', '', '', '', '00', 'ff', 'fe80', 'c0af', '0a', '2f61', '7f'];
export const namespace = weighted(
  [8, fc.constantFrom(...namespaces.slice(0, 4))],
  [2, fc.constantFrom(...namespaces)],
);
export const name = weighted(
  [6, fc.constantFrom(...names.slice(0, 5))],
  [3, fc.constantFrom(...names)],
);

export const longest = 'x'.repeat(63);
const labelKeys = [
  'app',
  'tier',
  'n',
  'example.com/role',
  '__proto__',
  'constructor',
  'A.b_c-d',
  `a.example.com/${longest}`,
];
const labelValues = [
  '',
  'web',
  'api',
  'db',
  '1',
  '-5',
  '007',
  '42',
  '9223372036854775807',
  'A_b.c-d',
  longest,
];
const someLabels = fc
  .array(fc.tuple(fc.constantFrom(...labelKeys), fc.constantFrom(...labelValues)), { maxLength: 5 })
  .map((pairs) => [...new Map(pairs)]);

const addresses = ['10.0.0.1', '10.0.0.2', 'fd00::1'];

export const put: fc.Arbitrary<PutPlan> = fc.record({
  kind: fc.constant('put' as const),
  namespace,
  name,
  suffix: fc.constantFrom(...suffixes),
  labels: someLabels,
  node: fc.constantFrom('', 'node-1', 'node-2'),
  phase: fc.constantFrom('Running', 'Pending', ''),
  hostNetwork: rarely(20),
  ip: weighted([6, fc.constant('')], [1, fc.constantFrom(...addresses)]),
  ips: weighted<readonly string[]>(
    [6, fc.constant([])],
    [1, fc.array(fc.constantFrom(...addresses), { maxLength: 2 })],
  ),
  json: rarely(15),
  grafts: fc.constant([]),
  together: rarely(20),
});

/** The same, most of them with addresses. */
export const addressedPut: fc.Arbitrary<PutPlan> = fc
  .tuple(
    put,
    fc.record({
      ip: fc.constantFrom('', ...addresses),
      ips: fc.array(fc.constantFrom(...addresses), { maxLength: 2 }),
    }),
  )
  .map(([plain, more]) => ({ ...plain, ...more }));

/** The same, with the labels that selectors ask for, and numbers on both sides of their bounds. */
export const labelledPut: fc.Arbitrary<PutPlan> = fc
  .tuple(
    put,
    fc.constantFrom('0', '1', '41', '42', '43', '042', 'x'),
    fc.constantFrom('web', 'api', 'db'),
    fc.constantFrom<[string, string][]>([], [['tier', 'db']], [['rare', 'yes']]),
  )
  .map(([plain, n, app, more]) => ({ ...plain, labels: [['n', n], ['app', app], ...more] }));

const remove: fc.Arbitrary<DeletePlan> = fc.record({
  kind: fc.constant('delete' as const),
  namespace,
  name,
});

const bulk = (badEvery: readonly number[]): fc.Arbitrary<BulkPlan> =>
  fc.record({
    badEvery: fc.constantFrom(...badEvery),
    kind: fc.constant('bulk' as const),
    namespace: fc.constantFrom('bulk', 'default', 'web'),
    count: weighted([3, fc.integer({ min: 1, max: 30 })], [2, fc.integer({ min: 90, max: 350 })]),
    every: fc.constantFrom(1, 2, 7, 50, 1000),
    padding: weighted([6, fc.constant(0)], [1, fc.constantFrom(2000, 20_000)]),
  });

/** Values that are no whole objects, with errors that ours words as upstream does. */
const claimedValues = [
  'k8s\0',
  'k8s\0\x0a',
  'k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x05abc',
  'k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x02\x0a\x00',
  'k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x02\x0a\x05',
  'k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x01\x0c',
  'k8s:enc:aescbc:v1:key1:abcdef',
  'k8s:enc:kms:v2:plugin:abc',
  'k8s:enc:',
];
/**
 * Objects that do not name their kind: the list's own stands in. Without a version a server decodes
 * them into types of its own, which are in no public module.
 */
const untypedValues = [
  '',
  'k8s\0\x0a\x04\x0a\x02v1\x12\x00',
  'k8s\0\x0a\x04\x0a\x02v1\x12\x07\x0a\x05\x0a\x03abc',
  '{}',
  '{"apiVersion":"v1"}',
  '{"apiVersion":"v1","metadata":{"name":"untyped","labels":{"app":"web"}}}',
];
/** Other encodings, and JSON that is no object: wording is the tool's own there. */
const foreignValues = [
  '\xd9\xd9\xf7\xa0',
  '{',
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":5}}',
  '{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":1}}}',
  '\0\0\0',
];

const rawValue = fc
  .constantFrom(...claimedValues, ...untypedValues, ...foreignValues)
  .map((bytes) => Buffer.from(bytes, 'latin1').toString('base64'));

export const bad: fc.Arbitrary<BadPlan> = fc.record({
  kind: fc.constant('bad' as const),
  namespace,
  name,
  raw: fc.option(rawValue, { nil: undefined }),
  damage: weighted<BadPlan['damage']>(
    [
      1,
      fc.record({
        keep: fc.integer({ min: 1, max: 999 }),
        at: fc.constant(0),
        xor: fc.constant(0),
      }),
    ],
    [
      2,
      fc.record({
        keep: fc.constant(0),
        at: fc.integer({ min: 0, max: 1000 }),
        xor: fc.integer({ min: 1, max: 255 }),
      }),
    ],
  ),
});

export const goodWrite: fc.Arbitrary<WritePlan> = weighted<WritePlan>(
  [20, put],
  [3, remove],
  [1, bulk([0])],
);
export const anyWrite: fc.Arbitrary<WritePlan> = weighted<WritePlan>(
  [20, put],
  [3, remove],
  [1, bulk([0, 0, 1, 2, 10])],
  [3, bad],
);
