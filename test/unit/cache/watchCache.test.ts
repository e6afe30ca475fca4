import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { utf8, utf8Lossy } from '../../../server/common/bytes';
import type { RangeReply, RangeRequest } from '../../../server/etcd/interfaces';
import type { CacheEstimate } from '../../../server/cache/interfaces';
import { objectOverhead, stateOverhead } from '../../../server/cache/footprint';
import { expired } from '../../../server/store/errorTexts';
import { StoreError } from '../../../server/store/errors';
import { ListFailedError, type ListItem } from '../../../server/store/interfaces';
import type { FeedEvent } from '../../../server/store/watchInterfaces';
import {
  cacheRig,
  knownProgress,
  type CacheRig,
  type CacheRigOptions,
} from '../../support/cacheRig';
import { changed, fakeFeeds, podKey, synced, type FakeFeeds } from '../../support/fakeFeed';
import { overriding } from '../../support/readerOverride';
import { scriptedError, scriptedEtcd, scriptedValue } from '../../support/scriptedEtcd';
import { testDecoder, type TestObject } from '../../support/testObjects';
import { listOptions, type ListInput } from '../../support/testStore';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** An etcd with some objects, at a revision that the test moves. */
interface World {
  revision: bigint;
  paths: string[];
  readonly asked: RangeRequest[];
  fails: Error | undefined;
}

function worldOf(paths: readonly string[], revision: bigint) {
  const world: World = { revision, paths: [...paths], asked: [], fails: undefined };
  const range = (request: RangeRequest): Promise<RangeReply> => {
    world.asked.push(request);
    if (world.fails !== undefined) return Promise.reject(world.fails);
    const all = world.paths.map((path) => scriptedValue(podKey(path), new Map()));
    const from = utf8Lossy(request.key);
    const inside =
      request.rangeEnd === undefined ? [] : all.filter(({ key }) => utf8Lossy(key) >= from);
    const limit = request.limit ?? 0n;
    const kvs =
      request.countOnly === true ? [] : inside.slice(0, limit > 0n ? Number(limit) : undefined);
    return Promise.resolve({
      kvs,
      count: BigInt(inside.length),
      more: kvs.length < inside.length,
      revision: world.revision,
      bytes: 50,
      endpoint: 'script:1',
    });
  };
  return { world, reader: scriptedEtcd({ range }).reader };
}

interface Rig extends CacheRig {
  readonly world: World;
  readonly feeds: FakeFeeds;
  readonly list: (input?: ListInput) => Promise<string>;
}

const three = ['web/a', 'web/b', 'web/c'];
const odd = new Map([['odd', 'yes']]);

/** What a list came to, in one line: names, revision, remaining, start key of the token. */
async function outcomeOf(cache: CacheRig['cache'], input: ListInput): Promise<string> {
  try {
    const { items, resourceVersion, remainingItemCount, continueToken, receipt } =
      await cache.getList(listOptions(input));
    const names = items.map(({ object, modRevision }) => `${object.name}@${modRevision}`);
    const token = Buffer.from(continueToken, 'base64url').toString('utf8');
    const left = remainingItemCount === null ? '' : ` +${remainingItemCount}`;
    const by = receipt.total.servedBy ?? 'etcd';
    return `${by} ${names.join(' ')} rv=${resourceVersion}${left} ${token}`.trimEnd();
  } catch (error) {
    if (error instanceof ListFailedError) return `${error.cause.code}: ${error.message}`;
    throw error;
  }
}

function rigOf(options: Partial<CacheRigOptions> = {}, paths: readonly string[] = three): Rig {
  const { world, reader } = worldOf(paths, 10n);
  const feeds = fakeFeeds();
  const rig = cacheRig({ etcd: reader, feeds, progress: knownProgress(true), ...options });
  return { ...rig, world, feeds, list: (input = {}) => outcomeOf(rig.cache, input) };
}

