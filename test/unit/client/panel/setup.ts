/** A panel's end in the extension host, with everything around it played by doubles that count. */
import { vi } from 'vitest';
import { Connections } from '../../../../client/connections/connections';
import { LspClient } from '../../../../client/lsp/lspClient';
import { RestartPolicy } from '../../../../client/lsp/restartPolicy';
import type { ServerHooks } from '../../../../client/lsp/serverLife';
import { Bridge, type BridgeSetup, type Desk } from '../../../../client/panel/bridge';
import { History } from '../../../../client/panel/history';
import { defaultSettings } from '../../../../client/settings/validate';
import { StatusStore } from '../../../../client/status/statusStore';
import type { WireMessage } from '../../../../server/protocol/rpc';
import { FakeMemory, FakeSource, total, type FakeServer } from '../support';

/** What a panel is given. */
export function surroundings(server: FakeServer) {
  const lives: ServerHooks[] = [];
  const notified: [string, unknown][] = [];
  const lsp = new LspClient(
    (hooks) => {
      lives.push(hooks);
      return Promise.resolve({
        request: (method, params, token) => server.request(method as never, params as never, token),
        notify: (method, params) => {
          notified.push([method, params]);
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
      });
    },
    new RestartPolicy(() => 0),
    { after: () => ({ dispose: () => undefined }) },
  );
  const status = new StatusStore(lsp, true);
  const memory = new FakeMemory();
  const sources: FakeSource[] = [];
  const desk: Desk = {
    copy: vi.fn(() => Promise.resolve()),
    save: vi.fn(() => Promise.resolve(true)),
    showLog: vi.fn(),
    openMetricsText: vi.fn(() => Promise.resolve()),
    manageTrust: vi.fn(() => Promise.resolve()),
    confirm: vi.fn(() => Promise.resolve(true)),
    openObject: vi.fn(() => Promise.resolve()),
    compare: vi.fn(() => Promise.resolve()),
    makeSource: () => {
      const source = new FakeSource();
      sources.push(source);
      return source;
    },
  };
  const connections = new Connections({
    lsp,
    settings: {
      read: () => ({ ...defaultSettings, connections: [{ name: 'prod', endpoints: ['a:1'] }] }),
    },
    memory,
  } as unknown as ConstructorParameters<typeof Connections>[0]);
  const log = vi.fn();
  const focus = vi.fn();
  const history = new History(memory);
  const common: BridgeSetup = { lsp, status, connections, history, desk, log, focus };
  return { common, focus, lsp, lives, notified, status, desk, sources, log };
}

export function setup(server: FakeServer) {
  const around = surroundings(server);
  const posted: WireMessage[] = [];
  const bridge = new Bridge(around.common, (message) => posted.push(message));
  const ask = (id: number, method: string, params: unknown = null) =>
    bridge.receive({ type: 'request', id, method, params });
  const named = (method: string) =>
    posted.flatMap((message) =>
      message.type === 'notification' && message.method === method ? [message.params] : [],
    );
  return { ...around, bridge, posted, ask, named };
}

/** Answers a list when it is cancelled. */
export const untilCancelled = (_: unknown, token: FakeSource['token']) =>
  new Promise((resolve) => {
    const answer = () => {
      const failure = { code: 'cancelled', sentence: 'Stopped.' } as const;
      resolve({ total, unreadable: [], failure, commands: {} });
    };
    if (token.isCancellationRequested) answer();
    else token.onCancellationRequested(answer);
  });
