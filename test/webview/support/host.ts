/** A test double of the extension host: the real rpc, with answers a test writes. */
import type {
  ConnectionStatus,
  ListDone,
  ListEvent,
  ListParams,
} from '../../../server/protocol/model';
import type { PanelNotifications, PanelRequests } from '../../../server/protocol/panel';
import { RpcError, RpcServer, type Handlers, type WireMessage } from '../../../server/protocol/rpc';
import type { PanelContract } from '../../../webview/host';
import * as data from './data';

type Emit = (body: ListEvent['body'], seq?: number) => void;
export type ListScript = (
  params: ListParams,
  emit: Emit,
  stopped: Promise<void>,
) => Promise<ListDone>;

export class ScriptedHost {
  /** Every request of the page, in order. */
  readonly calls: { readonly method: string; readonly params: unknown }[] = [];
  list: ListScript = data.onePercent;
  start = data.start();
  readonly handlers: { -readonly [M in keyof PanelRequests]: Handlers<PanelContract>[M] };
  /** Requests that are answered when a test likes: nobody waits for them. */
  readonly openEnded = new Set<string>(['list']);
  private readonly unanswered = new Set<Promise<void>>();
  private readonly stops = new Map<string, () => void>();
  private readonly server: RpcServer<PanelContract>;

  constructor(post: (message: WireMessage) => void) {
    const nothing = (): Promise<null> => Promise.resolve(null);
    this.handlers = {
      ready: () => Promise.resolve(this.start),
      connect: ({ name }) => this.become(data.connected(name)),
      connectDemo: () => this.become(data.connected('demo', true)),
      addConnection: () => this.become(data.connected('staging')),
      disconnect: () => this.become({ state: 'disconnected' }),
      resources: () => Promise.resolve(data.resources),
      namespaces: () => Promise.resolve(data.namespaces),
      check: (query) => Promise.resolve(data.check(query)),
      taken: nothing,
      measure: () =>
        Promise.resolve({
          keys: '12000',
          bytes: 31_000_000,
          budget: 512 * 1024 ** 2,
          streams: false,
        }),
      stopMeasure: nothing,
      explain: (params) => Promise.resolve(data.explained(params)),
      stopExplain: nothing,
      list: (params) => this.runList(params),
      stop: ({ listId }) => {
        this.stops.get(listId)?.();
        return nothing();
      },
      stopWatchCache: nothing,
      commands: () => Promise.resolve(data.commands),
      openObject: nothing,
      compare: nothing,
      decodeToken: ({ text }) => Promise.resolve(data.tokenFacts(text)),
      encodeToken: ({ start }) => Promise.resolve(data.tokenFacts(start)),
      copy: nothing,
      openMetricsText: nothing,
      export: () => Promise.resolve({ saved: true }),
      showLog: nothing,
      manageTrust: nothing,
      confirmUnlimited: () => Promise.resolve({ yes: true }),
    };
    this.server = new RpcServer<PanelContract>(post, this.watched(), (error) =>
      error instanceof RpcError ? error.failure : { code: 'internal', sentence: String(error) },
    );
  }

  receive(message: WireMessage): void {
    if (message.type === 'request') {
      this.calls.push({ method: message.method, params: message.params });
    }
    const answer = this.server.receive(message).finally(() => this.unanswered.delete(answer));
    const isOpenEnded = message.type === 'request' && this.openEnded.has(message.method);
    if (!isOpenEnded) this.unanswered.add(answer);
  }

  /** Until every request that is not open-ended is answered. */
  async answered(): Promise<void> {
    while (this.unanswered.size > 0) await Promise.all(this.unanswered);
  }

  notify<N extends keyof PanelNotifications>(method: N, params: PanelNotifications[N]): void {
    this.server.notify(method, params);
  }

  called(method: keyof PanelRequests): unknown[] {
    return this.calls.filter((call) => call.method === method).map(({ params }) => params);
  }

  /** As the extension host does it: every change is told, and then the request is answered. */
  private become(status: ConnectionStatus): Promise<ConnectionStatus> {
    this.notify('status', status);
    return Promise.resolve(status);
  }

  /** Handlers are looked up at each call, so that a test may change them. */
  private watched(): Handlers<PanelContract> {
    return new Proxy(this.handlers, {});
  }

  private runList(params: ListParams): Promise<ListDone> {
    const { listId } = params;
    let seq = 0;
    const stopped = new Promise<void>((resolve) => this.stops.set(listId, resolve));
    const emit: Emit = (body, given) => {
      this.notify('listEvents', [{ listId, seq: given ?? seq, body }]);
      seq = (given ?? seq) + 1;
    };
    return this.list(params, emit, stopped);
  }
}
