import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { DemoEtcd } from '../../server/demo/demoEtcd';
import type * as m from '../../server/etcd/rpc/messages';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { plainKeyValue } from '../support/plainKeyValue';
import { etcdMissing, etcdVersions, startEtcd } from '../support/etcdServer';
import type { EtcdVersion, RunningEtcd } from '../support/etcdServer';
import { isServiceError, RawEtcd } from '../support/rawEtcd';

/** More of them, to look for differences: DEMO_RUNS=2000. */
const runs = Number(process.env['DEMO_RUNS'] ?? 40);

/** Few and close to each other, so that random requests meet; two are no text. */
const keys = [
  ...['a', 'a\0', 'aa', 'ab', 'abc', 'b', 'b/', 'b/x', 'b0', 'c', 'registry', 'zz'].map(utf8),
  Uint8Array.of(0),
  Uint8Array.of(0xff),
  Uint8Array.of(0xff, 0xfe),
];

const key = fc.constantFrom(...keys);
const maybeKey = fc.oneof(
  { weight: 20, arbitrary: key },
  { weight: 1, arbitrary: fc.constant(utf8('')) },
);
const rangeEnd = fc.oneof(
  fc.constant(utf8('')),
  fc.constant(Uint8Array.of(0)),
  key,
  fc.constant(utf8('c0')),
);
const value = fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.constantFrom(utf8(''), utf8('same')));

/** Revisions as a share of the store's revision at that time, and around its two ends. */
type RevisionChoice =
  { readonly share: number } | { readonly ahead: bigint } | { readonly exact: bigint };

const revision: fc.Arbitrary<RevisionChoice> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ exact: 0n }) },
  { weight: 5, arbitrary: fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 2, arbitrary: fc.record({ ahead: fc.bigInt(0n, 3n) }) },
  { weight: 1, arbitrary: fc.constantFrom({ exact: -1n }, { exact: -7n }, { exact: 1n }) },
);

const small = fc.bigInt(0n, 6n);
const filterRevision = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 12n) },
);

const range = fc.record({
  key: maybeKey,
  rangeEnd,
  limit: fc.oneof(small, fc.constantFrom(0n, 100n, -1n, 2n ** 63n - 1n)),
  revision,
  sortOrder: fc.constantFrom(0, 0, 0, 1, 2),
  sortTarget: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4),
  serializable: fc.boolean(),
  keysOnly: fc.boolean(),
  countOnly: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  minModRevision: filterRevision,
  maxModRevision: filterRevision,
  minCreateRevision: filterRevision,
  maxCreateRevision: filterRevision,
});

const rarely = fc.oneof(
  { weight: 9, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

const put = fc.record({
  key: maybeKey,
  value,
  lease: fc.oneof({ weight: 12, arbitrary: fc.constant(0n) }, fc.constant(77n)),
  prevKv: fc.boolean(),
  ignoreValue: rarely,
  ignoreLease: rarely,
});

const deleteRange = fc.record({ key: maybeKey, rangeEnd, prevKv: fc.boolean() });

const compare = fc.record({
  result: fc.constantFrom(0, 1, 2, 3),
  target: fc.constantFrom(0, 1, 2, 3),
  key: maybeKey,
  rangeEnd: fc.oneof({ weight: 3, arbitrary: fc.constant(utf8('')) }, rangeEnd),
  number: small,
  value,
});

type RangeChoice = typeof range extends fc.Arbitrary<infer T> ? T : never;
type PutChoice = typeof put extends fc.Arbitrary<infer T> ? T : never;
type DeleteChoice = typeof deleteRange extends fc.Arbitrary<infer T> ? T : never;
type CompareChoice = typeof compare extends fc.Arbitrary<infer T> ? T : never;

type OpChoice =
  | { readonly kind: 'range'; readonly request: RangeChoice }
  | { readonly kind: 'put'; readonly request: PutChoice }
  | { readonly kind: 'delete'; readonly request: DeleteChoice }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'txn'; readonly request: TxnChoice };

interface TxnChoice {
  readonly compare: readonly CompareChoice[];
  readonly success: readonly OpChoice[];
  readonly failure: readonly OpChoice[];
}

const txn = fc.letrec<{ txn: TxnChoice; op: OpChoice }>((tie) => ({
  txn: fc.record({
    compare: fc.array(compare, { maxLength: 2 }),
    success: fc.array(tie('op'), { maxLength: 3 }),
    failure: fc.array(tie('op'), { maxLength: 2 }),
  }),
  op: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), request: put }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('range' as const), request: range }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('delete' as const), request: deleteRange }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('txn' as const), request: tie('txn') }) },
  ),
})).txn;

