/** The one place in the extension host that knows what the language server last said. */
import type { ConnectionStatus } from '../../server/protocol/model';
import { Emitter, disposeAll, type Subscription } from '../common/emitter';
import type { LspClient } from '../lsp/lspClient';
import type { StatusFacts } from './statusText';

export class StatusStore {
  readonly changed = new Emitter<StatusFacts>();
  private facts: StatusFacts;
  private readonly subscriptions: readonly Subscription[];

  constructor(lsp: Pick<LspClient, 'statusChanged' | 'serverGone'>, trusted: boolean) {
    this.facts = { status: { state: 'disconnected' }, trusted, serverGone: false };
    this.subscriptions = [
      lsp.statusChanged.on((status) => {
        this.set({ status });
      }),
      lsp.serverGone.on(({ recovered, failure }) => {
        if (recovered) this.set({ serverGone: false });
        else {
          const status: ConnectionStatus = { state: 'disconnected', ...(failure && { failure }) };
          this.set({ serverGone: true, status });
        }
      }),
    ];
  }

  get current(): StatusFacts {
    return this.facts;
  }

  get status(): ConnectionStatus {
    return this.facts.status;
  }

  set(change: Partial<StatusFacts>): void {
    this.facts = { ...this.facts, ...change };
    this.changed.fire(this.facts);
  }

  dispose(): void {
    disposeAll(this.subscriptions);
  }
}