const fillOf = (revision: bigint, paths: readonly string[] = three): FeedEvent[] => [
  ...paths.map((path, i) => synced(path, BigInt(i + 1), i % 2 === 0 ? {} : { labels: odd })),
  { type: 'syncEnd', revision },
];

async function filled(rig: Rig): Promise<Rig> {
  const starting = rig.cache.start();
  await settle();
  rig.feeds.feed.tell(...fillOf(rig.world.revision));
  await starting;
  rig.world.asked.length = 0;
  return rig;
}

describe('starting', () => {
  it('counts and measures, fills, and is ready then', async () => {
    const rig = rigOf();
    const estimates: CacheEstimate[] = [];
    expect(rig.cache.status().state).toBe('off');
    const starting = rig.cache.start({ onEstimate: (estimate) => estimates.push(estimate) });
    expect(rig.cache.status().state).toBe('filling');
    await settle();
    expect(rig.world.asked.map(({ countOnly, limit }) => [countOnly, limit])).toEqual([
      [true, undefined],
      [undefined, 100n],
    ]);
    expect(estimates.map(({ objects }) => objects)).toEqual([3n]);
    rig.feeds.feed.tell(...fillOf(10n));
    await starting;
    expect(rig.cache.status()).toMatchObject({
      state: 'ready',
      objects: 3,
      revision: 10n,
      snapshots: 1,
      oldestSnapshot: 10n,
      windowCapacity: 100,
      supportsProgress: true,
      failure: undefined,
    });
    expect(Math.round(estimates[0]?.bytes ?? 0)).toBeGreaterThan(3 * objectOverhead);
  });

  it('is refused with the numbers where the objects would take more than the limit', async () => {
    const rig = rigOf({ limitBytes: 1000 });
    await expect(rig.cache.start()).rejects.toMatchObject({
      code: 'cacheFull',
      message: expect.stringMatching(
        /^a watch cache of 3 objects would take about \d{4} bytes, more than its limit of 1000$/,
      ) as string,
    });
    expect(rig.feeds.opened).toHaveLength(0);
    expect(rig.cache.status()).toMatchObject({ state: 'stopped', objects: 0 });
    expect(await rig.list({ resourceVersion: '0' })).toMatch(
      /^tooManyRequests: apiserver cacher is stopped: a watch cache of 3 objects/,
    );
  });

  it('fails with what etcd fails with, as one error', async () => {
    const rig = rigOf();
    rig.world.fails = scriptedError('permissionDenied');
    await expect(rig.cache.start()).rejects.toMatchObject({ code: 'etcd' });
    const next = rigOf();
    const starting = next.cache.start();
    const failed = expect(starting).rejects.toMatchObject({ message: 'gone away' });
    await settle();
    next.feeds.feed.fail(new StoreError({ code: 'etcd', message: 'gone away' }));
    await failed;
    expect(next.cache.status().state).toBe('stopped');
    expect(await next.cache.ended).toMatchObject({ message: 'gone away' });
  });

  it('begins again when etcd compacted what it was filled from', async () => {
    const rig = rigOf();
    const starting = rig.cache.start();
    await settle();
    rig.feeds.feed.tell(synced('web/x', 1n));
    rig.feeds.feed.fail(expired(undefined));
    await settle(999);
    expect(rig.feeds.opened).toHaveLength(1);
    await settle(1);
    expect(rig.feeds.opened).toHaveLength(2);
    rig.feeds.feed.tell(...fillOf(12n));
    await starting;
    expect(rig.cache.status()).toMatchObject({ state: 'ready', objects: 3, revision: 12n });
  });

  it('forgets what was told before a sync that begins anew', async () => {
    const rig = rigOf();
    const starting = rig.cache.start();
    await settle();
    rig.feeds.feed.tell(synced('web/x', 1n), { type: 'syncRestart' }, ...fillOf(10n));
    await starting;
    expect(await rig.list({ resourceVersion: '0' })).toBe('watchcache a@1 b@2 c@3 rv=10');
  });

  it('is not begun where it was stopped before', async () => {
    const late = rigOf();
    await expect(late.cache.start({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const stopped = rigOf();
    await stopped.cache.stop();
    await expect(stopped.cache.start()).rejects.toMatchObject({ code: 'cancelled' });
    expect([...late.world.asked, ...stopped.world.asked]).toEqual([]);
  });

  it('stops at once when it is asked to while it is measured', async () => {
    const { reader } = worldOf(three, 10n);
    const asked: (AbortSignal | undefined)[] = [];
    const etcd = overriding(reader, {
      range: (_, options) => {
        asked.push(options?.signal);
        return new Promise<RangeReply>((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => {
            reject(scriptedError('cancelled'));
          });
        });
      },
    });
    const rig = rigOf({ etcd });
    const failed = expect(rig.cache.start()).rejects.toMatchObject({ code: 'cancelled' });
    await settle();
    await rig.cache.stop();
    await failed;
    expect(asked.map((signal) => signal?.aborted)).toEqual([true]);
    expect(rig.feeds.opened).toHaveLength(0);
  });

  it('stops at once when it is asked to while it is filled', async () => {
    const stop = new AbortController();
    const rig = rigOf();
    const starting = rig.cache.start({ signal: stop.signal });
    const failed = expect(starting).rejects.toMatchObject({ code: 'cancelled' });
    await settle();
    rig.feeds.feed.tell(synced('web/a', 1n));
    stop.abort();
    await failed;
    await settle();
    expect(rig.feeds.feed.ended).toBe(true);
    expect(rig.cache.status()).toMatchObject({ state: 'stopped', objects: 0, bytes: 0 });
  });

  it('fails with the key where an object cannot be read', async () => {
    const decoder = testDecoder({
      onDecode: ({ key }) => {
        if (utf8Lossy(key).endsWith('/b')) throw new Error('damaged');
      },
    });
    const rig = rigOf({ decoder });
    const starting = rig.cache.start();
    const failed = expect(starting).rejects.toMatchObject({
      code: 'undecodable',
      message: 'damaged',
    });
    await settle();
    rig.feeds.feed.tell(...fillOf(10n));
    await failed;
    expect(rig.feeds.opened).toHaveLength(1);
  });
});

describe('lists out of memory', () => {
  it('ignore the limit where the version is exactly 0, and ask etcd nothing', async () => {
    const rig = await filled(rigOf());
    expect(await rig.list({ resourceVersion: '0', limit: 1n })).toBe(
      'watchcache a@1 b@2 c@3 rv=10',
    );
    expect(await rig.list({ resourceVersion: '0', labelSelector: 'odd' })).toBe(
      'watchcache b@2 rv=10',
    );
    expect(rig.world.asked).toHaveLength(0);
  });

  it('make tokens that begin after the last object selected, with a slash where the key has none', async () => {
    const rig = await filled(rigOf());
    expect(await rig.list({ key: '/pods', limit: 1n })).toBe(
      'watchcache a@1 rv=10 +2 {"v":"meta.k8s.io/v1","rv":10,"start":"/web/a\\u0000"}',
    );
    expect(await rig.list({ key: '/pods/web/', limit: 2n })).toBe(
      'watchcache a@1 b@2 rv=10 +1 {"v":"meta.k8s.io/v1","rv":10,"start":"b\\u0000"}',
    );
    // More is true when anything is left, selected or not.
    expect(await rig.list({ limit: 1n, labelSelector: 'odd' })).toBe(
      'watchcache b@2 rv=10 {"v":"meta.k8s.io/v1","rv":10,"start":"web/b\\u0000"}',
    );
    expect(await rig.list({ limit: 3n })).toBe('watchcache a@1 b@2 c@3 rv=10');
  });

  it('go on with a token at its revision, whatever happened since, and ask etcd nothing', async () => {
    const rig = await filled(rigOf());
    const { continueToken } = await rig.cache.getList(listOptions({ limit: 1n }));
    rig.world.asked.length = 0;
    rig.feeds.feed.tell(
      changed('deleted', 'web/b', 11n),
      changed('created', 'web/d', 12n),
      changed('modified', 'web/c', 13n),
    );
    await settle();
    const page = await rig.cache.getList(listOptions({ continueToken, limit: 1n }));
    expect(page.items.map(({ object }) => object.name)).toEqual(['b']);
    expect(await rig.list({ continueToken, limit: 9n })).toBe('watchcache b@2 c@3 rv=10');
    expect(await rig.list({ resourceVersion: '12', resourceVersionMatch: 'Exact' })).toBe(
      'watchcache a@1 c@3 d@12 rv=12',
    );
    expect(await rig.list({ resourceVersion: '13', limit: 9n })).toBe(
      'watchcache a@1 c@13 d@12 rv=13',
    );
    expect(rig.world.asked).toHaveLength(0);
  });

  it('are consistent by a linearizable revision, also where one member may answer alone', async () => {
    const { world, reader } = worldOf(three, 10n);
    const range = vi.fn<typeof reader.range>((...asked) => reader.range(...asked));
    const etcd = overriding(reader, { serializable: true, range });
    const rig = await filled({ ...rigOf({ etcd }), world });
    range.mockClear();
    const listing = rig.cache.getList(listOptions({ limit: 2n }));
    await settle();
    rig.feeds.feed.tell({ type: 'progress', revision: 10n });
    const { receipt } = await listing;
    expect(receipt.requests.map(({ serializable }) => serializable)).toEqual([false]);
    expect(range.mock.calls.map(([, options]) => options?.serializable)).toEqual([false]);
  });

  it('are consistent once the watch is as far as etcd, whose revision is asked once', async () => {
    const rig = await filled(rigOf());
    rig.world.revision = 14n;
    const listing = rig.cache.getList(listOptions({ limit: 2n }));
    await settle();
    expect(rig.feeds.feed.progressRequests).toBe(1);
    rig.feeds.feed.tell(changed('created', 'web/aa', 12n), { type: 'progress', revision: 15n });
    const { items, resourceVersion, receipt } = await listing;
    expect(items.map(({ object }) => object.name)).toEqual(['a', 'aa']);
    expect(resourceVersion).toBe(15n);
    expect(receipt.requests).toMatchObject([
      { n: 1, operation: 'getCurrentResourceVersion', limit: 1n, revision: 0n, bytes: 50 },
    ]);
    expect(receipt.total).toMatchObject({
      requests: 1,
      servedBy: 'watchcache',
      fetched: 4,
      examined: 2,
      evaluated: 2,
      returned: 2,
      remainingItemCount: 2n,
      streamed: false,
      largestReplyBytes: 50,
    });
    expect(rig.world.asked.map(({ key }) => utf8Lossy(key))).toEqual(['/registry/pods']);
    expect(await rig.counted()).toEqual([
      'apiserver_storage_list_total{group="",resource="pods",storage="watchcache",index=""} 1',
      'apiserver_storage_list_fetched_objects_total{group="",resource="pods",storage="watchcache",index=""} 4',
      'apiserver_storage_list_evaluated_objects_total{group="",resource="pods",storage="watchcache"} 0',
      'apiserver_storage_list_returned_objects_total{group="",resource="pods",storage="watchcache"} 2',
      'apiserver_cache_list_total{group="",resource="pods",index=""} 1',
      'apiserver_cache_list_fetched_objects_total{group="",resource="pods",index=""} 4',
      'apiserver_cache_list_returned_objects_total{group="",resource="pods"} 2',
      'apiserver_watch_cache_consistent_read_total{group="",resource="pods",success="true",fallback="false"} 1',
    ]);
  });

  it('never show a part of a transaction', async () => {
    const rig = await filled(rigOf());
    rig.world.revision = 14n;
    const listing = rig.list();
    await settle();
    rig.feeds.feed.tell(
      changed('created', 'web/x', 14n),
      changed('deleted', 'web/a', 14n),
      changed('created', 'web/y', 14n),
    );
    expect(await listing).toBe('watchcache b@2 c@3 x@14 y@14 rv=14');
  });

  it('of one node go over its Pods alone, unless a token or an exact revision is named', async () => {
    const node = (name: string) => ({ fields: new Map([['spec.nodeName', name]]) });
    const rig = rigOf();
    const starting = rig.cache.start();
    await settle();
    rig.feeds.feed.tell(
      synced('web/a', 1n, node('n1')),
      synced('web/b', 2n, node('n2')),
      synced('web/c', 3n, node('n1')),
      synced('web/d', 4n),
      { type: 'syncEnd', revision: 10n },
    );
    await starting;
    const n1 = { fieldSelector: 'spec.nodeName=n1' };
    const first = await rig.cache.getList(listOptions({ ...n1, limit: 1n }));
    expect(first.receipt.total).toMatchObject({ fetched: 2, returned: 1 });
    expect(await rig.list({ ...n1, limit: 2n })).toBe('watchcache a@1 c@3 rv=10');
    expect(await rig.list({ fieldSelector: 'spec.nodeName=', resourceVersion: '0' })).toBe(
      'watchcache d@4 rv=10',
    );
    const rest = { ...n1, limit: 1n, continueToken: first.continueToken };
    expect(await rig.list(rest)).toMatch(/^watchcache c@3 rv=10 \{/);
    expect(await rig.list({ ...n1, limit: 2n, resourceVersion: '10' })).toMatch(
      /^watchcache .* \{/,
    );
    expect(await rig.counted()).toContain(
      'apiserver_cache_list_fetched_objects_total{group="",resource="pods",index="f:spec.nodeName"} 5',
    );
  });

  it('of one node are stopped also while its Pods are looked for', async () => {
    const plain = testDecoder();
    let looks = 0;
    const decoder = {
      ...plain,
      attributes: (object: TestObject) => {
        looks++;
        return plain.attributes(object);
      },
    };
    // Each look at this clock finds that a stretch of work has lasted long enough.
    let time = 0;
    const clock = { now: () => 0, monotonic: () => (time += 10) };
    const rig = rigOf({ decoder, clock });
    const starting = rig.cache.start();
    await settle();
    const paths = Array.from({ length: 1000 }, (_, i) => `web/${String(i).padStart(4, '0')}`);
    rig.feeds.feed.tell(...fillOf(10n, paths));
    while (rig.cache.status().state !== 'ready') await new Promise(setImmediate);
    await starting;
    const stop = new AbortController();
    setImmediate(() => {
      stop.abort();
    });
    const options = listOptions({ fieldSelector: 'spec.nodeName=n1', resourceVersion: '0' });
    await expect(rig.cache.getList(options, { signal: stop.signal })).rejects.toMatchObject({
      cause: { code: 'cancelled' },
    });
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(paths.length);
  });

  it('read one key as fresh as asked', async () => {
    const rig = await filled(rigOf());
    const one = { key: '/pods/web/b', recursive: false };
    expect(await rig.list({ ...one, resourceVersion: '0' })).toBe('watchcache b@2 rv=10');
    expect(await rig.list({ ...one, resourceVersion: '0', labelSelector: '!odd' })).toBe(
      'watchcache  rv=10',
    );
    expect(await rig.list(one)).toBe('watchcache b@2 rv=10');
    expect(rig.world.asked).toHaveLength(1);
    const missing = { key: '/pods/web/x', recursive: false, resourceVersion: '0' };
    expect(await rig.list(missing)).toBe('watchcache  rv=10');
  });

  it('hand rows out as they come, and stop when they are told to', async () => {
    const rig = await filled(rigOf());
    const rows: string[] = [];
    const onItems = (items: readonly ListItem<TestObject>[]): void => {
      rows.push(...items.map(({ key }) => utf8Lossy(key)));
    };
    const { items } = await rig.cache.getList(listOptions({ resourceVersion: '0' }), { onItems });
    expect([items, rows]).toEqual([[], three.map(podKey)]);
    const signal = AbortSignal.abort();
    await expect(
      rig.cache.getList(listOptions({ resourceVersion: '0' }), { signal }),
    ).rejects.toMatchObject({ cause: { code: 'cancelled' } });
  });

  it('fail with upstream’s errors for what cannot be', async () => {
    const rig = await filled(rigOf());
    expect(await rig.list({ key: '/nodes', resourceVersion: '0' })).toBe(
      'invalidKey: invalid key: "/nodes/" lacks resource prefix: "/pods"',
    );
    expect(await rig.list({ resourceVersion: 'x' })).toMatch(
      /^badRequest: invalid resource version: /,
    );
    expect(await rig.list({ continueToken: 'x' })).toMatch(/^badRequest: invalid continue token: /);
    expect(await rig.list({ resourceVersion: '1', resourceVersionMatch: 'Y' })).toBe(
      'plain: unknown ResourceVersionMatch value: Y',
    );
    expect(rig.world.asked).toHaveLength(0);
    expect(await rig.counted()).toEqual([]);
  });
});

describe('lists that the cache cannot serve', () => {
  it('go to etcd where progress is not sound', async () => {
    const rig = await filled(rigOf({ progress: knownProgress(false) }));
    expect(await rig.list()).toMatch(/^etcd a@1 b@1 c@1 rv=10/);
    expect(rig.world.asked).toHaveLength(1);
    expect(await rig.list({ resourceVersion: '0' })).toMatch(/^watchcache/);
  });

  it('go to etcd at revisions older than the snapshots, and then tell etcd’s receipt', async () => {
    const rig = await filled(rigOf());
    const { receipt } = await rig.cache.getList(
      listOptions({ resourceVersion: '9', resourceVersionMatch: 'Exact' }),
    );
    expect(receipt.requests.map(({ operation, revision }) => [operation, revision])).toEqual([
      ['list', 9n],
    ]);
    expect(receipt.total.servedBy).toBeUndefined();
  });

  it('go to etcd after three seconds of waiting, with the requests of both in one receipt', async () => {
    const rig = await filled(rigOf());
    rig.world.revision = 20n;
    const records: string[] = [];
    const listing = rig.cache.getList(listOptions({ limit: 2n }), {
      onRequest: ({ n, operation }, state) => {
        if (state === 'done') records.push(`${n} ${operation}`);
      },
    });
    await settle(2999);
    expect(records).toEqual(['1 getCurrentResourceVersion']);
    await settle(1);
    const { receipt, resourceVersion } = await listing;
    expect(resourceVersion).toBe(20n);
    expect(receipt.requests.map(({ n, operation }) => `${n} ${operation}`)).toEqual(records);
    expect(records).toEqual(['1 getCurrentResourceVersion', '2 list']);
    expect(receipt.total).toMatchObject({ requests: 2, fetched: 2, largestReplyBytes: 50 });
    expect(receipt.total.servedBy).toBeUndefined();
    expect(receipt.total.durationMs).toBeGreaterThanOrEqual(3000);
    expect(await rig.counted()).toContain(
      'apiserver_watch_cache_consistent_read_total{group="",resource="pods",success="true",fallback="true"} 1',
    );
  });

  it('are 429 after three seconds under the gate that skips etcd', async () => {
    const rig = await filled(
      rigOf({ gates: { consistentListFromCacheSkipTimeoutFallback: true } }),
    );
    rig.world.revision = 20n;
    const listing = rig.list();
    await settle(3000);
    expect(await listing).toBe(
      'tooManyRequests: Timeout: Too large resource version: 20, current: 10',
    );
    expect(await rig.counted()).toEqual([
      'apiserver_watch_cache_consistent_read_total{group="",resource="pods",success="false",fallback="skipped"} 1',
    ]);
  });

  it('fail where a revision of the future was named', async () => {
    const rig = await filled(rigOf());
    const listing = rig.list({ resourceVersion: '99', resourceVersionMatch: 'NotOlderThan' });
    await settle(3000);
    expect(await listing).toBe(
      'tooLargeResourceVersion: Timeout: Too large resource version: 99, current: 10',
    );
  });

  it('fail with what etcd fails with when it is asked for its revision', async () => {
    const rig = await filled(rigOf());
    rig.world.fails = scriptedError('unavailable');
    const failed = await rig.cache.getList(listOptions()).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      cause: { code: 'etcd', message: 'etcdserver: leader changed' },
      receipt: {
        requests: [{ operation: 'getCurrentResourceVersion', error: { code: 'unavailable' } }],
        total: { requests: 1, servedBy: 'watchcache', error: { code: 'unavailable' } },
      },
    });
    expect(await rig.counted()).toEqual([
      'apiserver_watch_cache_consistent_read_total{group="",resource="pods",success="false",fallback="false"} 1',
    ]);
  });
});

describe('a cache whose watch ends', () => {
  it('is not ready until it is filled anew', async () => {
    const rig = await filled(rigOf());
    rig.feeds.feed.fail(expired(undefined));
    await settle();
    expect(rig.cache.status()).toMatchObject({ state: 'refilling', objects: 0, revision: 10n });
    expect(await rig.list({ resourceVersion: '0' })).toBe(
      'tooManyRequests: storage is (re)initializing',
    );
    expect(await rig.list({ resourceVersion: '0', limit: 5n })).toMatch(/^etcd a@1 b@1 c@1/);
    // Decided before it is looked whether the cache is ready.
    const exact = { resourceVersionMatch: 'Exact' };
    expect(await rig.list({ ...exact, resourceVersion: '9' })).toMatch(/^etcd/);
    expect(await rig.list({ ...exact, resourceVersion: '10' })).toMatch(/^tooManyRequests/);
    await settle(1000);
    rig.feeds.feed.tell(...fillOf(30n, ['web/z']));
    await settle();
    expect(await rig.list({ resourceVersion: '0' })).toBe('watchcache z@1 rv=30');
    expect(rig.cache.status()).toMatchObject({ state: 'ready', oldestSnapshot: 30n });
  });

  it('says why, and waits longer each time that filling fails', async () => {
    const rig = await filled(rigOf());
    const broken = (): void => {
      rig.feeds.feed.fail(new StoreError({ code: 'etcd', message: 'etcd is away' }));
    };
    broken();
    await settle();
    expect(await rig.list({ resourceVersion: '0' })).toBe(
      'tooManyRequests: storage is (re)initializing: etcd is away',
    );
    const opened: number[] = [];
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await settle(wait - 1);
      opened.push(rig.feeds.opened.length);
      await settle(1);
      broken();
      await settle();
    }
    expect(opened).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(rig.cache.status()).toMatchObject({ state: 'refilling', failure: { code: 'etcd' } });
  });

  it('fails lists that wait for it when they would find nothing', async () => {
    const rig = await filled(rigOf());
    rig.world.revision = 12n;
    const listing = rig.list();
    await settle();
    rig.feeds.feed.fail(expired(undefined));
    await settle(3000);
    // It did not see that revision in time.
    expect(await listing).toMatch(/^etcd/);
  });

  it('ends where etcd will never let it watch', async () => {
    const rig = await filled(rigOf());
    const denied = scriptedError('permissionDenied', 'etcdserver: permission denied');
    rig.feeds.feed.fail(new StoreError({ code: 'etcd', message: denied.message, cause: denied }));
    expect(await rig.cache.ended).toMatchObject({ code: 'etcd' });
    expect(rig.cache.status()).toMatchObject({ state: 'stopped', objects: 0, bytes: 0 });
    expect(await rig.list({ resourceVersion: '0' })).toBe(
      'tooManyRequests: apiserver cacher is stopped: etcdserver: permission denied',
    );
    await settle(100_000);
    expect(rig.feeds.opened).toHaveLength(1);
  });

  it('ends with the numbers when it outgrows its limit, and frees its memory', async () => {
    const rig = await filled(rigOf({ limitBytes: 3 * (objectOverhead + 200) + 2 * stateOverhead }));
    rig.world.revision = 99n;
    const waiting = rig.list();
    await settle();
    for (let i = 0; i < 10; i++)
      rig.feeds.feed.tell(changed('created', `web/x${i}`, BigInt(11 + i)));
    const ended = await rig.cache.ended;
    expect(ended).toMatchObject({ code: 'cacheFull' });
    expect(ended?.message).toMatch(/^the watch cache stopped: 4 objects and 1 earlier state take/);
    expect(rig.cache.status()).toMatchObject({ state: 'stopped', objects: 0, bytes: 0 });
    expect(rig.feeds.feed.ended).toBe(true);
    expect(await waiting).toMatch(/^tooManyRequests: apiserver cacher is stopped: the watch cache/);
  });

  it('tells when the watch is broken, and serves what it has', async () => {
    const rig = await filled(rigOf());
    const { options } = rig.feeds.feed;
    options.onInterrupted?.({ error: new Error('connection lost'), retryInMs: 100 });
    expect(rig.cache.status()).toMatchObject({
      state: 'ready',
      interrupted: { message: 'connection lost' },
    });
    expect(await rig.list({ resourceVersion: '0' })).toMatch(/^watchcache/);
    options.onResumed?.();
    expect(rig.cache.status().interrupted).toBeUndefined();
  });

  it('ends on request, once', async () => {
    const rig = await filled(rigOf());
    await rig.cache.stop();
    await rig.cache.stop();
    expect(rig.feeds.feed.ended).toBe(true);
    expect(await rig.cache.ended).toBeUndefined();
    expect(rig.cache.status()).toMatchObject({ state: 'stopped', bytes: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(await rig.list({ resourceVersion: '0' })).toBe(
      'tooManyRequests: apiserver cacher is stopped',
    );
    await expect(rig.cache.start()).rejects.toThrow('started once');
  });
});

describe('compaction', () => {
  it('takes the states away that etcd has forgotten, as its key tells every 15 seconds', async () => {
    const { world, reader } = worldOf(three, 10n);
    let compacted = '';
    const etcd = overriding(reader, {
      range: async (request) => {
        const reply = await reader.range(request);
        if (utf8Lossy(request.key) !== 'compact_rev_key' || compacted === '') return reply;
        return {
          ...reply,
          kvs: [{ ...scriptedValue('compact_rev_key', odd), value: utf8(compacted) }],
        };
      },
    });
    const rig = await filled(rigOf({ etcd }));
    rig.feeds.feed.tell(changed('created', 'web/d', 12n), changed('created', 'web/e', 14n));
    await settle();
    const at11 = { resourceVersion: '11', limit: 9n };
    world.asked.length = 0;
    await settle(15_000);
    expect(world.asked.map(({ key }) => utf8Lossy(key))).toEqual(['compact_rev_key']);
    expect(await rig.list(at11)).toBe('watchcache a@1 b@2 c@3 rv=11');
    compacted = 'no number';
    await settle(15_000);
    expect(await rig.list(at11)).toMatch(/^watchcache/);
    compacted = '12';
    await settle(15_000);
    expect(await rig.list(at11)).toMatch(/^etcd/);
    expect(await rig.list({ resourceVersion: '13', limit: 9n })).toMatch(
      /^watchcache .*d@12 rv=13/,
    );
    expect(rig.cache.status()).toMatchObject({ snapshots: 2, oldestSnapshot: 12n });
  });

  it('is not asked for any more where the key may not be read', async () => {
    const rig = await filled(rigOf());
    const { world } = rig;
    world.fails = scriptedError('unavailable');
    await settle(30_000);
    expect(world.asked).toHaveLength(2);
    world.fails = scriptedError('permissionDenied');
    await settle(60_000);
    expect(world.asked).toHaveLength(3);
    expect(rig.cache.status().state).toBe('ready');
  });
});
