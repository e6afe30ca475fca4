/** A watch cache over every etcd: what it serves is what etcd holds, and what it asks for is little. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8, utf8Lossy } from '../../server/common/bytes';
import { connect } from '../../server/etcd/connect';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { nextOptions } from '../../server/store/follow';
import { ListFailedError, type ListResult, type ListStore } from '../../server/store/interfaces';
import { cacheRig, type CacheRig } from '../support/cacheRig';
import { notReadOnly } from '../support/readOnly';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { startSubject, subjectNames, type StoreSubject } from '../support/storeSubjects';
import { encodeTestObject, type TestObject } from '../support/testObjects';
import { listOptions, testStore, type ListInput } from '../support/testStore';
import { waitFor } from '../support/waitFor';

const perNamespace = 1_500;
const namespaces = ['blue', 'web', 'web-2'];
const nameOf = (i: number): string => `pod-${String(i).padStart(4, '0')}`;
const keyOf = (namespace: string, i: number): string => `/registry/pods/${namespace}/${nameOf(i)}`;

function objectOf(namespace: string, i: number): Uint8Array {
  const labels = new Map([['third', String(i % 3)]]);
  if (i % 100 === 0) labels.set('rare', 'yes');
  return encodeTestObject({ name: nameOf(i), namespace, labels });
}

/** An etcd whose progress notifications are sound serves consistent reads out of memory. */
const isSound = (name: string): boolean => name !== 'etcd 3.4';

const queries: readonly ListInput[] = [
  {},
  { limit: 700n },
  { key: '/pods', limit: 700n },
  { key: '/pods/web', limit: 400n },
  { key: '/pods/web/', labelSelector: 'third=1', limit: 120n },
  { labelSelector: 'rare=yes', limit: 7n },
  { labelSelector: 'rare=yes,third notin (0)' },
  { fieldSelector: 'metadata.namespace=web-2', limit: 900n },
  { key: '/pods/none', limit: 3n },
  { key: `/pods/web/${nameOf(4)}`, recursive: false },
  { key: '/pods/web/none', recursive: false },
];

