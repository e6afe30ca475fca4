/** Answers the page's requests over the language server and VS Code, and tells it what changes. */
import type { CancellationToken } from 'vscode';
import type { Failure } from '../../server/protocol/errors';
import type { HistoryEntry, ListDone, ListParams, ListQuery } from '../../server/protocol/model';
import type { MetricsRead } from '../../server/protocol/metrics';
import type { LspRequest, LspRequests } from '../../server/protocol/lsp';
import type { PanelContract, PanelNotifications, PanelRequests } from '../../server/protocol/panel';
import { sameQuery } from '../../server/protocol/sameQuery';
import { RpcServer, type Handlers, type WireMessage } from '../../server/protocol/rpc';
import type { Connections } from '../connections/connections';
import { disposeAll, type Subscription } from '../common/emitter';
import { failureOf } from '../lsp/failure';
import type { LspClient } from '../lsp/lspClient';
import type { StatusStore } from '../status/statusStore';
import { asRequest } from './contract';
import type { History } from './history';
import { Runs, type CancellationSource } from './runs';

type Params<M extends keyof PanelRequests> = PanelRequests[M]['params'];

/** What only VS Code can do. */
export interface Desk {
  copy(text: string, what: string): Promise<void>;
  /** Answers whether a file was chosen and written. */
  save(params: Params<'export'>): Promise<boolean>;
  showLog(): void;
  openMetricsText(params: Params<'openMetricsText'>): Promise<void>;
  /** Opens VS Code's own view of workspace trust; what is decided there comes by the status. */
  manageTrust(): Promise<void>;
  /** `fillsCache`: what is agreed to is a watch cache. */
  confirm(text: string, fillsCache: boolean): Promise<boolean>;
  /** Cancelling the token ends the etcd call; no editor opens after that. */
  openObject(params: Params<'openObject'>, token: CancellationToken): Promise<void>;
  /** Asks first. Cancelling the token ends the etcd call. */
  compare(query: ListQuery, token: CancellationToken): Promise<void>;
  makeSource(): CancellationSource;
}

/** Requests of which only the newest matters. */
type Superseded = 'etcdList/measure' | 'etcdList/explainList';

/** What the page is to run, as if the person had typed it. */
export interface GivenQuery {
  readonly query: ListQuery;
  readonly follow: boolean;
  /** Told of each end of this very list, also when it is run again in the panel. */
  readonly onEnd: (ended: Partial<Pick<ListDone, 'total' | 'failure'>>) => void;
}

export interface BridgeSetup {
  readonly lsp: LspClient;
  readonly status: StatusStore;
  readonly connections: Connections;
  readonly history: History;
  readonly desk: Desk;
  readonly log: (text: string) => void;
  /** Gives the panel the focus back that a question of VS Code took; not to a panel in the background. */
  readonly focus: () => void;
}

export class Bridge {
  private readonly rpc: RpcServer<PanelContract>;
  private readonly runs: Runs;
  private readonly subscriptions: readonly Subscription[];
  /** For a page that is not ready yet; of each kind the newest. */
  private readonly waiting = new Map<keyof PanelNotifications, () => void>();
  private given: GivenQuery | undefined;
  private ready = false;
  private disposed = false;
  /** Of the requests to the server that are not answered yet; lists have their own. */
  private readonly calls = new Set<CancellationSource>();
  /** Of the newest wish of each kind, while it is not answered. */
  private readonly newest = new Map<Superseded, CancellationSource>();

  /** `post` sends to the page; what it cannot send is lost with the page. */
  constructor(
    private readonly setup: BridgeSetup,
    post: (message: WireMessage) => void,
  ) {
    const { lsp, status, connections, desk } = setup;
    this.rpc = new RpcServer<PanelContract>(post, this.handlers(), failureOf);
    this.runs = new Runs(
      lsp,
      () => desk.makeSource(),
      { connection: () => this.connectionName(), record: (entry) => void this.record(entry) },
      Date.now,
    );
    this.subscriptions = [
      status.changed.on((facts) => {
        this.rpc.notify('status', facts.status);
        this.rpc.notify('trusted', facts.trusted);
      }),
      lsp.listEvents.on((events) => {
        const own = events.filter((event) => this.runs.take(event));
        if (own.length > 0) this.rpc.notify('listEvents', own);
      }),
      lsp.watchCachesChanged.on((caches) => {
        this.rpc.notify('watchCaches', caches);
      }),
      connections.changed.on((names) => {
        this.rpc.notify('connections', names);
      }),
      lsp.serverGone.on((gone) => {
        this.rpc.notify('serverGone', gone);
      }),
    ];
  }

  /** Takes what the page posted, which may be anything. */
  async receive(message: unknown): Promise<void> {
    if (this.disposed) return;
    const request = asRequest(message);
    if (!request) {
      this.setup.log('The panel posted a message that is no request; it was ignored.');
      return;
    }
    try {
      await this.rpc.receive(request);
      if (this.ready) this.sendWaiting();
    } catch (error) {
      this.setup.log(`The panel could not be answered. ${failureOf(error).sentence}`);
    }
  }

  inspectToken(text: string): void {
    this.whenReady('inspectToken', { text });
  }

  /** A page that is not ready has asked for nothing yet. */
  explainAnew(): void {
    if (this.ready) this.rpc.notify('explainAnew', null);
  }

  showMetrics(read: MetricsRead): void {
    this.whenReady('metrics', read);
  }

  runQuery(given: GivenQuery): void {
    const { query, follow } = given;
    this.given = given;
    this.whenReady('runQuery', { query, follow });
  }

