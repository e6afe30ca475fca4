/** The lists that one panel runs: cancelled singly or all together, and put down in the history. */
import type { CancellationToken } from 'vscode';
import type {
  HistoryEntry,
  ListDone,
  ListEvent,
  ListParams,
  RequestEntry,
} from '../../server/protocol/model';
import { refused } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { maxRequests } from './history';

/** VS Code's `CancellationTokenSource`. */
export interface CancellationSource {
  readonly token: CancellationToken;
  cancel(): void;
  dispose(): void;
}

interface Run {
  readonly source: CancellationSource;
  /** Only as many as a history entry keeps. */
  readonly requests: RequestEntry[];
  /** Of all replies so far. */
  bytes: number;
}

export class Runs {
  private readonly running = new Map<string, Run>();

  constructor(
    private readonly lsp: LspCaller,
    private readonly makeSource: () => CancellationSource,
    /** `connection` is asked at the begin, `record` told at the end. */
    private readonly history: {
      readonly connection: () => string;
      readonly record: (entry: HistoryEntry) => void;
    },
    private readonly now: () => number,
  ) {}

  async list(params: ListParams): Promise<ListDone> {
    const { listId, query } = params;
    if (this.running.has(listId)) throw refused('This list runs already.');
    const run: Run = { source: this.makeSource(), requests: [], bytes: 0 };
    this.running.set(listId, run);
    const at = this.now();
    const connection = this.history.connection();
    try {
      const done = await this.lsp.request('etcdList/list', params, run.source.token);
      const { total, failure } = done;
      const { requests, bytes } = run;
      this.history.record({
        at,
        connection,
        query,
        requests,
        total,
        bytes,
        ...(failure && { failure }),
      });
      return done;
    } finally {
      this.running.delete(listId);
      run.source.dispose();
    }
  }

  /** Puts down what the history keeps. Answers whether the event belongs to one of these lists. */
  take({ listId, body }: ListEvent): boolean {
    const run = this.running.get(listId);
    if (run && body.kind === 'request' && body.done) {
      keep(run.requests, body.request);
      run.bytes += body.request.bytes;
    }
    return run !== undefined;
  }

  stop(listId: string): void {
    this.running.get(listId)?.source.cancel();
  }

  stopAll(): void {
    for (const { source } of this.running.values()) source.cancel();
  }

  get size(): number {
    return this.running.size;
  }
}

function keep(requests: RequestEntry[], request: RequestEntry): void {
  if (requests.length >= maxRequests) requests.splice(maxRequests / 2, 1);
  requests.push(request);
}
