import { describe, expect, it } from 'vitest';
import { utf8, utf8Lossy } from '../../../server/common/bytes';
import { AnswerCheck, FirstAnswer } from '../../../server/compare/answers';
import { compareWays, type CompareHooks } from '../../../server/compare/compare';
import { AnswersDifferError } from '../../../server/compare/difference';
import { ComparisonFailedError, wayNames, type WayName } from '../../../server/compare/model';
import { comparisonTable } from '../../../server/compare/table';
import type { ListHooks, ListItem, ListStore } from '../../../server/store/interfaces';
import {
  scriptedError,
  scriptedEtcd,
  scriptedValue,
  type ScriptStep,
} from '../../support/scriptedEtcd';
import { listOptions, testStore } from '../../support/testStore';
import type { TestObject } from '../../support/testObjects';

const total = 1000;
const names = Array.from(
  { length: total },
  (_, i) => `/registry/pods/ns/pod-${String(i).padStart(4, '0')}`,
);
const value = (name: string, i: number) =>
  scriptedValue(name, new Map(i % 10 === 0 ? [['a', 'b']] : []));
const all = names.map(value);

const lastChunk = { revision: 7n, count: BigInt(total), more: false };
/** New ones for each stream: whoever reads them empties them. */
const chunks = (): ScriptStep[] =>
  Array.from({ length: 10 }, (_, i) => ({
    kvs: all.slice(100 * i, 100 * (i + 1)),
    ...(i === 9 ? lastChunk : { count: 0n, more: false }),
  }));

function etcd({ hasStream = true } = {}) {
  const revisions: bigint[] = [];
  const { reader } = scriptedEtcd({
    range: ({ key, limit = 0n, revision = 0n }) => {
      revisions.push(revision);
      const start = utf8Lossy(key);
      const from = names.findIndex((name) => name >= start);
      const rest = from < 0 ? [] : all.slice(from);
      const kvs = rest.slice(0, Number(limit));
      const more = kvs.length < rest.length;
      const base = { revision: 7n, bytes: 100 * kvs.length, endpoint: 'script:1' };
      return Promise.resolve({ ...base, kvs, count: BigInt(rest.length), more });
    },
    streams: Array.from({ length: 5 }, () =>
      hasStream ? chunks() : [scriptedError('unimplemented')],
    ),
  });
  return { reader, revisions };
}

interface Setting {
  readonly ways?: readonly WayName[];
  readonly rounds?: number;
  readonly toTheEnd?: boolean;
  readonly limit?: bigint;
  readonly hasStream?: boolean;
  /** Stands between the comparison and the engine. */
  readonly between?: (store: ListStore<TestObject>) => ListStore<TestObject>;
  readonly hooks?: Partial<CompareHooks>;
}

const valueOf = (object: TestObject): Uint8Array =>
  utf8(JSON.stringify([object.name, ...object.labels]));

function compared(setting: Setting = {}) {
  const { reader } = etcd(setting);
  const store = testStore({ etcd: reader });
  const { ways = ['pages', 'naive', 'adaptive'], rounds = 1, toTheEnd = false } = setting;
  const options = listOptions({
    key: '/pods/ns',
    limit: setting.limit ?? 10n,
    labelSelector: 'a=b',
  });
  const keyPrefix = utf8('/registry/pods/ns/');
  const list = { store: setting.between?.(store) ?? store, options, keyPrefix, toTheEnd };
  const hooks = { signal: new AbortController().signal, ...setting.hooks };
  return compareWays({ list, ways, rounds, valueOf }, hooks);
}

async function failed(comparing: Promise<unknown>): Promise<ComparisonFailedError> {
  const outcome = await comparing.catch((error: unknown) => error);
  if (outcome instanceof ComparisonFailedError) return outcome;
  throw new Error(`expected a failed comparison, got ${String(outcome)}`);
}

/** Changes what one way hands out. */
const changing =
  (
    isOf: (hooks: ListHooks<TestObject>) => boolean,
    change: (items: readonly ListItem<TestObject>[]) => readonly ListItem<TestObject>[],
  ) =>
  (store: ListStore<TestObject>): ListStore<TestObject> => ({
    getList: (options, hooks = {}) => {
      const { onItems } = hooks;
      if (!isOf(hooks) || onItems === undefined) return store.getList(options, hooks);
      return store.getList(options, { ...hooks, onItems: (items) => onItems(change(items)) });
    },
  });