  /** Nothing that the page asked for goes on without it, and nothing more is begun. */
  dispose(): void {
    this.disposed = true;
    this.stopAll();
    disposeAll(this.subscriptions);
    this.rpc.dispose();
  }

  private stopAll(): void {
    this.runs.stopAll();
    for (const source of this.calls) source.cancel();
  }

  private handlers(): Handlers<PanelContract> {
    const { connections, desk } = this.setup;
    return {
      ready: () => this.start(),
      connect: ({ name }) => this.asking(connections.connect(name)),
      connectDemo: () => connections.connectDemo(),
      addConnection: () => this.asking(connections.add()),
      disconnect: () => connections.disconnect(),
      resources: () => this.ask('etcdList/resources', null),
      namespaces: () => this.ask('etcdList/namespaces', null),
      check: (query) => this.ask('etcdList/check', query),
      measure: (query) => this.askNewest('etcdList/measure', query),
      stopMeasure: () => this.stopNewest('etcdList/measure'),
      explain: (params) => this.askNewest('etcdList/explainList', params),
      stopExplain: () => this.stopNewest('etcdList/explainList'),
      list: (params) => this.list(params),
      taken: async (taken) => {
        await this.setup.lsp.notify('etcdList/taken', taken);
        return null;
      },
      stop: ({ listId }) => {
        this.runs.stop(listId);
        return done;
      },
      stopWatchCache: (params) => this.ask('etcdList/stopWatchCache', params),
      commands: (query) => this.ask('etcdList/commands', query),
      openObject: (params) =>
        this.cancellable((token) => desk.openObject(params, token)).then(nothing),
      decodeToken: (params) => this.ask('etcdList/decodeToken', params),
      encodeToken: (params) => this.ask('etcdList/encodeToken', params),
      compare: (query) =>
        this.cancellable((token) => this.asking(desk.compare(query, token))).then(nothing),
      copy: ({ text, what }) => desk.copy(text, what).then(nothing),
      openMetricsText: (params) => desk.openMetricsText(params).then(nothing),
      export: async (params) => ({ saved: await this.asking(desk.save(params)) }),
      showLog: () => {
        desk.showLog();
        return done;
      },
      manageTrust: () => desk.manageTrust().then(nothing),
      confirmUnlimited: async ({ text, fillsCache = false }) => ({
        yes: await this.asking(desk.confirm(text, fillsCache)),
      }),
    };
  }

  /** The person may be asked meanwhile, outside of the page. */
  private asking<T>(answer: Promise<T>): Promise<T> {
    return answer.finally(() => {
      if (!this.disposed) this.setup.focus();
    });
  }

  private ask<M extends LspRequest>(
    method: M,
    params: LspRequests[M]['params'],
  ): Promise<LspRequests[M]['result']> {
    return this.cancellable((token) => this.setup.lsp.request(method, params, token));
  }

  /** A newer wish of the same kind ends an older one. */
  private askNewest<M extends Superseded>(
    method: M,
    params: LspRequests[M]['params'],
  ): Promise<LspRequests[M]['result']> {
    this.newest.get(method)?.cancel();
    const source = this.setup.desk.makeSource();
    this.newest.set(method, source);
    const call = (token: CancellationToken) => this.setup.lsp.request(method, params, token);
    return this.cancellable(call, source).finally(() => {
      if (this.newest.get(method) === source) this.newest.delete(method);
    });
  }

  private stopNewest(method: Superseded): Promise<null> {
    this.newest.get(method)?.cancel();
    return done;
  }

  /** Cancelled when the panel is closed, or its page loaded anew. */
  private async cancellable<T>(
    call: (token: CancellationToken) => Promise<T>,
    source = this.setup.desk.makeSource(),
  ): Promise<T> {
    this.calls.add(source);
    try {
      return await call(source.token);
    } finally {
      this.calls.delete(source);
      source.dispose();
    }
  }

  private start(): Promise<PanelRequests['ready']['result']> {
    const interrupted = this.runs.size > 0;
    // A page that loads anew does not know what the one before it has asked for.
    this.stopAll();
    this.ready = true;
    const { status, connections, history } = this.setup;
    return Promise.resolve({
      status: status.status,
      trusted: status.current.trusted,
      connections: connections.names(),
      history: history.entries(),
      interrupted,
      watchCaches: this.setup.lsp.watchCaches,
    });
  }

  private whenReady<N extends keyof PanelNotifications>(
    method: N,
    params: PanelNotifications[N],
  ): void {
    if (this.ready) this.rpc.notify(method, params);
    else {
      this.waiting.set(method, () => {
        this.rpc.notify(method, params);
      });
    }
  }

  private sendWaiting(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const send of waiting) send();
  }

  private async list(params: ListParams): Promise<ListDone> {
    const { given } = this;
    const onEnd = given && isOf(given, params) ? given.onEnd : undefined;
    try {
      const done = await this.runs.list(params);
      const { total, failure } = done;
      onEnd?.({ total, ...(failure && { failure }) });
      return done;
    } catch (error) {
      onEnd?.({ failure: failureOf(error) });
      throw error;
    }
  }

  private connectionName(): string {
    const { status } = this.setup.status;
    return status.state === 'disconnected' ? '' : status.name;
  }

  private async record(entry: HistoryEntry): Promise<void> {
    try {
      this.rpc.notify('history', await this.setup.history.add(entry));
    } catch (error) {
      const { sentence }: Failure = failureOf(error);
      this.setup.log(`The run could not be put into the history. ${sentence}`);
    }
  }
}

const done = Promise.resolve(null);
const nothing = (): null => null;

function isOf(given: GivenQuery, { query, follow }: ListParams): boolean {
  return given.follow === follow && sameQuery(given.query, query);
}