describe.each(subjectNames())('a watch cache over %s', (name) => {
  let subject: StoreSubject;
  let proxy: RecordingProxy;
  let reader: EtcdReader;
  let rig: CacheRig;
  let direct: ListStore<TestObject>;
  beforeAll(async () => {
    subject = await startSubject(name);
    const entries = namespaces.flatMap((namespace) =>
      Array.from(
        { length: perNamespace },
        (_, i) => [keyOf(namespace, i), objectOf(namespace, i)] as const,
      ),
    );
    await subject.writer.bulkLoad(entries);
    proxy = await startRecordingProxy(subject.endpoint);
    reader = connect({ endpoints: [proxy.endpoint] });
    rig = cacheRig({ etcd: reader, stream: true });
    direct = testStore({ etcd: reader, resourcePrefix: '/pods' });
    await rig.cache.start();
  });
  afterAll(async () => {
    await rig.cache.stop();
    const watch = proxy.calls.find(({ method }) => method === 'Watch');
    if (watch !== undefined) await waitFor(() => watch.endedAt !== undefined);
    reader.close();
    await proxy.close();
    await subject.stop();
    expect(proxy.everPaths).toContain('/etcdserverpb.Watch/Watch');
    expect(notReadOnly(proxy.everPaths)).toEqual([]);
  });

  const reads = (): string[] => proxy.methods().filter((method) => method !== 'Watch');
  const rowsOf = ({ items }: ListResult<TestObject>): string[] =>
    items.map(({ key, modRevision, object, size }) =>
      [utf8Lossy(key), modRevision, object.name, object.labels.get('third'), size].join('|'),
    );

  interface Followed {
    readonly rows: string[];
    readonly revisions: Set<bigint>;
    readonly servedBy: Set<string>;
    /** Of the first page. */
    readonly remaining: bigint | null;
  }

  /** A list and all its pages. */
  async function followed(store: ListStore<TestObject>, input: ListInput): Promise<Followed> {
    const all: Followed = { rows: [], revisions: new Set(), servedBy: new Set(), remaining: null };
    let [options, remaining, pages] = [listOptions(input), null as bigint | null, 0];
    for (;;) {
      const page = await store.getList(options);
      if (pages++ === 0) remaining = page.remainingItemCount;
      all.rows.push(...rowsOf(page));
      all.revisions.add(page.resourceVersion);
      all.servedBy.add(page.receipt.total.servedBy ?? 'etcd');
      if (page.continueToken === '') return { ...all, remaining };
      options = nextOptions(options, page.continueToken);
    }
  }

  it.each(queries)('serves what etcd holds: %o', async (query) => {
    const fromEtcd = await followed(direct, query);
    const fromCache = await followed(rig.cache, query);
    expect(fromCache.rows).toEqual(fromEtcd.rows);
    expect(fromCache.remaining).toBe(fromEtcd.remaining);
    expect(fromCache.revisions.size).toBe(1);
    // Where the first page goes to etcd, a token still says a revision that the cache holds.
    const first = isSound(name) ? 'watchcache' : 'etcd';
    expect([...fromCache.servedBy][0]).toBe(first);
  });

  it('asks etcd for its revision only, and for nothing where a revision is named', async () => {
    await followed(rig.cache, {});
    proxy.clear();
    const { receipt, continueToken } = await rig.cache.getList(listOptions({ limit: 10n }));
    if (isSound(name)) {
      expect(reads()).toEqual(['Range']);
      expect(receipt.requests.map(({ operation }) => operation)).toEqual([
        'getCurrentResourceVersion',
      ]);
      expect(receipt.total.largestReplyBytes).toBe(
        proxy.calls.find(({ method }) => method === 'Range')?.replyLengths[0],
      );
    } else {
      expect(receipt.total.servedBy).toBeUndefined();
      expect(receipt.requests.map(({ operation }) => operation)).toEqual(['list']);
    }
    proxy.clear();
    await rig.cache.getList(listOptions({ limit: 10n, continueToken }));
    const whole = await rig.cache.getList(listOptions({ limit: 10n, resourceVersion: '0' }));
    expect(whole.items).toHaveLength(namespaces.length * perNamespace);
    expect(reads()).toEqual([]);
  });

  it('shows every write right after it', async () => {
    for (let i = 0; i < 20; i++) {
      const key = `/registry/pods/fresh/${i % 7}`;
      if (i % 3 === 2) await subject.writer.delete(key);
      else await subject.writer.put(key, encodeTestObject({ name: String(i), namespace: 'fresh' }));
      const [ours, theirs] = [
        await rig.cache.getList(listOptions({ key: '/pods/fresh' })),
        await direct.getList(listOptions({ key: '/pods/fresh' })),
      ];
      expect(rowsOf(ours)).toEqual(rowsOf(theirs));
      expect(ours.receipt.total.servedBy ?? 'etcd').toBe(isSound(name) ? 'watchcache' : 'etcd');
    }
  });

  it('sees writes elsewhere only as progress, within a few requests for it', async () => {
    if (!isSound(name)) return;
    for (let i = 0; i < 5; i++) {
      const at = await subject.writer.put('/registry/other/x', utf8(String(i)));
      const { resourceVersion, receipt } = await rig.cache.getList(listOptions({ limit: 1n }));
      expect(resourceVersion).toBeGreaterThanOrEqual(at);
      expect(receipt.total.servedBy).toBe('watchcache');
    }
  });

  it('lists its earlier states exactly, and etcd’s at revisions before them', async () => {
    const before = rig.cache.status().oldestSnapshot ?? 0n;
    const revisions: bigint[] = [];
    for (let i = 0; i < 60; i++) {
      const key = `/registry/pods/past/${i % 11}`;
      const value = encodeTestObject({ name: String(i), namespace: 'past' });
      const gone = i % 4 === 3;
      revisions.push(await (gone ? subject.writer.delete(key) : subject.writer.put(key, value)));
    }
    await waitFor(() => rig.cache.status().revision >= (revisions.at(-1) ?? 0n));
    for (const revision of revisions) {
      const exact = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
      const input = listOptions({ key: '/pods/past', ...exact });
      const theirs = await direct.getList(input);
      proxy.clear();
      const ours = await rig.cache.getList(input);
      expect(rowsOf(ours)).toEqual(rowsOf(theirs));
      expect([ours.resourceVersion, reads()]).toEqual([revision, []]);
    }
    const older = { resourceVersion: String(before - 1n), resourceVersionMatch: 'Exact' };
    const { receipt } = await rig.cache.getList(listOptions({ key: '/pods/web', ...older }));
    expect(receipt.total.servedBy).toBeUndefined();
  });

  it('keeps keys that are no text', async () => {
    const prefix = utf8('/registry/pods/odd/');
    const names = [utf8('a\0b'), utf8('é'), Uint8Array.of(0x62, 0xff, 0xfe), Uint8Array.of(0xff)];
    for (const each of names) {
      const key = Buffer.concat([prefix, each]);
      await subject.writer.put(key, encodeTestObject({ name: 'x', namespace: 'odd' }));
    }
    const [ours, theirs] = await Promise.all(
      [rig.cache, direct].map((store) => store.getList(listOptions({ key: '/pods/odd' }))),
    );
    const keys = (list: typeof ours) =>
      list?.items.map(({ key }) => Buffer.from(key).toString('hex'));
    expect(keys(ours)).toEqual(keys(theirs));
    expect(keys(ours)).toHaveLength(4);
  });

  it('refuses revisions of the future after three seconds', async () => {
    const failing = rig.cache.getList(
      listOptions({ resourceVersion: '4611686018427387904', resourceVersionMatch: 'NotOlderThan' }),
    );
    const failed = await failing.catch((error: unknown) => error);
    const { revision } = rig.cache.status();
    expect(failed).toBeInstanceOf(ListFailedError);
    expect(failed).toMatchObject({
      message: `Timeout: Too large resource version: 4611686018427387904, current: ${revision}`,
      cause: { code: 'tooLargeResourceVersion', retryAfterSeconds: 1 },
    });
  });

  it('is what etcd holds after many writes, at every revision it still has', async () => {
    const writes = 400;
    let last = 0n;
    for (let i = 0; i < writes; i++) {
      const key = keyOf('blue', (i * 7919) % perNamespace);
      last = await (i % 5 === 4
        ? subject.writer.delete(key)
        : subject.writer.put(key, objectOf('blue', i)));
    }
    await waitFor(() => rig.cache.status().revision >= last);
    const ours = await rig.cache.getList(listOptions({ resourceVersion: '0' }));
    const at = { resourceVersion: String(ours.resourceVersion), resourceVersionMatch: 'Exact' };
    expect(rowsOf(ours)).toEqual(rowsOf(await direct.getList(listOptions(at))));
    for (const back of [1n, 50n, 399n]) {
      const input = listOptions({ ...at, resourceVersion: String(last - back) });
      const past = await rig.cache.getList(input);
      expect(past.receipt.total.servedBy).toBe('watchcache');
      expect(rowsOf(past)).toEqual(rowsOf(await direct.getList(input)));
    }
  });

  it('answers 410 as etcd does once a revision is gone from both', async () => {
    const revision = await subject.writer.put('/registry/pods/late/a', objectOf('late', 1));
    await subject.writer.put('/registry/pods/late/a', objectOf('late', 2));
    await subject.writer.compact(revision + 1n);
    const exact = { resourceVersion: '2', resourceVersionMatch: 'Exact' };
    await expect(rig.cache.getList(listOptions(exact))).rejects.toMatchObject({
      cause: { code: 'expired', status: 410 },
    });
  });
});

