import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../client/common/emitter';
import { Bridge } from '../../../../client/panel/bridge';
import type { HistoryEntry, ListEvent, RequestEntry } from '../../../../server/protocol/model';
import { RpcError } from '../../../../server/protocol/rpc';
import { connected, FakeServer, query, total } from '../support';
import { setup, untilCancelled } from './setup';

const list = (listId: string) => ({ listId, query, follow: false, confirmed: false });
const request: RequestEntry = {
  n: 1,
  operation: 'list',
  endpoint: 'a:1',
  serializable: false,
  startKey: '/registry/pods/',
  endKey: '/registry/pods0',
  limit: 100,
  revision: '7',
  keys: 1,
  matched: 1,
  bytes: 1,
  durationMs: 1,
};

const requestEvent = (listId: string, seq: number): ListEvent => ({
  listId,
  seq,
  body: { kind: 'request', request: { ...request, n: seq + 1 }, done: true },
});

describe('Bridge', () => {
  it('starts a page with what is known, and then what waited for it', async () => {
    const { bridge, ask, posted } = setup(new FakeServer({}));
    bridge.inspectToken('eyJ2');
    expect(posted).toEqual([]);
    await ask(1, 'ready');
    expect(posted).toEqual([
      {
        type: 'reply',
        id: 1,
        result: {
          status: { state: 'disconnected' },
          trusted: true,
          connections: ['prod'],
          history: [],
          interrupted: false,
          watchCaches: [],
        },
      },
      { type: 'notification', method: 'inspectToken', params: { text: 'eyJ2' } },
    ]);
  });

  it('keeps a token for a page that is not ready yet, and hands on every later one', async () => {
    const { bridge, ask, named } = setup(new FakeServer({}));
    bridge.inspectToken('eyJ2');
    expect(named('inspectToken')).toEqual([]);
    await ask(1, 'ready');
    expect(named('inspectToken')).toEqual([{ text: 'eyJ2' }]);
    bridge.inspectToken('eyJ3');
    expect(named('inspectToken')).toHaveLength(2);
  });

  it('tells a page that is there of other settings of Explain', async () => {
    const { bridge, ask, named } = setup(new FakeServer({}));
    bridge.explainAnew();
    await ask(1, 'ready');
    expect(named('explainAnew')).toEqual([]);
    bridge.explainAnew();
    expect(named('explainAnew')).toEqual([null]);
  });

  it('hands a given query to the page, and tells of each end of that very list', async () => {
    const failure = { code: 'etcd', sentence: 'Gone.' } as const;
    const ends: unknown[] = [
      { total, unreadable: [] },
      { total, unreadable: [], failure },
    ];
    const server = new FakeServer({
      'etcdList/list': () => ends.shift() ?? Promise.reject(new RpcError(failure)),
    });
    const { bridge, ask, named } = setup(server);
    const onEnd = vi.fn();
    bridge.runQuery({ query, follow: true, onEnd });
    bridge.runQuery({ query, follow: false, onEnd });
    await ask(1, 'ready');
    expect(named('runQuery')).toEqual([{ query, follow: false }]);
    await ask(2, 'list', list('a'));
    await ask(3, 'list', list('b'));
    await ask(4, 'list', list('c'));
    expect(onEnd.mock.calls).toEqual([[{ total }], [{ total, failure }], [{ failure }]]);
    ends.push({ total, unreadable: [] }, { total, unreadable: [] });
    await ask(5, 'list', { ...list('d'), follow: true });
    await ask(6, 'list', { ...list('e'), query: { ...query, continueToken: 'eyJ2' } });
    expect(onEnd).toHaveBeenCalledTimes(3);
    bridge.runQuery({ query, follow: true, onEnd });
    expect(named('runQuery')).toHaveLength(2);
  });

  it('passes requests to the server, and failures back as they are', async () => {
    const failure = { code: 'notConnected', sentence: 'Connect first.' };
    const server = new FakeServer({
      'etcdList/namespaces': () => ['default'],
      'etcdList/resources': () => {
        throw Object.assign(new Error(), { data: failure });
      },
    });
    const { ask, posted } = setup(server);
    await ask(1, 'namespaces');
    await ask(2, 'resources');
    expect(posted).toEqual([
      { type: 'reply', id: 1, result: ['default'] },
      { type: 'refusal', id: 2, failure },
    ]);
  });

  it('tells the page when the connections of the settings changed', () => {
    const { common, bridge, named } = setup(new FakeServer({}));
    common.connections.noteSettings();
    expect(named('connections')).toEqual([['prod']]);
    bridge.dispose();
    expect(common.connections.changed.size).toBe(0);
  });

  it('tells the server which batches the page has taken', async () => {
    const server = new FakeServer({});
    const { ask, lsp, notified } = setup(server);
    // Only a server that runs is told anything.
    await lsp.request('etcdList/status', null).catch(() => undefined);
    await ask(1, 'taken', { listId: 'mine', seq: 7 });
    expect(notified).toEqual([['etcdList/taken', { listId: 'mine', seq: 7 }]]);
  });

  it('ignores what is no request, and refuses unknown ones', async () => {
    const { bridge, ask, posted, log } = setup(new FakeServer({}));
    for (const message of [
      undefined,
      null,
      'x',
      {},
      { type: 'request', id: '1', method: 'ready' },
    ]) {
      await bridge.receive(message);
    }
    expect(log).toHaveBeenCalledTimes(5);
    await ask(1, '__proto__');
    expect(posted).toMatchObject([{ type: 'refusal', id: 1 }]);
  });

  it('forwards the events of its own lists only, and puts the run into the history', async () => {
    const server = new FakeServer({
      'etcdList/list': () => {
        lsp.listEvents.fire([requestEvent('mine', 0), requestEvent('other', 0)]);
        lsp.listEvents.fire([requestEvent('other', 1)]);
        lsp.listEvents.fire([{ listId: 'mine', seq: 1, body: { kind: 'rows', rows: [] } }]);
        return { total, unreadable: [], commands: {} };
      },
    });
    const { lsp, status, ask, named, common } = setup(server);
    status.set({ status: connected });
    await ask(1, 'list', list('mine'));
    lsp.listEvents.fire([requestEvent('mine', 2)]);
    expect(named('listEvents')).toMatchObject([
      [{ listId: 'mine', seq: 0 }],
      [{ listId: 'mine', seq: 1 }],
    ]);
    await vi.waitFor(() => {
      expect(named('history')).toHaveLength(1);
    });
    const [entry] = common.history.entries() as [HistoryEntry];
    expect(entry).toMatchObject({ connection: 'prod', query, requests: [{ n: 1 }], total });
  });

  it('stops one list by its id', async () => {
    const { ask, posted, sources } = setup(new FakeServer({ 'etcdList/list': untilCancelled }));
    const first = ask(1, 'list', list('a'));
    const second = ask(2, 'list', list('b'));
    await vi.waitFor(() => {
      expect(sources).toHaveLength(2);
    });
    await ask(3, 'stop', { listId: 'a' });
    await ask(4, 'stop', { listId: 'unknown' });
    await first;
    expect(sources.map(({ token }) => token.isCancellationRequested)).toEqual([true, false]);
    expect(posted.find((message) => message.type === 'reply' && message.id === 1)).toMatchObject({
      result: { failure: { code: 'cancelled' } },
    });
    await ask(5, 'stop', { listId: 'b' });
    await second;
    expect(sources.every(({ disposed }) => disposed)).toBe(true);
  });

  it('ends the explaining that is not wanted any more, and no measuring', async () => {
    const server = new FakeServer({
      'etcdList/measure': untilCancelled,
      'etcdList/explainList': untilCancelled,
    });
    const { ask, sources } = setup(server);
    const cancelled = () => sources.map(({ token }) => token.isCancellationRequested);
    const given = { keys: '', matchRate: '', objectSize: '', clustered: false };
    const params = { query, follow: true, measure: true, given };
    const counting = ask(1, 'measure', query);
    const first = ask(2, 'explain', params);
    const second = ask(3, 'explain', params);
    await first;
    expect(cancelled()).toEqual([false, true, false]);
    await ask(4, 'stopExplain');
    await second;
    expect(cancelled()).toEqual([false, true, true]);
    await ask(5, 'stopMeasure');
    await counting;
    expect(sources.every(({ disposed }) => disposed)).toBe(true);
  });

  it('ends the measuring that is not wanted any more, and only that', async () => {
    const server = new FakeServer({ 'etcdList/measure': untilCancelled });
    const { ask, sources } = setup(server);
    const cancelled = () => sources.map(({ token }) => token.isCancellationRequested);
    const first = ask(1, 'measure', query);
    const second = ask(2, 'measure', query);
    await first;
    expect(cancelled()).toEqual([true, false]);
    await ask(3, 'stopMeasure');
    await second;
    expect(cancelled()).toEqual([true, true]);
    server.answers['etcdList/measure'] = () => ({ keys: '1', bytes: 1, budget: -1 });
    await ask(4, 'measure', query);
    await ask(5, 'stopMeasure');
    expect(cancelled()).toEqual([true, true, false]);
    expect(sources.every(({ disposed }) => disposed)).toBe(true);
  });

  it('cancels everything when closed, and leaves no listener and no message', async () => {
    const { bridge, ask, sources, posted, lsp, status } = setup(
      new FakeServer({ 'etcdList/list': untilCancelled }),
    );
    const running = ask(1, 'list', list('a'));
    await vi.waitFor(() => {
      expect(sources).toHaveLength(1);
    });
    const sizes = () => [lsp.listEvents, lsp.serverGone, status.changed].map(({ size }) => size);
    expect(sizes()).toEqual([1, 2, 1]);
    bridge.dispose();
    await running;
    status.set({ status: connected });
    expect(sources).toMatchObject([{ disposed: true, token: { isCancellationRequested: true } }]);
    expect(sizes()).toEqual([0, 1, 0]);
    expect(posted).toEqual([]);
  });

  it('cancels what else the page waits for when closed, and begins nothing more', async () => {
    const server = new FakeServer({ 'etcdList/namespaces': untilCancelled });
    const { bridge, ask, sources, posted } = setup(server);
    const waiting = ask(1, 'namespaces');
    await vi.waitFor(() => {
      expect(server.asked).toHaveLength(1);
    });
    bridge.dispose();
    await waiting;
    expect(sources).toMatchObject([{ disposed: true, token: { isCancellationRequested: true } }]);
    await ask(2, 'list', list('late'));
    expect(server.asked).toHaveLength(1);
    expect(posted).toEqual([]);
  });

  it('cancels an object that is being opened when closed', async () => {
    const { bridge, ask, desk, sources } = setup(new FakeServer({}));
    const open = vi.spyOn(desk, 'openObject').mockImplementation(
      (_, token) =>
        new Promise((resolve) => {
          token.onCancellationRequested(() => {
            resolve();
          });
        }),
    );
    const params = { row: { key: '2f' }, revision: '7', resource: 'pods' };
    const waiting = ask(1, 'openObject', params);
    expect(open.mock.calls[0]).toEqual([params, sources[0]?.token]);
    bridge.dispose();
    await waiting;
    expect(sources).toMatchObject([{ disposed: true, token: { isCancellationRequested: true } }]);
  });

  it('has a list compared, which ends when the panel is closed', async () => {
    const { bridge, ask, desk, sources } = setup(new FakeServer({}));
    const compare = vi.spyOn(desk, 'compare').mockImplementation(
      (_, token) =>
        new Promise((resolve) => {
          token.onCancellationRequested(() => {
            resolve();
          });
        }),
    );
    const waiting = ask(1, 'compare', query);
    expect(compare.mock.calls[0]).toEqual([query, sources[0]?.token]);
    bridge.dispose();
    await waiting;
    expect(sources).toMatchObject([{ disposed: true, token: { isCancellationRequested: true } }]);
  });

  it('lets go of what was answered', async () => {
    const { ask, sources } = setup(new FakeServer({ 'etcdList/namespaces': () => [] }));
    await ask(1, 'namespaces');
    expect(sources).toMatchObject([{ disposed: true, token: { isCancellationRequested: false } }]);
  });

  it('gives the focus back after each question, however it ended', async () => {
    const { ask, focus, desk, bridge } = setup(new FakeServer({}));
    await ask(1, 'confirmUnlimited', { text: 'All of it?' });
    await ask(2, 'export', { format: 'csv', text: '', suggestedName: 'a.csv' });
    expect(focus).toHaveBeenCalledTimes(2);
    // Neither is there anything to connect to, nor anybody who types.
    await ask(3, 'connect', { name: 'unknown' });
    await ask(4, 'addConnection');
    expect(focus).toHaveBeenCalledTimes(4);
    vi.spyOn(desk, 'confirm').mockRejectedValue(new Error('closed'));
    await ask(5, 'confirmUnlimited', { text: 'All of it?' });
    await ask(6, 'copy', { text: 'a', what: 'row' });
    expect(focus).toHaveBeenCalledTimes(5);
    const late = ask(7, 'export', { format: 'csv', text: '', suggestedName: 'a.csv' });
    bridge.dispose();
    await late;
    expect(focus).toHaveBeenCalledTimes(5);
  });

  it('opens the workspace trust of VS Code', async () => {
    const { ask, common, posted } = setup(new FakeServer({}));
    const manageTrust = vi.spyOn(common.desk, 'manageTrust');
    await ask(1, 'manageTrust');
    expect(manageTrust).toHaveBeenCalledOnce();
    expect(posted).toEqual([{ type: 'reply', id: 1, result: null }]);
  });

  it('cancels the lists of a page that was loaded anew', async () => {
    const server = new FakeServer({
      'etcdList/list': untilCancelled,
      'etcdList/measure': untilCancelled,
    });
    const { ask, sources, posted, named } = setup(server);
    await ask(1, 'ready');
    const running = [ask(2, 'list', list('a')), ask(3, 'measure', query)];
    await vi.waitFor(() => {
      expect(server.asked).toHaveLength(2);
    });
    posted.length = 0;
    await ask(1001, 'ready');
    await Promise.all(running);
    expect(sources.map(({ token }) => token.isCancellationRequested)).toEqual([true, true]);
    // What is answered late has the numbers of the earlier page, which this one does not use.
    const answered = posted.flatMap((message) => (message.type === 'reply' ? [message.id] : []));
    expect(answered.toSorted((a, b) => a - b)).toEqual([2, 3, 1001]);
    expect(posted).toContainEqual(
      expect.objectContaining({
        id: 1001,
        result: expect.objectContaining({ interrupted: true }) as unknown,
      }),
    );
    // The receipt that the page points to.
    await vi.waitFor(() => {
      expect(named('history')).toMatchObject([[{ failure: { code: 'cancelled' } }]]);
    });
  });

  it('tells of status, trust and the end of the server', () => {
    const { lsp, status, named } = setup(new FakeServer({}));
    status.set({ status: connected });
    lsp.serverGone.fire({ recovered: false });
    expect(named('status')).toMatchObject([{ state: 'connected' }, { state: 'disconnected' }]);
    expect(named('trusted')).toEqual([true, true]);
    expect(named('serverGone')).toEqual([{ recovered: false }]);
  });

  it('survives a page that cannot be posted to', async () => {
    const { common, log } = setup(new FakeServer({ 'etcdList/namespaces': () => [] }));
    const bridge = new Bridge(common, () => {
      throw new Error('Webview is disposed');
    });
    await bridge.receive({ type: 'request', id: 1, method: 'namespaces', params: null });
    expect(log).toHaveBeenCalledWith(expect.stringContaining('Webview is disposed'));
  });
});

it('an emitter forgets disposed listeners', () => {
  const emitter = new Emitter<number>();
  const seen = vi.fn();
  emitter.on(seen).dispose();
  emitter.fire(1);
  expect(seen).not.toHaveBeenCalled();
});
