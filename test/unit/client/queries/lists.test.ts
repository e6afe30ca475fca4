import { describe, expect, it, vi } from 'vitest';
import { canRun, type Access } from '../../../../client/queries/access';
import { continued, continuedAlone, type Outcome } from '../../../../client/queries/continued';
import { copyText } from '../../../../client/queries/copies';
import { Lists } from '../../../../client/queries/lists';
import { runnable } from '../../../../client/queries/place';
import type { ListEvent } from '../../../../server/protocol/model';
import { connected, FakeServer, FakeSource, query, total } from '../support';
import { done, fileOf, ListingServer, request, row } from './support';

const bodies: readonly ListEvent['body'][] = [
  { kind: 'rows', rows: [row('a')] },
  { kind: 'notice', text: 'x' },
];

function setup(server: ListingServer, yes = true) {
  const confirm = vi.fn(() => Promise.resolve(yes));
  const lists = new Lists(server, confirm);
  const heard: unknown[] = [];
  const source = new FakeSource();
  const run = (follow = false, isHere = () => true) =>
    lists.run({ query, follow, isHere }, (body) => heard.push(body), source.token);
  return { confirm, heard, source, run };
}

describe('a list of a query file', () => {
  it('is checked and run by the one list request, and answers each batch of its own events', async () => {
    const server = new ListingServer(() => done(), bodies);
    const { run, heard } = setup(server);
    expect(await run(true)).toEqual(done());
    const [params] = server.lists;
    expect(params).toMatchObject({ query, follow: true, acknowledged: true, silent: true });
    expect(params).toMatchObject({ confirmed: false, measured: false });
    expect(heard).toEqual(bodies);
    const { listId } = params!;
    expect(server.notify.mock.calls).toEqual([['etcdList/taken', { listId, seq: 1 }]]);
    expect(server.listEvents.size).toBe(0);
    await run();
    expect(server.lists[1]?.listId).not.toBe(listId);
  });

  it('does not hear of other lists', async () => {
    const server: ListingServer = new ListingServer(() => {
      server.listEvents.fire([{ listId: 'other', seq: 0, body: bodies[0]! }]);
      return done();
    });
    const { run, heard } = setup(server);
    await run();
    expect(heard).toEqual([]);
    expect(server.notify).not.toHaveBeenCalled();
  });

  it('is refused in the words of the check', async () => {
    const server = new ListingServer(() => done());
    server.answers['etcdList/check'] = () => ({
      problems: [
        { severity: 'warning', message: 'w' },
        { severity: 'error', message: 'unknown field' },
      ],
    });
    await expect(setup(server).run()).rejects.toThrow('unknown field');
    expect(server.lists).toEqual([]);
  });

  it.each([
    ['of few keys is not asked about', { keys: '500', bytes: 10, budget: 100 }, false, true],
    ['of many keys is asked about', { keys: '501', bytes: 52_400_000, budget: -1 }, true, true],
    [
      'over the budget is left to the engine',
      { keys: '900', bytes: 200, budget: 100 },
      false,
      false,
    ],
  ])('without a limit %s', async (_, measure, asked, isConfirmed) => {
    const server = new ListingServer(() => done(), [], true);
    server.answers['etcdList/measure'] = () => measure;
    const { run, confirm } = setup(server);
    await run();
    expect(confirm.mock.calls).toEqual(
      asked ? [['This reads all 501 pods in one reply of about 52 MB, without a limit.']] : [],
    );
    expect(server.lists[0]).toMatchObject({ confirmed: isConfirmed, measured: true });
  });

  it('is not run over another connection than the one it was measured over', async () => {
    const server = new ListingServer(() => done(), [], true);
    server.answers['etcdList/measure'] = () => ({ keys: '9000', bytes: 1, budget: -1 });
    const { run, confirm } = setup(server);
    let isHere = true;
    confirm.mockImplementation(() => {
      isHere = false;
      return Promise.resolve(true);
    });
    await expect(run(false, () => isHere)).rejects.toThrow(/Another connection was opened/);
    expect(server.lists).toEqual([]);
  });

  it('that the person does not agree to is not run', async () => {
    const server = new ListingServer(() => done(), [], true);
    server.answers['etcdList/measure'] = () => ({ keys: '9000', bytes: 1, budget: -1 });
    await expect(setup(server, false).run()).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    expect(server.lists).toEqual([]);
  });
});

