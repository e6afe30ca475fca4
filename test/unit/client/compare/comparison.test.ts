import { describe, expect, it, vi } from 'vitest';
import { WaysComparison, type ComparisonParts } from '../../../../client/compare/comparison';
import { comparesAll, type WaysCompared } from '../../../../server/protocol/compare';
import { query as anyQuery } from '../support';

const query = { ...anyQuery, resource: 'pods', namespace: 'web', limit: '100' };
const forecast = {
  keys: '20000',
  ways: [
    { way: 'pages', requests: 7, keys: 12_700, bytes: 34_800_000 },
    { way: 'stream', requests: 1, keys: 9901, bytes: 27_000_000 },
  ],
};

/** Of the notification that is shown while it reads. */
const stop = { isCancellationRequested: false };

function setup(compared: WaysCompared, agrees = true, trusted = true) {
  const asked: string[] = [];
  const shown: string[] = [];
  const request = vi.fn((method: string) =>
    Promise.resolve(method === 'etcdList/forecastWays' ? forecast : compared),
  );
  const open = vi.fn(() => Promise.resolve());
  const status = { state: 'connected', name: 'prod' } as const;
  const parts = {
    lsp: { request },
    access: {
      facts: () => ({ status, trusted }),
      ask: () => Promise.resolve(undefined),
      connect: () => Promise.resolve(),
    },
    confirm: (text: string) => {
      asked.push(text);
      return Promise.resolve(agrees);
    },
    whileStoppable: (title: string, work: (token: unknown) => unknown) => {
      shown.push(title);
      return work(stop);
    },
    documents: { open },
  } as unknown as ComparisonParts;
  return { comparison: new WaysComparison(parts), request, open, asked, shown };
}

const methods = ({ request }: ReturnType<typeof setup>): unknown[] =>
  request.mock.calls.map(([method]) => method);

describe('a comparison in the editor', () => {
  it('counts, asks, reads and opens what each way took', async () => {
    const one = setup({ text: 'a table' });
    await one.comparison.run('file:///q.etcdlist', query, true);
    expect(one.asked).toEqual([comparesAll(query, forecast)]);
    expect(methods(one)).toEqual(['etcdList/forecastWays', 'etcdList/compareWays']);
    // Both can be stopped, and are shown meanwhile.
    const params = { query, toTheEnd: true };
    expect(one.request.mock.calls).toEqual([
      ['etcdList/forecastWays', params, stop],
      ['etcdList/compareWays', params, stop],
    ]);
    expect(one.shown).toEqual([
      'etcd LIST: Counting what a comparison would read',
      'etcd LIST: Comparing ways to read a list',
    ]);
    expect(one.open).toHaveBeenCalledWith('file:///q.etcdlist', 'a table');
  });

  it('reads nothing but the count when the person does not agree', async () => {
    const one = setup({ text: 'a table' }, false);
    await one.comparison.run('x', query, false);
    expect(methods(one)).toEqual(['etcdList/forecastWays']);
    expect(one.open).not.toHaveBeenCalled();
  });

  it('asks nothing in an untrusted workspace', async () => {
    const one = setup({ text: '' }, true, false);
    await expect(one.comparison.run('x', query, false)).rejects.toMatchObject({
      failure: { code: 'untrusted' },
    });
    expect(methods(one)).toEqual([]);
  });

  it('shows what was read until it failed or was stopped, and then says why', async () => {
    const failure = { code: 'etcd', sentence: 'The answers differ.' } as const;
    const one = setup({ text: 'so far', failure });
    await expect(one.comparison.run('x', query, false)).rejects.toMatchObject({ failure });
    expect(one.open).toHaveBeenCalledWith('x', 'so far');
    const none = setup({ text: '', failure });
    await expect(none.comparison.run('x', query, false)).rejects.toMatchObject({ failure });
    expect(none.open).not.toHaveBeenCalled();
  });
});

it('what is asked names each way and all that it reads', () => {
  expect(comparesAll(query, forecast)).toBe(
    'This reads the list 2 times, of 20,000 pods of namespace web: in doubling pages about 12,700 keys by 7 requests, as a stream about 9,901 keys by 1 request; altogether about 62 MB.',
  );
});