type Step =
  | OpChoice
  | { readonly kind: 'stream'; readonly request: RangeChoice }
  | { readonly kind: 'compact'; readonly revision: RevisionChoice };

const compactRevision: fc.Arbitrary<RevisionChoice> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: revision },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), request: put }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('range' as const), request: range }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('stream' as const), request: range }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), request: deleteRange }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('txn' as const), request: txn }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('compact' as const), revision: compactRevision }),
  },
);

/** What one server has told: its revision, to choose the next ones by. */
interface Seen {
  readonly version: EtcdVersion;
  latest: bigint;
}

function chosen(choice: RevisionChoice, { latest }: Seen): bigint {
  if ('exact' in choice) return choice.exact;
  if ('ahead' in choice) return latest + choice.ahead;
  return BigInt(Math.round(choice.share * Number(latest)));
}

function rangeOf(choice: RangeChoice, seen: Seen): m.RangeRequest {
  return { ...choice, revision: chosen(choice.revision, seen) };
}

const targets = ['version', 'createRevision', 'modRevision', 'value'] as const;

function compareOf({ number, value: wanted, ...rest }: CompareChoice): m.Compare {
  const target = targets[rest.target];
  const compared = { [target]: target === 'value' ? wanted : number };
  const none = { version: 0n, createRevision: 0n, modRevision: 0n, value: utf8(''), lease: 0n };
  return { ...rest, ...none, ...compared };
}

const noOp: m.RequestOp = {
  requestRange: undefined,
  requestPut: undefined,
  requestDeleteRange: undefined,
  requestTxn: undefined,
};

/**
 * Two things stay out of transactions. Servers before 3.7 check in another order (all puts before
 * all ranges, the key before the lease), hence of two faults they name another one. And after a
 * deletion without an end together with a put of a key in it, a real server that compacts at exactly
 * that revision ends on the next read of the key.
 */
function opOf(choice: OpChoice, seen: Seen): m.RequestOp {
  switch (choice.kind) {
    case 'range': {
      const asked = rangeOf(choice.request, seen);
      return { ...noOp, requestRange: seen.version !== '3.7' ? { ...asked, revision: 0n } : asked };
    }
    case 'put':
      return {
        ...noOp,
        requestPut: seen.version !== '3.7' ? { ...choice.request, lease: 0n } : choice.request,
      };
    case 'delete': {
      const { rangeEnd: end } = choice.request;
      const isEndless = end.length === 1 && end[0] === 0;
      const rangeEnd = isEndless ? utf8('zzz') : end;
      return { ...noOp, requestDeleteRange: { ...choice.request, rangeEnd } };
    }
    case 'txn':
      return { ...noOp, requestTxn: txnOf(choice.request, seen) };
    default:
      return noOp;
  }
}

function txnOf(choice: TxnChoice, seen: Seen): m.TxnRequest {
  return {
    compare: choice.compare.map(compareOf),
    success: choice.success.map((op) => opOf(op, seen)),
    failure: choice.failure.map((op) => opOf(op, seen)),
  };
}

function send(client: RawEtcd, choice: Step, seen: Seen): Promise<object> {
  switch (choice.kind) {
    case 'range':
      return client.range(rangeOf(choice.request, seen));
    case 'stream':
      return client.rangeStream(rangeOf(choice.request, seen));
    case 'put':
      return client.put(choice.request);
    case 'delete':
      return client.deleteRange(choice.request);
    case 'txn':
      return client.txn(txnOf(choice.request, seen));
    case 'compact':
      return client.compact({ revision: chosen(choice.revision, seen), physical: true });
    default:
      return client.txn({ success: [noOp] });
  }
}

