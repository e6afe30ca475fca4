import { describe, expect, it } from 'vitest';
import { bounded, History, maxRequests, maxRuns, maxSize } from '../../../../client/panel/history';
import type { HistoryEntry, RequestEntry } from '../../../../server/protocol/model';
import { FakeMemory, query, total } from '../support';

const request = (n: number): RequestEntry => ({
  n,
  operation: 'list',
  endpoint: 'a:1',
  serializable: false,
  startKey: `/registry/pods/${'x'.repeat(100)}`,
  endKey: null,
  limit: 100,
  revision: '7',
  keys: 100,
  matched: 1,
  bytes: 1,
  durationMs: 1,
});

const entry = (at: number, requests = 1): HistoryEntry => ({
  at,
  connection: 'prod',
  query,
  requests: Array.from({ length: requests }, (_, index) => request(index + 1)),
  total,
});

describe('History', () => {
  it('keeps the last runs, newest first', async () => {
    const history = new History(new FakeMemory());
    for (let at = 0; at < maxRuns + 5; at += 1) await history.add(entry(at));
    const times = history.entries().map(({ at }) => at);
    expect(times).toHaveLength(maxRuns);
    expect([times[0], times.at(-1)]).toEqual([maxRuns + 4, 5]);
  });

  it('takes nonsense that is kept as no run', () => {
    const memory = new FakeMemory();
    memory.values.set('etcdList.history', [null, 1, {}, { at: 1 }, entry(1)]);
    expect(new History(memory).entries()).toEqual([entry(1)]);
    memory.values.set('etcdList.history', 'x');
    expect(new History(memory).entries()).toEqual([]);
  });

  it('takes whole runs only: one that lacks a member would fail where it is shown', () => {
    const whole = { ...entry(1), failure: { code: 'etcd', sentence: 'Gone.' } };
    const [asked] = whole.requests;
    const broken: readonly object[] = [
      { ...whole, at: NaN },
      { ...whole, query: null },
      { ...whole, query: [] },
      { ...whole, query: { ...query, limit: 5 } },
      { ...whole, query: { ...query, skipUnreadable: 'no' } },
      { ...whole, total: null },
      { ...whole, total: { ...total, fetched: '7' } },
      { ...whole, total: { ...total, resourceVersion: 7 } },
      { ...whole, total: { ...total, naiveRequests: undefined } },
      { ...whole, total: { ...total, error: 'lost' } },
      { ...whole, requests: [null] },
      { ...whole, requests: [{ ...asked, keys: null }] },
      { ...whole, requests: [{ ...asked, startKey: null }] },
      { ...whole, requests: [{ ...asked, endKey: {} }] },
      { ...whole, requests: [{ ...asked, error: {} }] },
      { ...whole, bytes: '1' },
      { ...whole, failure: null },
      { ...whole, failure: { code: 'etcd' } },
    ];
    const memory = new FakeMemory();
    for (const each of broken) {
      memory.values.set('etcdList.history', [each, whole]);
      expect(new History(memory).entries(), JSON.stringify(each)).toEqual([whole]);
    }
  });
});

describe('bounded', () => {
  it('keeps begin and end of a long receipt', () => {
    const [kept] = bounded([entry(1, 1000)]);
    expect(kept?.requests).toHaveLength(maxRequests);
    expect(kept?.requests.map(({ n }) => n).slice(0, 2)).toEqual([1, 2]);
    expect(kept?.requests.at(-1)?.n).toBe(1000);
  });

  it('drops the receipts of the oldest runs when all are too large', () => {
    const kept = bounded(Array.from({ length: maxRuns }, (_, at) => entry(at, 190)));
    expect(JSON.stringify(kept).length).toBeLessThan(maxSize * 1.1);
    expect(kept).toHaveLength(maxRuns);
    expect(kept[0]?.requests).toHaveLength(190);
    expect(kept.at(-1)?.requests).toEqual([]);
  });
});
