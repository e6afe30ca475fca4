/** What the Explain tab asks: the decision as soon as it is looked at, the cost only where it is given or wished. */
import type { ExplainedList, ExplainParams, GivenCost } from '../server/protocol/explain';
import { failureOf } from './failures';
import type { PanelRpc } from './host';
import { Latest } from './latest';
import type { PanelState } from './state';
import type { Store } from './store';

export class Explainer {
  private readonly questions: Latest<ExplainParams, ExplainedList>;

  constructor(
    private readonly store: Store,
    private readonly rpc: PanelRpc,
    delayMs: number,
  ) {
    this.questions = new Latest<ExplainParams, ExplainedList>(
      delayMs,
      (params) => rpc.call('explain', params),
      ({ query }, answer) => {
        store.dispatch({ type: 'explained', query, answer });
      },
      (error) => {
        store.dispatch({ type: 'explainFailed', failure: failureOf(error) });
      },
    );
  }

  dispose(): void {
    this.questions.cancel();
  }

  /** Asks once the tab is looked at, and anew when what it is about has changed. Nothing is read for it. */
  changed(state: PanelState, previous: PanelState): void {
    if (state.tab !== 'explain') return;
    const isOpened = previous.tab !== 'explain';
    const isOther =
      state.query !== previous.query ||
      state.explain.given !== previous.explain.given ||
      state.connectionNumber !== previous.connectionNumber;
    if (isOther) this.ask(state, false, false);
    else if (isOpened && state.explain.query !== state.query) this.ask(state, false, true);
  }

  give(patch: Partial<GivenCost>): void {
    this.store.dispatch({ type: 'givenCost', patch });
  }

  /** Reads a bounded sample, which is what the button says. */
  measure(): void {
    this.store.dispatch({ type: 'explaining', measuring: true });
    this.ask(this.store.state, true, true);
  }

  stop(): void {
    if (!this.store.state.explain.measuring) return;
    void this.rpc.call('stopExplain', null).catch(() => undefined);
  }

  /** The panel can run it to the end as well: so that is told too. */
  private ask({ query, explain }: PanelState, measure: boolean, now: boolean): void {
    if (!measure && explain.measuring)
      this.store.dispatch({ type: 'explaining', measuring: false });
    this.questions.request({ query, follow: true, measure, given: explain.given }, now);
  }
}