const adapting = ({ pageSizing }: ListHooks<TestObject>): boolean => pageSizing === 'adaptive';
const isNamed = (name: string) => (item: ListItem<TestObject>) => item.object.name === name;

describe('a comparison', () => {
  it('reads one list in each way, and finds the same answer', async () => {
    const comparison = await compared();
    expect(comparison).toMatchObject({ revision: 7n, agreed: 2 });
    const taken = comparison.ways.map(({ way, figures }) => {
      const { requests, fetched, examined, returned, bytes, lists } = figures ?? expect.fail(way);
      return { way, requests, fetched, examined, returned, bytes, lists };
    });
    const same = { examined: 91, returned: 10, lists: 1 };
    expect(taken).toEqual([
      { way: 'pages', requests: 4, fetched: 150, bytes: 15_000, ...same },
      { way: 'naive', requests: 10, fetched: 100, bytes: 10_000, ...same },
      { way: 'adaptive', requests: 3, fetched: 151, bytes: 15_100, ...same },
    ]);
  });

  it('follows tokens to the end, and reads the stream once, without a limit', async () => {
    const comparison = await compared({ ways: wayNames, toTheEnd: true });
    expect(comparison.agreed).toBe(3);
    for (const { way, figures } of comparison.ways) {
      expect(figures).toMatchObject({
        // Behind the last match are nine keys, for which there is one list more.
        lists: way === 'stream' ? 1 : 11,
        returned: 100,
        examined: 1000,
      });
    }
    expect(comparison.ways[1]?.figures).toMatchObject({ requests: 1, fetched: 1000 });
  });

  it('leaves the stream of a list with limit and selector when the list is full', async () => {
    const comparison = await compared({ ways: ['pages', 'stream'] });
    expect(comparison.ways[1]?.figures).toMatchObject({ requests: 1, fetched: 100, returned: 10 });
    expect(comparison.agreed).toBe(1);
  });

  it('goes on without a stream where this etcd has none', async () => {
    const comparison = await compared({
      ways: ['stream', 'pages', 'naive'],
      hasStream: false,
      rounds: 2,
    });
    expect(comparison.ways[0]).toEqual({ way: 'stream', durationsMs: [], unsupported: true });
    expect(comparison.ways.slice(1).map(({ durationsMs }) => durationsMs.length)).toEqual([2, 2]);
    expect(comparison.agreed).toBe(3);
    expect(comparisonTable(comparison, false)[1]).toBe(
      'stream  not supported: this etcd has no RangeStream',
    );
  });

  it('begins each round with the next way, and pins all runs to the first one’s revision', async () => {
    const { reader, revisions } = etcd();
    const order: string[] = [];
    const options = listOptions({ key: '/pods/ns', limit: 10n, labelSelector: 'a=b' });
    const keyPrefix = utf8('/registry/pods/ns/');
    const list = { store: testStore({ etcd: reader }), options, keyPrefix, toTheEnd: false };
    await compareWays(
      { list, ways: ['pages', 'naive', 'adaptive'], rounds: 3, valueOf },
      {
        signal: new AbortController().signal,
        onRunStarted: ({ way, nth, of }) => order.push(`${nth}/${of} ${way}`),
      },
    );
    expect(order).toEqual([
      ...['1/9 pages', '2/9 naive', '3/9 adaptive'],
      ...['4/9 naive', '5/9 adaptive', '6/9 pages'],
      ...['7/9 adaptive', '8/9 pages', '9/9 naive'],
    ]);
    expect(revisions[0]).toBe(0n);
    expect(new Set(revisions.slice(1))).toEqual(new Set([7n]));
  });

  it('stops at once, and tells what was read until then', async () => {
    const stop = new AbortController();
    const { cause, comparison } = await failed(
      compared({
        hooks: {
          signal: stop.signal,
          onRequest: ({ way }, { n }) => {
            if (way === 'naive' && n === 3) stop.abort();
          },
        },
      }),
    );
    expect(cause).toMatchObject({ code: 'cancelled' });
    const [pages, naive, adaptive] = comparison.ways;
    expect(pages?.figures?.returned).toBe(10);
    expect(naive).toMatchObject({ durationsMs: [], broken: { lists: 1 } });
    expect(naive?.figures).toBeUndefined();
    expect(adaptive).toEqual({ way: 'adaptive', durationsMs: [] });
    const table = comparisonTable(comparison, false);
    expect(table[2]).toMatch(/^naive .*broken off$/);
    expect(table[3]).toBe('adaptive  not run');
  });
});

