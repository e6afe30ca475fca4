import { describe, expect, it } from 'vitest';
import { Collected } from '../../../../client/queries/collected';
import { LastRuns, MOST_RUNS } from '../../../../client/queries/lastRuns';
import { receiptText } from '../../../../client/queries/receiptText';
import { MOST_ROWS, resultsText } from '../../../../client/queries/resultText';
import type { TotalEntry } from '../../../../server/protocol/model';
import { total } from '../support';
import { done, request, row, uri } from './support';

const at = new Date(2026, 10, 30, 11, 42, 7).getTime();
const later = new Date(2026, 10, 30, 23, 59).getTime();
const big: TotalEntry = {
  ...total,
  requests: 7,
  fetched: 12_700,
  examined: 9901,
  evaluated: 9901,
  returned: 100,
  continue: 'eyJ2',
  resourceVersion: '84213',
  naiveRequests: 100,
  durationMs: 312.4,
};

describe('the line above a query that was run', () => {
  it('has its receipt and the time', () => {
    expect(receiptText({ at, connection: 7, total: big }, later)).toBe(
      '12,700 fetched → 9,901 evaluated → 100 returned · 7 round trips · 312 ms · 11:42',
    );
  });

  it('has the day once it is another', () => {
    const next = new Date(2026, 11, 1).getTime();
    expect(receiptText({ at, connection: 7, total }, next)).toMatch(
      / · 1 round trip · 1\.0 ms · 2026-11-30 11:42$/,
    );
  });

  it('says why it failed on one line, and that it was stopped', () => {
    const sentence = `A\u202e\n${'b'.repeat(200)}`;
    const failed = receiptText(
      { at, connection: 7, total, failure: { code: 'etcd', sentence } },
      later,
    );
    expect(failed).toMatch(/^Failed: A\ufffd\ufffdb{97}… · 11:42$/);
    const stopped = { code: 'cancelled', sentence: 'Stopped.' } as const;
    expect(receiptText({ at, connection: 7, total, failure: stopped }, later)).toMatch(
      /^Stopped · 2 fetched /,
    );
    expect(receiptText({ at, connection: 7, failure: stopped }, later)).toBe('Stopped · 11:42');
  });
});

describe('last runs', () => {
  it('belong to what a query asks, as it is written', () => {
    const runs = new LastRuns();
    const changed: string[] = [];
    runs.changed.on((each) => changed.push(each));
    expect(runs.has(uri)).toBe(false);
    runs.put(uri, request(), { at, connection: 7, total });
    expect([runs.has(uri), runs.has('file:///b')]).toEqual([true, false]);
    expect(changed).toEqual([uri]);
    // The order of members says nothing.
    const { resource, ...rest } = request().query;
    expect(runs.of(uri, { ...request(), query: { ...rest, resource } })).toEqual({
      at,
      connection: 7,
      total,
    });
    for (const other of [
      request({ follow: true }),
      request({ continueOf: 0 }),
      request({}, { limit: '5' }),
    ]) {
      expect(runs.of(uri, other)).toBeUndefined();
    }
    expect(runs.of('file:///b', request())).toBeUndefined();
  });

  it('are bounded: the oldest go first', () => {
    const runs = new LastRuns();
    const numbered = (limit: number) => request({}, { limit: String(limit) });
    for (let limit = 0; limit < MOST_RUNS; limit += 1)
      runs.put(uri, numbered(limit), { at, connection: 7 });
    runs.put(uri, numbered(0), { at: 1, connection: 7 });
    runs.put(uri, numbered(MOST_RUNS), { at, connection: 7 });
    expect(runs.of(uri, numbered(0))).toEqual({ at: 1, connection: 7 });
    expect(runs.of(uri, numbered(1))).toBeUndefined();
    expect(runs.of(uri, numbered(2))).toEqual({ at, connection: 7 });
  });
});

const now = Date.parse('2026-11-30T02:00:00Z');

function collected(title = 'first · pods · demo') {
  const all = new Collected(title, MOST_ROWS);
  return { all, text: () => resultsText([all.result], now) };
}

const entry = (n: number, bytes: number) =>
  ({ kind: 'request', done: true, request: { n, bytes } }) as never;

describe('the document with results', () => {
  it('has rows, receipt and token of each list', () => {
    const { all, text } = collected();
    all.take({ kind: 'rows', rows: [row('a'), row('bcd', 'longer')] });
    // What a request says later takes the place of what it said before.
    for (const bytes of [10, 1000, 2000]) all.take(entry(1, bytes));
    all.take(entry(2, 500));
    expect(all.progress).toBe('2 rows · 2 round trips');
    expect(text()).toContain('2 rows · running');
    all.done(done({ total: big }));
    expect(text()).toBe(`### first · pods · demo

namespace  name  labels      age  version    size
web        a     app=nginx  120m   84,213  2.0 kB
longer     bcd   app=nginx  120m   84,213  2.0 kB

2 rows · more follow
12,700 fetched → 9,901 evaluated → 100 returned
7 round trips · 312 ms · 2.5 kB · revision 84,213 · naive paging: 100 round trips
continue: eyJ2
`);
    const two = resultsText([all.result, new Collected('Query 2', 0).result], now);
    expect(two.split('\n\n\n')[1]).toBe('### Query 2\n\n0 rows · running\n');
  });

  it('shows no namespaces where there are none, and nothing of the cluster that hides or turns text', () => {
    const { all, text } = collected('Query 1 · a\u202eb');
    all.take({ kind: 'rows', rows: [row('n\u202e\nm', ''), row(`${'x'.repeat(5000)}y`, '')] });
    all.take({ kind: 'notice', text: 'read by pages\n' });
    all.done(done({ unreadable: [{ key: '/registry/a\u0000', reason: 'unknown' }], total }));
    const lines = text().split('\n');
    expect(lines[0]).toBe('### Query 1 · a\\u202eb');
    expect(lines[2]).toMatch(/^name +labels/);
    expect(lines[3]).toMatch(/^n\\u202e\\x0am /);
    expect(lines[4]).toMatch(/^x{100}… +app/);
    expect(text()).toContain(
      'Note: read by pages\\x0a\n1 object left out, which cannot be read:\n',
    );
    expect(text()).toContain('\n  /registry/a\\x00: unknown\n');
    expect(text()).toContain('\n2 rows · all\n');
  });

  it('says what ended a list early', () => {
    const failed = collected();
    const failure = { code: 'etcd', sentence: 'etcd does not answer.' } as const;
    const error = { code: 'x', message: 'y' };
    failed.all.done(done({ failure, total: { ...total, error } }));
    expect(failed.text()).toMatch(/\n0 rows\netcd does not answer\.\n2 fetched/);
    const left = collected();
    left.all.end('Nothing is left.');
    expect(left.text()).toBe('### first · pods · demo\n\n0 rows\nNothing is left.\n');
  });

  it('shows only the first rows of very many', () => {
    const { all, text } = collected();
    const many = Array.from({ length: MOST_ROWS }, (_, i) => row(`p${i}`));
    for (const rows of [many, [row('last')], [row('last')]]) all.take({ kind: 'rows', rows });
    all.done(done());
    expect(
      text()
        .split('\n')
        .filter((line) => line.startsWith('web ')),
    ).toHaveLength(MOST_ROWS);
    expect(text()).toContain(
      '10,002 rows · only the first 10,000 shown: the panel shows and exports all · all',
    );
    expect(text()).not.toContain('last');
  });
});
