/** What the person's actions do: requests to the host, and messages to the state. */
import type { Failure } from '../server/protocol/errors';
import type {
  CheckResult,
  HistoryEntry,
  ListQuery,
  QueryCommands,
  Row,
  TokenFacts,
} from '../server/protocol/model';
import type { ExportFormat } from '../server/protocol/panel';
import { RpcError } from '../server/protocol/rpc';
import { fileName, toCsv, toJson, toNdjson, toReceipt } from './exporters';
import type { PanelRpc } from './host';
import { Latest } from './latest';
import { isRunning, type Cause } from './run';
import type { TokenFields } from './state';
import type { Store } from './store';

const checkDelayMs = 150;

export function failureOf(error: unknown): Failure {
  if (error instanceof RpcError) return error.failure;
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'internal', sentence: `Something failed inside the panel: ${text}.` };
}

export class Controller {
  private readonly checks: Latest<ListQuery, CheckResult>;
  private readonly tokens: Latest<TokenFields | string, TokenFacts>;
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
      checkDelayMs,
      (query) => rpc.call('check', query),
      (query, result) => {
        store.dispatch({ type: 'checked', query, result });
      },
      // Checking is a courtesy; the run itself says what is wrong.
      () => undefined,
    );
    this.tokens = new Latest<TokenFields | string, TokenFacts>(
      checkDelayMs,
      (question) => this.askToken(question),
      (_, facts) => {
        store.dispatch({ type: 'tokenFacts', facts });
      },
      (error) => {
        store.dispatch({ type: 'tokenFailed', failure: failureOf(error) });
      },
    );
  }

  /** What waits for the person to be still is not asked any more. */
  dispose(): void {
    this.checks.cancel();
    this.tokens.cancel();
  }

  async start(): Promise<void> {
    const start = await this.attempt(() => this.rpc.call('ready', null));
    if (!start) return;
    this.store.dispatch({ type: 'started', start });
    this.checks.request(this.store.state.query, true);
    if (this.store.state.token.text.trim() !== '') this.tokens.request(this.store.state.token.text);
    void this.loadNames();
  }

  /** Resources and namespaces to offer; without them typing still works. */
  async loadNames(): Promise<void> {
    const { store, rpc } = this;
    const resources = await this.attempt(() => rpc.call('resources', null));
    if (resources) store.dispatch({ type: 'resources', resources });
    if (store.state.status.state !== 'connected') return;
    const namespaces = await this.attempt(() => rpc.call('namespaces', null));
    if (namespaces) store.dispatch({ type: 'namespaces', namespaces });
  }

  edit(patch: Partial<ListQuery>): void {
    this.store.dispatch({ type: 'edit', patch });
    this.checks.request(this.store.state.query);
  }

  async run(cause: Cause = 'fresh', follow = false, over: Partial<ListQuery> = {}): Promise<void> {
    const base = cause === 'fresh' ? this.store.state.query : (this.store.state.run?.query ?? null);
    if (!base) return;
    const query = { ...base, ...over };
    const wish = ++this.runs;
    const confirmed = await this.attempt(() => this.admit(query, cause));
    if (confirmed === undefined || wish !== this.runs) return;
    this.stop();
    const listId = `${this.session}-${++this.listNumber}`;
    this.store.dispatch({ type: 'run', listId, query, follow, cause });
    try {
      const done = await this.rpc.call('list', { listId, query, follow, confirmed });
      this.store.dispatch({ type: 'done', listId, done });
    } catch (error) {
      this.store.dispatch({ type: 'refused', listId, failure: failureOf(error) });
    }
  }

  /** Undefined when the list is not to be run, else whether an unlimited read was agreed to. */
  private async admit(query: ListQuery, cause: Cause): Promise<boolean | undefined> {
    const check = await this.rpc.call('check', query);
    if (cause === 'fresh' && check.problems.some(({ severity }) => severity === 'error')) {
      this.store.dispatch({ type: 'edit', patch: query });
      this.store.dispatch({ type: 'checked', query: this.store.state.query, result: check });
      this.showProblem(check);
      return undefined;
    }
    if (!check.unlimited) return false;
    const text =
      `This reads all ${query.resource}` +
      `${query.namespace === '' ? '' : ` of namespace ${query.namespace}`} in one reply, without a limit.`;
    const { yes } = await this.rpc.call('confirmUnlimited', { text });
    return yes ? true : undefined;
  }

  /** Ends the etcd call of the running list, if there is one. */
  stop(): void {
    const { run } = this.store.state;
    if (!isRunning(run)) return;
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

  /** The same query from its first page, at the latest revision. */
  startAgain(over: Partial<ListQuery> = {}): void {
    const query = this.store.state.run?.query ?? this.store.state.query;
    const follow = this.store.state.run?.follow ?? false;
    this.edit({ ...query, ...over });
    void this.run('fresh', follow);
  }

  private continued(continueToken: string): Partial<ListQuery> {
    return { continueToken, resourceVersion: '', resourceVersionMatch: '' };
  }

  showPast(entry: HistoryEntry): void {
    this.stop();
    this.store.dispatch({ type: 'past', entry });
    this.checks.request(this.store.state.query, true);
  }

  async connect(how: 'demo' | 'add' | 'disconnect' | { readonly name: string }): Promise<void> {
    const { rpc } = this;
    const status = await this.attempt(() => {
      if (how === 'demo') return rpc.call('connectDemo', null);
      if (how === 'add') return rpc.call('addConnection', null);
      if (how === 'disconnect') return rpc.call('disconnect', null);
      return rpc.call('connect', how);
    });
    if (status) this.store.dispatch({ type: 'status', status });
  }

  open(row: Row): void {
    const { run } = this.store.state;
    if (!run) return;
    const revision = run.total?.resourceVersion ?? '';
    const resource = run.query.resource;
    void this.attempt(() => this.rpc.call('openObject', { row, revision, resource }));
  }

  copy(text: string, what: string): void {
    void this.attempt(() => this.rpc.call('copy', { text, what }));
  }

  async copyCommand(which: keyof QueryCommands, what: string): Promise<void> {
    const { run, query } = this.store.state;
    const commands =
      run?.commands ??
      (await this.attempt(() => this.rpc.call('commands', run ? run.query : query)));
    if (commands) this.copy(commands[which], what);
  }

  export(format: ExportFormat, rows: Iterable<Row>): void {
    const { run } = this.store.state;
    if (!run) return;
    const write = {
      csv: () => toCsv(rows),
      json: () => toJson(rows),
      ndjson: () => toNdjson(rows),
      receipt: () => toReceipt(run.requests, run.total),
    };
    const ending = format === 'receipt' ? 'receipt.jsonl' : format;
    const { resource, namespace } = run.query;
    const suggestedName = fileName(resource, namespace, run.total?.resourceVersion ?? null, ending);
    void this.attempt(() =>
      this.rpc.call('export', { format, text: write[format](), suggestedName }),
    );
  }

  inspect(text: string): void {
    this.store.dispatch({ type: 'tab', tab: 'token' });
    this.pasteToken(text);
  }

  pasteToken(text: string): void {
    this.store.dispatch({ type: 'tokenText', text });
    if (text.trim() === '') this.tokens.cancel();
    else this.tokens.request(text);
  }

  editToken(fields: TokenFields): void {
    this.store.dispatch({ type: 'tokenEdited', fields });
    this.tokens.request(fields);
  }

  private askToken(question: TokenFields | string): Promise<TokenFacts> {
    const { query, status } = this.store.state;
    const { resource, namespace } = query;
    if (typeof question !== 'string') {
      return this.rpc.call('encodeToken', { ...question, resource, namespace });
    }
    const askEtcd = status.state === 'connected';
    return this.rpc.call('decodeToken', { text: question, resource, namespace, askEtcd });
  }

  showLog(): void {
    void this.attempt(() => this.rpc.call('showLog', null));
  }

  /** The page hears of the decision as of any other change of trust. */
  manageTrust(): void {
    void this.attempt(() => this.rpc.call('manageTrust', null));
  }

  /** What fails is shown; undefined then. A person who closed a prompt knows it: nothing is shown. */
  private async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'cancelled') this.store.dispatch({ type: 'trouble', failure });
      return undefined;
    }
  }
}