describe('answers that differ', () => {
  const sentence = 'the answers by pages and by adaptive differ at one revision';
  const pod = (i: number): string =>
    `/registry/pods/ns/pod-${String(i).padStart(4, '0')} at revision`;

  it('by an object left out', async () => {
    const between = changing(adapting, (items) =>
      items.filter((item) => !isNamed('pod-0030')(item)),
    );
    const { cause, comparison } = await failed(compared({ between }));
    expect(cause).toBeInstanceOf(AnswersDifferError);
    expect((cause as Error).message).toBe(
      `${sentence}, first in object 4: pages gave ${pod(30)} 1, adaptive gave ${pod(40)} 1`,
    );
    expect(comparison.ways[2]?.figures).toBeUndefined();
    expect(comparison.ways[2]?.broken?.requests).toBeGreaterThan(0);
  });

  it('by a revision', async () => {
    const between = changing(adapting, (items) =>
      items.map((item) => (isNamed('pod-0050')(item) ? { ...item, modRevision: 3n } : item)),
    );
    const { cause } = await failed(compared({ between }));
    expect((cause as Error).message).toBe(
      `${sentence}, first in object 6: pages gave ${pod(50)} 1, adaptive gave ${pod(50)} 3`,
    );
  });

  it('by a value alone', async () => {
    const labels = new Map([['a', 'c']]);
    const between = changing(adapting, (items) =>
      items.map((item) =>
        isNamed('pod-0000')(item) ? { ...item, object: { ...item.object, labels } } : item,
      ),
    );
    const { cause } = await failed(compared({ between }));
    expect((cause as Error).message).toMatch(
      /first in object 1: pages gave \S+pod-0000 at revision 1 with a value of SHA-256 [0-9a-f]{64}, adaptive gave \S+ at revision 1 with a value of SHA-256 [0-9a-f]{64}$/,
    );
  });

  it('by an end too soon, and by more than there is', async () => {
    const last = isNamed('pod-0090');
    const short = changing(adapting, (items) => items.filter((item) => !last(item)));
    const { cause } = await failed(compared({ between: short }));
    expect((cause as Error).message).toBe(
      `${sentence}, first in object 10: pages gave ${pod(90)} 1, adaptive gave no more`,
    );
    const long = changing(adapting, (items) =>
      items.flatMap((item) => (last(item) ? [item, item] : [item])),
    );
    const more = await failed(compared({ between: long }));
    expect((more.cause as Error).message).toBe(
      `${sentence}, first in object 11: pages gave no more, adaptive gave ${pod(90)} 1`,
    );
  });

  it('by the continue token', async () => {
    const between = (store: ListStore<TestObject>): ListStore<TestObject> => ({
      getList: async (options, hooks = {}) => {
        const result = await store.getList(options, hooks);
        return adapting(hooks) ? { ...result, continueToken: 'other' } : result;
      },
    });
    const { cause } = await failed(compared({ between }));
    expect((cause as Error).message).toContain(
      'the objects are the same, and the continue tokens are "',
    );
  });

  it('only once', async () => {
    let times = 0;
    const between = changing(adapting, (items) => (times++ === 0 ? items.slice(1) : items));
    const { cause } = await failed(compared({ between }));
    expect((cause as Error).message).toBe(
      `${sentence}, somewhere in objects 1 to 1, and were the same when both were read again: what stands between does not always give the same`,
    );
  });
});

describe('answers of many objects', () => {
  const object = (i: number, value = 'v') => ({
    key: utf8(`key-${i}`),
    modRevision: BigInt(i),
    value: utf8(value),
  });
  const first = new FirstAnswer();
  for (let i = 0; i < 20_000; i++) first.add(object(i));

  it.each([0, 1, 4095, 4096, 8191, 8192, 19_998, 19_999])(
    'that differ in object %i, counted from 0, do so within a stretch of 8',
    (place) => {
      const check = new AnswerCheck(first);
      let found;
      for (let i = 0; i < 20_000 && found === undefined; i++) {
        found = check.add(object(i, i === place ? 'w' : 'v'));
      }
      expect(found?.agreed).toBeLessThanOrEqual(place);
      expect(found?.until).toBeGreaterThan(place);
      expect((found?.until ?? 0) - (found?.agreed ?? 0)).toBeLessThanOrEqual(8);
    },
  );

  it('that are the same have no stretch', () => {
    const check = new AnswerCheck(first);
    for (let i = 0; i < 20_000; i++) expect(check.add(object(i))).toBeUndefined();
    expect(check.end()).toBeUndefined();
  });
});
