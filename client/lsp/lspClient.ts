/** The language server as the rest of the extension host sees it: started at the first request. */
import type { CancellationToken } from 'vscode';
import type { Failure } from '../../server/protocol/errors';
import type {
  ClientNotification,
  ClientNotifications,
  LspNotification,
  LspNotifications,
  LspRequest,
  LspRequests,
} from '../../server/protocol/lsp';
import { RpcError } from '../../server/protocol/rpc';
import { Emitter } from '../common/emitter';
import { failureOf, serverEnded } from './failure';
import type { RestartPolicy } from './restartPolicy';
import type { ServerHooks, ServerLife, StartServer } from './serverLife';

/** The server ended; `recovered` is true once it runs again. */
export interface ServerGone {
  readonly recovered: boolean;
  readonly failure?: Failure;
}

export interface Timers {
  after(ms: number, action: () => void): { dispose(): void };
}

/** What features need of it; tests stand in for it. */
export interface LspCaller {
  request<M extends LspRequest>(
    method: M,
    params: LspRequests[M]['params'],
    token?: CancellationToken,
  ): Promise<LspRequests[M]['result']>;
}

const restarting: Failure = {
  code: 'internal',
  sentence: 'The language server ended. It is being started again.',
};

const givenUp: Failure = {
  code: 'internal',
  sentence:
    'The language server ended six times within three minutes and was not started again: see the log, and try again later.',
};

interface Life {
  readonly started: Promise<ServerLife>;
  /** It answers. */
  running: boolean;
  over: boolean;
}

export class LspClient implements LspCaller {
  readonly serverGone = new Emitter<ServerGone>();
  readonly statusChanged = new Emitter<LspNotifications['etcdList/statusChanged']>();
  readonly listEvents = new Emitter<LspNotifications['etcdList/listEvents']>();

  readonly watchCachesChanged = new Emitter<LspNotifications['etcdList/watchCaches']>();
  /** As the server that runs told last. */
  watchCaches: LspNotifications['etcdList/watchCaches'] = [];

  private life: Life | undefined;
  /** Whether it was told that the server ended, and not yet that it runs again. */
  private gone = false;
  private endPause: () => void = () => undefined;
  private disposed = false;

  constructor(
    private readonly startServer: StartServer,
    private readonly policy: RestartPolicy,
    private readonly timers: Timers,
    /** What must have happened on a server that was started again before it counts as recovered. */
    private readonly restore: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /**
   * Starts the server when it does not run. Cancelling the token ends the etcd call behind the
   * request. Rejects with `RpcError` only.
   */
  async request<M extends LspRequest>(
    method: M,
    params: LspRequests[M]['params'],
    token?: CancellationToken,
  ): Promise<LspRequests[M]['result']> {
    const life = this.need();
    try {
      const server = await life.started;
      return (await server.request(method, params, token)) as LspRequests[M]['result'];
    } catch (error) {
      const failure = failureOf(error);
      const lost = life.over && failure.code === 'internal';
      throw new RpcError(lost ? serverEnded : failure);
    }
  }

  /** Tells a running server; one that starts later is told by its initialization options. */
  async notify<N extends ClientNotification>(
    method: N,
    params: ClientNotifications[N],
  ): Promise<void> {
    const { life } = this;
    if (!life) return;
    try {
      await (await life.started).notify(method, params);
    } catch (error) {
      if (!life.over) throw new RpcError(failureOf(error));
    }
  }

  /** Starts the server when it does not run, for what it does without being asked. */
  wake(): void {
    if (this.life || this.disposed || !this.policy.mayStart()) return;
    this.begin(0);
  }

  get isStarted(): boolean {
    return this.life !== undefined;
  }

  /** Whether a server answers now. */
  get isRunning(): boolean {
    return this.life?.running === true;
  }

  /** Resolves when the process has ended, after two seconds at the latest. */
  async dispose(): Promise<void> {
    this.disposed = true;
    const { life } = this;
    this.life = undefined;
    if (!life) return;
    life.over = true;
    this.endPause();
    const server = await life.started.catch(() => undefined);
    await server?.stop();
  }

  private need(): Life {
    if (this.life) return this.life;
    if (this.disposed) throw new RpcError(serverEnded);
    if (!this.policy.mayStart()) throw new RpcError(givenUp);
    return this.begin(0);
  }

  private begin(delayMs: number): Life {
    const hooks: ServerHooks = {
      notified: (method, params) => {
        if (!life.over) this.notified(method, params);
      },
      ended: () => {
        this.ended(life);
      },
    };
    const life: Life = { running: false, over: false, started: this.start(hooks, delayMs) };
    this.life = life;
    life.started.then(
      () => {
        life.running = true;
      },
      () => {
        this.ended(life);
      },
    );
    // Also for a start that a person asked for after the pauses were given up.
    if (this.gone) void this.recover(life);
    return life;
  }

  private async start(hooks: ServerHooks, delayMs: number): Promise<ServerLife> {
    if (delayMs > 0) await this.wait(delayMs);
    if (this.disposed) throw new RpcError(serverEnded);
    return this.startServer(hooks);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.timers.after(ms, resolve);
      this.endPause = () => {
        timer.dispose();
        resolve();
      };
    });
  }

  private ended(life: Life): void {
    if (life.over) return;
    life.over = true;
    this.life = undefined;
    this.gone = true;
    const delayMs = this.policy.ended();
    const failure = delayMs === undefined ? givenUp : restarting;
    if (delayMs !== undefined) this.begin(delayMs);
    this.serverGone.fire({ recovered: false, failure });
    this.noteCaches([]);
  }

  private async recover(life: Life): Promise<void> {
    try {
      await life.started;
      await this.restore();
    } catch {
      // A life that did not begin was counted as an end; what could not be restored shows as status.
    }
    if (life.over) return;
    this.gone = false;
    this.serverGone.fire({ recovered: true });
  }

  private notified(method: LspNotification, params: unknown): void {
    switch (method) {
      case 'etcdList/statusChanged':
        this.statusChanged.fire(params as LspNotifications['etcdList/statusChanged']);
        return;
      case 'etcdList/listEvents':
        this.listEvents.fire(params as LspNotifications['etcdList/listEvents']);
        return;
      case 'etcdList/watchCaches':
        this.noteCaches(params as LspNotifications['etcdList/watchCaches']);
    }
  }

  private noteCaches(caches: LspNotifications['etcdList/watchCaches']): void {
    this.watchCaches = caches;
    this.watchCachesChanged.fire(caches);
  }
}
