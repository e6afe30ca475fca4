import type { ConnectionStatus, ListQuery, TotalEntry } from '../../../server/protocol/model';
import type { LspRequest, LspRequests } from '../../../server/protocol/lsp';
import type { Memory } from '../../../client/common/memory';
import type { CancellationSource } from '../../../client/panel/runs';

export class FakeMemory implements Memory {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

export class FakeSource implements CancellationSource {
  disposed = false;
  private readonly listeners: ((event: undefined) => void)[] = [];
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: (event: undefined) => void) => {
      this.listeners.push(listener);
      return { dispose: () => undefined };
    },
  };

  cancel(): void {
    this.token.isCancellationRequested = true;
    for (const listener of this.listeners) listener(undefined);
  }

  dispose(): void {
    this.disposed = true;
  }
}

type Answer = (params: never, token: never) => unknown;

/** Answers requests by script, and remembers them. */
export class FakeServer {
  readonly asked: { method: LspRequest; params: unknown }[] = [];

  constructor(readonly answers: Partial<Record<LspRequest, Answer>>) {}

  async request<M extends LspRequest>(
    method: M,
    params: LspRequests[M]['params'],
    token?: unknown,
  ): Promise<LspRequests[M]['result']> {
    this.asked.push({ method, params });
    const answer = this.answers[method] as
      ((params: unknown, token: unknown) => unknown) | undefined;
    if (!answer) throw new Error(`not expected: ${method}`);
    return (await answer(params, token)) as LspRequests[M]['result'];
  }
}

export const query: ListQuery = {
  resource: 'pods',
  namespace: '',
  labelSelector: 'app=nginx',
  fieldSelector: '',
  limit: '100',
  resourceVersion: '',
  resourceVersionMatch: '',
  continueToken: '',
  readMode: 'auto',
  skipUnreadable: false,
};

export const total: TotalEntry = {
  requests: 1,
  fetched: 2,
  examined: 2,
  evaluated: 2,
  returned: 1,
  resourceVersion: '7',
  continue: '',
  remainingItemCount: null,
  naiveRequests: 1,
  streamed: false,
  largestReplyBytes: 10,
  durationMs: 1,
};

export const connected: Extract<ConnectionStatus, { state: 'connected' }> = {
  state: 'connected',
  name: 'prod',
  connectionNumber: 1,
  endpoints: ['10.0.0.1:2379'],
  root: '/registry',
  isDemo: false,
  probing: false,
  members: [{ endpoint: '10.0.0.1:2379', version: '3.7.3', problem: '' }],
  rangeStream: { answer: 'supported' },
  probedAt: 0,
};
