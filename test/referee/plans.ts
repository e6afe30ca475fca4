/** Random clusters and what is asked of them. Revisions, keys and tokens are relative, so that a plan can shrink. */
import fc from 'fast-check';

export interface PutPlan {
  readonly kind: 'put';
  readonly namespace: string;
  readonly name: string;
  /** Hex appended to the key: bytes that need not be text. */
  readonly suffix: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly node: string;
  readonly phase: string;
  readonly hostNetwork: boolean;
  readonly json: boolean;
  readonly together: boolean;
}

export interface DeletePlan {
  readonly kind: 'delete';
  readonly namespace: string;
  readonly name: string;
}

export interface BulkPlan {
  readonly kind: 'bulk';
  readonly namespace: string;
  readonly count: number;
  /** Each so many-th object has the label `rare=yes`. */
  readonly every: number;
  /** Each so many-th is no object; 0 none. */
  readonly badEvery: number;
  readonly padding: number;
}

export interface BadPlan {
  readonly kind: 'bad';
  readonly namespace: string;
  readonly name: string;
  /** A value by itself, or damage done to a good one. */
  readonly raw: { readonly base64: string; readonly foreign: boolean } | undefined;
  readonly damage: { readonly keep: number; readonly at: number; readonly xor: number };
}

export type WritePlan = PutPlan | DeletePlan | BulkPlan | BadPlan;

/** A place in the cluster's history: a share of it, so many revisions beyond it, or a text as it is. */
export type VersionPlan =
  { readonly share: number } | { readonly ahead: number } | { readonly text: string };

export type TokenPlan =
  | { readonly kind: 'none' }
  /** One that an earlier list gave. */
  | { readonly kind: 'given'; readonly index: number; readonly tamper: string; readonly at: number }
  | { readonly kind: 'made'; readonly version: VersionPlan; readonly start: string }
  | { readonly kind: 'text'; readonly text: string };

export interface ListPlan {
  readonly kind: 'list';
  readonly key: string;
  readonly recursive: boolean;
  readonly version: VersionPlan;
  readonly match: string;
  readonly limit: string;
  readonly label: string;
  readonly field: string;
  readonly token: TokenPlan;
  readonly stream: boolean;
  readonly aggregate: boolean;
  readonly forget: boolean;
  /** Follows the token to the end, in so many pages at most. */
  readonly follow: number;
  /** Compacts everything before this etcd read of the list; 0 never. */
  readonly disturb: number;
  /** Written before that read, the first when that is 0; then history is compacted only if so said. */
  readonly meanwhile: readonly WritePlan[];
  readonly compactToo: boolean;
}

export type StepPlan =
  | ListPlan
  | { readonly kind: 'write'; readonly write: WritePlan }
  | { readonly kind: 'compact'; readonly share: number };

export interface ClusterPlan {
  /** Compares items without their labels. */
  readonly brief?: boolean;
  readonly root: string;
  readonly resourcePrefix: string;
  readonly writes: readonly WritePlan[];
  readonly steps: readonly StepPlan[];
}

const weighted = <T>(...pairs: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const rarely = (percent: number): fc.Arbitrary<boolean> =>
  weighted([100 - percent, fc.constant(false)], [percent, fc.constant(true)]);
const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);

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
const namespace = weighted(
  [8, fc.constantFrom(...namespaces.slice(0, 4))],
  [2, fc.constantFrom(...namespaces)],
);
const name = weighted([6, fc.constantFrom(...names.slice(0, 5))], [3, fc.constantFrom(...names)]);

const longest = 'x'.repeat(63);
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

const put: fc.Arbitrary<PutPlan> = fc.record({
  kind: fc.constant('put' as const),
  namespace,
  name,
  suffix: fc.constantFrom(...suffixes),
  labels: someLabels,
  node: fc.constantFrom('', 'node-1', 'node-2'),
  phase: fc.constantFrom('Running', 'Pending', ''),
  hostNetwork: rarely(20),
  json: rarely(15),
  together: rarely(20),
});

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

/** Values that are no whole objects, in the encodings whose errors ours words as upstream does. */
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

