/** What the Explain tab asks: the decision as soon as it is looked at, the cost only where it is given or wished. */
import type { ExplainedList, ExplainParams, GivenCost } from '../server/protocol/explain';
import type { ConnectionStatus } from '../server/protocol/model';
import { failureOf } from './failures';
import type { PanelRpc } from './host';
import { Latest } from './latest';
import type { PanelState } from './state';
import type { Store } from './store';

export class Explainer {
  private readonly questions: Latest<ExplainParams, ExplainedList>;
  /** What was known of the etcd when it was last asked. */
  private known = '';

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
    else if (this.isLearnt(state)) this.ask(state, false, true);
  }

  /** The API server that is asked about is another. */
  again(): void {
    this.store.dispatch({ type: 'explainVoid' });
    const { state } = this.store;
    if (state.tab === 'explain') this.ask(state, false, false);
  }

  /** A probe has ended, or a list has found out more. What was measured stays, also beside a step that is older. */
  private isLearnt({ status, explain }: PanelState): boolean {
    const isProbing = status.state === 'connected' && status.probing;
    const isMeasured = explain.answer?.estimate !== undefined && explain.given.keys === '';
    if (isProbing || isMeasured || explain.measuring) return false;
    return this.known !== knownOf(status);
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
  private ask({ query, explain, status }: PanelState, measure: boolean, now: boolean): void {
    this.known = knownOf(status);
    if (!measure && explain.measuring)
      this.store.dispatch({ type: 'explaining', measuring: false });
    this.questions.request({ query, follow: true, measure, given: explain.given }, now);
  }
}

/** What the decision may hang on of an etcd that is connected. */
function knownOf(status: ConnectionStatus): string {
  if (status.state !== 'connected') return '';
  const { members, rangeStream } = status;
  return [rangeStream.answer, ...members.map(({ version }) => version)].join(' ');
}
