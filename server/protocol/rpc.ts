/**
 * A small rpc over posted messages: requests with ids and error replies, notifications without. Every
 * request is answered or rejected; disposing rejects what is pending.
 */
import type { Failure } from './errors';

export interface Contract {
  readonly requests: Record<string, { params: unknown; result: unknown }>;
  readonly notifications: Record<string, unknown>;
}

export type WireMessage =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly type: 'reply'; readonly id: number; readonly result: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'notification'; readonly method: string; readonly params: unknown };

/** A request that was refused. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(readonly failure: Failure) {
    super(failure.sentence);
  }
}

type Params<C extends Contract, M extends keyof C['requests']> = C['requests'][M]['params'];
type Result<C extends Contract, M extends keyof C['requests']> = C['requests'][M]['result'];

export type Handlers<C extends Contract> = {
  readonly [M in keyof C['requests']]: (params: Params<C, M>) => Promise<Result<C, M>>;
};

export type Listeners<C extends Contract> = {
  readonly [N in keyof C['notifications']]: (params: C['notifications'][N]) => void;
};

const gone: Failure = {
  code: 'cancelled',
  sentence: 'The panel was closed before the answer came.',
};

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

const fault = (error: unknown): Failure => ({
  code: 'internal',
  sentence: `Something failed inside the extension (${textOf(error)}): try again, and see the log for more.`,
});

/** The calling end of a contract. */
export class RpcCaller<C extends Contract> {
  private readonly pending = new Map<
    number,
    { readonly resolve: (result: never) => void; readonly reject: (error: RpcError) => void }
  >();
  private disposed = false;

  /**
   * `post` may throw; the request is rejected then. Requests are numbered from `next` on: where the
   * other end outlives this one, no number may come again.
   */
  constructor(
    private readonly post: (message: WireMessage) => void,
    private readonly listeners: Listeners<C>,
    private next = 1,
  ) {}

  call<M extends keyof C['requests'] & string>(
    method: M,
    params: Params<C, M>,
  ): Promise<Result<C, M>> {
    return new Promise((resolve, reject) => {
      if (this.disposed) {
        reject(new RpcError(gone));
        return;
      }
      const id = this.next++;
      this.pending.set(id, { resolve, reject });
      try {
        this.post({ type: 'request', id, method, params });
      } catch (error) {
        this.pending.delete(id);
        reject(new RpcError(fault(error)));
      }
    });
  }

  /** Takes a message from the other end; messages of the other direction are not its business. */
  receive(message: WireMessage): void {
    if (message.type === 'notification') {
      if (!Object.hasOwn(this.listeners, message.method)) return;
      const listener = this.listeners[message.method as keyof Listeners<C>];
      listener(message.params as never);
      return;
    }
    if (message.type === 'request') return;
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.type === 'reply') waiting?.resolve(message.result as never);
    else waiting?.reject(new RpcError(message.failure));
  }

  dispose(): void {
    this.disposed = true;
    for (const { reject } of this.pending.values()) reject(new RpcError(gone));
    this.pending.clear();
  }
}

/** The answering end of a contract. */
export class RpcServer<C extends Contract> {
  private disposed = false;

  constructor(
    private readonly post: (message: WireMessage) => void,
    private readonly handlers: Handlers<C>,
    /** Turns what a handler throws into a failure; what it does not know is a fault of ours. */
    private readonly failureOf: (error: unknown) => Failure = fault,
  ) {}

  notify<N extends keyof C['notifications'] & string>(
    method: N,
    params: C['notifications'][N],
  ): void {
    if (!this.disposed) this.post({ type: 'notification', method, params });
  }

  async receive(message: WireMessage): Promise<void> {
    if (message.type !== 'request') return;
    const answer = await this.answer(message.id, message.method, message.params);
    if (!this.disposed) this.post(answer);
  }

  private async answer(id: number, method: string, params: unknown): Promise<WireMessage> {
    if (!Object.hasOwn(this.handlers, method)) {
      return { type: 'refusal', id, failure: fault(new Error(`no such request: ${method}`)) };
    }
    try {
      const handler = this.handlers[method as keyof Handlers<C>];
      return { type: 'reply', id, result: await handler(params) };
    } catch (error) {
      return { type: 'refusal', id, failure: this.failureOf(error) };
    }
  }

  dispose(): void {
    this.disposed = true;
  }
}