const valueOf = (bytes: string, foreign: boolean) => ({
  base64: Buffer.from(bytes, 'latin1').toString('base64'),
  foreign,
});
const rawValue = fc.constantFrom(
  ...[...claimedValues, ...untypedValues].map((bytes) => valueOf(bytes, false)),
  ...foreignValues.map((bytes) => valueOf(bytes, true)),
);

const bad: fc.Arbitrary<BadPlan> = fc.record({
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

const goodWrite: fc.Arbitrary<WritePlan> = weighted<WritePlan>(
  [20, put],
  [3, remove],
  [1, bulk([0])],
);
const anyWrite: fc.Arbitrary<WritePlan> = weighted<WritePlan>(
  [20, put],
  [3, remove],
  [1, bulk([0, 0, 1, 2, 10])],
  [3, bad],
);

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
const version: fc.Arbitrary<VersionPlan> = weighted<VersionPlan>(
  [75, fc.constant({ text: '' })],
  [8, fc.constant({ text: '0' })],
  [25, fc.record({ share })],
  [6, fc.record({ ahead: fc.constantFrom(1, 2, 1000) })],
  [3, fc.constant({ text: '1' })],
  [4, fc.constantFrom(...oddVersions).map((text) => ({ text }))],
);

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

const labelTerms = [
  'app=web',
  'app==api',
  'app!=web',
  'app in (web,api)',
  'tier notin (db)',
  '!app',
  'app',
  'n>0',
  'n<42',
  'example.com/role=',
  '__proto__=web',
  'constructor',
  '!__proto__',
  'rare=yes',
  'rare',
];
const badLabels = [
  'app=',
  ' ',
  'app=web,',
  'x y',
  'app in ()',
  'n>x',
  '=',
  `${longest}x`,
  'app in (',
  'a/b/c=d',
  'app=ä',
];
const label = weighted(
  [20, fc.constant('')],
  [
    9,
    fc
      .array(fc.constantFrom(...labelTerms), { minLength: 1, maxLength: 3 })
      .map((terms) => terms.join(',')),
  ],
  [1, fc.constantFrom(...badLabels)],
);

/** Fields without a default: servers fill those in as they decode, with code that is in no public module. */
const fieldTerms = [
  'metadata.name=a',
  'metadata.name!=pod-1',
  'metadata.namespace=web',
  'metadata.namespace==default',
  'spec.nodeName=node-1',
  'spec.nodeName=',
  'status.phase!=Running',
  'status.phase=Pending',
  'spec.hostNetwork=true',
  'spec.serviceAccountName=default',
  'no.such=',
  'no.such=x',
];
const badFields = [
  '=',
  'a',
  'a=b=c',
  'a=\\',
  'metadata.name=a\\,b',
  ',',
  'a!=',
  ' metadata.name=a',
];
const field = weighted(
  [30, fc.constant('')],
  [
    5,
    fc
      .array(fc.constantFrom(...fieldTerms), { minLength: 1, maxLength: 2 })
      .map((terms) => terms.join(',')),
  ],
  [1, fc.constantFrom(...badFields)],
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
const token: fc.Arbitrary<TokenPlan> = weighted<TokenPlan>(
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

const list: fc.Arbitrary<ListPlan> = fc.record({
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
const writtenList = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<ListPlan> =>
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
    .map(([plain, more]) => ({ ...plain, ...more }));

const step = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<StepPlan> =>
  weighted<StepPlan>(
    [40, list],
    [2, writtenList(write)],
    [3, fc.record({ kind: fc.constant('write' as const), write })],
    [1, fc.record({ kind: fc.constant('compact' as const), share })],
  );

const clusterOf = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<ClusterPlan> =>
  fc.record({
    root: fc.constantFrom('registry', '/registry', 'registry/', '/a//b/', 'kubernetes.io', 'ä'),
    resourcePrefix: weighted(
      [20, fc.constant('/pods')],
      [19, fc.constantFrom('/pods/', '/specs/pods')],
      [1, fc.constantFrom('', '/', 'pods')],
    ),
    writes: fc.array(write, { minLength: 0, maxLength: 60, size: 'max' }),
    steps: fc.array(step(write), { minLength: 1, maxLength: 40, size: 'max' }),
  });

export const cluster: fc.Arbitrary<ClusterPlan> = weighted(
  [3, clusterOf(goodWrite)],
  [2, clusterOf(anyWrite)],
);

/** More objects than one page holds at most, few of them selected. */
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
