import { describe, expect, it, vi } from 'vitest';
import { EtcdError } from '../../../../server/etcd/errors';
import { parseLabelSelector } from '../../../../server/kube/selectors';
import type { LabelIndex } from '../../../../server/language/index/labelIndex';
import { scriptedError } from '../../../support/scriptedEtcd';
import { waitFor } from '../../../support/waitFor';
import { never, putPods, ready, rig } from './support';

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
const asker = { uri: 'file:///web.yaml', version: 1 };
let edits = 1;
const edited = () => ({ ...asker, version: ++edits });
const matches = (index: LabelIndex | undefined, text: string) =>
  index?.matching([{ label: parseLabelSelector(text), field: undefined }]);

describe('what is not allowed', () => {
  it.each([
    ['a workspace that is not trusted', { trusted: false }, /not trusted/],
    ['no connection', { connected: false }, /no connection/],
  ])('sends nothing: %s', async (_, state, sentence) => {
    const { store, etcd } = await rig({}, state);
    expect(store.want('pods', 'web', asker)).toBeUndefined();
    expect(await store.whenReady('pods', 'web', never, 1000)).toBeUndefined();
    expect(await store.whenNamespaces(never, 1000)).toBeUndefined();
    expect(store.state('pods', 'web')).toMatchObject({
      state: 'off',
      sentence: expect.stringMatching(sentence) as string,
    });
    expect(store.examined).toBe(0);
    expect(etcd.requests).toEqual([]);
  });

  it.each([
    ['untrusted', { trusted: false }],
    ['notConnected', { connected: false }],
  ])('is a value, and nothing to catch: %s', async (code, state) => {
    const { store, holder } = await rig({}, state);
    const required = vi.spyOn(holder, 'required');
    store.index('pods', 'web');
    store.state('pods', 'web');
    expect(required).not.toHaveBeenCalled();
    expect(holder.usable()).toMatchObject({ failure: { code } });
  });

  it('sends nothing while the setting is off, and begins when it is on', async () => {
    const made = await rig({ enabled: false });
    putPods(made.etcd, 'web', 3);
    expect(await ready(made, 'pods', 'web')).toBeUndefined();
    expect(made.store.state('pods', 'web')).toEqual({
      state: 'off',
      sentence: 'The setting etcdList.completion.enabled is off.',
    });
    expect(made.etcd.requests).toEqual([]);
    made.set({ enabled: true });
    expect((await ready(made, 'pods', 'web'))?.coverage.objects).toBe(3);
  });

  it('ends what is read when it is switched off, and drops what is known', async () => {
    const made = await rig();
    putPods(made.etcd, 'web', 3);
    putPods(made.etcd, 'api', 3);
    await ready(made, 'pods', 'web');
    made.etcd.hold();
    const waiting = ready(made, 'pods', 'api');
    await waitFor(() => made.etcd.waiting === 1);
    made.set({ enabled: false });
    expect(await waiting).toBeUndefined();
    expect(made.etcd.cancelled).toBe(1);
    made.set({ enabled: true });
    expect(made.store.state('pods', 'web')).toEqual({ state: 'idle' });
  });

  it.each(['', '  ', '/registry/pods', 'x'.repeat(2000)])(
    'is read for what names no resource: %j',
    async (resource) => {
      const { store, etcd } = await rig();
      expect(await store.whenReady(resource, 'web', never, 1000)).toBeUndefined();
      expect(store.state(resource, 'web').state).toBe('off');
      expect(etcd.requests).toEqual([]);
    },
  );

  it.each(['../x', 'a/b', 'Web', 'we b', '.'])('is read in no namespace %j', async (namespace) => {
    const { store, etcd } = await rig();
    expect(await store.whenReady('pods', namespace, never, 1000)).toBeUndefined();
    expect(store.state('pods', namespace).state).toBe('off');
    expect(etcd.requests).toEqual([]);
  });
});

