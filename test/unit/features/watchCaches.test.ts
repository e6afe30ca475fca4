import { expect, it } from 'vitest';
import type { WatchCache } from '../../../server/cache/interfaces';
import { MOST_CACHES, WatchCaches } from '../../../server/features/watchCaches/watchCaches';
import { failureOf } from '../../../server/features/failures';
import { servedNotes } from '../../../server/features/watchCaches/servedNotes';
import { waitFor } from '../../support/waitFor';
import { cacheRig, knownProgress } from '../../support/cacheRig';
import { fakeFeeds, synced, type FakeFeeds } from '../../support/fakeFeed';
import { scriptedEtcd } from '../../support/scriptedEtcd';
import type { TestObject } from '../../support/testObjects';
import { listOptions } from '../../support/testStore';

const MiB = 1024 ** 2;
const never = new AbortController().signal;

const emptyReply = {
  kvs: [],
  count: 0n,
  more: false,
  revision: 10n,
  bytes: 50,
  endpoint: 'script:1',
};

function holder(limitBytes = MiB) {
  const made = new Map<string, FakeFeeds>();
  let changes = 0;
  const caches = new WatchCaches<TestObject>({
    limitBytes: () => limitBytes,
    onChange: () => {
      changes += 1;
    },
  });
  const make = (name: string) => (): WatchCache<TestObject> => {
    const feeds = fakeFeeds();
    made.set(name, feeds);
    const { reader } = scriptedEtcd({ range: () => Promise.resolve(emptyReply) });
    return cacheRig({ etcd: reader, feeds, progress: knownProgress(true), limitBytes }).cache;
  };
  const ask = (name: string, signal = never, confirmed = true) =>
    caches.filled({ name, make: make(name) }, confirmed, signal);
  const feedOf = async (name: string) => {
    await waitFor(() => (made.get(name)?.opened.length ?? 0) > 0, { what: 'a feed' });
    const feed = made.get(name)?.feed;
    if (feed === undefined) throw new Error('no feed was opened');
    return feed;
  };
  const fill = async (name: string) => {
    (await feedOf(name)).tell(synced('web/a', 1n), { type: 'syncEnd', revision: 10n });
  };
  return { caches, ask, feedOf, fill, made, changes: () => changes };
}

const sentence = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it was not refused',
    (error: unknown) => failureOf(error).sentence,
  );

it('starts nothing that was not agreed to', async () => {
  const { caches, ask, made } = holder();
  expect(await sentence(ask('pods', never, false))).toMatch(/^No watch cache of pods runs/);
  expect([...made.keys(), ...caches.infos]).toEqual([]);
});

it('lists share one cache, and those that come later need no agreement', async () => {
  const { caches, ask, fill, made, changes } = holder();
  const [first, second] = [ask('pods'), ask('pods', never, false)];
  expect(caches.infos).toMatchObject([{ resource: 'pods', state: 'filling', limitBytes: MiB }]);
  await fill('pods');
  expect(await first).toBe(await second);
  expect(made.get('pods')?.opened).toHaveLength(1);
  expect(caches.infos).toMatchObject([
    { state: 'ready', objects: 1, revision: '10', snapshots: 1, supportsProgress: true },
  ]);
  expect(caches.room('secrets')).toBe(MiB - (caches.infos[0]?.bytes ?? 0));
  expect(changes()).toBeGreaterThan(1);
});

it('the filling ends with the last list that waits for it, and not before', async () => {
  const { caches, ask, feedOf } = holder();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [ask('pods', one.signal), ask('pods', other.signal)].map(sentence);
  const feed = await feedOf('pods');
  one.abort();
  expect(await waiting[0]).toBe('Stopped.');
  expect(feed.ended).toBe(false);
  other.abort();
  expect(await waiting[1]).toBe('Stopped.');
  expect(feed.ended).toBe(true);
  expect(caches.infos).toEqual([]);
});

/** The list has left its cache, which ends a while after it. */
async function nobodyWaits(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
}

it('a list that comes while a filling is being stopped has a cache of its own', async () => {
  const { caches, ask, made, feedOf, fill } = holder();
  const stop = new AbortController();
  const first = sentence(ask('pods', stop.signal));
  await feedOf('pods');
  const given = made.get('pods');
  stop.abort();
  await nobodyWaits();
  const second = ask('pods');
  expect(await first).toBe('Stopped.');
  expect(made.get('pods')).not.toBe(given);
  await fill('pods');
  expect((await second).status().state).toBe('ready');
  expect(caches.infos).toMatchObject([{ state: 'ready' }]);
});

it('a list that comes while a filling is being stopped has to be agreed to anew', async () => {
  const { ask, feedOf } = holder();
  const stop = new AbortController();
  const first = sentence(ask('pods', stop.signal));
  await feedOf('pods');
  stop.abort();
  await nobodyWaits();
  expect(await sentence(ask('pods', never, false))).toMatch(/^No watch cache of pods runs/);
  await first;
});

it('a stop ends the watch of one cache and leaves the others', async () => {
  const { caches, ask, fill, feedOf } = holder();
  for (const name of ['pods', 'nodes']) {
    const asked = ask(name);
    await fill(name);
    await asked;
  }
  await caches.stop('pods');
  expect((await feedOf('pods')).ended).toBe(true);
  expect((await feedOf('nodes')).ended).toBe(false);
  expect(caches.infos).toMatchObject([{ resource: 'nodes' }]);
  await caches.stopAll();
  expect((await feedOf('nodes')).ended).toBe(true);
});

it('refuses more caches than may run', async () => {
  const { ask, fill } = holder();
  for (let i = 0; i < MOST_CACHES; i++) {
    const asked = ask(`r${i}`);
    await fill(`r${i}`);
    await asked;
  }
  expect(await sentence(ask('more'))).toBe(
    '4 watch caches run already (r0, r1, r2, r3), which is as many as may: stop one of them first.',
  );
});

it('one that failed after it ran stays with its reason until it is dismissed, or filled again', async () => {
  const { caches, ask, fill, feedOf } = holder(3000);
  const asked = ask('pods');
  await fill('pods');
  await asked;
  (await feedOf('pods')).tell({
    type: 'created',
    ...{ key: new TextEncoder().encode('/registry/pods/web/b'), previous: undefined },
    ...{ value: new Uint8Array(5000), revision: 11n },
  });
  await waitFor(() => caches.infos[0]?.state === 'stopped', { what: 'the end of the cache' });
  expect(caches.infos[0]?.failure).toBeTruthy();
  expect(caches.running('pods')).toBeUndefined();
  await caches.stop('pods');
  expect(caches.infos).toEqual([]);
});

it('says that resourceVersion=0 leaves out the limit, and what was passed on', () => {
  const total = { servedBy: 'watchcache', returned: 20_000 } as const;
  const notes = (version: string, limit: bigint, over: object = {}, supportsProgress = true) =>
    servedNotes(
      listOptions({ resourceVersion: version, limit }),
      { ...total, ...over } as Parameters<typeof servedNotes>[1],
      { supportsProgress },
    );
  expect(notes('0', 5n)).toEqual([
    "With resourceVersion=0 the watch cache ignores the limit of 5, as an API server's does: 20,000 returned in one answer.",
  ]);
  expect([notes('0', 0n), notes('', 5n), notes('00', 5n)]).toEqual([[], [], []]);
  expect(notes('', 5n, { servedBy: undefined }, false)[0]).toMatch(/passed on to etcd.*soundly/);
  expect(notes('', 5n, { servedBy: undefined })[0]).toMatch(/passed on to etcd.*would do\.$/);
});