describe('consistent reads of a watch cache', () => {
  it.each([
    ['3.4.30', 'etcd'],
    ['3.4.31', 'watchcache'],
    // Pre-releases of 3.5.0 come before the gap.
    ['3.5.0-rc.1', 'watchcache'],
    ['3.5.0', 'etcd'],
    ['3.5.12', 'etcd'],
    ['3.5.13', 'watchcache'],
    ['3.7.0-alpha.0', 'watchcache'],
    ['no version', 'etcd'],
  ])('on etcd %s are served by %s', async (version, source) => {
    const demo = await startDemoEtcd({ version });
    const reader = connect({ endpoints: [demo.endpoint] });
    const { cache } = cacheRig({ etcd: reader });
    try {
      demo.store.put(utf8('/registry/pods/web/a'), encodeTestObject({ name: 'a' }));
      await cache.start();
      demo.store.put(utf8('/registry/pods/web/b'), encodeTestObject({ name: 'b' }));
      const { items, receipt } = await cache.getList(listOptions());
      expect(items.map(({ object }) => object.name)).toEqual(['a', 'b']);
      expect(receipt.total.servedBy ?? 'etcd').toBe(source);
    } finally {
      await cache.stop();
      reader.close();
      await demo.stop();
    }
  });

  it('are served, and refused in time, while the wall clock jumps', async () => {
    const day = 86_400_000;
    let turn = 0;
    // Each look at it is a day off, forwards and backwards in turn.
    const now = (): number => Date.now() + (turn++ % 2 === 0 ? day : -day);
    const demo = await startDemoEtcd();
    const reader = connect({ endpoints: [demo.endpoint] });
    const clock = { now, monotonic: () => performance.now() };
    const { cache } = cacheRig({ etcd: reader, clock });
    try {
      await cache.start();
      for (const name of ['a', 'b', 'c']) {
        demo.store.put(utf8(`/registry/pods/web/${name}`), encodeTestObject({ name }));
        const { items, receipt } = await cache.getList(listOptions());
        expect(items.at(-1)?.object.name).toBe(name);
        expect(receipt.total.servedBy).toBe('watchcache');
      }
      const began = performance.now();
      const future = { resourceVersion: '999999', resourceVersionMatch: 'NotOlderThan' };
      await expect(cache.getList(listOptions(future))).rejects.toMatchObject({
        cause: { code: 'tooLargeResourceVersion' },
      });
      const waited = performance.now() - began;
      expect(waited).toBeGreaterThan(2900);
      expect(waited).toBeLessThan(60_000);
      expect(turn).toBeGreaterThan(0);
    } finally {
      await cache.stop();
      reader.close();
      await demo.stop();
    }
  });
});
