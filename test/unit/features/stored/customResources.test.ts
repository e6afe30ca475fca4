/** Custom resources: known by their names alone until a definition is read. */
import { describe, expect, it, vi } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { EtcdError } from '../../../../server/etcd/errors';
import { readDefinitionNames } from '../../../../server/features/resources';
import { waitFor } from '../../../support/waitFor';
import { never, ready, rig, type FakeEtcd } from './support';

const DEFINITIONS = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
const WIDGETS = 'widgets.example.com';
const asker = { uri: 'file:///q.etcdlist', version: 1 };
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

function define(etcd: FakeEtcd, name: string): void {
  const [plural = '', ...group] = name.split('.');
  const names = { plural, singular: plural.slice(0, -1), kind: 'Widget', shortNames: ['WD'] };
  const versions = [
    { name: 'v1', storage: false, selectableFields: [{ jsonPath: '.spec.size' }] },
    {
      name: 'v2',
      storage: true,
      selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.spec[*]' }],
    },
  ];
  const spec = { group: group.join('.'), scope: 'Cluster', names, versions };
  etcd.put(`${DEFINITIONS}${name}`, utf8(JSON.stringify({ spec })));
}

async function rigOf(names: readonly string[], ...given: Parameters<typeof rig>) {
  const made = await rig(...given);
  for (const name of names) define(made.etcd, name);
  return made;
}

const namesIn = ({ customResources }: Awaited<ReturnType<typeof rigOf>>['store']): string[] =>
  customResources.map(({ plural, group }) => `${plural}.${group}`);

describe('custom resources', () => {
  it('are known by one keys-only read when they are asked for, and then without one', async () => {
    const { store, etcd, clock } = await rigOf([WIDGETS, 'gadgets.example.com']);
    expect(store.customResources).toEqual([]);
    expect(etcd.requests).toEqual([]);
    const known = await store.whenCustomResources(never, 20_000);
    expect(known.map(({ plural }) => plural)).toEqual(['gadgets', 'widgets']);
    expect(known[0]).toMatchObject({ namespaced: undefined, selectablePaths: undefined });
    expect(etcd.requests).toMatchObject([{ keysOnly: true, limit: 2000n }]);
    expect(store.examined).toBe(2);
    clock.pass(59_999);
    expect(await store.whenCustomResources(never, 20_000)).toBe(known);
    expect(etcd.requests).toHaveLength(1);
  });

  it('are read again when they are old, and what is known is given meanwhile', async () => {
    const { store, etcd, clock } = await rigOf([WIDGETS]);
    const first = await store.whenCustomResources(never, 20_000);
    clock.pass(60_000);
    expect(await store.whenCustomResources(never, 20_000)).toBe(first);
    await waitFor(() => etcd.requests.length === 2);
    await settle();
    // Nothing is looked at again while the same is known.
    expect(store.customResources).toBe(first);
    define(etcd, 'gadgets.example.com');
    clock.pass(60_000);
    await store.whenCustomResources(never, 20_000);
    await waitFor(() => store.customResources.length === 2);
  });

  it('are not read again when the panel has read them', async () => {
    const { store, etcd, holder } = await rigOf([WIDGETS]);
    await readDefinitionNames(holder.required(), never);
    expect(await store.whenCustomResources(never, 20_000)).toHaveLength(1);
    expect(etcd.requests).toHaveLength(1);
  });

  it.each([
    ['no connection', {}, { connected: false }],
    ['a workspace that is not trusted', {}, { trusted: false }],
    ['the setting off', { enabled: false }, {}],
  ])('are nowhere looked for: %s', async (_, completion, state) => {
    const { store, etcd } = await rigOf([WIDGETS], completion, state);
    expect(await store.whenCustomResources(never, 20_000)).toEqual([]);
    store.want('widgets', undefined, asker);
    expect(await store.whenReady('widgets', undefined, never, 20_000)).toBeUndefined();
    expect(etcd.requests).toEqual([]);
  });

  it('are forgotten with their connection', async () => {
    const { store, holder } = await rigOf([WIDGETS]);
    await store.whenCustomResources(never, 20_000);
    expect(namesIn(store)).toEqual([WIDGETS]);
    holder.disconnect();
    expect(store.customResources).toEqual([]);
  });

  it('have the names and fields of their definitions once these are read', async () => {
    const made = await rigOf([WIDGETS]);
    await ready(made, WIDGETS);
    expect(made.store.customResources).toEqual([
      {
        group: 'example.com',
        plural: 'widgets',
        otherNames: ['widget', 'widget', 'wd'],
        namespaced: false,
        selectablePaths: ['.spec.size'],
      },
    ]);
  });

  it('are no more than definitions can name', async () => {
    const names = ['pods', 'pods.v1', '../x.example.com', 'W.example.com', 'a.b', WIDGETS];
    const { store, etcd } = await rigOf(names);
    etcd.put(`${DEFINITIONS}deployments.apps`, utf8('{}'));
    await store.whenCustomResources(never, 20_000);
    expect(namesIn(store)).toEqual([WIDGETS]);
  });

  it('are not known where they are very many, and not asked for again at once', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => `widgets${i}.example.com`);
    const { store, etcd } = await rigOf(names);
    expect(await store.whenCustomResources(never, 20_000)).toEqual([]);
    expect(await store.whenCustomResources(never, 20_000)).toEqual([]);
    expect(etcd.requests).toHaveLength(1);
  });

  it('that may not be read are not tried again at once, and hinder nothing else', async () => {
    const made = await rigOf([WIDGETS]);
    made.etcd.failure = new EtcdError({
      code: 'permissionDenied',
      message: 'etcdserver: permission denied',
      endpoint: 'fake:1',
    });
    for (let i = 0; i < 3; i++) await made.store.whenCustomResources(never, 20_000);
    expect(made.etcd.requests).toHaveLength(1);
    made.etcd.failure = undefined;
    expect(await ready(made, 'pods', 'web')).toBeDefined();
  });
});

describe('a word that may be a custom resource', () => {
  it('is looked for among the names of definitions, and counted', async () => {
    const made = await rigOf([WIDGETS]);
    const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' } };
    made.etcd.put('/registry/example.com/widgets/a', utf8(JSON.stringify(widget)));
    expect((await ready(made, 'widgets'))?.coverage.objects).toBe(1);
  });

  it('is looked for once for each version of a document, and told of', async () => {
    const { store, etcd, clock } = await rigOf([WIDGETS]);
    const changed = vi.fn();
    store.onChanged(changed);
    expect(store.want('gadgets', undefined, asker)).toBeUndefined();
    await waitFor(() => changed.mock.calls.length === 1);
    clock.pass(60_000);
    store.want('gadgets', undefined, asker);
    await settle();
    expect(etcd.requests).toHaveLength(1);
    store.want('gadgets', undefined, { ...asker, version: 2 });
    await waitFor(() => changed.mock.calls.length === 2);
    expect(etcd.requests).toHaveLength(2);
  });

  it.each(['pdos', 'widgets'])(
    'is read by nothing but names while none has it: %s',
    async (word) => {
      const { store, etcd } = await rigOf([]);
      for (let i = 0; i < 3; i++)
        expect(await store.whenReady(word, 'web', never, 1000)).toBeUndefined();
      expect(store.state(word, 'web').state).toBe('off');
      expect(etcd.requests).toMatchObject([{ keysOnly: true }]);
      expect(etcd.lists).toEqual([DEFINITIONS]);
    },
  );
});
