/** The results of queries of one file, while they come. */
import type { ListDone } from '../../server/protocol/model';
import { queryText } from '../../server/protocol/queryText';
import type { Shown } from '../common/notices';
import { failureOf } from '../lsp/failure';
import { Collected } from './collected';
import { continued, type Outcome } from './continued';
import type { LastRun, LastRuns } from './lastRuns';
import type { Lists, ListWish } from './lists';
import { headOf, leftText, runnable, type QueryFile } from './place';
import { joined } from './receiptText';
import { MOST_ROWS, resultsText } from './resultText';
import type { RunMarks } from './runMarks';

/** Milliseconds between two writes at least. */
const PAUSE_MS = 100;

/** The connection that is open; an empty name and no number without one. */
export interface OpenConnection {
  readonly name: string;
  readonly number: number | null;
}

export interface SheetParts extends Shown {
  readonly file: QueryFile;
  readonly lists: Pick<Lists, 'run'>;
  readonly runs: Pick<LastRuns, 'put'>;
  readonly marks: Pick<RunMarks, 'mark'>;
  readonly connection: () => OpenConnection;
  readonly now: () => number;
  readonly show: (text: string) => void;
}

export class Sheet {
  private readonly results: Collected[] = [];
  private nextWrite = -Infinity;
  /** A sentence about the queries that were not run; empty for none. */
  private rest = '';
  private failure: { readonly index: number; readonly sentence: string } | undefined;

  constructor(private readonly parts: SheetParts) {}

  /** Never rejects: what fails stands in the results, and is marked at its query. */
  async step(
    index: number,
    outcomeOf: (index: number) => Outcome | undefined,
  ): Promise<Outcome | 'failed'> {
    const { file, token, connection } = this.parts;
    if (token.isCancellationRequested) return 'failed';
    const { number } = connection();
    const shown = this.results.reduce((sum, { shownRows }) => sum + shownRows, 0);
    const collected = new Collected(this.headline(index), MOST_ROWS - shown);
    this.results.push(collected);
    try {
      const one = runnable({ file, index });
      const next = continued(one, outcomeOf);
      if (next.kind === 'query') {
        const { follow } = one.request;
        const done = await this.run({ query: next.query, follow }, number, collected);
        const { total, failure } = done;
        return this.noted(index, { ...this.ended(number), total, ...(failure && { failure }) });
      }
      collected.end(next.sentence);
      return 'nothingLeft';
    } catch (error) {
      const failure = failureOf(error);
      collected.end(failure.sentence);
      return this.noted(index, { ...this.ended(number), failure });
    } finally {
      this.write();
    }
  }

  /** Over the connection of that number alone: a token is one's, and so is what a person agreed to. */
  private async run(
    wish: Pick<ListWish, 'query' | 'follow'>,
    number: OpenConnection['number'],
    collected: Collected,
  ): Promise<ListDone> {
    const { lists, token, report, connection } = this.parts;
    this.write();
    const done = await lists.run(
      { ...wish, isHere: () => connection().number === number },
      (body) => {
        collected.take(body);
        if (this.write()) report(collected.progress);
      },
      token,
    );
    collected.done(done);
    return done;
  }

  private ended(connection: LastRun['connection']): Pick<LastRun, 'at' | 'connection'> {
    return { at: this.parts.now(), connection };
  }

  /** Of what a person did not let begin nothing is said. */
  private noted(index: number, run: LastRun): LastRun | 'failed' {
    const { file, runs, marks } = this.parts;
    const { failure, total } = run;
    const isCancelled = failure?.code === 'cancelled';
    const request = file.queries[index]?.request;
    if (request && (total !== undefined || !isCancelled)) runs.put(file.uri, request, run);
    if (failure === undefined) return run;
    if (!isCancelled) {
      marks.mark({ file, index }, failure);
      this.failure = { index, sentence: failure.sentence };
    }
    return 'failed';
  }

  private headline(index: number): string {
    const { request } = this.parts.file.queries[index] ?? {};
    const text = request ? `${queryText(request.query)}${request.follow ? ' to the end' : ''}` : '';
    return joined([headOf(this.parts.file, index), text, this.parts.connection().name]);
  }

  /** The sentence of a query that failed, with which were not run for it; undefined for none. */
  get failed(): string | undefined {
    if (this.failure === undefined) return undefined;
    const { index, sentence } = this.failure;
    const said = `${headOf(this.parts.file, index)}: ${sentence}`;
    return this.rest === '' ? said : `${said} ${this.rest}`;
  }

  /** The queries from `index` on were not run: this stands below the last that was. */
  notRun(index: number): void {
    this.rest = leftText(this.parts.file, index);
  }

  /** Writes what was not written yet. */
  finish(): void {
    this.nextWrite = -Infinity;
    this.write();
  }

  /** Whole, so only now and then: a tenth of the time at most. Answers whether it was time. */
  private write(): boolean {
    const { show, now } = this.parts;
    const begun = now();
    if (begun < this.nextWrite) return false;
    const results = this.results.map(({ result }) => result);
    const text = resultsText(results, begun);
    show(this.rest === '' ? text : `${text}\n${this.rest}\n`);
    this.nextWrite = begun + Math.max(PAUSE_MS, 9 * (now() - begun));
    return true;
  }
}
