/** Names to offer while typing: of resources and namespaces. */
import type { PanelRpc } from './host';
import type { Store } from './store';

export type NameKind = 'resources' | 'namespaces';

export class Names {
  /** The connection of which they were asked last. */
  private readonly asked: Record<NameKind, number> = { resources: -1, namespaces: -1 };
  private readonly failed = new Set<NameKind>();

  constructor(
    private readonly store: Store,
    private readonly rpc: PanelRpc,
  ) {}

  /**
   * To be called when a box is entered or used; asks once of each connection, and what failed again
   * when the box is entered. Without names typing still works, so a failure is not shown: a user may be
   * kept to a part of what is stored.
   */
  async offer(what: NameKind, entered: boolean): Promise<void> {
    const { store, asked, failed } = this;
    const { connectionNumber, status } = store.state;
    const isAgain = asked[what] === connectionNumber;
    if (isAgain && !(entered && failed.has(what))) return;
    if (what === 'namespaces' && status.state !== 'connected') return;
    asked[what] = connectionNumber;
    failed.delete(what);
    const current = (): boolean => store.state.connectionNumber === connectionNumber;
    try {
      await this.ask(what, current);
    } catch {
      // What is offered stays as it is.
      if (current()) failed.add(what);
    }
  }

  private async ask(what: NameKind, current: () => boolean): Promise<void> {
    const { store, rpc } = this;
    if (what === 'resources') {
      const resources = await rpc.call('resources', null);
      if (current()) store.dispatch({ type: 'resources', resources });
    } else {
      const namespaces = await rpc.call('namespaces', null);
      if (current()) store.dispatch({ type: 'namespaces', namespaces });
    }
  }
}
