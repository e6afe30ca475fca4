/** What comes from a measured process is held to its form, and each side to what it has to tell. */
import type { SideName } from './measure';
import type { Way } from './growth';
import type { Outcome, Sent } from './work';

type Numbers = Exclude<keyof Outcome, 'requests'>;
export type Fact = keyof Outcome;

/** The least that each number may be; all but times and rates are counted. */
const numbers: Readonly<Record<Numbers, { readonly whole: boolean }>> = {
  ms: { whole: false },
  longestBlock: { whole: false },
  perSecond: { whole: false },
  items: { whole: true },
  keys: { whole: true },
  requestCount: { whole: true },
  replyBytes: { whole: true },
  largestReply: { whole: true },
};

const shown = (value: unknown): string =>
  (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 60);

function isSent(value: unknown): value is Sent {
  if (typeof value !== 'object' || value === null) return false;
  const { method, message } = value as Partial<Record<keyof Sent, unknown>>;
  return (method === 'Range' || method === 'RangeStream') && typeof message === 'string';
}

/** Throws, in one sentence, when it is no outcome: a list is told whole, a number is not negative. */
export function outcomeOf(answer: unknown): Outcome {
  if (typeof answer !== 'object' || answer === null) {
    throw new Error(`answered ${shown(answer)}, which is no outcome of a run`);
  }
  const told = answer as Partial<Record<Fact, unknown>>;
  for (const [name, { whole }] of Object.entries(numbers)) {
    const value = told[name as Numbers];
    if (value === undefined) continue;
    const isRight = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (!isRight || (value as number) < 0) {
      throw new Error(`told ${shown(value)} as ${titleOf[name as Numbers]}`);
    }
  }
  if (typeof told.ms !== 'number') throw new Error('told no time in milliseconds');
  const { requests } = told;
  if (requests !== undefined && !(Array.isArray(requests) && requests.every(isSent))) {
    throw new Error(`told ${shown(requests)} as etcd requests`);
  }
  return answer as Outcome;
}

const titleOf: Readonly<Record<Fact, string>> = {
  ms: 'time in milliseconds',
  longestBlock: 'longest block',
  perSecond: 'times a second',
  items: 'number of objects',
  keys: 'number of keys',
  requestCount: 'number of etcd requests',
  replyBytes: 'bytes of replies',
  largestReply: 'bytes of the largest reply',
  requests: 'etcd requests',
};

/** Nothing can be compared with a time of nothing, or with a list that asked etcd nothing. */
const neverNone: ReadonlySet<Fact> = new Set<Fact>([
  'ms',
  'perSecond',
  'requestCount',
  'replyBytes',
  'largestReply',
  'requests',
]);

/** Throws when one of the facts is missing, or is none and cannot be. */
export function requireTold(outcome: Outcome, facts: readonly Fact[]): void {
  for (const fact of facts) {
    const value = outcome[fact];
    if (value === undefined) throw new Error(`told no ${titleOf[fact]}`);
    const count = typeof value === 'number' ? value : value.length;
    if (neverNone.has(fact) && count === 0) throw new Error(`told ${count} as ${titleOf[fact]}`);
  }
}

const engine = ['ms', 'items', 'keys', 'requests', 'requestCount', 'replyBytes'] as const;

/** Of every run, as the table of `docs/bench.md` has it. What etcdctl prints is asked of it once. */
export const promises: Readonly<Record<SideName | Way, readonly Fact[]>> = {
  floor: ['ms', 'replyBytes'],
  engine: [...engine, 'largestReply'],
  "Go's floor": ['ms', 'keys'],
  "Go's floor, undecoded": ['ms'],
  upstream: ['ms', 'items', 'requests', 'requestCount'],
  etcdctl: ['ms'],
  'etcdctl --stream': ['ms'],
  'etcd3 getAll()': ['ms', 'items', 'keys'],
  naive: engine,
  doubling: engine,
  stream: engine,
};
