/** Runs one list of a query file through the language server, as the panel's Run does. */
import { randomUUID } from 'node:crypto';
import type { CancellationToken } from 'vscode';
import type { ListDone, ListEvent, ListQuery } from '../../server/protocol/model';
import { readsAll, weightOf } from '../../server/protocol/unlimited';
import { cancelled, refused } from '../lsp/failure';
import type { LspClient } from '../lsp/lspClient';

export interface ListWish {
  readonly query: ListQuery;
  /** Follow all tokens to the end. */
  readonly follow: boolean;
  /** Whether the connection that it is meant for is still the one that is open. */
  readonly isHere: () => boolean;
}

const ELSEWHERE = 'Another connection was opened meanwhile, so the list was not run: run it again.';

export type Hear = (body: ListEvent['body']) => void;

/** What is used of the language server. */
export type ListServer = Pick<LspClient, 'request' | 'notify' | 'listEvents'>;

export class Lists {
  private readonly session = randomUUID();
  private count = 0;

  constructor(
    private readonly server: ListServer,
    /** Asks before a read of everything. */
    private readonly confirm: (text: string) => Promise<boolean>,
  ) {}

  /**
   * `hear` is told of what comes, in order. Cancelling ends the etcd call; what was answered till then
   * is in the result. Rejects with `RpcError` when nothing could be begun.
   */
  async run(
    { query, follow, isHere }: ListWish,
    hear: Hear,
    token: CancellationToken,
  ): Promise<ListDone> {
    const { problems, unlimited } = await this.server.request('etcdList/check', query, token);
    const error = problems.find(({ severity }) => severity === 'error');
    if (error !== undefined) throw refused(error.message);
    const confirmed = unlimited && (await this.agreed(query, token));
    // A person may have been asked meanwhile, and have connected to another.
    if (!isHere()) throw refused(ELSEWHERE);
    const listId = `${this.session}-query-${++this.count}`;
    const listening = this.server.listEvents.on((events) => {
      this.take(
        events.filter((event) => event.listId === listId),
        hear,
      );
    });
    const how = {
      listId,
      follow,
      confirmed,
      measured: unlimited,
      acknowledged: true,
      silent: true,
    };
    try {
      return await this.server.request('etcdList/list', { query, ...how }, token);
    } finally {
      listening.dispose();
    }
  }

  private take(events: readonly ListEvent[], hear: Hear): void {
    for (const { body } of events) hear(body);
    const last = events.at(-1);
    if (last === undefined) return;
    const { listId, seq } = last;
    // A server that is gone has no list that waits.
    this.server.notify('etcdList/taken', { listId, seq }).catch(() => undefined);
  }

  /** Whether it need not be measured again. */
  private async agreed(query: ListQuery, token: CancellationToken): Promise<boolean> {
    const measure = await this.server.request('etcdList/measure', query, token);
    const weight = weightOf(measure);
    if (weight !== 'heavy') return weight === 'light';
    if (await this.confirm(readsAll(query, measure))) return true;
    throw cancelled('The list was not run.');
  }
}