/** A reply without what differs between any two clusters; an error as its code and text. */
function comparable(reply: unknown): unknown {
  if (isServiceError(reply)) return { code: reply.code, details: reply.details };
  if (reply instanceof Uint8Array) return Buffer.from(reply).toString('hex');
  if (Array.isArray(reply)) return reply.map(comparable);
  if (typeof reply !== 'object' || reply === null) return reply;
  if ('within' in reply) return comparable(plainKeyValue(reply as m.KeyValue));
  const entries = Object.entries(reply).filter(
    ([name]) => !['clusterId', 'memberId', 'raftTerm'].includes(name),
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparable(inner)]));
}

async function answer(client: RawEtcd, choice: Step, seen: Seen): Promise<unknown> {
  const reply = await send(client, choice, seen).catch((error: unknown) => error);
  const header = (reply as { header?: m.ResponseHeader }).header;
  if (header !== undefined && header.revision > seen.latest) seen.latest = header.revision;
  return comparable(reply);
}

/** Deletes everything, so that only revisions remain of the run before. */
async function clear(client: RawEtcd): Promise<bigint> {
  const everything = { key: Uint8Array.of(0), rangeEnd: Uint8Array.of(0) };
  await client.put({ key: utf8('any') });
  const { header } = await client.deleteRange(everything);
  return header?.revision ?? 0n;
}

/** A watch's responses without what differs between clusters; bigint as text, to be searched. */
function plain(response: m.WatchResponse): unknown {
  return JSON.parse(
    JSON.stringify(comparable(response), (_, inner: unknown) =>
      typeof inner === 'bigint' ? inner.toString() : inner,
    ),
  );
}

/** One fixed course of watching: catching up, live events, filters, refusals, progress, compaction. */
async function watched(client: RawEtcd, start: bigint, version: EtcdVersion): Promise<unknown> {
  const prefix = { key: utf8('w/'), rangeEnd: utf8('w0') };
  const responses: unknown[] = [];
  const watch = client.watch();
  const take = async (count: number): Promise<void> => {
    const batch: m.WatchResponse[] = [];
    for (let i = 0; i < count; i++) batch.push(await watch.next());
    // Watches are told of one revision in no fixed order.
    batch.sort((a, b) => Number(a.watchId - b.watchId));
    responses.push(batch.map(plain));
  };
  await client.put({ key: utf8('w/a'), value: utf8('1') });
  await client.put({ key: utf8('w/a'), value: utf8('2') });
  await client.put({ key: utf8('other'), value: utf8('3') });
  await client.deleteRange({ key: utf8('w/a') });
  watch.create({ ...prefix, startRevision: start + 1n, prevKv: true });
  await take(2);
  watch.create({ ...prefix, startRevision: start + 2n, filters: [0], watchId: 9n });
  await take(2);
  watch.create({ ...prefix, filters: [1], watchId: 9n });
  watch.create({ key: utf8('w/b'), rangeEnd: utf8('w/a') });
  if (version !== '3.4') watch.create({ ...prefix, startRevision: -1n });
  await take(version === '3.4' ? 2 : 3);
  watch.create({ key: utf8('w/c'), filters: [1], fragment: true });
  await take(1);
  const puts = ['w/b', 'w/c', 'x'].map((name) => ({
    ...noOp,
    requestPut: {
      ...{ key: utf8(name), value: utf8('t'), lease: 0n },
      ...{ prevKv: false, ignoreValue: false, ignoreLease: false },
    },
  }));
  await client.txn({ success: puts });
  await take(2);
  await client.txn({ success: puts });
  await take(2);
  await client.deleteRange({ ...prefix });
  await take(2);
  watch.requestProgress();
  await take(1);
  watch.cancelWatch(9n);
  watch.cancelWatch(1000n);
  await take(1);
  watch.create({ key: utf8('w/a'), startRevision: start + 100n });
  await take(1);
  await client.compact({ revision: start + 6n, physical: true });
  watch.create({ ...prefix, startRevision: start + 2n });
  await take(2);
  watch.create({ ...prefix, startRevision: start + 6n, prevKv: true });
  await take(2);
  // Old servers lose a deletion at exactly the compacted revision.
  if (version !== '3.4') {
    await client.compact({ revision: start + 7n, physical: true });
    watch.create({ ...prefix, startRevision: start + 7n });
    await take(2);
  }
  watch.cancel();
  return responses;
}

