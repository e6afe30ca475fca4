/** What the person's actions ask of the host, without a document: the real messages, in Node. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcCaller, type Listeners } from '../../../server/protocol/rpc';
import type { PanelContract } from '../../../server/protocol/panel';
import { Controller } from '../../../webview/controller';
import { initialState } from '../../../webview/state';
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

async function started(prepare: (host: ScriptedHost) => void = () => undefined) {
  const store = new Store(initialState());
  const nothing = (): void => undefined;
  const listeners: Listeners<PanelContract> = {
    status: (status) => {
      store.dispatch({ type: 'status', status });
    },
    listEvents: (events) => {
      store.dispatch({ type: 'events', events });
    },
    history: nothing,
    watchCaches: nothing,
    inspectToken: nothing,
    metrics: nothing,
    explainAnew: nothing,
    runQuery: nothing,
    connections: nothing,
    serverGone: ({ recovered }) => {
      store.dispatch({ type: 'server', recovered });
    },
    trusted: nothing,
  };
  const host = new ScriptedHost((message) => {
    rpc.receive(message);
  });
  const rpc: RpcCaller<PanelContract> = new RpcCaller<PanelContract>((message) => {
    host.receive(message);
  }, listeners);
  prepare(host);
  const controller = new Controller(store, rpc, nothing);
  await controller.start();
  return { controller, store, host };
}

describe('a run without anybody to ask', () => {
  it('is refused in a sentence, and the rows stay', async () => {
    const { controller, store, host } = await started();
    await controller.run();
    expect(store.state.run?.rowCount).toBe(100);
    const { run } = store.state;
    host.notify('status', { state: 'disconnected' });
    await controller.run();
    controller.startAgain({ limit: '7' });
    expect(store.state.trouble?.sentence).toMatch(/^Not connected/);
    host.notify('status', { state: 'connecting', name: 'staging' });
    await controller.run();
    expect(store.state.trouble?.sentence).toContain('"staging"');
    host.notify('status', data.connected());
    host.notify('serverGone', { recovered: false });
    await controller.run();
    expect(store.state.trouble?.sentence).toMatch(/^The language server/);
    expect(store.state.run).toBe(run);
    expect(store.state.query.limit).toBe('100');
    expect(host.called('list')).toHaveLength(1);
    await waitFor(() => store.state.check !== null);
  });

  it('is refused in the sentence about trust where the workspace is not trusted', async () => {
    const { controller, store, host } = await started((scripted) => {
      scripted.start = { ...data.start({ state: 'disconnected' }), trusted: false };
    });
    await controller.run();
    expect(store.state.trouble?.sentence).toMatch(/^This workspace is not trusted, so nothing was/);
    expect(host.called('list')).toHaveLength(0);
    await waitFor(() => store.state.check !== null);
  });
});

it('a query that the host hands over is put into the query bar and run', async () => {
  const { controller, store, host } = await started();
  const query = { ...emptyQuery, resource: 'nodes', limit: '7', continueToken: 'eyJ2' };
  controller.runGiven(query, true);
  await waitFor(() => host.called('list').length === 1);
  expect(host.called('list')[0]).toMatchObject({ query, follow: true });
  expect(store.state).toMatchObject({ query, moreOpen: true });
  // One without a limit is counted and asked about as any other.
  controller.runGiven({ ...query, limit: '' }, false);
  await waitFor(() => host.called('confirmUnlimited').length === 1);
});

describe('counting before a read without a limit', () => {
  const unlimited = { limit: '' };

  it('ends at the host when it is stopped or another run is wished for, not after its answer', async () => {
    const { controller, store, host } = await started();
    host.handlers.measure = () => new Promise(() => undefined);
    void controller.run('fresh', false, unlimited);
    await waitFor(() => store.state.counting);
    controller.stop();
    expect(store.state.counting).toBe(false);
    void controller.run('fresh', false, unlimited);
    await waitFor(() => store.state.counting);
    await controller.run();
    expect(host.called('stopMeasure')).toHaveLength(2);
    host.handlers.measure = () =>
      Promise.resolve({ keys: '7', bytes: 1, budget: -1, streams: false });
    await controller.run('fresh', false, unlimited);
    expect(host.called('list')).toHaveLength(2);
    expect(host.called('stopMeasure')).toHaveLength(2);
  });
});

it('the answer to a wish to connect does not undo what was told after it', async () => {
  const { controller, store, host } = await started();
  host.handlers.connect = () => {
    host.notify('status', data.connected('prod'));
    host.notify('status', data.connected('staging'));
    return Promise.resolve(data.connected('prod'));
  };
  await controller.connect({ name: 'prod' });
  expect(store.state.status).toMatchObject({ name: 'staging' });
});

describe('what was read over another connection', () => {
  const sentence = (store: Store): string => store.state.trouble?.sentence ?? '';

  it('is not gone on with nor opened, also when the name is the same', async () => {
    const { controller, store, host } = await started();
    await controller.run();
    host.notify('status', data.connected('prod', false, 1));
    await controller.run('nextPage', false, { continueToken: 'x' });
    expect(sentence(store)).toMatch(/earlier connection to "prod"/);
    store.dispatch({ type: 'trouble', failure: null });
    controller.open(data.row(0));
    expect(sentence(store)).toMatch(/earlier connection to "prod"/);
    expect(host.called('list')).toHaveLength(1);
    expect(host.called('openObject')).toEqual([]);
  });

  it('gets no command with the endpoints of this one', async () => {
    const { controller, store, host } = await started((host) => {
      host.start = data.start(data.connected('staging'));
    });
    controller.showPast(data.history[0]!);
    await controller.outputs.copyCommand('etcdctl', 'etcdctl command');
    expect(sentence(store)).toMatch(/^This run is of "prod", and "staging" is connected/);
    expect([...host.called('commands'), ...host.called('copy')]).toEqual([]);
    host.notify('status', data.connected('prod'));
    await controller.outputs.copyCommand('etcdctl', 'etcdctl command');
    await waitFor(() => host.called('copy').length === 1);
  });
});

describe('a comparison', () => {
  it('is of the query as it stands, and says so when there is nobody to ask', async () => {
    const { controller, store, host } = await started();
    controller.edit({ resource: 'pods', limit: '100' });
    controller.compare();
    await waitFor(() => host.called('compare').length === 1);
    expect(host.called('compare')).toEqual([store.state.query]);
    host.notify('status', { state: 'disconnected' });
    controller.compare();
    expect(store.state.trouble?.code).toBe('notConnected');
    expect(host.called('compare')).toHaveLength(1);
  });
});

describe('what was found of the query and of a token', () => {
  const problem = { ...data.check(emptyQuery), labelRequirements: 7 };

  it('is what the run found, once it has checked the query as it stands', async () => {
    const { controller, store, host } = await started();
    await waitFor(() => store.state.check !== null);
    host.handlers.check = () => Promise.resolve(problem);
    await controller.run('fresh', false, { limit: '7' });
    expect(store.state.check?.labelRequirements).toBe(0);
    await controller.run();
    expect(store.state.check).toEqual(problem);
  });

  it('is asked again of another connection, and only then', async () => {
    const { controller, store, host } = await started();
    controller.inspector.paste('eyJ2');
    await waitFor(() => host.called('decodeToken').length === 1);
    host.handlers.check = () => Promise.resolve(problem);
    host.notify('status', data.connected('staging'));
    await waitFor(() => host.called('decodeToken').length === 2);
    expect(store.state.check).toEqual(problem);
    const checks = host.called('check').length;
    host.notify('status', data.connected('staging'));
    controller.inspector.paste('eyJ3');
    await waitFor(() => host.called('decodeToken').length === 3);
    expect(host.called('check')).toHaveLength(checks);
  });

  it('is asked again of another resource or namespace, of fields that were edited too', async () => {
    const { controller, store, host } = await started();
    controller.inspector.paste('eyJ2');
    await waitFor(() => store.state.token.facts !== null);
    controller.edit({ resource: 'secrets' });
    await waitFor(() => host.called('decodeToken').length === 2);
    expect(host.called('decodeToken').at(-1)).toMatchObject({ text: 'eyJ2', resource: 'secrets' });
    const fields = { version: 'v', resourceVersion: '7', start: 'a' };
    controller.inspector.edit(fields);
    await waitFor(() => host.called('encodeToken').length === 1);
    controller.edit({ namespace: 'web' });
    await waitFor(() => host.called('encodeToken').length === 2);
    expect(host.called('encodeToken').at(-1)).toMatchObject({ ...fields, namespace: 'web' });
    controller.edit({ limit: '7' });
    await waitFor(() => host.called('check').length > 0 && store.state.query.limit === '7');
    expect(host.called('encodeToken')).toHaveLength(2);
  });
});

it('names that could not be had are asked for again when the box is entered, not at each key', async () => {
  const { controller, store, host } = await started();
  host.handlers.namespaces = () => Promise.reject(new Error('not now'));
  await controller.names.offer('namespaces', true);
  await controller.names.offer('namespaces', false);
  expect(host.called('namespaces')).toHaveLength(1);
  host.handlers.namespaces = () => Promise.resolve(['web']);
  for (let time = 0; time < 3; time++) await controller.names.offer('namespaces', true);
  expect(host.called('namespaces')).toHaveLength(2);
  expect(store.state.namespaces).toEqual(['web']);
});

describe('a list that would fill a watch cache', () => {
  const measure = { keys: '20000', bytes: 54_000_000, budget: 268_435_456, streams: false };
  const run = async (over: Partial<typeof measure>, yes: boolean) => {
    const { controller, store, host } = await started((prepared) => {
      prepared.handlers.check = (query) =>
        Promise.resolve({ ...data.check(query), ...(query.serveFrom && { fillsCache: true }) });
      prepared.handlers.measure = () => Promise.resolve({ ...measure, ...over });
      prepared.handlers.confirmUnlimited = () => Promise.resolve({ yes });
    });
    controller.edit({ serveFrom: 'watchCache' });
    await controller.run();
    return { controller, store, host };
  };

  it('is counted and asked about, in numbers', async () => {
    const { host, controller } = await run({}, true);
    expect(host.called('confirmUnlimited')).toEqual([
      {
        text: 'A watch cache of pods reads all 20,000 objects, about 51 MiB of at most 256 MiB, and keeps watching them until you stop it.',
        fillsCache: true,
      },
    ]);
    expect(host.called('list')).toMatchObject([
      { confirmed: true, query: { serveFrom: 'watchCache', limit: '100' } },
    ]);
    // What a file asks is asked of etcd.
    const { serveFrom, ...query } = emptyQuery;
    expect(serveFrom).toBeUndefined();
    controller.runGiven(query, false);
    await waitFor(() => host.called('list').length === 2);
    expect(host.called('list')[1]).not.toMatchObject({ query: { serveFrom: 'watchCache' } });
  });

  it('is not run when that is declined, and refused by the engine when too large', async () => {
    const declined = await run({ keys: '3' }, false);
    expect(declined.host.called('confirmUnlimited')).toHaveLength(1);
    expect(declined.host.called('list')).toEqual([]);
    const tooLarge = await run({ bytes: 300_000_000 }, false);
    expect(tooLarge.host.called('confirmUnlimited')).toEqual([]);
    expect(tooLarge.host.called('list')).toMatchObject([{ confirmed: true }]);
  });

  it('is stopped by its name', async () => {
    const { controller, host } = await run({}, true);
    controller.stopWatchCache('pods');
    await waitFor(() => host.called('stopWatchCache').length === 1);
    expect(host.called('stopWatchCache')).toEqual([{ resource: 'pods' }]);
  });
});
