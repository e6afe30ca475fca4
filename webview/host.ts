/** The page's end of the messages to the extension host. */
import type { PanelNotifications, PanelRequests, PanelSavedState } from '../server/protocol/panel';
import { RpcCaller, type Listeners, type WireMessage } from '../server/protocol/rpc';

/** What VS Code gives a page, once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** `PanelRequests` and `PanelNotifications` as an rpc contract. */
export interface PanelContract {
  readonly requests: { [M in keyof PanelRequests]: PanelRequests[M] };
  readonly notifications: { [N in keyof PanelNotifications]: PanelNotifications[N] };
}

export type PanelRpc = RpcCaller<PanelContract>;

const kinds: ReadonlySet<unknown> = new Set(['reply', 'refusal', 'notification']);

function isMessage(data: unknown): data is WireMessage {
  return typeof data === 'object' && data !== null && 'type' in data && kinds.has(data.type);
}

export function connectHost(api: VsCodeApi, listeners: Listeners<PanelContract>): PanelRpc {
  const rpc: PanelRpc = new RpcCaller<PanelContract>((message) => {
    api.postMessage(message);
  }, listeners);
  const receive = (event: MessageEvent<unknown>): void => {
    if (isMessage(event.data)) rpc.receive(event.data);
  };
  window.addEventListener('message', receive);
  window.addEventListener(
    'pagehide',
    () => {
      window.removeEventListener('message', receive);
      rpc.dispose();
    },
    { once: true },
  );
  return rpc;
}

/** The saved state, when it is one of ours. */
export function readSaved(api: VsCodeApi): PanelSavedState | undefined {
  const saved = api.getState();
  if (typeof saved !== 'object' || saved === null) return undefined;
  const { query, tab, tokenText } = saved as Partial<PanelSavedState>;
  if (typeof query !== 'object' || typeof tokenText !== 'string') return undefined;
  const known = tab === 'rows' || tab === 'roundTrips' || tab === 'token';
  return { query, tokenText, tab: known ? tab : 'rows' };
}
