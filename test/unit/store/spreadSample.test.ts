import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, prefixEnd, utf8 } from '../../../server/common/bytes';
import { EtcdError } from '../../../server/etcd/errors';
import { parseLabelSelector } from '../../../server/kube/selectors';
import { resolveResource } from '../../../server/targets/target';
import { cutOf, evenPlaces, type RankedKey } from '../../../server/store/samplePlaces';
import { spreadSample } from '../../../server/store/spreadSample';
import { FakeEtcd, pod } from '../features/stored/support';

const START = utf8('/registry/pods/');
const END = prefixEnd(START);

async function sampled(etcd: FakeEtcd, selector: string) {
  const signal = new AbortController().signal;
  const lookup = { etcd: etcd as never, root: '/registry', signal, notice: () => undefined };
  const target = await resolveResource('pods', lookup);
  const decoder = target.decoder({ readsFields: true, onUnjudged: () => undefined });
  const label = parseLabelSelector(selector);
  return spreadSample({
    etcd,
    decoder,
    predicate: { label, field: undefined },
    start: START,
    end: END,
    signal,
  });
}

/** Pods with these names of which every n-th has the label. */
function filled(names: readonly string[], every: number, size = 0): FakeEtcd {
  const etcd = new FakeEtcd();
  names.forEach((name, i) => {
    const labels = { app: (i + 1) % every === 0 ? 'nginx' : 'other' };
    etcd.put(`/registry/pods/web/${name}`, pod('web', name, { labels, size }));
  });
  return etcd;
}

