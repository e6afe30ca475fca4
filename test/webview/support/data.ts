/** What the scripted host answers: a cluster of 12,700 pods, one in a hundred of them matching. */
import type { Failure } from '../../../server/protocol/errors';
import type {
  CostFigure,
  CostRow,
  ExplainedList,
  ExplainParams,
} from '../../../server/protocol/explain';
import type {
  CheckResult,
  ConnectionStatus,
  HistoryEntry,
  ListDone,
  ListEvent,
  ListQuery,
  QueryCommands,
  RequestEntry,
  ResourceEntry,
  Row,
  TokenFacts,
  TotalEntry,
} from '../../../server/protocol/model';
import type { MetricsRead } from '../../../server/protocol/metrics';
import type { PanelStart } from '../../../server/protocol/panel';
import type { WatchCacheInfo } from '../../../server/protocol/watchCache';
import type { ListScript } from './host';

/** The page's clock in these tests. */
export const now = Date.parse('2026-06-01T12:00:00Z');

/** Each name has a number of its own; `again` is another connection of the same name. */
export function connected(name = 'prod', isDemo = false, again = 0): ConnectionStatus {
  return {
    state: 'connected',
    name,
    connectionNumber: name.length + 100 * again,
    endpoints: ['https://10.0.0.1:2379'],
    root: '/registry',
    isDemo,
    probing: false,
    members: [{ endpoint: 'https://10.0.0.1:2379', version: '3.7.3', problem: '' }],
    rangeStream: { answer: 'supported' },
    probedAt: now,
  };
}

export const start = (status: ConnectionStatus = connected()): PanelStart => ({
  status,
  connections: ['prod', 'staging'],
  history: [],
  trusted: true,
  interrupted: false,
  watchCaches: [],
});

export const resources: readonly ResourceEntry[] = [
  { name: 'configmaps', kind: 'ConfigMap', namespaced: true, stored: false },
  { name: 'deployments.apps', kind: 'Deployment', namespaced: true, stored: true },
  { name: 'nodes', kind: 'Node', namespaced: false, stored: false },
  { name: 'pods', kind: 'Pod', namespaced: true, stored: true },
  { name: 'secrets', kind: 'Secret', namespaced: true, stored: true },
];

export const namespaces: readonly string[] = ['default', 'kube-system', 'web'];

export const commands: QueryCommands = {
  kubectl: "kubectl get pods -A -l 'app=nginx' --chunk-size=100",
  apiPath: '/api/v1/pods?labelSelector=app%3Dnginx&limit=100',
  etcdctl: 'etcdctl get /registry/pods/ --prefix --limit=100',
  etcdList: "etcd-list get pods -l 'app=nginx' --limit=100",
};

/** One fault it knows: a bracket that is not closed. */
export function check(query: ListQuery): CheckResult {
  const at = query.labelSelector.indexOf('(');
  const open = at >= 0 && !query.labelSelector.includes(')');
  const end = query.labelSelector.length;
  return {
    problems: open
      ? [
          {
            field: 'labelSelector',
            severity: 'error',
            message: `unable to parse requirement: found '', expected: ',', or ')'`,
            start: at,
            end,
          },
        ]
      : [],
    labelRequirements: query.labelSelector === '' ? 0 : query.labelSelector.split('=').length - 1,
    fieldRequirements: query.fieldSelector === '' ? 0 : 1,
    unlimited: query.limit === '' || query.limit === '0',
  };
}

export function row(number: number, over: Partial<Row> = {}): Row {
  const name = `nginx-${String(number).padStart(6, '0')}`;
  return {
    key: Buffer.from(`/registry/pods/web/${name}`).toString('hex'),
    namespace: ['web', 'default', 'kube-system'][number % 3] ?? 'web',
    name,
    labels: [
      ['app', 'nginx'],
      ['tier', number % 2 === 0 ? 'web' : 'api'],
      ['pod-template-hash', '5d59d67564'],
    ],
    created: new Date(now - (number % 90) * 7_000_000 - 400_000).toISOString(),
    version: String(70_000 + number),
    size: 1900 + ((number * 37) % 400),
    ...over,
  };
}

export const rows = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => row(from + index));

