/** What the person's actions do: requests to the host, and messages to the state. */
import type {
  CheckResult,
  HistoryEntry,
  ListEvent,
  ListQuery,
  Row,
} from '../server/protocol/model';
import { sameQuery } from '../server/protocol/sameQuery';
import { fillsCacheText, readsAll, weightOf } from '../server/protocol/unlimited';
import { attempt, saysElsewhere } from './attempt';
import { Explainer } from './explainer';
import { failureOf } from './failures';
import type { PanelRpc } from './host';
import { Inspector } from './inspector';
import { Latest } from './latest';
import { Names } from './names';
import { Outputs } from './outputs';
import { canResume, indexOfRow, isRunning, revisionAt, type Cause, type Continuation } from './run';
import type { PanelState } from './state';
import { emptyQuery } from './query';
import type { Store } from './store';
import { whyNoRun } from './texts';

/** So long nothing is typed before it is asked about. */
const stillMs = 150;

type Start = Omit<Continuation, 'listId'>;

export class Controller {
  readonly inspector: Inspector;
  readonly explainer: Explainer;
  readonly names: Names;
  readonly outputs: Outputs;
  private readonly checks: Latest<ListQuery, CheckResult>;
  private listNumber = 0;
  private runs = 0;
  private readonly session = crypto.randomUUID();

  constructor(
    readonly store: Store,
    private readonly rpc: PanelRpc,
    /** Puts the focus on the field that a problem is about. */
    private readonly showProblem: (check: CheckResult) => void,
  ) {
    this.checks = new Latest(
      stillMs,
      (query) => rpc.call('check', query),
      (query, result) => {
        store.dispatch({ type: 'checked', query, result });
      },
      // Checking is a courtesy; the run itself says what is wrong.
      () => undefined,
    );
    this.names = new Names(store, rpc);
    this.outputs = new Outputs(store, rpc);
    this.inspector = new Inspector(store, rpc, stillMs);
    this.explainer = new Explainer(store, rpc, stillMs);
    store.subscribe((state, previous) => {
      if (previous?.ready) this.askAnew(state, previous);
    });
  }

  /** What etcd or the query said of something is asked again once they are others. */
  private askAnew(state: PanelState, previous: PanelState): void {
    const isOther = state.connectionNumber !== previous.connectionNumber;
    const { resource, namespace } = previous.query;
    if (isOther) this.checks.request(state.query, true);
    if (isOther || state.query.resource !== resource || state.query.namespace !== namespace)
      this.inspector.askAgain();
    this.explainer.changed(state, previous);
  }

  /** What waits for the person to be still is not asked any more. */
  dispose(): void {
    this.checks.cancel();
    this.inspector.dispose();
    this.explainer.dispose();
  }

  async start(): Promise<void> {
    const start = await this.attempt(() => this.rpc.call('ready', null));
    if (!start) return;
    this.store.dispatch({ type: 'started', start });
    this.checks.request(this.store.state.query, true);
    this.inspector.askAgain();
    this.explainer.changed(this.store.state);
  }

  edit(patch: Partial<ListQuery>): void {
    this.store.dispatch({ type: 'edit', patch });
    this.checks.request(this.store.state.query);
  }

  /** A query that the host hands over, from a file: as if it had been typed, and Run pressed. */
  runGiven(query: ListQuery, follow: boolean): void {
    this.edit({ ...emptyQuery, ...query });
    void this.run('fresh', follow);
  }

  async run(cause: Cause = 'fresh', follow = false, over: Partial<ListQuery> = {}): Promise<void> {
    const { query, run } = this.store.state;
    const base = cause === 'fresh' ? query : run?.query;
    if (base && this.canAsk()) await this.check({ query: { ...base, ...over }, follow, cause });
  }

  /** Says so, when there is nobody to ask: the rows that are shown stay. */
  private canAsk(): boolean {
    const sentence = whyNoRun(this.store.state);
    if (sentence === '') return true;
    this.store.dispatch({ type: 'trouble', failure: { code: 'notConnected', sentence } });
    return false;
  }

  private async check(start: Start): Promise<void> {
    this.endCounting();
    const wish = this.runs;
    const check = await this.attempt(() => this.rpc.call('check', start.query));
    if (!check || wish !== this.runs || (start.cause !== 'fresh' && saysElsewhere(this.store)))
      return;
    this.show(start.query, check);
    if (start.cause === 'fresh' && check.problems.some(({ severity }) => severity === 'error')) {
      this.refuse(start, check);
    } else if (check.fillsCache) await this.runUnlimited(start, wish, true);
    else if (check.unlimited) await this.runUnlimited(start, wish);
    else await this.list(start, false);
  }

  /** Where the query bar states the same, it shows what this check has found. */
  private show(checked: ListQuery, result: CheckResult): void {
    const { query } = this.store.state;
    if (sameQuery(checked, query)) this.store.dispatch({ type: 'checked', query, result });
  }

  private refuse({ query }: Start, check: CheckResult): void {
    this.store.dispatch({ type: 'edit', patch: query });
    this.store.dispatch({ type: 'checked', query: this.store.state.query, result: check });
    this.showProblem(check);
  }

  /** Counts, then asks; what fails before the list began is shown as a failure of it. */
  private async runUnlimited(start: Start, wish: number, fillsCache = false): Promise<void> {
    this.store.dispatch({ type: 'counting', on: true });
    try {
      const confirmed = await this.agreed(start.query, fillsCache, () => wish === this.runs);
      if (wish !== this.runs) return;
      this.store.dispatch({ type: 'counting', on: false });
      if (confirmed !== undefined) await this.list(start, confirmed, true);
    } catch (error) {
      if (wish !== this.runs) return;
      this.store.dispatch({ type: 'counting', on: false });
      const listId = this.begin(start);
      this.store.dispatch({ type: 'refused', listId, failure: failureOf(error) });
    }
  }