/**
 * Upstream's own sort is not stable beyond 12 keys, so that equal ones come in an order of their
 * own; there are not that many keys below.
 */
function suite(version: EtcdVersion): void {
  const hasStream = version === '3.7';
  let real: RunningEtcd;
  let demo: DemoEtcd;
  let realClient: RawEtcd;
  let demoClient: RawEtcd;

  beforeAll(async () => {
    real = await startEtcd(version);
    demo = await startDemoEtcd({ rangeStream: hasStream });
    realClient = new RawEtcd(real.endpoint);
    demoClient = new RawEtcd(demo.endpoint);
  });
  afterAll(async () => {
    realClient.close();
    demoClient.close();
    await Promise.all([real.stop(), demo.stop()]);
  });

  it('answers any sequence of requests as the real one does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const latest = await clear(realClient);
        expect(await clear(demoClient)).toBe(latest);
        const seen = { version, latest };
        for (const one of steps) {
          const before = { ...seen };
          const wanted = await answer(realClient, one, seen);
          expect(await answer(demoClient, one, before)).toEqual(wanted);
        }
      }),
      { numRuns: runs },
    );
  });

  if (hasStream) streamCases();

  function streamCases(): void {
    it('cuts streams where the real one cuts them', async () => {
      for (const [i, kilobytes] of [1, 400, 30, 700, 90, 1200, 5].entries()) {
        const filler = new Uint8Array(kilobytes * 1024);
        for (let j = 0; j < 12; j++) {
          const one = { key: utf8(`large/${i}/${String(j).padStart(2, '0')}`), value: filler };
          await Promise.all([realClient.put(one), demoClient.put(one)]);
        }
      }
      const limits = [0n, 1n, 10n, 11n, 50n, 84n].map((limit) => ({ limit, from: 'large/' }));
      const starts = [1, 2, 3, 4, 5].map((i) => ({ limit: 0n, from: `large/${i}/` }));
      for (const { limit, from } of [...limits, ...starts]) {
        const request = { key: utf8(from), rangeEnd: utf8('large0'), limit };
        const [real, demo] = await Promise.all(
          [realClient, demoClient].map(async (client) => {
            const { messages, error } = await client.rangeStream(request);
            expect(error).toBeUndefined();
            return messages.map(({ kvs, more, count, header }) => ({
              keys: kvs.map((one) => Buffer.from(one.key).toString()),
              more,
              count,
              hasHeader: header !== undefined,
            }));
          }),
        );
        expect(real?.length).toBeGreaterThan(0);
        expect(demo).toEqual(real);
      }
    });
  }

  it('watches as the real one does', async () => {
    await clear(realClient);
    const start = await clear(demoClient);
    const wanted = await watched(realClient, start, version);
    const got = await watched(demoClient, start, version);
    expect(got).toEqual(wanted);
    expect(JSON.stringify(wanted)).toContain('"compactRevision"');
  });

  it('answers a range that is all defaults as the real one does', async () => {
    const request = rangeRequest.decode(new Uint8Array(0));
    const failed = (client: RawEtcd) => client.range(request).catch((error: unknown) => error);
    expect(comparable(await failed(demoClient))).toEqual(comparable(await failed(realClient)));
  });
}

for (const version of etcdVersions) {
  describe.skipIf(etcdMissing(version))(`the embedded etcd against etcd ${version}`, () => {
    suite(version);
  });
}