export function request(n: number, over: Partial<RequestEntry> = {}): RequestEntry {
  return {
    n,
    operation: 'list',
    endpoint: '10.0.0.1:2379',
    serializable: false,
    startKey: n === 1 ? '/registry/pods/' : `/registry/pods/web/nginx-${n}00\u0000`,
    endKey: '/registry/pods0',
    limit: 100,
    revision: n === 1 ? '0' : '84213',
    keys: 100,
    matched: 1,
    bytes: 195_000,
    durationMs: 4.2,
    ...over,
  };
}

export function total(over: Partial<TotalEntry> = {}): TotalEntry {
  return {
    requests: 7,
    fetched: 12_700,
    examined: 9901,
    evaluated: 9901,
    returned: 100,
    resourceVersion: '84213',
    continue:
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6ODQyMTMsInN0YXJ0Ijoid2ViL25naW54LTAwOTkwMFx1MDAwMCJ9',
    remainingItemCount: null,
    naiveRequests: 100,
    streamed: false,
    largestReplyBytes: 12_480_000,
    durationMs: 312,
    ...over,
  };
}

export const done = (over: Partial<ListDone> = {}): ListDone => ({
  total: total(),
  unreadable: [],
  commands,
  ...over,
});

/** Seven pages of 100 to 6400 keys, the rows of each after it. */
export function pageEvents(pages = 7): ListEvent['body'][] {
  const bodies: ListEvent['body'][] = [];
  let row = 0;
  for (let page = 0; page < pages; page++) {
    const limit = 100 * 2 ** page;
    const matched = page === 6 ? 37 : limit / 100;
    const kept = Math.min(matched, 100 - row);
    const entry = {
      limit,
      keys: limit,
      matched: kept,
      bytes: limit * 1950,
      durationMs: 4.2 * 2 ** page,
    };
    bodies.push({ kind: 'request', request: request(page + 1, entry), done: true });
    if (kept > 0) bodies.push({ kind: 'rows', rows: rows(row * 100, kept) });
    row += kept;
  }
  return bodies;
}

export const onePercent: ListScript = (_, emit) => {
  for (const body of pageEvents()) emit(body);
  return Promise.resolve(done());
};

/** Four pages, then a fifth whose reply does not come until Stop. */
export const untilStopped: ListScript = async (_, emit, stopped) => {
  for (const body of pageEvents(4)) emit(body);
  const pending = request(5, { limit: 1600, keys: 0, matched: 0, bytes: 0, durationMs: 0 });
  emit({ kind: 'request', request: pending, done: false });
  await stopped;
  const failure: Failure = { code: 'cancelled', sentence: 'The list was stopped.' };
  const part = { requests: 5, fetched: 1500, examined: 1500, evaluated: 1500, returned: 15 };
  return done({
    total: total({ ...part, continue: '', naiveRequests: 15, durationMs: 63 }),
    failure,
  });
};

export const expired: Failure = {
  code: 'expiredWithContinue',
  status: 410,
  sentence:
    'Etcd has compacted revision 84,213 since this list began, so it cannot go on consistently.',
  upstream:
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.',
  continueToken:
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0Ijoid2ViL25naW54LTAwOTkwMFx1MDAwMCJ9',
};

export const overBudget: Failure = {
  code: 'overBudget',
  sentence:
    'Too large for one reply: 12,700 keys of about 24.8 MB are over the budget of 16 MiB. Set a limit, or raise the byte budget in the settings.',
};

export const streamUnsupported: Failure = {
  code: 'streamUnsupported',
  sentence: 'This etcd does not have RangeStream: read with pages.',
};

export const failing =
  (failure: Failure, pages = 3): ListScript =>
  (_, emit) => {
    for (const body of pageEvents(pages)) emit(body);
    const error = {
      code: 'OutOfRange',
      message: 'etcdserver: mvcc: required revision has been compacted',
    };
    const part = {
      requests: pages,
      fetched: 700,
      evaluated: 700,
      examined: 700,
      returned: 7,
      naiveRequests: 7,
    };
    return Promise.resolve(
      done({ total: total({ ...part, continue: '', durationMs: 29, error }), failure }),
    );
  };

/** As many rows as a test likes, in chunks of the size a page brings. */
export const manyRows =
  (count: number): ListScript =>
  (_, emit) => {
    const chunk = 10_000;
    emit({
      kind: 'request',
      request: request(1, { limit: 0, keys: count, matched: count }),
      done: true,
    });
    for (let from = 0; from < count; from += chunk) {
      emit({ kind: 'rows', rows: rows(from, Math.min(chunk, count - from)) });
    }
    const all = { requests: 1, fetched: count, examined: count, evaluated: count, returned: count };
    return Promise.resolve(done({ total: total({ ...all, continue: '', naiveRequests: null }) }));
  };