  /** Undefined when the list is not to be run, else whether it need not be measured again. */
  private async agreed(
    query: ListQuery,
    fillsCache: boolean,
    wanted: () => boolean,
  ): Promise<boolean | undefined> {
    const measure = await this.rpc.call('measure', query);
    if (!wanted()) return undefined;
    const weight = weightOf(measure);
    // What is too large for the cache is refused with its numbers, and read by nobody.
    if (fillsCache && weight === 'tooHeavy') return true;
    if (!fillsCache && weight !== 'heavy') return weight === 'light';
    const text = fillsCache ? fillsCacheText(query, measure) : readsAll(query, measure);
    const { yes } = await this.rpc.call('confirmUnlimited', { text, fillsCache });
    return yes ? true : undefined;
  }

  private begin(start: Start): string {
    this.stop();
    const listId = `${this.session}-${++this.listNumber}`;
    this.store.dispatch({ type: 'run', listId, ...start });
    return listId;
  }

  private async list(start: Start, confirmed: boolean, measured = false): Promise<void> {
    const listId = this.begin(start);
    const { query, follow } = start;
    try {
      const params = { listId, query, follow, confirmed, measured, acknowledged: true };
      const done = await this.rpc.call('list', params);
      this.store.dispatch({ type: 'done', listId, done });
    } catch (error) {
      this.store.dispatch({ type: 'refused', listId, failure: failureOf(error) });
    }
  }

  /** A page that lags makes its list wait; a list that is gone needs no answer. */
  taken(events: readonly ListEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    const { listId, seq } = last;
    this.rpc.call('taken', { listId, seq }).catch(() => undefined);
  }

  /** Makes what was wished for before void: it ends, and its answers are not waited for. */
  private endCounting(): void {
    this.runs += 1;
    if (!this.store.state.counting) return;
    this.store.dispatch({ type: 'counting', on: false });
    void this.attempt(() => this.rpc.call('stopMeasure', null));
  }

  /** Ends the etcd call of the running list, if there is one, and what is being counted. */
  stop(): void {
    this.endCounting();
    const { run } = this.store.state;
    if (!isRunning(run) || run.phase === 'stopping') return;
    this.store.dispatch({ type: 'stopping' });
    void this.attempt(() => this.rpc.call('stop', { listId: run.listId }));
  }

  nextPage(follow: boolean): void {
    const token = this.store.state.run?.total?.continue ?? '';
    if (token !== '') void this.run('nextPage', follow, this.continued(token));
  }

  /** After a 410 that offered a token: its rows are of a later snapshot. */
  continueAtLatest(): void {
    const { run } = this.store.state;
    const token = run?.failure?.continueToken;
    if (run && token) void this.run('laterSnapshot', run.follow, this.continued(token));
  }

  /** After a list broke off: behind its last whole page, whose rows stay. */
  resume(): void {
    const { run } = this.store.state;
    if (!run?.resume || !canResume(run)) return;
    void this.run('resume', run.follow, this.continued(run.resume.token));
  }

  /** The same query from its first page, at the latest revision. */
  startAgain(over: Partial<ListQuery> = {}): void {
    if (!this.canAsk()) return;
    const { state } = this.store;
    const { skipUnreadable, ...query } = {
      ...emptyQuery,
      ...(state.run?.query ?? state.query),
      ...over,
    };
    this.edit(query);
    // Leaving objects out was agreed to for this run; the query bar asks for it by itself.
    void this.run('fresh', state.run?.follow ?? false, { skipUnreadable });
  }

  private continued(continueToken: string): Partial<ListQuery> {
    return { continueToken, resourceVersion: '', resourceVersionMatch: '' };
  }

  showPast(entry: HistoryEntry): void {
    this.stop();
    this.store.dispatch({ type: 'past', entry });
    this.checks.request(this.store.state.query, true);
  }

  /** The host tells of each change of the status; the answer, which may come after a newer one, says no more. */
  async connect(how: 'demo' | 'add' | 'disconnect' | { readonly name: string }): Promise<void> {
    const { rpc } = this;
    await this.attempt(() => {
      if (how === 'demo') return rpc.call('connectDemo', null);
      if (how === 'add') return rpc.call('addConnection', null);
      if (how === 'disconnect') return rpc.call('disconnect', null);
      return rpc.call('connect', how);
    });
  }

  open(row: Row): void {
    const { run } = this.store.state;
    if (!run || saysElsewhere(this.store)) return;
    const params = {
      row,
      revision: revisionAt(run, indexOfRow(run, row)),
      resource: run.query.resource,
      ...(run.connectionNumber !== null && { connectionNumber: run.connectionNumber }),
    };
    void this.attempt(() => this.rpc.call('openObject', params));
  }

  /** The host asks, and opens what each way took as a document. */
  compare(): void {
    if (!this.canAsk()) return;
    const { query } = this.store.state;
    void this.attempt(() => this.rpc.call('compare', query));
  }

  stopWatchCache(resource: string): void {
    void this.attempt(() => this.rpc.call('stopWatchCache', { resource }));
  }

  showLog(): void {
    void this.attempt(() => this.rpc.call('showLog', null));
  }

  /** The page hears of the decision as of any other change of trust. */
  manageTrust(): void {
    void this.attempt(() => this.rpc.call('manageTrust', null));
  }

  private attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    return attempt(this.store, action);
  }
}
