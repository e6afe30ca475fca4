/** The page's end of the messages to the extension host. */
import type { ListQuery } from '../server/protocol/model';
import type { PanelContract, PanelSavedState } from '../server/protocol/panel';
import { RpcCaller, type Listeners, type WireMessage } from '../server/protocol/rpc';
import { emptyQuery } from './query';

/** What VS Code gives a page, once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

export type { PanelContract };

export type PanelRpc = RpcCaller<PanelContract>;

const kinds: ReadonlySet<unknown> = new Set(['reply', 'refusal', 'notification']);

function isMessage(data: unknown): data is WireMessage {
  return typeof data === 'object' && data !== null && 'type' in data && kinds.has(data.type);
}

/** A host outlives its pages: what it still answers to an earlier one is no answer to this one. */
const firstNumber = (): number => Date.now() * 1000;

export function connectHost(api: VsCodeApi, listeners: Listeners<PanelContract>): PanelRpc {
  const post = (message: WireMessage): void => {
    api.postMessage(message);
  };
  const rpc: PanelRpc = new RpcCaller<PanelContract>(post, listeners, firstNumber());
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

type Choices = readonly unknown[];
const tabs: Choices = ['rows', 'roundTrips', 'token', 'explain'] satisfies PanelSavedState['tab'][];
const choices: ReadonlyMap<string, Choices> = new Map<keyof ListQuery, Choices>([
  ['readMode', ['auto', 'pages', 'stream'] satisfies ListQuery['readMode'][]],
  [
    'resourceVersionMatch',
    ['', 'Exact', 'NotOlderThan'] satisfies ListQuery['resourceVersionMatch'][],
  ],
  ['serveFrom', [undefined, 'watchCache'] satisfies ListQuery['serveFrom'][]],
]);

/**
 * The saved state, when it is one of ours; another version of the panel may have kept it. A member of
 * the query that is not what it should be is left at its beginning.
 */
export function readSaved(api: VsCodeApi): PanelSavedState | undefined {
  const saved = api.getState();
  if (!isRecord(saved)) return undefined;
  const { query, tab, tokenText } = saved;
  if (!isRecord(query) || typeof tokenText !== 'string') return undefined;
  return { query: readQuery(query), tokenText, tab: isTab(tab) ? tab : 'rows' };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isTab = (tab: unknown): tab is PanelSavedState['tab'] => tabs.includes(tab);

function readQuery(saved: Readonly<Record<string, unknown>>): ListQuery {
  const whole: Readonly<Record<string, unknown>> = { ...emptyQuery };
  const kept = Object.entries(whole).map(([name, empty]) => {
    const value = Object.hasOwn(saved, name) ? saved[name] : empty;
    const fits = choices.get(name)?.includes(value) ?? typeof value === typeof empty;
    return [name, fits ? value : empty] as const;
  });
  return { ...emptyQuery, ...Object.fromEntries(kept) };
}