export const history: readonly HistoryEntry[] = [
  {
    at: now - 3_600_000,
    connection: 'prod',
    query: {
      resource: 'pods',
      namespace: 'web',
      labelSelector: 'app=nginx',
      fieldSelector: '',
      limit: '100',
      resourceVersion: '',
      resourceVersionMatch: '',
      continueToken: '',
      readMode: 'auto',
      skipUnreadable: false,
    },
    requests: [request(1), request(2, { limit: 200, keys: 200, matched: 2 })],
    total: total({
      requests: 2,
      fetched: 300,
      examined: 300,
      evaluated: 300,
      returned: 3,
      naiveRequests: 3,
    }),
  },
];

const asked: TokenFacts = {
  token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6ODQyMTMsInN0YXJ0Ijoid2ViL25naW54LTAwOTkwMFx1MDAwMCJ9',
  foundIn: 'raw',
  json: '{"v":"meta.k8s.io/v1","rv":84213,"start":"web/nginx-009900\\u0000"}',
  version: 'meta.k8s.io/v1',
  resourceVersion: '84213',
  start: 'web/nginx-009900\\x00',
  resumesAt: '/registry/pods/web/nginx-009900\\x00',
  verdict: 'ok',
  upstreamError: '',
  why: '',
  revisionMeaning: 'The read is pinned to revision 84,213.',
};

const good: TokenFacts = { ...asked, compacted: false };

/** Refuses what climbs out of its prefix, takes everything else. */
export function tokenFacts(text: string): TokenFacts {
  if (!text.includes('..')) return good;
  return {
    ...asked,
    json: '{"v":"meta.k8s.io/v1","rv":84213,"start":"../secrets/"}',
    start: '../secrets/',
    resumesAt: '',
    verdict: 'uncleanStart',
    compactedUnknown: 'the token is refused',
    upstreamError: 'invalid continue token: ../secrets/',
    why: 'A start key that path cleaning would change could lead outside of the resource’s own prefix, so it is refused and never repaired.',
  };
}

const exactly = (value: number): CostFigure => ({ likely: value, low: value, high: value });
const about = (likely: number, low: number, high: number): CostFigure => ({ likely, low, high });

const costRow = (over: Partial<CostRow> & Pick<CostRow, 'name' | 'title'>): CostRow => ({
  way: 'etcdPages',
  served: 'etcd, pages',
  requests: exactly(7),
  keys: exactly(12_700),
  examined: exactly(9901),
  returned: exactly(100),
  bytes: exactly(26_009_600),
  largestReply: exactly(13_107_200),
  held: exactly(13_312_000),
  isPartial: false,
  ...over,
});

const DOUBLING = [100, 200, 400, 800, 1600, 3200, 6400];

const ESTIMATE: NonNullable<ExplainedList['estimate']> = {
  stored: '50,000 keys of about 2.0 kB, of which 1 % match',
  assumptions: [
    '500 of 50,000 keys, at 9 places, were read for this: 33 requests, 523 keys, 1.1 MB.',
    'Held is the largest reply and the objects selected, as they are stored; decoded they take more.',
  ],
  rows: [
    costRow({
      name: 'asked',
      title: 'As it is asked',
      way: 'watchCache',
      served: 'watch cache',
      requests: exactly(1),
      keys: exactly(0),
      examined: exactly(0),
      bytes: exactly(0),
      largestReply: exactly(0),
      held: exactly(204_800),
    }),
    costRow({
      name: 'atEtcd',
      title: 'The same from etcd',
      requests: about(7, 6, 8),
      keys: about(12_700, 6300, 22_700),
      examined: about(10_000, 5200, 21_000),
      bytes: about(26_009_600, 12_000_000, 47_000_000),
    }),
    costRow({ name: 'naive', title: 'Naive pages of 100', requests: exactly(100) }),
  ],
  series: [
    {
      name: 'doubling',
      title: 'doubling',
      pages: DOUBLING.map((keys) => ({ asked: keys, keys, matched: keys / 100 })),
      count: 7,
      keys: 12_700,
    },
    {
      name: 'naive',
      title: 'naive',
      pages: Array.from({ length: 100 }, () => ({ asked: 100, keys: 100, matched: 1 })),
      count: 100,
      keys: 10_000,
    },
    {
      name: 'stream',
      title: 'stream without a limit',
      pages: [10, 20, 40, 80, 160, 320, 640, 640, 640].map((keys) => ({
        asked: keys,
        keys,
        matched: 0,
      })),
      count: 84,
      keys: 50_000,
    },
  ],
};

