/** Typed registration of requests: parameters are read at the border, failures answered. */
import type { CancellationToken } from 'vscode-languageserver/node';
import type { LspRequest, LspRequests } from '../protocol/lsp';
import { failureOf, isOutside, responseError } from './failures';

export interface Call {
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
}

type Params<M extends LspRequest> = LspRequests[M]['params'];
type Result<M extends LspRequest> = LspRequests[M]['result'];

export interface Router {
  /** `read` checks the parameters and throws `InvalidParamsError`. */
  handle<M extends LspRequest>(
    method: M,
    read: (value: unknown) => Params<M>,
    handler: (params: Params<M>, call: Call) => Result<M> | Promise<Result<M>>,
  ): void;
}

/** What is used of the language server's connection. */
export interface RequestPort {
  onRequest(method: string, handler: (...given: unknown[]) => Promise<unknown>): unknown;
}

export interface Reports {
  /** Told of faults of ours, with their stack. */
  fault(text: string): void;
  /** Told of what failed at the etcd, in one sentence. */
  failure(text: string): void;
}

export function createRouter(port: RequestPort, reports: Reports): Router {
  return {
    handle(method, read, handler) {
      port.onRequest(method, async (...given) => {
        const token = given.at(-1) as CancellationToken;
        const stop = new AbortController();
        const listening = token.onCancellationRequested(() => {
          stop.abort();
        });
        if (token.isCancellationRequested) stop.abort();
        try {
          return await handler(read(given.length > 1 ? given[0] : null), { signal: stop.signal });
        } catch (error) {
          const failure = failureOf(error);
          if (failure.code === 'internal') reports.fault(`${method}: ${stackOf(error)}`);
          if (isOutside(failure)) reports.failure(`${method}: ${failure.sentence}`);
          throw responseError(error);
        } finally {
          listening.dispose();
        }
      });
    },
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
