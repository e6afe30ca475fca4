import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pod, putPods, ready, rig, type PodGiven, type Rig } from './support';

const TEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** Ten namespaces of so many Pods each, which are also stored as namespaces. */
async function cluster(
  pods: number,
  settings: Parameters<typeof rig>[0] = {},
  given?: (i: number) => PodGiven,
): Promise<Rig> {
  const made = await rig(settings);
  for (const namespace of TEN) {
    putPods(made.etcd, namespace, pods, given);
    made.etcd.put(`/registry/namespaces/${namespace}`, Buffer.from('{}'));
  }
  return made;
}

const bytesRead = ({ etcd }: Rig, size: number): number =>
  etcd.requests.reduce((sum, { limit = 0n, keysOnly }) => sum + (keysOnly ? 0 : Number(limit)), 0) *
  size;

describe('a sample', () => {
  it('is everything where that is not much, in pages at one revision', async () => {
    const made = await cluster(500);
    const index = await ready(made, 'pods');
    expect(index?.isExact).toBe(true);
    expect(index?.coverage).toEqual({ objects: 5000, total: 5000, unreadable: 0, places: 1 });
    expect(index?.labelValues('app')?.all).toEqual(TEN);
    expect(made.etcd.requests.map(({ limit, revision }) => [limit, revision])).toEqual([
      [8n, 0n],
      ...[1000, 1000, 1000, 1000, 992].map((limit) => [BigInt(limit), 7n]),
    ]);
    expect(made.store.examined).toBe(5000);
  });

  it('comes from several places of the keys where there is more', async () => {
    const made = await cluster(501);
    const index = await ready(made, 'pods');
    expect(index?.isExact).toBe(false);
    expect(index?.coverage).toEqual({ objects: 500, total: 5010, unreadable: 0, places: 9 });
    expect(index?.labelValues('app')?.size).toBe(9);
    const lists = made.etcd.requests.filter(({ keysOnly }) => keysOnly !== true);
    expect(lists).toHaveLength(9);
    expect(lists.map(({ limit }) => Number(limit)).reduce((a, b) => a + b)).toBe(500);
    expect(made.etcd.requests.filter(({ keysOnly }) => keysOnly)).toMatchObject([{ limit: 2000n }]);
    expect(made.store.examined).toBe(500 + 10);
  });

  it('has as many objects where some places hold few', async () => {
    const made = await cluster(3, { exactUpTo: 0, sampleObjects: 100 });
    putPods(made.etcd, 'j', 2000);
    const index = await ready(made, 'pods');
    expect(index?.coverage.objects).toBe(100);
    expect(index?.coverage.total).toBe(2027);
    expect(index?.labelValues('app')?.size).toBe(10);
  });

  it('counts no object twice, wherever its places lie', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 10, maxLength: 10 });
    const goals = fc.integer({ min: 10, max: 300 });
    await fc.assert(
      fc.asyncProperty(sizes, goals, fc.subarray(TEN), async (counts, sampleObjects, known) => {
        const made = await rig({ exactUpTo: 0, sampleObjects });
        TEN.forEach((namespace, n) => {
          for (let i = 0; i < (counts[n] ?? 0); i++) {
            const name = `${namespace}-${i}`;
            made.etcd.put(`/registry/pods/${namespace}/${name}`, pod(namespace, name));
          }
        });
        for (const each of known) made.etcd.put(`/registry/namespaces/${each}`, Buffer.from('{}'));
        const index = await ready(made, 'pods');
        const total = counts.reduce((a, b) => a + b);
        expect(index?.coverage).toMatchObject({ objects: Math.min(sampleObjects, total), total });
        const names = index?.fieldValues('metadata.name');
        expect(names?.size ?? 0).toBe(index?.coverage.objects);
        expect(made.etcd.requests.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 60 },
    );
  });

  it('of one namespace comes from several places too', async () => {
    const made = await rig({ exactUpTo: 0, sampleObjects: 90 });
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      for (let i = 0; i < 20; i++) {
        made.etcd.put(
          `/registry/pods/web/${letter}${i}`,
          pod('web', `${letter}${i}`, { labels: { app: letter } }),
        );
      }
    }
    const index = await ready(made, 'pods', 'web');
    expect(index?.coverage).toMatchObject({ objects: 90, total: 520, places: 9 });
    expect(index?.labelValues('app')?.size).toBeGreaterThan(8);
    expect(made.etcd.requests).toHaveLength(9);
  });

  it('reads on where names begin all alike', async () => {
    const made = await rig({ exactUpTo: 0, sampleObjects: 90 });
    putPods(made.etcd, 'web', 500);
    const index = await ready(made, 'pods', 'web');
    expect(index?.coverage).toMatchObject({ objects: 90, total: 500, places: 1 });
    expect(made.etcd.requests).toHaveLength(3);
  });

  it('passes over namespaces that no token could name', async () => {
    const made = await cluster(30, { exactUpTo: 0, sampleObjects: 100 });
    for (const odd of ['..', '.', 'A b', 'x/y', 'z\u0000']) {
      made.etcd.put(`/registry/namespaces/${odd}`, Buffer.from('{}'));
    }
    expect((await ready(made, 'pods'))?.coverage.objects).toBe(100);
  });
});

