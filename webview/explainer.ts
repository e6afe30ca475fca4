/** What the Explain tab asks: the decision as soon as it is looked at, the cost only where it is given or wished. */
import type { ExplainedList, ExplainParams, GivenCost } from '../server/protocol/explain';
import type { ConnectionStatus, ListQuery } from '../server/protocol/model';
import { sameQuery } from '../server/protocol/sameQuery';
import { failureOf } from './failures';
import type { PanelRpc } from './host';
import { Latest } from './latest';
import type { PanelState } from './state';
import type { Store } from './store';

/** What an answer hangs on. */
interface Subject {
  readonly query: ListQuery;
  readonly given: GivenCost;
  readonly connectionNumber: number;
}

export class Explainer {
  private readonly questions: Latest<ExplainParams, ExplainedList>;
  /** What was asked about last. */
  private asked: Subject | undefined;
  private isUnanswered = false;
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
        // Where a sample failed, the decision stands.
        this.isUnanswered = !store.state.explain.measuring;
        store.dispatch({ type: 'explainFailed', failure: failureOf(error) });
      },
    );
  }

  dispose(): void {
    this.questions.cancel();
  }

  /**
   * Asks once the tab is looked at, and anew when what it is about is another by then. Nothing is read
   * for it.
   */
  changed(state: PanelState, previous?: PanelState): void {
    if (state.tab !== 'explain') return;
    const isOpened = previous?.tab !== 'explain';
    const isKnown = this.asked !== undefined && isSame(this.asked, subjectOf(state));
    if (!isKnown || (isOpened && this.isUnanswered)) this.ask(state, false, isOpened);
    else if (this.isLearnt(state)) this.ask(state, false, true);
  }

  /** The API server that is asked about is another. */
  again(): void {
    this.asked = undefined;
    this.store.dispatch({ type: 'explainVoid' });
    this.changed(this.store.state);
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
  private ask(state: PanelState, measure: boolean, now: boolean): void {
    this.known = knownOf(state.status);
    if (!measure && state.explain.measuring)
      this.store.dispatch({ type: 'explaining', measuring: false });
    this.asked = subjectOf(state);
    this.isUnanswered = false;
    const { query, given } = this.asked;
    this.questions.request({ query, follow: true, measure, given }, now);
  }
}

/** What the decision may hang on of an etcd that is connected. */
function knownOf(status: ConnectionStatus): string {
  if (status.state !== 'connected') return '';
  const { members, rangeStream } = status;
  return [rangeStream.answer, ...members.map(({ version }) => version)].join(' ');
}

function subjectOf({ query, explain: { given }, connectionNumber }: PanelState): Subject {
  return { query, given, connectionNumber };
}

function isSame(a: Subject, b: Subject): boolean {
  const isOfSame = a.given === b.given && a.connectionNumber === b.connectionNumber;
  return isOfSame && sameQuery(a.query, b.query);
}
