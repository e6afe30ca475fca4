import { describe, expect, it } from 'vitest';
import { askedBy, UNKNOWN_SERVER, type ServerFacts } from '../../../server/explain/asked';
import { estimateOf } from '../../../server/explain/estimate';
import { exactly } from '../../../server/explain/estimateCost';
import type { Estimate, Matches, RowName, StoredKeys } from '../../../server/explain/estimateModel';
import { explain } from '../../../server/explain/explain';
import { nothing, request } from '../language/query/support';

const share = (likely: number, low = likely, high = likely): Matches => ({
  kind: 'share',
  share: { likely, low, high },
  clustered: false,
});

const stored = (matches: Matches, keys = 50_000): StoredKeys => ({
  keys,
  bytesPerKey: exactly(2048),
  matches,
  source: { kind: 'given' },
});

function estimated(
  query: string,
  keys: StoredKeys = stored(share(0.01)),
  facts: Partial<ServerFacts> = {},
): Estimate | undefined {
  const asked = askedBy(request(query)!);
  return estimateOf(asked, explain(asked, { ...UNKNOWN_SERVER, ...facts }), keys);
}

const rowOf = (estimate: Estimate | undefined, name: RowName) =>
  estimate?.rows.find((row) => row.name === name);

const requests = (estimate: Estimate | undefined, name: RowName) =>
  rowOf(estimate, name)?.cost.requests;

describe('a list that the cache serves', () => {
  const estimate = estimated('list pods -l app=nginx --limit=100');

  it('costs etcd the question for its revision, and no key', () => {
    const { way, cost } = rowOf(estimate, 'asked')!;
    expect(way).toBe('watchCache');
    expect(cost).toMatchObject({ requests: exactly(1), keys: exactly(0), returned: exactly(100) });
  });

  it('is reckoned from etcd beside that, and every other way', () => {
    expect(estimate?.rows.map(({ name }) => name)).toEqual([
      'asked',
      'atEtcd',
      'naive',
      'withoutLimit',
      'streamed',
      'resourceVersion0',
      'oneKey',
    ]);
    expect(rowOf(estimate, 'atEtcd')?.cost).toEqual({
      requests: exactly(7),
      keys: exactly(12_700),
      examined: exactly(10_000),
      returned: exactly(100),
      bytes: exactly(12_700 * 2048),
      largestReply: exactly(6400 * 2048),
      held: exactly(6500 * 2048),
    });
    expect(requests(estimate, 'naive')).toEqual(exactly(100));
    expect(rowOf(estimate, 'withoutLimit')?.cost.largestReply).toEqual(exactly(50_000 * 2048));
    expect(rowOf(estimate, 'streamed')?.cost.chunks).toEqual(exactly(84));
    expect(rowOf(estimate, 'resourceVersion0')?.cost).toMatchObject({
      requests: exactly(0),
      returned: exactly(500),
    });
  });
});

it('reads a stream or pages, as the gate and etcd allow', () => {
  const streams = estimated('list events');
  expect(rowOf(streams, 'asked')).toMatchObject({ way: 'etcdStream' });
  expect(rowOf(streams, 'otherGate')).toMatchObject({
    title: 'The same from etcd, without RangeStream',
    way: 'etcdPages',
  });
  const gates = { ...UNKNOWN_SERVER.gates, EtcdRangeStream: false };
  const off = estimated('list events', stored(share(0.01)), { gates });
  expect(rowOf(off, 'asked')).toMatchObject({ way: 'etcdPages' });
  expect(rowOf(off, 'otherGate')).toMatchObject({
    title: 'The same from etcd, with RangeStream',
    way: 'etcdStream',
  });
});

it('follows a client that pages to the end', () => {
  const estimate = estimated('kubectl get events -A -l a=b --chunk-size=100');
  // 500 of 50,000 match: five lists of 7 pages.
  expect(rowOf(estimate, 'toEnd')?.cost).toMatchObject({
    lists: exactly(5),
    requests: exactly(35),
    returned: exactly(500),
  });
  expect(requests(estimate, 'naiveToEnd')).toEqual(exactly(500));
});

it('reads one key of a list that is narrowed to it', () => {
  const estimate = estimated('list events -n web --field-selector metadata.name=a --limit=5');
  expect(rowOf(estimate, 'asked')).toMatchObject({ way: 'etcdKey' });
  expect(estimate?.rows.map(({ name }) => name)).toEqual(['asked']);
});

it('reckons nothing of a list that is refused', () => {
  const asked = askedBy({
    ...nothing,
    resource: 'pods',
    limit: '5',
    resourceVersionMatch: 'Exact',
  });
  const explanation = explain(asked, UNKNOWN_SERVER);
  expect(estimateOf(asked, explanation, stored(share(0.01)))).toBeUndefined();
});

describe('tells a range', () => {
  it('where the matches come from a sample', () => {
    const found = requests(
      estimated('list events -l a=b --limit=100', stored(share(0.01, 0.007, 0.014))),
      'asked',
    );
    expect(found).toEqual({ likely: 7, low: 7, high: 8 });
  });

  it('from all to none where nothing is known of them', () => {
    const estimate = estimated('list events -l a=b --limit=100', stored({ kind: 'unknown' }));
    expect(requests(estimate, 'asked')).toMatchObject({ low: 1, high: 11 });
    expect(estimate?.assumptions.join(' ')).toContain('from all of them to none');
  });

  it('from the beginning to the end where they stand side by side', () => {
    const clustered: Matches = { kind: 'share', share: exactly(0.01), clustered: true };
    const found = requests(estimated('list events -l a=b --limit=100', stored(clustered)), 'asked');
    expect(found).toMatchObject({ low: 1, high: 11 });
  });

  it('of no width where every object was read', () => {
    const known: Matches = { kind: 'known', at: [150, 151, 900] };
    const estimate = estimated('list events -l a=b --limit=2', stored(known, 1000));
    expect(rowOf(estimate, 'asked')?.cost).toMatchObject({
      requests: exactly(7),
      examined: exactly(151),
    });
  });
});

it('takes every key for selected where there is no selector, and tells no bytes without a size', () => {
  const { keys, matches, source } = stored({ kind: 'unknown' });
  const noSize: StoredKeys = { keys, matches, source };
  const estimate = estimated('list events --limit=100', noSize);
  expect(rowOf(estimate, 'asked')?.cost).toEqual({
    requests: exactly(1),
    keys: exactly(100),
    examined: exactly(100),
    returned: exactly(100),
  });
  expect(estimate?.assumptions).toContain(
    'How large the objects are is not known, so that there are no bytes.',
  );
});
