/** What the Explain tab asks and shows, without a document. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcCaller, RpcError, type Listeners } from '../../../server/protocol/rpc';
import type { ExplainParams } from '../../../server/protocol/explain';
import type { ConnectionStatus } from '../../../server/protocol/model';
import type { PanelContract, PanelSavedState } from '../../../server/protocol/panel';
import { Controller } from '../../../webview/controller';
import { heldRun } from '../../../webview/explainHeld';
import { freshRun, type Run } from '../../../webview/run';
import { initialState } from '../../../webview/state';
import { rangeText } from '../../../webview/views/costTable';
import { bytes, thousands } from '../../../server/protocol/format';
import { emptyQuery } from '../../../webview/query';
import { Store } from '../../../webview/store';
import { waitFor } from '../../support/waitFor';
import * as data from '../support/data';
import { ScriptedHost } from '../support/host';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => {
    queueMicrotask(show);
    return 1;
  });
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function started(
  prepare: (host: ScriptedHost) => void = () => undefined,
  saved?: PanelSavedState,
) {
  const store = new Store(initialState(saved));
  const nothing = (): void => undefined;
  const listeners: Listeners<PanelContract> = {
    status: (status) => {
      store.dispatch({ type: 'status', status });
    },
    listEvents: nothing,
    history: nothing,
    inspectToken: nothing,
    runQuery: nothing,
    connections: nothing,
    serverGone: nothing,
    trusted: nothing,
    metrics: nothing,
    explainAnew: () => {
      controller.explainer.again();
    },
    watchCaches: nothing,
  };
  const host = new ScriptedHost((message) => {
    rpc.receive(message);
  });
  const rpc: RpcCaller<PanelContract> = new RpcCaller<PanelContract>((message) => {
    host.receive(message);
  }, listeners);
  prepare(host);
  const controller: Controller = new Controller(store, rpc, nothing);
  await controller.start();
  await host.answered();
  store.show();
  const asked = () =>
    host.calls
      .filter(({ method }) => method === 'explain')
      .map(({ params }) => params as ExplainParams);
  return { store, host, controller, asked };
}

const unknown = { answer: 'unknown', reason: 'It is being probed.' } as const;

const open = (store: Store): void => {
  store.dispatch({ type: 'tab', tab: 'explain' });
};

describe('the Explain tab', () => {
  it('asks when it is looked at, and measures nothing unasked', async () => {
    const { store, asked } = await started();
    expect(asked()).toEqual([]);
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    expect(asked()).toMatchObject([{ measure: false, query: emptyQuery }]);
    expect(store.state.explain.answer?.estimate).toBeUndefined();
  });

  it('asks again of another query and of other figures, and not on coming back', async () => {
    const { store, controller, asked } = await started();
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.edit({ labelSelector: 'a=b' });
    await waitFor(() => asked().length === 2);
    controller.explainer.give({ keys: '50000' });
    await waitFor(() => store.state.explain.answer?.estimate !== undefined);
    expect(asked().at(-1)).toMatchObject({ measure: false, given: { keys: '50000' } });
    store.dispatch({ type: 'tab', tab: 'rows' });
    store.show();
    open(store);
    store.show();
    expect(asked()).toHaveLength(3);
  });

  it('measures when the person says so, and drops that with another connection', async () => {
    const { store, controller, host, asked } = await started();
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.explainer.measure();
    expect(store.state.explain.measuring).toBe(true);
    await waitFor(() => store.state.explain.answer?.estimate !== undefined);
    expect(store.state.explain.measuring).toBe(false);
    host.notify('status', data.connected('other', false, 7));
    await waitFor(() => store.state.explain.answer?.estimate === undefined);
    expect(asked().map(({ measure }) => measure)).toEqual([false, true, false]);
  });

  it('asks when the page is loaded anew with it in front', async () => {
    const saved = { query: emptyQuery, tab: 'explain', tokenText: '' } as const;
    const { store, asked } = await started(() => undefined, saved);
    await waitFor(() => store.state.explain.answer !== null);
    expect(asked()).toMatchObject([{ measure: false, query: emptyQuery }]);
  });

  it('drops what was measured of a connection that was left while another tab was looked at', async () => {
    const { store, controller, host, asked } = await started();
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.explainer.measure();
    await waitFor(() => store.state.explain.answer?.estimate !== undefined);
    store.dispatch({ type: 'tab', tab: 'rows' });
    store.show();
    host.notify('status', data.connected('other', false, 7));
    await waitFor(() => store.state.connectionNumber > 0);
    store.show();
    expect(asked()).toHaveLength(2);
    open(store);
    await waitFor(() => store.state.explain.answer?.estimate === undefined);
    expect(asked().map(({ measure }) => measure)).toEqual([false, true, false]);
  });

  it('asks again once the API server that settings describe is another', async () => {
    const { store, host, asked } = await started();
    host.notify('explainAnew', null);
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    host.notify('explainAnew', null);
    await waitFor(() => asked().length === 2);
    store.dispatch({ type: 'tab', tab: 'rows' });
    store.show();
    host.notify('explainAnew', null);
    store.show();
    expect(asked()).toHaveLength(2);
    open(store);
    await waitFor(() => asked().length === 3);
    await host.answered();
    expect(asked().map(({ measure }) => measure)).toEqual([false, false, false]);
  });

  it('keeps what was measured where the query is written the same again', async () => {
    const { store, controller, asked } = await started();
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.explainer.measure();
    await waitFor(() => store.state.explain.answer?.estimate !== undefined);
    vi.useFakeTimers();
    controller.edit({ resource: store.state.query.resource });
    store.show();
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    expect(asked()).toHaveLength(2);
  });

  it('asks again on coming back where it had no answer, and not by itself', async () => {
    let isUp = false;
    const { store, asked } = await started((scripted) => {
      const { explain } = scripted.handlers;
      scripted.handlers.explain = (params) =>
        isUp
          ? explain(params)
          : Promise.reject(new RpcError({ code: 'internal', sentence: 'No.' }));
    });
    open(store);
    await waitFor(() => store.state.explain.failure !== null);
    store.show();
    expect(asked()).toHaveLength(1);
    isUp = true;
    store.dispatch({ type: 'tab', tab: 'rows' });
    store.show();
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    expect(store.state.explain.failure).toBeNull();
  });

  it('stops measuring, and says nothing of what the person stopped', async () => {
    const { store, controller, host } = await started((scripted) => {
      scripted.openEnded.add('explain');
      const { explain } = scripted.handlers;
      let stop: (error: Error) => void = () => undefined;
      scripted.handlers.explain = (params) =>
        params.measure ? new Promise((_, reject) => (stop = reject)) : explain(params);
      scripted.handlers.stopExplain = () => {
        stop(new RpcError({ code: 'cancelled', sentence: 'It was stopped.' }));
        return Promise.resolve(null);
      };
    });
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.explainer.measure();
    controller.explainer.stop();
    await waitFor(() => !store.state.explain.measuring);
    expect(store.state.explain.failure).toBeNull();
    expect(host.calls.at(-1)?.method).toBe('stopExplain');
  });

  it('asks again once a probe tells more of the etcd, and keeps what was measured', async () => {
    const { store, controller, host, asked } = await started();
    const status = data.connected('prod', false, 7);
    const probing = { ...status, probing: true, members: [], rangeStream: unknown } as const;
    host.notify('status', probing);
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    const before = asked().length;
    host.notify('status', status);
    await waitFor(() => asked().length === before + 1);
    await waitFor(() => store.state.explain.query !== null);
    controller.explainer.measure();
    await waitFor(() => store.state.explain.answer?.estimate !== undefined);
    const learnt = { ...status, rangeStream: { answer: 'notSupported' } } as ConnectionStatus;
    host.notify('status', learnt);
    store.show();
    expect(asked().at(-1)?.measure).toBe(true);
    expect(store.state.explain.answer?.estimate).toBeDefined();
  });

  it('says why it could not be measured, and keeps the decision', async () => {
    const { store, controller } = await started((scripted) => {
      const { explain } = scripted.handlers;
      scripted.handlers.explain = (params) =>
        params.measure
          ? Promise.reject(new RpcError({ code: 'etcd', sentence: 'No answer.' }))
          : explain(params);
    });
    open(store);
    await waitFor(() => store.state.explain.answer !== null);
    controller.explainer.measure();
    await waitFor(() => store.state.explain.failure !== null);
    expect(store.state.explain).toMatchObject({
      measuring: false,
      failure: { sentence: 'No answer.' },
    });
    expect(store.state.explain.answer).not.toBeNull();
  });
});

describe('a run', () => {
  const { estimate } = data.explained({
    query: emptyQuery,
    follow: true,
    measure: true,
    given: { keys: '', matchRate: '', objectSize: '', clustered: false },
  });
  const requests = data
    .pageEvents()
    .flatMap((body) =>
      body.kind === 'request' && body.done ? [{ ...body.request, ended: true }] : [],
    );
  const run: Run = {
    ...freshRun('a', emptyQuery, false),
    phase: 'done',
    total: data.total(),
    requests,
  };

  it('is held against the way in which it was read', () => {
    const held = heldRun(estimate, emptyQuery, run);
    expect(held?.row.name).toBe('atEtcd');
    expect(held?.figures.find(({ title }) => title === 'keys')).toMatchObject({
      receipt: 12_700,
      verdict: 'as estimated',
    });
    expect(held?.figures.find(({ title }) => title === 'objects')?.verdict).toBe('exact');
  });

  it('is not, while it runs, when it failed, of another query, or with pages appended', () => {
    const failure = { code: 'etcd', sentence: 'x' } as const;
    const others: readonly Run[] = [
      { ...run, phase: 'running' },
      { ...run, phase: 'failed', failure },
      { ...run, query: { ...emptyQuery, limit: '5' } },
      { ...run, before: data.total() },
      { ...run, total: data.total({ servedBy: 'mixed' }) },
      { ...run, query: { ...emptyQuery, serveFrom: 'watchCache' } },
      { ...run, total: data.total({ streamed: true }) },
      { ...run, follow: true },
    ];
    for (const other of others) expect(heldRun(estimate, emptyQuery, other)).toBeUndefined();
    expect(heldRun(undefined, emptyQuery, run)).toBeUndefined();
  });

  it('from a watch cache is held against the way through it, by what both tell', () => {
    const total = data.total({ servedBy: 'watchcache', fetched: 20_000, requests: 1 });
    const held = heldRun(estimate, emptyQuery, { ...run, total });
    expect(held?.row.name).toBe('asked');
    expect(held?.figures.map(({ title, verdict }) => [title, verdict])).toEqual([
      ['requests', 'exact'],
      ['objects', 'exact'],
    ]);
    const mixed = data.total({ servedBy: 'mixed' });
    expect(heldRun(estimate, emptyQuery, { ...run, total: mixed })).toBeUndefined();
  });

  it('shows where it was more or less than estimated', () => {
    const more = { ...run, total: data.total({ fetched: 30_000, returned: 99 }) };
    const verdicts = heldRun(estimate, emptyQuery, more)?.figures.map(({ title, verdict }) => [
      title,
      verdict,
    ]);
    expect(verdicts).toContainEqual(['keys', 'more than estimated']);
    expect(verdicts).toContainEqual(['objects', 'less than estimated']);
  });
});

describe('a range', () => {
  it('has a unit once where both ends have the same', () => {
    const range = (low: number, high: number) => ({ likely: low, low, high });
    expect(rangeText(range(17_200_000, 54_900_000), bytes)).toBe('17.2 to 54.9 MB');
    expect(rangeText(range(619_400, 1_900_000), bytes)).toBe('619.4 kB to 1.9 MB');
    expect(rangeText(range(6300, 20_000), thousands)).toBe('6,300 to 20,000');
    expect(rangeText(range(7, 7), thousands)).toBe('7');
  });
});