describe('large values', () => {
  it('are read a few at a time, and not beyond what a sample may cost', async () => {
    const size = 300_000;
    const made = await rig();
    putPods(made.etcd, 'web', 52, () => ({ labels: { app: 'x' }, size }));
    const index = await ready(made, 'pods', 'web');
    expect(index?.isExact).toBe(true);
    const limits = made.etcd.requests.map(({ limit }) => Number(limit));
    expect(Math.max(...limits.slice(1)) * size).toBeLessThan(4.1 * 1024 * 1024);

    // What would be exact and too large is a sample.
    for (const sizes of [{}, { exactUpTo: 0, sampleObjects: 100 }]) {
      const more = await rig(sizes);
      putPods(more.etcd, 'web', 200, () => ({ labels: { app: 'x' }, size }));
      const part = await ready(more, 'pods', 'web');
      expect(part?.coverage.total).toBe(200);
      expect(part?.coverage.objects).toBeLessThan(60);
      expect((part?.coverage.objects ?? 99) * size).toBeLessThan(16.1 * 1024 * 1024);
    }
  });

  it('of the largest size that etcd takes cost no more, and come from all places', async () => {
    const largest = 1_400_000;
    const some = await rig({ exactUpTo: 0, sampleObjects: 500 });
    putPods(some.etcd, 'web', 200, () => ({ size: largest }));
    const index = await ready(some, 'pods', 'web');
    expect((index?.coverage.objects ?? 99) * largest).toBeLessThan(16.1 * 1024 * 1024);

    // 60 KiB each: what the bytes allow is shared among the places.
    const many = await rig({ exactUpTo: 0, sampleObjects: 500 });
    for (const letter of ['c', 'h', 'n', 'v']) {
      putPods(many.etcd, `ns-${letter}`, 300, () => ({ labels: { of: letter }, size: 60_000 }));
      many.etcd.put(`/registry/namespaces/ns-${letter}`, Buffer.from('{}'));
    }
    const spread = await ready(many, 'pods');
    expect(spread?.labelValues('of')?.all).toEqual(['c', 'h', 'n', 'v']);
  });

  it('stay within the byte budget of the connection', async () => {
    const made = await rig({}, { connected: false });
    made.etcd.byteBudget = 1024 * 1024;
    await made.connect();
    putPods(made.etcd, 'web', 200, () => ({ size: 20_000 }));
    const index = await ready(made, 'pods', 'web');
    expect(index?.isExact).toBe(false);
    expect(bytesRead(made, 20_000)).toBeLessThan(2 * 1024 * 1024);
    for (const { limit } of made.etcd.requests) {
      expect(Number(limit) * 20_000).toBeLessThan(1024 * 1024);
    }
  });
});

describe('what cannot be read', () => {
  const encrypted = Buffer.from('k8s:enc:aescbc:v1:key1:\u0001\u0002');

  it('is said once, after one page, where it is all', async () => {
    const made = await rig();
    for (let i = 0; i < 3000; i++) made.etcd.put(`/registry/secrets/web/s-${i}`, encrypted);
    expect(await ready(made, 'secrets', 'web')).toBeUndefined();
    expect(made.store.state('secrets', 'web')).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/encrypted by aescbc/) as string,
    });
    expect(made.store.examined).toBe(8);
  });

  it('is counted and passed over where it is some, and the rest is then no whole', async () => {
    const made = await rig();
    putPods(made.etcd, 'web', 40);
    for (let i = 0; i < 5; i++) made.etcd.put(`/registry/pods/web/zz-${i}`, encrypted);
    const index = await ready(made, 'pods', 'web');
    expect(index?.coverage).toEqual({ objects: 40, total: 45, unreadable: 5, places: 1 });
    expect(index?.isExact).toBe(false);
    expect(made.etcd.requests.map(({ limit }) => limit)).toEqual([8n, 37n]);
  });
});