describe('an index that is asked for', () => {
  it('is read in the background, and told of when it is there', async () => {
    const made = await rig();
    const { store, etcd } = made;
    putPods(etcd, 'web', 60, (i) => ({ labels: { app: i < 12 ? 'nginx' : 'api' } }));
    const changed = vi.fn();
    const stop = store.onChanged(changed);
    expect(store.index('pods', 'web')).toBeUndefined();
    expect(store.state('pods', 'web')).toEqual({ state: 'idle' });
    expect(store.want('pods', 'web', asker)).toBeUndefined();
    expect(store.state('pods', 'web')).toEqual({ state: 'reading' });
    await waitFor(() => changed.mock.calls.length > 0);
    const index = store.index('pods', 'web');
    expect(index?.isExact).toBe(true);
    expect(matches(index, 'app=nginx')).toBe(12);
    expect(index?.resource.noun.many).toBe('Pods');
    expect(index?.fieldValues('status.phase')?.countOf('Running')).toBe(60);
    expect(store.state('pods', 'web')).toEqual({ state: 'ready' });
    expect(store.examined).toBe(60);
    expect(etcd.requests.map(({ limit }) => limit)).toEqual([8n, 52n]);
    stop();
    store.want('pods', 'api', asker);
    await waitFor(() => store.index('pods', 'api'));
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('is one for all names of its resource', async () => {
    const made = await rig();
    putPods(made.etcd, 'web', 3);
    const words = ['pods', 'po', 'Pod', 'pods.v1'];
    const all = await Promise.all(words.map((word) => ready(made, word, 'web')));
    expect(new Set(all).size).toBe(1);
    expect(all[0]?.coverage.objects).toBe(3);
    expect(made.etcd.requests).toHaveLength(1);
  });

  it('is one for all namespaces where the resource has none', async () => {
    const made = await rig();
    made.etcd.put(
      '/registry/minions/node-1',
      Buffer.from('{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}}'),
    );
    expect(await ready(made, 'nodes', 'web')).toBe(await ready(made, 'nodes'));
    expect(made.etcd.requests).toHaveLength(1);
  });

  it('is one of many, read one after the other, the latest wanted first', async () => {
    const { store, etcd } = await rig();
    const namespaces = ['a', 'b', 'c', 'd'];
    for (const namespace of namespaces) putPods(etcd, namespace, 40);
    etcd.hold();
    for (const namespace of [...namespaces, 'b']) store.want('pods', namespace, edited());
    await waitFor(() => etcd.waiting === 1);
    await settle();
    expect(etcd.requests).toHaveLength(1);
    etcd.release();
    await waitFor(() => namespaces.every((namespace) => store.index('pods', namespace)));
    expect(etcd.most).toBe(1);
    expect(etcd.lists).toEqual(['a', 'b', 'd', 'c'].map((each) => `/registry/pods/${each}/`));
  });

  it('is not waited for longer than is wished, yet read', async () => {
    const { store, etcd } = await rig();
    putPods(etcd, 'web', 3);
    etcd.hold();
    expect(await store.whenReady('pods', 'web', never, 1)).toBeUndefined();
    etcd.release();
    await waitFor(() => store.index('pods', 'web'));
    expect(etcd.requests).toHaveLength(1);
  });
});

describe('stopping', () => {
  it('ends the read that nobody else wants, and keeps nothing of it', async () => {
    const { store, etcd } = await rig();
    putPods(etcd, 'web', 3);
    etcd.hold();
    const stop = new AbortController();
    const waiting = store.whenReady('pods', 'web', stop.signal, 20_000);
    await waitFor(() => etcd.waiting === 1);
    stop.abort();
    expect(await waiting).toBeUndefined();
    await settle();
    expect(etcd.cancelled).toBe(1);
    expect(store.state('pods', 'web')).toEqual({ state: 'idle' });
  });

  it('leaves the read to others who want it', async () => {
    const { store, etcd } = await rig();
    putPods(etcd, 'web', 3);
    etcd.hold();
    const stop = new AbortController();
    const one = store.whenReady('pods', 'web', stop.signal, 20_000);
    const other = store.whenReady('pods', 'web', never, 20_000);
    await waitFor(() => etcd.waiting === 1);
    stop.abort();
    expect(await one).toBeUndefined();
    etcd.release();
    expect((await other)?.coverage.objects).toBe(3);
    expect(etcd.cancelled).toBe(0);
  });
});

describe('the connection', () => {
  it('takes everything with it when it is closed in the middle of a read', async () => {
    const made = await rig();
    const { store, etcd, holder } = made;
    putPods(etcd, 'web', 3);
    putPods(etcd, 'api', 40);
    await ready(made, 'pods', 'web');
    await store.whenNamespaces(never, 20_000);
    const changed = vi.fn();
    store.onChanged(changed);
    etcd.hold();
    const waiting = ready(made, 'pods', 'api');
    await waitFor(() => etcd.waiting === 1);
    store.want('pods', 'c', asker);
    holder.disconnect();
    expect(changed).toHaveBeenCalledTimes(1);
    expect(await waiting).toBeUndefined();
    expect(store.index('pods', 'web')).toBeUndefined();
    expect(store.examined).toBe(0);
    await settle();
    expect(etcd.cancelled).toBe(1);
    const before = etcd.requests.length;
    etcd.release();
    await settle();
    expect(etcd.requests).toHaveLength(before);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('knows nothing of the one before it, and waits until its read has ended', async () => {
    const made = await rig();
    const { store, etcd } = made;
    putPods(etcd, 'web', 3);
    const old = await ready(made, 'pods', 'web');
    etcd.hold();
    store.want('pods', 'api', asker);
    await waitFor(() => etcd.waiting === 1);
    await made.connect();
    expect(store.index('pods', 'web')).toBeUndefined();
    etcd.release();
    const index = await ready(made, 'pods', 'web');
    expect(index).toBeDefined();
    expect(index).not.toBe(old);
    expect(etcd.most).toBe(1);
    expect(store.examined).toBe(3);
  });

  it('is asked again by who is told of its change, without a second set', async () => {
    const made = await rig();
    const { store, etcd } = made;
    putPods(etcd, 'web', 3);
    await ready(made, 'pods', 'web');
    store.onChanged(() => store.want('pods', 'web', asker));
    await made.connect();
    store.connectionChanged();
    await waitFor(() => store.index('pods', 'web'));
    store.connectionChanged();
    await settle();
    expect(etcd.requests).toHaveLength(2);
  });
});

describe('what a document asks for', () => {
  const names = Array.from({ length: 70 }, (_, i) => `ns-${String(i)}`);

  it('is read once, however long it is open and however old it gets', async () => {
    const { store, etcd, clock } = await rig({ maxAgeSeconds: 60 });
    for (const name of names) putPods(etcd, name, 2);
    const look = () => {
      for (const name of names) store.want('pods', name, asker);
    };
    // An editor asks for lenses again after each change that it is told of; each read takes a second.
    store.onChanged(() => {
      clock.pass(1000);
      look();
    });
    look();
    await waitFor(() => names.every((name) => store.index('pods', name)));
    await settle();
    expect(etcd.requests).toHaveLength(70);
    // The latest asked for was read first, and is the oldest.
    store.want('pods', 'ns-69', edited());
    await waitFor(() => etcd.requests.length === 71);
  });

  it('is read again when it was closed, and opened later', async () => {
    const { store, etcd, clock } = await rig({ maxAgeSeconds: 60 });
    putPods(etcd, 'web', 2);
    store.want('pods', 'web', asker);
    await waitFor(() => store.index('pods', 'web'));
    clock.pass(60_000);
    store.want('pods', 'web', asker);
    await settle();
    expect(etcd.requests).toHaveLength(1);
    store.forget(asker.uri);
    store.want('pods', 'web', asker);
    await waitFor(() => etcd.requests.length === 2);
  });

  it('is nothing where it selects Secrets, until somebody waits for these', async () => {
    const made = await rig();
    for (const word of ['secrets', 'Secret', 'secret']) made.store.want(word, 'web', edited());
    await settle();
    expect(made.etcd.requests).toEqual([]);
    expect(await ready(made, 'secrets', 'web')).toBeDefined();
  });
});

describe('age', () => {
  it('has an old index read again when it is asked for, and not before', async () => {
    const made = await rig({ maxAgeSeconds: 60 });
    const { store, etcd, clock } = made;
    putPods(etcd, 'web', 3);
    const first = await ready(made, 'pods', 'web');
    putPods(etcd, 'web', 5);
    clock.pass(59_999);
    expect(await ready(made, 'pods', 'web')).toBe(first);
    await settle();
    expect(etcd.requests).toHaveLength(1);
    clock.pass(1);
    expect(store.index('pods', 'web')).toBe(first);
    await settle();
    expect(etcd.requests).toHaveLength(1);
    // Nobody waits for the newer one while there is an old one.
    expect(await ready(made, 'pods', 'web')).toBe(first);
    await waitFor(() => store.index('pods', 'web')?.coverage.objects === 5);
    expect(etcd.requests).toHaveLength(2);
  });

  it('gives the old one to who will not wait', async () => {
    const made = await rig();
    const { store, etcd, clock } = made;
    putPods(etcd, 'web', 3);
    const first = await ready(made, 'pods', 'web');
    clock.pass(60_000);
    etcd.hold();
    expect(await store.whenReady('pods', 'web', never, 1)).toBe(first);
    etcd.release();
  });
});

describe('room', () => {
  it('is made by dropping the least recently used, which is not read again in turn', async () => {
    const made = await rig({ maxKeys: 1000, exactUpTo: 1000 });
    const { store, etcd, clock } = made;
    for (const namespace of ['a', 'b', 'c']) putPods(etcd, namespace, 400);
    await ready(made, 'pods', 'a');
    await ready(made, 'pods', 'b');
    expect(store.index('pods', 'a')).toBeDefined();
    await ready(made, 'pods', 'c');
    expect(store.index('pods', 'b')).toBeUndefined();
    expect(store.index('pods', 'a')).toBeDefined();
    const before = etcd.requests.length;
    await settle();
    expect(store.want('pods', 'b', asker)).toBeUndefined();
    expect(etcd.requests).toHaveLength(before);
    // Who waits for it gets it.
    expect((await ready(made, 'pods', 'b'))?.coverage.objects).toBe(400);
    clock.pass(60_000);
    store.want('pods', 'c', asker);
    await waitFor(() => store.index('pods', 'c'));
  });

  it('is made at once when less is allowed', async () => {
    const made = await rig({ maxKeys: 2000, exactUpTo: 1000 });
    const changed = vi.fn();
    for (const namespace of ['a', 'b', 'c']) {
      putPods(made.etcd, namespace, 600);
      await ready(made, 'pods', namespace);
    }
    made.store.onChanged(changed);
    made.set({ maxKeys: 1000 });
    expect(changed).toHaveBeenCalledTimes(1);
    expect(['a', 'b', 'c'].map((each) => made.store.index('pods', each) !== undefined)).toEqual([
      false,
      false,
      true,
    ]);
    made.set({ maxKeys: 1000 });
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('counts objects with very many labels as several', async () => {
    const made = await rig({ maxKeys: 1000 });
    const labels = Object.fromEntries(Array.from({ length: 3200 }, (_, i) => [`key-${i}`, 'x']));
    for (const namespace of ['a', 'b', 'c']) putPods(made.etcd, namespace, 4, () => ({ labels }));
    await ready(made, 'pods', 'a');
    await ready(made, 'pods', 'b');
    expect(made.store.index('pods', 'a')).toBeDefined();
    await ready(made, 'pods', 'c');
    expect(made.store.index('pods', 'b')).toBeUndefined();
    expect(made.store.index('pods', 'c')).toBeDefined();
  });

  it('is never passed by one index alone', async () => {
    const made = await rig({ maxKeys: 1000, exactUpTo: 100_000 });
    putPods(made.etcd, 'a', 1200);
    const index = await ready(made, 'pods', 'a');
    expect(index?.isExact).toBe(false);
    expect(index?.coverage).toMatchObject({ objects: 500, total: 1200 });
  });
});

describe('a failure', () => {
  const denied = new EtcdError({
    code: 'permissionDenied',
    message: 'etcdserver: permission denied',
    endpoint: 'fake:1',
  });

  it('is said in one sentence and not tried again at once', async () => {
    const made = await rig();
    const { store, etcd, clock, logged } = made;
    putPods(etcd, 'web', 3);
    etcd.failure = denied;
    const changed = vi.fn();
    store.onChanged(changed);
    expect(await ready(made, 'pods', 'web')).toBeUndefined();
    expect(store.state('pods', 'web')).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/may not read .+\.$/) as string,
    });
    expect(changed).toHaveBeenCalledTimes(1);
    expect(logged).toHaveLength(1);
    for (let i = 0; i < 5; i++) expect(await ready(made, 'pods', 'web')).toBeUndefined();
    expect(store.want('pods', 'web', asker)).toBeUndefined();
    expect(etcd.requests).toHaveLength(1);
    // Others may be allowed.
    etcd.failure = undefined;
    expect(await ready(made, 'services', 'web')).toBeDefined();
    clock.pass(30_000);
    expect(store.state('pods', 'web')).toEqual({ state: 'idle' });
    expect((await ready(made, 'pods', 'web'))?.coverage.objects).toBe(3);
    expect(store.state('pods', 'web')).toEqual({ state: 'ready' });
  });

  it('to reach etcd holds for everything', async () => {
    const made = await rig();
    const { store, etcd, clock } = made;
    etcd.failure = scriptedError('unavailable');
    store.want('pods', 'a', asker);
    store.want('pods', 'b', asker);
    await ready(made, 'pods', 'c');
    expect(await store.whenNamespaces(never, 1000)).toBeUndefined();
    expect(store.state('services', 'a')).toMatchObject({ state: 'failed' });
    const before = etcd.requests.length;
    expect(before).toBe(1);
    await ready(made, 'services', 'a');
    expect(etcd.requests).toHaveLength(before);
    etcd.failure = undefined;
    clock.pass(30_000);
    expect(await ready(made, 'services', 'a')).toBeDefined();
    expect(store.state('pods', 'a').state).toBe('idle');
  });

  it('keeps what was known before', async () => {
    const made = await rig();
    const { store, etcd, clock } = made;
    putPods(etcd, 'web', 3);
    const first = await ready(made, 'pods', 'web');
    clock.pass(60_000);
    etcd.failure = denied;
    expect(await ready(made, 'pods', 'web')).toBe(first);
    expect(store.index('pods', 'web')).toBe(first);
  });
});

describe('namespaces', () => {
  const put = async (count: number) => {
    const made = await rig();
    for (let i = 0; i < count; i++) {
      made.etcd.put(`/registry/namespaces/ns-${String(i).padStart(4, '0')}`, Buffer.from('{}'));
    }
    return made;
  };

  it('are read by their keys alone', async () => {
    const { store, etcd } = await put(3);
    expect(await store.whenNamespaces(never, 20_000)).toEqual(['ns-0000', 'ns-0001', 'ns-0002']);
    expect(etcd.requests).toMatchObject([{ keysOnly: true, limit: 2000n }]);
    expect(store.examined).toBe(3);
  });

  it('are at most 2,000', async () => {
    const { store } = await put(2500);
    expect(await store.whenNamespaces(never, 20_000)).toHaveLength(2000);
  });

  it('are read again when they are old', async () => {
    const { store, etcd, clock } = await put(1);
    await store.whenNamespaces(never, 20_000);
    etcd.put('/registry/namespaces/other', Buffer.from('{}'));
    expect(await store.whenNamespaces(never, 20_000)).toHaveLength(1);
    clock.pass(60_000);
    expect(await store.whenNamespaces(never, 20_000)).toHaveLength(1);
    await waitFor(async () => (await store.whenNamespaces(never, 20_000))?.length === 2);
  });
});

describe('a custom resource', () => {
  const definition = {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: [] },
      versions: [{ name: 'v1', storage: true, selectableFields: [{ jsonPath: '.spec.color' }] }],
    },
  };

  it('costs a read of its definition once', async () => {
    const made = await rig();
    const { etcd, store, clock } = made;
    etcd.put(
      '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com',
      Buffer.from(JSON.stringify(definition)),
    );
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'web', labels: { a: 'b' } },
      spec: { color: 'red' },
    };
    etcd.put('/registry/example.com/widgets/web/w', Buffer.from(JSON.stringify(widget)));
    const index = await ready(made, 'widgets.example.com', 'web');
    expect(index?.resource.noun).toEqual({ one: 'Widget', many: 'Widgets' });
    expect(index?.labelKeys.all).toEqual(['a']);
    expect(index?.fieldValues('spec.color')?.all).toEqual(['red']);
    expect(etcd.requests).toHaveLength(2);
    expect(store.examined).toBe(2);
    clock.pass(60_000);
    await ready(made, 'widgets', 'web');
    await waitFor(() => etcd.requests.length === 3);
    await settle();
    expect(etcd.requests).toHaveLength(3);
  });

  it('that is not defined is said to be unknown, after two small reads', async () => {
    const made = await rig();
    expect(await ready(made, 'gadgets.example.com', 'web')).toBeUndefined();
    expect(made.store.state('gadgets.example.com', 'web')).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/no resource "gadgets\.example\.com"/i) as string,
    });
    expect(made.etcd.requests).toHaveLength(2);
    expect(made.etcd.requests.every(({ keysOnly, rangeEnd }) => keysOnly ?? !rangeEnd)).toBe(true);
  });
});
