/** Runs queries in their order; a later one may go on where an earlier one ended. */
import type { RunPlan } from '../args/plan';
import { getOn, type Session } from '../commands/get';
import { note, type Context } from '../context';
import { ExitCode } from '../exit';
import { cell } from '../output/text';
import { compactJson } from '../../kube/print/encode';
import { reportError } from '../reportError';
import { explain } from '../sentences';
import type { ChosenQuery } from './chosen';
import { frameOf, type Frame } from './frame';
import { getPlanOf, goOnWords } from './getPlan';
import { headingOf, headingText, titleOf, type Heading } from './heading';

export interface QueryRunParts {
  readonly plan: RunPlan;
  readonly context: Context;
  readonly session: Session;
  /** Of the file. */
  readonly text: string;
  readonly queries: readonly ChosenQuery[];
}

type Outcome =
  { readonly kind: 'done'; readonly token: string } | { readonly kind: 'failed' | 'skipped' };

export class QueryRun {
  private readonly frame: Frame;
  private readonly outcomes = new Map<number, Outcome>();
  private exitCode: ExitCode = ExitCode.done;

  constructor(private readonly parts: QueryRunParts) {
    const { plan, context, queries } = parts;
    this.frame = frameOf({ output: plan.output, count: queries.length, context });
  }

  /** The exit code is the first failure's. Rejects when the work is stopped. */
  async run(): Promise<ExitCode> {
    const { plan, context, queries } = this.parts;
    for (const query of queries) {
      context.signal.throwIfAborted();
      const outcome = await this.runOne(query);
      this.outcomes.set(query.index, outcome);
      if (outcome.kind === 'failed' && !plan.keepGoing) break;
    }
    const isWhole = this.exitCode === ExitCode.done || plan.keepGoing;
    await (isWhole ? this.frame.end() : this.frame.stop());
    if (queries.length > 1) context.notes.line(this.summary());
    return this.exitCode;
  }

  private async runOne(query: ChosenQuery): Promise<Outcome> {
    const { plan, text } = this.parts;
    const heading = headingOf(query, text, plan);
    this.say(heading);
    const from = this.tokenOf(query);
    if ('why' in from) return this.skip(heading, from.why);
    return this.list(query, heading, from.token);
  }

  /** On standard error, where receipts need it as well as rows. */
  private say(heading: Heading): void {
    const { plan, context } = this.parts;
    if (plan.receipt === 'json') {
      const { name, request, line } = heading;
      const members = { ...(name === '' ? {} : { name }), request, line };
      context.notes.line(compactJson({ type: 'query', ...members }));
      return;
    }
    if (this.outcomes.size > 0) context.notes.line('');
    context.notes.line(context.style.bold(cell(headingText(heading))));
  }

  /** Where a query begins, or why there is nothing to begin with. */
  private tokenOf({ request }: ChosenQuery): { token: string } | { why: string } {
    const source = request.continue;
    if (source.kind === 'none') return { token: '' };
    if (source.kind === 'token') return { token: source.token };
    const before = this.outcomes.get(source.index);
    if (before?.kind === 'done') {
      if (before.token !== '') return { token: before.token };
      return { why: `${source.name} ended without a token, so nothing is left to read` };
    }
    const what = before?.kind === 'failed' ? 'failed' : 'was skipped';
    return { why: `${source.name} ${what}, so there is no token to go on with` };
  }

  private async skip(heading: Heading, why: string): Promise<Outcome> {
    await this.frame.skipped(heading, why);
    note(this.parts.context, `${titleOf(heading)} is skipped: ${why}`);
    return { kind: 'skipped' };
  }

  private async list(query: ChosenQuery, heading: Heading, token: string): Promise<Outcome> {
    const { plan, session } = this.parts;
    const get = getPlanOf(query.request, token, plan);
    const rows = await this.frame.begin(heading);
    const context = {
      ...this.parts.context,
      rows,
      invocation: this.invocation(goOnWords(get, plan)),
    };
    if (query.request.watch) note(context, WATCH_NOTE);
    try {
      const left = await getOn(session, get, context);
      await this.frame.done();
      return { kind: 'done', token: left };
    } catch (error) {
      context.signal.throwIfAborted();
      await this.fail(error, context);
      return { kind: 'failed' };
    }
  }

  private async fail(error: unknown, context: Context): Promise<void> {
    const exitCode = reportError(error, context);
    if (this.exitCode === ExitCode.done) this.exitCode = exitCode;
    if (this.parts.plan.keepGoing) await this.frame.failed(explain(error).text);
  }

  /** A command line goes on with one list, not with the file. */
  private invocation(words: readonly string[]): Context['invocation'] {
    const { program, argv } = this.parts.context.invocation;
    const isInDemo = argv[0] === 'demo';
    const before = isInDemo ? argv.slice(0, argv.indexOf('--') + 1) : [];
    return { program, argv: [...before, ...words] };
  }

  private summary(): string {
    const total = this.parts.queries.length;
    const outcomes = [...this.outcomes.values()];
    const counts: readonly (readonly [string, number])[] = [
      ...(['done', 'failed', 'skipped'] as const).map(
        (kind) => [kind, outcomes.filter((outcome) => outcome.kind === kind).length] as const,
      ),
      ['not run', total - outcomes.length],
    ];
    const said = counts.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
    return `${total} queries: ${said.join(', ')}`;
  }
}

/** Said, since a request that is a watch is not run as one. */
const WATCH_NOTE = 'written as a watch: its initial list is read, and no changes after it';