const numbered = (count: number, prefix = 'web-7d9f-') =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(6, '0')}`);

describe('of few objects', () => {
  it('tells where each one stands that is selected', async () => {
    const etcd = filled(numbered(300), 100);
    const sample = await sampled(etcd, 'app=nginx');
    expect(sample).toMatchObject({ keys: 300, at: [100, 200, 300], unreadable: 0 });
    expect(sample.cost).toMatchObject({ requests: 2, keys: 300 });
  });

  it('of none is none', async () => {
    const sample = await sampled(new FakeEtcd(), 'app=nginx');
    expect(sample).toMatchObject({ keys: 0, at: [], places: [] });
  });

  it('counts what cannot be read, and goes on', async () => {
    const etcd = filled(numbered(30), 10);
    etcd.put('/registry/pods/web/x', utf8('k8s:enc:aescbc:v1:key1:abc'));
    expect(await sampled(etcd, 'app=nginx')).toMatchObject({ keys: 31, unreadable: 1 });
  });
});

describe('of many objects', () => {
  it('reads 500 at up to nine places, however alike their names begin', async () => {
    const etcd = filled(numbered(20_000), 100);
    const { places, at, cost, keys } = await sampled(etcd, 'app=nginx');
    expect(keys).toBe(20_000);
    expect(at).toBeUndefined();
    expect(places.length).toBeGreaterThanOrEqual(7);
    const objects = places.reduce((sum, place) => sum + place.objects, 0);
    expect(Math.abs(objects - 500)).toBeLessThan(10);
    expect(cost.requests).toBeLessThanOrEqual(35);
    expect(cost.keys).toBeLessThanOrEqual(objects + 24);
    expect(etcd.requests.every(({ limit = 0n }) => limit > 0n)).toBe(true);
  });

  it('stays within bytes where they are large', async () => {
    const etcd = filled(numbered(600), 100, 300_000);
    const { cost, places } = await sampled(etcd, 'app=nginx');
    expect(cost.bytes).toBeLessThan(16.5 * 1024 * 1024);
    expect(places.length).toBeGreaterThan(4);
  });

  it('stops when it is told to', async () => {
    const etcd = filled(numbered(2000), 100);
    etcd.hold();
    const stop = new AbortController();
    const decoder = {
      transform: (value: Uint8Array) => value,
      decode: () => 0,
      attributes: () => ({ labels: new Map(), fields: new Map() }),
    };
    const predicate = { label: undefined, field: undefined };
    const reading = spreadSample({
      etcd,
      decoder,
      predicate,
      start: START,
      end: END,
      signal: stop.signal,
    });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    expect(etcd.requests).toHaveLength(1);
  });
});

describe('places', () => {
  const places = async (names: readonly string[], reads = 24) => {
    const keys = names.map(utf8).sort(compareBytes);
    let asked = 0;
    const ranker = (key: Uint8Array): Promise<RankedKey | undefined> => {
      asked++;
      const rank = keys.findIndex((each) => compareBytes(each, key) >= 0);
      return Promise.resolve(rank < 0 ? undefined : { key: keys[rank]!, rank });
    };
    const wanted = { first: keys[0]!, end: utf8('0'), total: keys.length, places: 9, reads };
    const found = await evenPlaces(wanted, ranker);
    return { found, asked, keys };
  };

  it.each([
    ['numbers', numbered(50_000, '/pods/web/job-')],
    [
      'one large namespace',
      [...numbered(500, '/a/'), ...numbered(40_000, '/b/x-'), ...numbered(100, '/c/')],
    ],
    [
      'generated names',
      Array.from(
        { length: 5000 },
        (_, i) => `/web/web-7d-${((i * 2654435761) % 60466176).toString(36).padStart(5, '0')}`,
      ),
    ],
  ])('divide %s into parts of much the same size', async (_, names) => {
    const { found, asked } = await places(names);
    expect(asked).toBeLessThanOrEqual(24);
    expect(found.length).toBeGreaterThanOrEqual(7);
    const parts = found.map(({ rank }, i) => (found[i + 1]?.rank ?? names.length) - rank);
    expect(Math.max(...parts)).toBeLessThan(names.length / 3);
  });

  it('are real keys with their rank, in order and each once, whatever the keys are', async () => {
    const name = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 60 }), async (names) => {
        const { found, asked, keys } = await places(names.map((each) => `/${each}`));
        expect(asked).toBeLessThanOrEqual(24);
        expect(found[0]?.rank).toBe(0);
        const ranks = found.map(({ rank }) => rank);
        expect([...new Set(ranks)].sort((a, b) => a - b)).toEqual(ranks);
        for (const { key, rank } of found) expect(keys[rank]).toEqual(key);
      }),
    );
  });

  it('are looked for inside of the part that is cut', () => {
    const key = fc.uint8Array({ minLength: 0, maxLength: 6 });
    fc.assert(
      fc.property(key, key, fc.nat(6), (a, b, shared) => {
        const [low, high] = compareBytes(a, b) <= 0 ? [a, b] : [b, a];
        const part = { key: low, rank: 0, next: high, nextRank: 9, shared };
        const cut = cutOf({ ...part, shared: Math.min(shared, low.length) });
        if (cut === undefined) return;
        expect(compareBytes(low, cut)).toBeLessThan(0);
        expect(compareBytes(cut, high)).toBeLessThan(0);
      }),
    );
  });
});

it('reads on at the latest revision once the first is compacted, and then knows no places', async () => {
  const etcd = filled(numbered(400), 10);
  const compacted = new Set<bigint>();
  const range = etcd.range.bind(etcd);
  etcd.range = async (request, options) => {
    if (compacted.has(request.revision ?? 0n)) {
      throw new EtcdError({ code: 'compacted', message: 'compacted', endpoint: 'a:1' });
    }
    const reply = await range(request, options);
    if (request.revision === 0n) compacted.add(reply.revision);
    return request.revision === 0n && etcd.requests.length > 1
      ? { ...reply, revision: reply.revision + 1n }
      : reply;
  };
  const sample = await sampled(etcd, 'app=nginx');
  expect(sample.keys).toBe(400);
  expect(sample).not.toHaveProperty('at');
  expect(sample.places.reduce((sum, { matched }) => sum + matched, 0)).toBe(40);
});
