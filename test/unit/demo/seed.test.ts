import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { prefixEnd, utf8 } from '../../../server/common/bytes';
import { MvccStore } from '../../../server/demo/mvcc';
import { seedCluster } from '../../../server/demo/seed';

function rows(store: MvccStore, prefix: string) {
  const key = utf8(`/registry/${prefix}`);
  return store.range({ key, end: prefixEnd(key), revision: 0n, limit: 0n }).kvs;
}

function fingerprint(store: MvccStore): string {
  const hash = createHash('sha256');
  for (const kv of rows(store, ''))
    hash.update(kv.key).update(kv.value).update(`${kv.modRevision}`);
  return hash.digest('hex');
}

/** Positions of the Pods, in key order, whose stored bytes hold this label. */
function labelled(store: MvccStore, label: string, value: string): number[] {
  const entry = Buffer.concat([
    Buffer.of(0x0a, label.length),
    utf8(label),
    Buffer.of(0x12, value.length),
    utf8(value),
  ]);
  return rows(store, 'pods/').flatMap((kv, i) =>
    Buffer.from(kv.value.buffer, kv.value.byteOffset, kv.value.length).includes(entry) ? [i] : [],
  );
}

const everyNth = (n: number, below: number) =>
  Array.from({ length: Math.ceil(below / n) }, (_, i) => i * n);

describe('the seeded cluster', () => {
  it('is the same for the same seed and another for another', async () => {
    const of = async (seed: number): Promise<string> => {
      const store = new MvccStore();
      await seedCluster(store, { pods: 300, seed });
      return fingerprint(store);
    };
    expect(await of(7)).toBe(await of(7));
    expect(await of(7)).not.toBe(await of(8));
  });

  it('gives way while it grows, so that it can be stopped', async () => {
    const stop = new AbortController();
    const store = new MvccStore();
    setImmediate(() => {
      stop.abort(new Error('enough'));
    });
    await expect(seedCluster(store, { pods: 20_000, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    expect(store.revision).toBe(1n);
  });

  it('spreads its labels over the Pods in key order', async () => {
    const store = new MvccStore();
    const { selectors } = await seedCluster(store, { pods: 3000 });
    expect(labelled(store, 'app', 'nginx')).toEqual(everyNth(100, 3000));
    expect(labelled(store, 'tier', 'rare')).toEqual(everyNth(1000, 3000));
    expect(labelled(store, 'batch', 'late')).toEqual(
      Array.from({ length: 200 }, (_, i) => 2800 + i),
    );
    expect(labelled(store, 'once', 'upon')).toEqual([2141]);
    expect(selectors.map(({ selector, matches }) => [selector, matches])).toEqual([
      ['app=nginx', 30],
      ['tier=rare', 3],
      ['batch=late', 200],
      ['once=upon', 1],
    ]);
  });

  it.each([0, 1, 5, 99, 150])('has sensible labels among %i Pods too', async (pods) => {
    const store = new MvccStore();
    await seedCluster(store, { pods });
    expect(rows(store, 'pods/')).toHaveLength(pods);
    expect(labelled(store, 'app', 'nginx')).toEqual(everyNth(100, pods));
    expect(labelled(store, 'tier', 'rare')).toHaveLength(pods > 0 ? 1 : 0);
    expect(labelled(store, 'batch', 'late')).toHaveLength(Math.floor(pods / 5));
    expect(labelled(store, 'once', 'upon')).toHaveLength(pods > 0 ? 1 : 0);
  });

  it('counts what it wrote and gives each object a revision of its own', async () => {
    const store = new MvccStore();
    const summary = await seedCluster(store, { pods: 500 });
    for (const [prefix, count] of summary.counts) {
      expect([prefix, rows(store, `${prefix}/`).length]).toEqual([prefix, count]);
    }
    const all = rows(store, '');
    expect(all).toHaveLength(summary.total);
    expect(new Set(all.map((kv) => kv.modRevision)).size).toBe(summary.total);
    expect(summary.revision).toBe(BigInt(1 + summary.total));
    expect(summary.namespaces).toHaveLength(40);
  });

  it.each([
    [0, 1],
    [1, 2],
    [7, 3],
    [150, 4],
    [2000, 5],
    [20_000, 1],
  ])('stores 1 to 4 KiB for each object of %i Pods, seed %i', async (pods, seed) => {
    const store = new MvccStore();
    const { total } = await seedCluster(store, { pods, seed });
    const all = rows(store, '');
    expect(all).toHaveLength(total);
    const outside = all
      .filter(({ value }) => value.length < 1024 || value.length > 4096)
      .map(({ key, value }) => `${Buffer.from(key).toString()}: ${value.length}`);
    expect(outside).toEqual([]);
  });

  it('stores built-in kinds as protobuf and custom ones as JSON', async () => {
    const store = new MvccStore();
    await seedCluster(store, { pods: 500 });
    for (const prefix of [
      'pods/',
      'deployments/',
      'services/specs/',
      'secrets/',
      'configmaps/',
      'namespaces/',
      'replicasets/',
      'minions/',
      'events/',
    ]) {
      for (const { value } of rows(store, prefix)) {
        expect(Buffer.from(value.subarray(0, 4)).toString('latin1')).toBe('k8s\0');
      }
    }
    const [widget] = rows(store, 'example.com/widgets/');
    expect(JSON.parse(Buffer.from(widget!.value).toString())).toMatchObject({ kind: 'Widget' });
    const [definition] = rows(store, 'apiextensions.k8s.io/customresourcedefinitions/');
    expect(Buffer.from(definition!.key).toString()).toMatch(/\/widgets\.example\.com$/);
    expect(JSON.parse(Buffer.from(definition!.value).toString())).toMatchObject({
      spec: { group: 'example.com', scope: 'Namespaced' },
    });
  });
});
