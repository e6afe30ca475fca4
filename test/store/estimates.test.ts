/**
 * Estimates against receipts: the same lists estimated first and run then, on the embedded etcd and on a
 * real etcd 3.7. Prints the table that stands in docs/explain.md.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpentCounter } from '../../server/cli/explain/spent';
import { prefixEnd, utf8 } from '../../server/common/bytes';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { UNKNOWN_SERVER, type AskedList, type ServerFacts } from '../../server/explain/asked';
import { estimateOf } from '../../server/explain/estimate';
import { exactly } from '../../server/explain/estimateCost';
import type { EstimateRow, Figure, StoredKeys } from '../../server/explain/estimateModel';
import { heldAgainst, type Held, type Spent } from '../../server/explain/estimateReceipt';
import { measuredKeys } from '../../server/explain/estimateSample';
import { explain } from '../../server/explain/explain';
import { decodeContinue } from '../../server/store/continueToken';
import { nextOptions } from '../../server/store/follow';
import type { TotalRecord } from '../../server/store/interfaces';
import { spreadSample } from '../../server/store/spreadSample';
import { Totals } from '../../server/store/totals';
import { encodeTestObject, testDecoder } from '../support/testObjects';
import { listOptions, testStore } from '../support/testStore';
import { startSubject, subjectNames, type StoreSubject } from '../support/storeSubjects';

const KEYS = 30_000;
const PER_NAMESPACE = 1000;

/** The same numbers each time, below 1. */
function noise(i: number): number {
  const state = Math.imul(i, 0x6d2b79f5);
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const RANDOM = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7'];

/** Of the i-th key, counted from 1: what the selectors of the lists below ask for. */
function labelsOf(i: number): Map<string, string> {
  const is = (yes: boolean): string => (yes ? 'y' : 'n');
  return new Map([
    ['half', is(i % 2 === 0)],
    ['tenth', is(i % 10 === 0)],
    ['percent', is(i % 100 === 0)],
    ['mille', is(i % 1000 === 0)],
    // A label of its own for each list that is measured: one sample would decide over all of them.
    ...RANDOM.map((name, n): [string, string] => [name, is(noise(i + n * 1e6) < 0.03)]),
    ['rare', is(noise(i + 1e7) < 0.002)],
    ['front', is(i <= 600)],
    ['middle', is(i > 20_000 && i <= 20_300)],
    ['team', `t${Math.floor((i - 1) / PER_NAMESPACE) % 10}`],
  ]);
}

/** Of one size, or of many where `varied`. */
function entry(prefix: string, i: number, varied: boolean): readonly [string, Uint8Array] {
  const number = String(i).padStart(5, '0');
  const namespace = `ns${String(Math.floor((i - 1) / PER_NAMESPACE)).padStart(2, '0')}`;
  const name = `web-${number}`;
  const padding = 'x'.repeat(varied ? 100 + Math.floor(1500 * noise(i)) : 400);
  const labels = labelsOf(i).set('padding', padding);
  return [`${prefix}${namespace}/${name}`, encodeTestObject({ name, namespace, labels })];
}

interface Case {
  readonly title: string;
  readonly selector?: string;
  readonly limit: number;
  /** Below the resource: a namespace. */
  readonly within?: string;
  readonly varied?: boolean;
  readonly streams?: boolean;
  readonly toEnd?: boolean;
  /** Begins with the token that this list ended with. */
  readonly second?: boolean;
  /** The share that is given by hand, of matches that are the last of their block; else it is measured. */
  readonly share?: number;
  /** All are read by the sample, or there is nothing to doubt. */
  readonly exact?: boolean;
}

const CASES: readonly Case[] = [
  { title: 'no selector, limit 500', limit: 500, share: 1 },
  { title: 'no selector, limit 500, streamed', limit: 500, share: 1, streams: true },
  { title: 'no selector, one read', limit: 0, share: 1 },
  { title: 'no selector, streamed', limit: 0, share: 1, streams: true },
  { title: 'no selector, limit 7000, to the end', limit: 7000, share: 1, toEnd: true },
  { title: '50 % match, limit 100', selector: 'half=y', limit: 100, share: 0.5 },
  { title: '10 % match, limit 100', selector: 'tenth=y', limit: 100, share: 0.1 },
  { title: '10 % match, limit 1', selector: 'tenth=y', limit: 1, share: 0.1 },
  { title: '1 % match, limit 100', selector: 'percent=y', limit: 100, share: 0.01 },
  {
    title: '1 % match, limit 100, to the end',
    selector: 'percent=y',
    limit: 100,
    share: 0.01,
    toEnd: true,
  },
  { title: '1 % match, limit 12000', selector: 'percent=y', limit: 12_000, share: 0.01 },
  { title: '1 % match, one read', selector: 'percent=y', limit: 0, share: 0.01 },
  { title: '1 % match, streamed', selector: 'percent=y', limit: 0, share: 0.01, streams: true },
  { title: '0.1 % match, limit 10', selector: 'mille=y', limit: 10, share: 0.001 },
  { title: '0.1 % match, limit 100', selector: 'mille=y', limit: 100, share: 0.001 },
  { title: 'none matches, limit 100', selector: 'half=z', limit: 100, share: 0 },
  { title: 'random 3 %, limit 100', selector: 'r0=y', limit: 100 },
  { title: 'random 3 %, limit 500', selector: 'r1=y', limit: 500, varied: true },
  { title: 'random 3 %, limit 100, to the end', selector: 'r2=y', limit: 100, toEnd: true },
  { title: 'random 3 %, one read', selector: 'r3=y', limit: 0, varied: true },
  { title: 'random 3 %, streamed', selector: 'r4=y', limit: 0, streams: true },
  { title: 'random 0.2 %, limit 20', selector: 'rare=y', limit: 20 },
  { title: '2 % side by side in front, limit 100', selector: 'front=y', limit: 100 },
  { title: '1 % side by side, limit 100', selector: 'middle=y', limit: 100 },
  { title: '10 % by namespace, limit 100', selector: 'team=t7', limit: 100 },
  { title: 'sizes that vary, no selector, limit 2000', limit: 2000, varied: true },
  { title: 'second page, random 3 %, limit 100', selector: 'r5=y', limit: 100, second: true },
  { title: 'one namespace, random 3 %, limit 5', selector: 'r6=y', limit: 5, within: 'ns04/' },
  {
    title: 'small, read whole, limit 5',
    selector: 'r7=y',
    limit: 5,
    within: 'ns30/',
    exact: true,
  },
];

interface Told {
  readonly title: string;
  readonly on: string;
  readonly row: EstimateRow;
  readonly held: readonly Held[];
}

class Bench {
  readonly told: Told[] = [];
  private constructor(
    readonly subject: StoreSubject,
    readonly etcd: EtcdReader,
  ) {}

  static async start(name: string): Promise<Bench> {
    const subject = await startSubject(name);
    for (const varied of [false, true]) {
      const prefix = `/registry/${varied ? 'varied' : 'same'}/`;
      const numbers = Array.from({ length: KEYS + 300 }, (_, i) => i + 1);
      await subject.writer.bulkLoad(numbers.map((i) => entry(prefix, i, varied)));
    }
    return new Bench(subject, connect({ endpoints: [subject.endpoint] }));
  }

  async stop(): Promise<void> {
    this.etcd.close();
    await this.subject.stop();
  }

  async run(one: Case): Promise<Told> {
    const { varied = false, streams = false, selector = '', limit, toEnd = false } = one;
    const resource = varied ? 'varied' : 'same';
    const store = testStore({ etcd: this.etcd, resourcePrefix: `/${resource}/`, stream: streams });
    const first = listOptions({
      key: `/${resource}/${one.within ?? ''}`,
      limit: BigInt(limit),
      labelSelector: selector,
    });
    const before = one.second === true ? await store.getList(first) : undefined;
    const token = before?.continueToken ?? '';
    const options = before === undefined ? first : nextOptions(first, token);

    const stored = await this.stored(one, resource, token);
    const asked = askedBy(one);
    const facts = factsOf(streams);
    const estimate = estimateOf(asked, explain(asked, facts), stored)!;
    const row = estimate.rows.find(({ name }) => name === (toEnd ? 'toEnd' : 'asked'))!;

    const counter = new SpentCounter(BigInt(limit));
    const totals = new Totals(BigInt(limit));
    const onRequest = (record: Parameters<SpentCounter['add']>[0], state: string): void => {
      if (state === 'done') counter.add(record);
    };
    for (let next = options; ;) {
      const { receipt, continueToken } = await store.getList(next, { onRequest });
      totals.add(receipt.total);
      if (!toEnd || continueToken === '') break;
      next = nextOptions(next, continueToken);
    }
    const { spent } = counter.told(totals.total as TotalRecord);
    const told = { title: one.title, on: this.subject.name, row, held: heldAgainst(row, spent) };
    const again = this.told.findIndex(({ title }) => title === one.title);
    this.told.splice(again < 0 ? this.told.length : again, again < 0 ? 0 : 1, told);
    return told;
  }

  private async stored(one: Case, resource: string, token: string): Promise<StoredKeys> {
    const prefix = utf8(`/registry/${resource}/${one.within ?? ''}`);
    if (one.share !== undefined) return this.given(one.share, prefix);
    const start = token === '' ? prefix : decodeContinue(token, prefix).key;
    const sample = await spreadSample({
      etcd: this.etcd,
      decoder: testDecoder(),
      predicate: listOptions({ labelSelector: one.selector ?? '' }).predicate,
      start,
      end: prefixEnd(prefix),
      signal: new AbortController().signal,
    });
    expect(sample.cost.keys).toBeLessThanOrEqual(530);
    return measuredKeys(sample);
  }

  /** All keys of this prefix are of one size. */
  private async given(share: number, key: Uint8Array): Promise<StoredKeys> {
    const { bytes, count } = await this.etcd.range({ key, rangeEnd: prefixEnd(key), limit: 100n });
    return {
      keys: Number(count),
      bytesPerKey: exactly(bytes / 100),
      matches: { kind: 'share', share: exactly(share), clustered: false },
      source: { kind: 'given' },
    };
  }
}

function askedBy({ selector = '', limit, toEnd = false, streams = false }: Case): AskedList {
  return {
    resource: 'events',
    namespace: '',
    labelSelector: selector,
    fieldSelector: '',
    limit: BigInt(limit),
    resourceVersion: '',
    resourceVersionMatch: '',
    from: { kind: 'beginning' },
    named: false,
    toEnd,
    stream: streams ? 'auto' : 'off',
    watch: false,
  };
}

const factsOf = (answer: boolean): ServerFacts => ({
  ...UNKNOWN_SERVER,
  rangeStream: { answer, because: 'the test says so' },
});

const COUNTS: readonly (keyof Spent)[] = ['requests', 'keys', 'examined', 'returned'];

const subjects = subjectNames().filter((name) => name === 'embedded' || name === 'etcd 3.7');

describe.each(subjects)('on %s', (name) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(name);
  });
  afterAll(async () => {
    console.log(tableOf(bench.told));
    await bench.stop();
  });

  it.each(CASES)('$title', async (one) => {
    const { row, held } = await bench.run(one);
    if (one.share === undefined && one.exact !== true) return;
    for (const figure of held) expect(figure, figure.name).toMatchObject({ isWithin: true });
    const counts = held.filter(({ name: figure }) => COUNTS.includes(figure));
    for (const { name: figure, estimate, receipt } of counts) {
      expect(exactly(receipt), figure).toEqual(estimate);
    }
    expect(row.isPartial).toBe(false);
  });

  it('has told ranges for the measured ones that hold, but for one in twenty', () => {
    const outside = bench.told.filter(({ held }) => held.some(({ isWithin }) => !isWithin));
    expect(bench.told.length).toBe(CASES.length);
    expect(outside.length, outside.map(({ title }) => title).join()).toBeLessThanOrEqual(1);
  });

  it('streams in as many chunks as it says', async () => {
    const one = CASES.find(({ title }) => title === 'no selector, streamed')!;
    const store = testStore({ etcd: bench.etcd, resourcePrefix: '/same/', stream: true });
    const { receipt } = await store.getList(listOptions({ key: '/same/' }));
    const { row } = await bench.run(one);
    expect(row.cost.chunks?.likely).toBe(receipt.requests[0]?.chunks);
  });
});

/** A line a list, in Markdown. */
function tableOf(told: readonly Told[]): string {
  const figure = ({ low, high }: Figure): string =>
    low === high ? grouped(low) : `${grouped(low)} to ${grouped(high)}`;
  const cells = told.map(({ title, held }) => {
    const [requests, keys, , , bytes] = held;
    return [
      title,
      figure(requests!.estimate),
      grouped(requests!.receipt),
      figure(keys!.estimate),
      grouped(keys!.receipt),
      `${megabytes(bytes!.estimate.low)} to ${megabytes(bytes!.estimate.high)}`,
      megabytes(bytes!.receipt),
    ];
  });
  const head = ['list', 'requests', 'run', 'keys', 'run', 'MB', 'run'];
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'));
  return [`\n${told[0]?.on ?? ''}`, line(head), line(rule), ...cells.map(line)].join('\n');
}

const grouped = (value: number): string => value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);