/** The decision alone; what it costs once that is measured, or the number of keys is given. */
export function explained({ query, measure, given }: ExplainParams): ExplainedList {
  const isKnown = measure || given.keys !== '';
  return {
    request: `LIST ${query.resource} in all namespaces, limit ${query.limit}`,
    way: 'watchCache',
    served: 'Most likely: From the watch cache, at most 100 objects; etcd reads no object.',
    notes: [],
    chains: [
      {
        title: 'Steps',
        steps: [
          {
            rule: 'C1',
            source: 'pkg/server/options/etcd.go GetRESTOptions',
            text: 'pods have a watch cache by default.',
          },
          {
            rule: 'C5',
            source: 'pkg/storage/cacher/delegator.go shouldDelegateListOnNotReadyCache',
            text: 'Likely, the watch cache of pods is ready (only the API server knows).',
            otherwise: 'Otherwise the watch cache is not ready: refused with 429 (C5).',
          },
        ],
        end: 'From the watch cache, at most 100 objects; etcd reads no object.',
      },
    ],
    alternatives: [
      {
        title: 'Without a limit',
        served: 'by the watch cache, most likely',
        meaning: 'All objects that match come in one answer.',
      },
    ],
    ...(isKnown ? { estimate: ESTIMATE } : {}),
  };
}
/** A scrape in which pods are in a spiral. */
export const metrics: MetricsRead = {
  name: 'now.txt',
  heads: ['1 API server: now.txt (v1.37.2)', 'Counted since each of them started'],
  notes: ['now.txt:7: this line is left out: its value is no number.'],
  tables: [
    {
      title: 'Lists from etcd, by objects fetched for each one returned',
      columns: [
        { header: 'RESOURCE', right: false },
        { header: 'LISTS', right: true },
        { header: 'FETCHED', right: true },
        { header: 'FETCHED:RETURNED', right: true },
        { header: 'VERDICT', right: false },
      ],
      rows: [
        {
          server: '',
          resource: 'pods',
          cells: ['pods', '240', '3,048,000', '127', 'selector death spiral'],
          values: ['pods', 240, 3_048_000, 127, 'selector death spiral'],
          meaning: 'A selector death spiral: 127 objects fetched for each one returned.',
          advice: ['Find the client that lists with a selector and a small limit.'],
          isTold: true,
        },
        {
          server: '',
          resource: 'deployments.apps',
          cells: ['deployments.apps', '31', '31,000', '1.0', 'fine'],
          values: ['deployments.apps', 31, 31_000, 1, 'fine'],
          meaning: 'Fine: 1.0 objects fetched for each one returned.',
          advice: [],
          isTold: false,
        },
      ],
      left: 0,
    },
    {
      title: 'Lists from the watch cache, which etcd has no part in',
      columns: [],
      rows: [],
      left: 0,
    },
  ],
  text: 'all of it as text',
};

export const watchCache = (over: Partial<WatchCacheInfo> = {}): WatchCacheInfo => ({
  resource: 'pods',
  state: 'ready',
  objects: 12_700,
  bytes: 54_000_000,
  limitBytes: 256 * 1024 ** 2,
  revision: '84213',
  filledAt: now,
  snapshots: 3,
  oldestSnapshot: '84210',
  window: { events: 2, capacity: 100 },
  supportsProgress: true,
  ...over,
});

/** Twenty rows out of the watch cache, which ignores the limit. */
export const fromCache: ListScript = (_, emit) => {
  emit({ kind: 'rows', rows: rows(0, 20) });
  emit({
    kind: 'notice',
    text: "With resourceVersion=0 the watch cache ignores the limit of 5, as an API server's does: 20 returned in one answer.",
  });
  const cost = { requests: 0, fetched: 20, examined: 20, evaluated: 20, returned: 20 };
  const rest = { naiveRequests: 4, largestReplyBytes: 0, durationMs: 1.2, continue: '' };
  return Promise.resolve(done({ total: total({ ...cost, ...rest, servedBy: 'watchcache' }) }));
};