describe('a token of an earlier query', () => {
  const file = fileOf(request(), request({ continueOf: 0 }));
  const second = runnable({ file, index: 1 });
  const token = { at: 1, connection: 7, total: { ...total, continue: 'eyJ2' } };
  const outcome = (given: Outcome | undefined) => () => given;

  it('is taken from its run', () => {
    const want = { ...query, continueToken: 'eyJ2' };
    expect(continued(second, outcome(token))).toEqual({ kind: 'query', query: want });
    expect(continuedAlone(second, outcome(token))).toEqual(want);
    const first = runnable({ file, index: 0 });
    expect(continuedAlone(first, outcome(undefined))).toEqual(query);
  });

  it('never leads back to the begin: where there is none, the query is not run', () => {
    const sentence = 'Nothing is left for this query: "first" read its list to the end.';
    for (const nothing of [{ at: 1, connection: 7, total }, 'nothingLeft'] as const) {
      expect(continued(second, outcome(nothing))).toEqual({ kind: 'nothingLeft', sentence });
      expect(() => continuedAlone(second, outcome(nothing))).toThrow(sentence);
    }
    expect(() => continued(second, outcome(undefined))).toThrow(/"first", which was not run/);
    const failure = { code: 'etcd', sentence: 'Gone.' } as const;
    for (const failed of [
      { ...token, failure },
      { at: 1, connection: 7, failure },
    ]) {
      expect(() => continued(second, outcome(failed))).toThrow(/"first", whose last run failed/);
    }
  });
});

describe('a run without a connection', () => {
  function access(facts: Partial<ReturnType<Access['facts']>>, chosen?: string) {
    let now = { status: connected, trusted: true, serverGone: false, ...facts };
    const connect = vi.fn(() => {
      now = { ...now, status: connected };
      return Promise.resolve();
    });
    const ask = vi.fn(() => Promise.resolve(chosen));
    return { access: { facts: () => now, ask, connect }, connect, ask };
  }
  const off = { status: { state: 'disconnected' } } as const;

  it('offers to connect, and goes on once it is connected', async () => {
    const { access: given, connect, ask } = access(off, 'Connect…');
    expect(await canRun(given)).toBe(true);
    expect(connect).toHaveBeenCalledOnce();
    expect(ask.mock.calls).toEqual([['Not connected, so nothing was listed.', 'Connect…']]);
  });

  it('never connects by itself', async () => {
    const { access: given, connect } = access(off);
    expect(await canRun(given)).toBe(false);
    expect(connect).not.toHaveBeenCalled();
    const lost = access(off, 'Connect…');
    lost.connect.mockImplementation(() => Promise.resolve());
    expect(await canRun(lost.access)).toBe(false);
  });

  it('asks nothing of who is connected, and refuses while it connects', async () => {
    const on = access({});
    expect(await canRun(on.access)).toBe(true);
    expect(on.ask).not.toHaveBeenCalled();
    const waiting = access({ status: { state: 'connecting', name: 'prod' } as never });
    await expect(canRun(waiting.access)).rejects.toThrow(/Still connecting to "prod"/);
  });

  it('is refused in a workspace that is not trusted', async () => {
    const { access: given, ask } = access({ ...off, trusted: false }, 'Connect…');
    await expect(canRun(given)).rejects.toMatchObject({ failure: { code: 'untrusted' } });
    expect(ask).not.toHaveBeenCalled();
  });
});

describe('a copy', () => {
  it('is of the whole query, and refused where the tool cannot make the list', async () => {
    const commands = { kubectl: '', apiPath: '/api', etcdctl: 'etcdctl get', etcdList: 'x' };
    const server = new FakeServer({ 'etcdList/commands': () => commands });
    const copy = (form: 'kubectl' | 'etcdctl') =>
      copyText(server, query, request({ follow: true }), form);
    expect(await copy('etcdctl')).toBe('etcdctl get');
    expect(server.asked[0]?.params).toEqual({ ...query, follow: true });
    await expect(copy('kubectl')).rejects.toThrow(/cannot be made by kubectl/);
  });
});
