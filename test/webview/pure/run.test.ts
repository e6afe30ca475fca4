import { describe, expect, it } from 'vitest';
import type { ListEvent } from '../../../server/protocol/model';
import {
  canResume,
  continuedRun,
  freshRun,
  hasEnded,
  indexOfRow,
  pastRun,
  progressOf,
  revisionAt,
  type Cause,
  type Continuation,
  type Run,
} from '../../../webview/run';
import { addTotals, afterDone, afterEvents, afterRefusal } from '../../../webview/runEvents';
import { saysServerGone } from '../../../webview/serverState';
import { initialState, reduce, savedState } from '../../../webview/state';
import { emptyQuery, usedInMore } from '../../../webview/query';
import { totalsText } from '../../../webview/totalsText';
import * as data from '../support/data';

const fresh = (): Run => freshRun('a', emptyQuery, false);
const event = (seq: number, body: ListEvent['body'], listId = 'a'): ListEvent => ({
  listId,
  seq,
  body,
});
const rows = (seq: number, from: number, listId = 'a') =>
  event(seq, { kind: 'rows', rows: data.rows(from, 2) }, listId);

const after = (run: Run, event: ListEvent): Run => afterEvents(run, [event]);

describe('events of a list', () => {
  it('make the same of a batch as one by one', () => {
    const batch = [
      event(0, { kind: 'request', request: data.request(1), done: false }),
      rows(1, 0),
      event(2, { kind: 'request', request: data.request(1), done: true }),
      event(3, { kind: 'request', request: data.request(2), done: false }),
      event(3, { kind: 'notice', text: 'twice' }),
      event(5, { kind: 'notice', text: 'once' }),
      rows(6, 9, 'b'),
    ];
    const run = afterEvents(fresh(), batch);
    expect(run).toEqual(batch.reduce(after, fresh()));
    expect(run.requests.map(({ n, ended }) => [n, ended])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(run).toMatchObject({ lost: 1, nextSeq: 6, rowCount: 2, notices: ['once'] });
  });

  it('append rows and requests in order', () => {
    const run = [
      event(0, { kind: 'request', request: data.request(1), done: true }),
      rows(1, 0),
      rows(2, 2),
    ].reduce(after, fresh());
    expect(run.rowCount).toBe(4);
    expect(run.rowChunks.flat().map(({ name }) => name)).toEqual(
      data.rows(0, 4).map(({ name }) => name),
    );
    expect(progressOf(run)).toMatchObject({ requests: 1, fetched: 100, returned: 4 });
    expect(run.lost).toBe(0);
  });

  it('of another list change nothing', () => {
    const run = fresh();
    expect(after(run, rows(0, 0, 'b'))).toBe(run);
  });

  it('that come twice or too late are dropped, and gaps are counted', () => {
    const run = [rows(0, 0), rows(0, 0), rows(3, 2), rows(1, 8)].reduce(after, fresh());
    expect(run.rowCount).toBe(4);
    expect(run.lost).toBe(2);
  });

  it('after the end change nothing', () => {
    const run = afterDone(fresh(), 'a', data.done());
    expect(after(run, rows(0, 0))).toBe(run);
  });

  it('replace a request whose reply was still coming', () => {
    const pending = data.request(1, { keys: 0 });
    const run = [
      event(0, { kind: 'request', request: pending, done: false }),
      event(1, { kind: 'request', request: data.request(1), done: true }),
    ].reduce(after, fresh());
    expect(run.requests).toHaveLength(1);
    expect(run.requests[0]).toMatchObject({ keys: 100, ended: true });
  });

  it('leave counting requests out of the keys fetched', () => {
    const counting = data.request(1, { operation: 'listWithCount', keys: 1 });
    const run = after(fresh(), event(0, { kind: 'request', request: counting, done: true }));
    expect(progressOf(run).fetched).toBe(0);
  });
});

const next = (cause: Cause, continueToken = 'T'): Continuation => ({
  listId: 'b',
  query: { ...emptyQuery, continueToken },
  follow: false,
  cause,
});

describe('a list that broke off', () => {
  const pages = (): Run =>
    afterEvents(freshRun('a', emptyQuery, true), [
      event(0, { kind: 'request', request: data.request(1), done: true }),
      rows(1, 0),
      event(2, { kind: 'totals', total: data.total({ returned: 2, continue: 'T1' }) }),
      rows(3, 2),
    ]);
  const etcd = { code: 'etcd', sentence: 'Etcd is gone.' } as const;

  it('goes on behind its last whole page, and the rows of the broken one come again', () => {
    const broken = afterRefusal(pages(), 'a', etcd);
    expect(canResume(broken)).toBe(true);
    expect(broken.resume).toEqual({ token: 'T1', rows: 2 });
    const resumed = continuedRun(broken, next('resume', 'T1'));
    expect(resumed.rowChunks.flat()).toEqual(data.rows(0, 2));
    expect(resumed).toMatchObject({ rowCount: 2, requestOffset: 1, failure: null });
    const again = afterEvents(resumed, [
      rows(0, 2, 'b'),
      event(1, { kind: 'totals', total: data.total({ returned: 2, continue: 'T2' }) }, 'b'),
    ]);
    expect(again.rowChunks.flat()).toEqual(data.rows(0, 4));
    expect(again.total).toMatchObject({ returned: 4, fetched: 25_400 });
    expect(afterRefusal(again, 'b', etcd).resume).toEqual({ token: 'T2', rows: 4 });
  });

  it('cuts a chunk that holds rows of two pages', () => {
    const run = { ...pages(), resume: { token: 'T1', rows: 3 } };
    const resumed = continuedRun(afterRefusal(run, 'a', etcd), next('resume'));
    expect(resumed.rowChunks.map((chunk) => chunk.length)).toEqual([2, 1]);
  });

  it('goes on after Stop, and after a next page that failed', () => {
    expect(canResume(afterRefusal(pages(), 'a', { ...etcd, code: 'cancelled' }))).toBe(true);
    const first = afterDone(after(fresh(), rows(0, 0)), 'a', data.done());
    const failed = afterRefusal(continuedRun(first, next('nextPage', 'T')), 'b', etcd);
    expect(canResume(failed)).toBe(true);
    expect(failed.resume).toEqual({ token: 'T', rows: 2 });
  });

  it('does not go on before its first page, after a 410, or with rows missing', () => {
    expect(canResume(afterRefusal(fresh(), 'a', etcd))).toBe(false);
    expect(canResume(afterDone(pages(), 'a', data.done({ failure: data.expired })))).toBe(false);
    expect(canResume({ ...afterRefusal(pages(), 'a', etcd), rowCount: 1 })).toBe(false);
  });
});

it('a second run of the history is another list than the first', () => {
  const [first, second] = [pastRun(data.history[0]!), pastRun(data.history[0]!)];
  expect(hasEnded(second, first)).toBe(true);
  expect(hasEnded(second, second)).toBe(false);
});

it('the bytes of a past run are those of all its round trips', () => {
  const entry = data.history[0]!;
  expect(progressOf(pastRun({ ...entry, bytes: 5_000_000 })).bytes).toBe(5_000_000);
  expect(progressOf(pastRun(entry)).bytes).toBe(390_000);
});

describe('the next page', () => {
  it('appends: rows stay, requests count on, totals are summed', () => {
    const first = afterDone(
      [event(0, { kind: 'request', request: data.request(1), done: true }), rows(1, 0)].reduce(
        after,
        fresh(),
      ),
      'a',
      data.done(),
    );
    const second = [
      event(0, { kind: 'request', request: data.request(1), done: true }, 'b'),
      rows(1, 2, 'b'),
    ].reduce(after, continuedRun(first, next('laterSnapshot')));
    const ended = afterDone(
      second,
      'b',
      data.done({ total: data.total({ resourceVersion: '9' }) }),
    );
    expect(ended.rowCount).toBe(4);
    expect(ended.requests.map(({ n }) => n)).toEqual([1, 2]);
    expect(ended.total).toMatchObject({ requests: 14, fetched: 25_400, resourceVersion: '9' });
    expect(ended.snapshots).toEqual([{ at: 2, revision: '9', before: '84213' }]);
    const revisionOf = (index: number) => {
      const row = ended.rowChunks.flat()[index]!;
      return revisionAt(ended, indexOfRow(ended, row));
    };
    expect([0, 1, 2, 3].map(revisionOf)).toEqual(['84213', '84213', '9', '9']);
  });

  it('keeps the revision of its rows when the next page fails before its read', () => {
    const first = afterDone(after(fresh(), rows(0, 0)), 'a', data.done());
    const failed = afterDone(
      continuedRun(first, next('nextPage')),
      'b',
      data.done({ total: data.total({ resourceVersion: null }), failure: data.expired }),
    );
    expect(revisionAt(failed, 0)).toBe('84213');
    const later = continuedRun(failed, { ...next('laterSnapshot'), listId: 'c' });
    const total = data.total({ resourceVersion: '9', returned: 2 });
    const page = [rows(0, 2, 'c'), event(1, { kind: 'totals', total }, 'c')];
    const running = afterEvents(later, page);
    expect([0, 2].map((index) => revisionAt(running, index))).toEqual(['84213', '9']);
  });

  it('takes the revision of the list anew when none of its rows was kept', () => {
    const first = afterDone(after(fresh(), rows(0, 0)), 'a', data.done());
    const later = after(continuedRun(first, next('laterSnapshot')), rows(0, 2, 'b'));
    const failure = { code: 'etcd', sentence: 'Gone.' } as const;
    const broken = data.done({
      total: data.total({ resourceVersion: '9', continue: '' }),
      failure,
    });
    const again = continuedRun(afterDone(later, 'b', broken), { ...next('resume'), listId: 'c' });
    const ended = afterDone(
      after(again, rows(0, 2, 'c')),
      'c',
      data.done({ total: data.total({ resourceVersion: '12' }) }),
    );
    expect([0, 2].map((index) => revisionAt(ended, index))).toEqual(['84213', '12']);
  });

  it('counts naive pages of all objects examined, as the receipt of a followed list does', () => {
    const half = data.total({ examined: 150, naiveRequests: 2 });
    expect(addTotals(half, half, '100').naiveRequests).toBe(3);
    expect(addTotals(half, half, '').naiveRequests).toBeNull();
  });
});

describe('the end of a list', () => {
  it('by Stop is no failure', () => {
    const failure = { code: 'cancelled', sentence: 'Stopped.' } as const;
    expect(afterDone(fresh(), 'a', data.done({ failure }))).toMatchObject({
      phase: 'stopped',
      failure: null,
    });
    expect(afterRefusal(fresh(), 'a', failure).phase).toBe('stopped');
  });

  it('leaves no round trip waiting for its reply, also when the answer never comes', () => {
    const pending = event(0, { kind: 'request', request: data.request(1), done: false });
    const run = afterRefusal(after(fresh(), pending), 'a', { code: 'internal', sentence: 'Gone.' });
    expect(run.requests).toEqual([{ ...data.request(1), ended: true }]);
    expect(totalsText(run).evaluated).toBe('–');
  });

  it('says why it was cancelled, when nobody pressed Stop', () => {
    const failure = { code: 'cancelled', sentence: 'The connection was closed.' } as const;
    expect(afterRefusal(fresh(), 'a', failure).notices).toEqual([failure.sentence]);
    const stopping: Run = { ...fresh(), phase: 'stopping' };
    expect(afterRefusal(stopping, 'a', failure).notices).toEqual([]);
  });

  it('of an older list is not that of the newer one', () => {
    const run = freshRun('b', emptyQuery, false);
    expect(afterDone(run, 'a', data.done())).toBe(run);
    expect(afterRefusal(run, 'a', data.expired)).toBe(run);
  });

  it('keeps the rows when it fails', () => {
    const run = afterDone(after(fresh(), rows(0, 0)), 'a', data.done({ failure: data.expired }));
    expect(run).toMatchObject({ phase: 'failed', rowCount: 2, failure: data.expired });
  });
});

describe('the state', () => {
  const started = reduce(initialState(), { type: 'started', start: data.start() });
  const running = reduce(started, {
    type: 'run',
    listId: 'a',
    query: emptyQuery,
    follow: false,
    cause: 'fresh',
  });

  it('says that the list of the page before it was stopped', () => {
    const start = { ...data.start(), interrupted: true };
    const state = reduce(initialState(), { type: 'started', start });
    expect(state.trouble?.sentence).toMatch(/its list was stopped/);
    expect(started.trouble).toBeNull();
  });

  it('names what is set behind More', () => {
    expect(usedInMore(emptyQuery)).toEqual([]);
    const query = { ...emptyQuery, continueToken: 'eyJ2', skipUnreadable: true };
    expect(usedInMore(query)).toEqual(['continue token', 'skip unreadable objects']);
  });

  it('takes a check only of the query as it stands', () => {
    const edited = reduce(started, { type: 'edit', patch: { labelSelector: 'a=b' } });
    const result = data.check(edited.query);
    const late = reduce(edited, { type: 'checked', query: started.query, result });
    expect(late.check).toBeNull();
    expect(reduce(edited, { type: 'checked', query: edited.query, result }).check).toBe(result);
  });

  it('fails the running list when the server is gone, and keeps its rows', () => {
    const withRows = reduce(running, { type: 'events', events: [rows(0, 0)] });
    const gone = reduce(withRows, { type: 'server', recovered: false });
    expect(gone.server).toBe('gone');
    expect(gone.run).toMatchObject({ phase: 'failed', rowCount: 2 });
    expect(saysServerGone(gone)).toBe(true);
    const failure = { code: 'internal', sentence: 'It was given up.' } as const;
    const givenUp = reduce(gone, { type: 'server', recovered: false, failure });
    expect(givenUp.run?.failure).toBe(failure);
    for (const message of [
      { type: 'server', recovered: true },
      { type: 'status', status: data.connected() },
    ] as const) {
      const recovered = reduce(givenUp, message);
      expect(recovered).toMatchObject({ server: 'up', serverFailure: null });
      expect(recovered.run?.failure?.sentence).toMatch(/runs again/);
    }
  });

  it('tells of the server beside a list that had ended', () => {
    const done = reduce(running, { type: 'done', listId: 'a', done: data.done() });
    const gone = reduce(done, { type: 'server', recovered: false });
    expect(saysServerGone(gone)).toBe(false);
    expect(reduce(gone, { type: 'server', recovered: true }).server).toBe('recovered');
  });

  it('leaves a list alone that was started before the server counts as recovered', () => {
    const gone = reduce(running, { type: 'server', recovered: false });
    const connected = reduce(gone, { type: 'status', status: data.connected() });
    const again = reduce(connected, {
      type: 'run',
      listId: 'b',
      query: emptyQuery,
      follow: false,
      cause: 'fresh',
    });
    const recovered = reduce(again, { type: 'server', recovered: true });
    expect(recovered).toMatchObject({ server: 'up', run: { listId: 'b', phase: 'running' } });
  });

  it('has a server again once there is a connection', () => {
    const failure = { code: 'internal', sentence: 'It was not started again.' } as const;
    const off = reduce(started, { type: 'status', status: { state: 'disconnected' } });
    const gone = reduce(off, { type: 'server', recovered: false, failure });
    expect(gone.serverFailure).toBe(failure);
    expect(reduce(gone, { type: 'status', status: data.connected() }).server).toBe('recovered');
  });

  it('remembers a connection that was added, and forgets what another cluster stores', () => {
    const named = reduce(started, { type: 'namespaces', namespaces: ['web'] });
    const other = reduce(named, { type: 'status', status: data.connected('new') });
    expect(other.connections).toEqual(['prod', 'staging', 'new']);
    expect(other.namespaces).toEqual([]);
    const probed = reduce(named, { type: 'status', status: data.connected() });
    expect(probed.namespaces).toEqual(['web']);
    const anew = reduce(named, { type: 'status', status: data.connected('prod', false, 1) });
    expect(anew.namespaces).toEqual([]);
  });

  it('opens More when a query needs it', () => {
    const state = reduce(started, { type: 'edit', patch: { continueToken: 'x' } });
    expect(state.moreOpen).toBe(true);
    expect(started.moreOpen).toBe(false);
  });

  it('is saved without rows and comes back', () => {
    const saved = savedState(reduce(running, { type: 'tab', tab: 'token' }));
    expect(Object.keys(saved)).toEqual(['query', 'tab', 'tokenText']);
    expect(initialState(saved)).toMatchObject({ tab: 'token', run: null });
  });

  it('shows a past run without rows', () => {
    const entry = data.history[0]!;
    const state = reduce(running, { type: 'past', entry });
    expect(state.query).toEqual(entry.query);
    expect(state.run).toMatchObject({ past: true, rowCount: 0, total: entry.total });
  });
});
