/** The results of queries of one file, while they come. */
import type { ListQuery } from '../../server/protocol/model';
import type { FileRequest } from '../../server/protocol/queryFiles';
import { queryText } from '../../server/protocol/queryText';
import type { Shown } from '../common/notices';
import { failureOf } from '../lsp/failure';
import { Collected } from './collected';
import { continued, type Outcome } from './continued';
import type { LastRun, LastRuns } from './lastRuns';
import type { Lists } from './lists';
import { runnable, type QueryFile } from './place';
import { joined } from './receiptText';
import { resultsText } from './resultText';
import type { RunMarks } from './runMarks';

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

  constructor(private readonly parts: SheetParts) {}

  /** Never rejects: what fails stands in the results, and is marked at its query. */
  async step(
    index: number,
    outcomeOf: (index: number) => Outcome | undefined,
  ): Promise<Outcome | 'failed'> {
    const { file, token } = this.parts;
    if (token.isCancellationRequested) return 'failed';
    const collected = new Collected(this.headline(index));
    this.results.push(collected);
    try {
      const one = runnable({ file, index });
      const next = continued(one, outcomeOf);
      if (next.kind === 'query') return await this.run(index, next.query, one.request, collected);
      collected.end(next.sentence);
      return 'nothingLeft';
    } catch (error) {
      const failure = failureOf(error);
      collected.end(failure.sentence);
      return this.noted(index, { ...this.here(), failure });
    } finally {
      this.write();
    }
  }

  private async run(
    index: number,
    query: ListQuery,
    { follow }: FileRequest,
    collected: Collected,
  ): Promise<Outcome | 'failed'> {
    const { lists, token, report } = this.parts;
    this.write();
    let written = 0;
    const done = await lists.run(
      { query, follow },
      (body) => {
        collected.take(body);
        report(collected.progress);
        // Written each time that it has doubled, a long text is written few times.
        if (collected.shownRows < Math.max(1, written * 2)) return;
        written = collected.shownRows;
        this.write();
      },
      token,
    );
    collected.done(done);
    const { total, failure } = done;
    return this.noted(index, { ...this.here(), total, ...(failure && { failure }) });
  }

  private here(): Pick<LastRun, 'at' | 'connection'> {
    return { at: this.parts.now(), connection: this.parts.connection().number };
  }

  /** Of what a person did not let begin nothing is said. */
  private noted(index: number, run: LastRun): LastRun | 'failed' {
    const { file, runs, marks } = this.parts;
    const { failure, total } = run;
    const isCancelled = failure?.code === 'cancelled';
    const request = file.queries[index]?.request;
    if (request && (total !== undefined || !isCancelled)) runs.put(file.uri, request, run);
    if (failure === undefined) return run;
    if (!isCancelled) marks.mark({ file, index }, failure);
    return 'failed';
  }

  private headline(index: number): string {
    const { name = '', request } = this.parts.file.queries[index] ?? {};
    const text = request ? `${queryText(request.query)}${request.follow ? ' to the end' : ''}` : '';
    return joined([name === '' ? `Query ${index + 1}` : name, text, this.parts.connection().name]);
  }

  private write(): void {
    const results = this.results.map(({ result }) => result);
    this.parts.show(resultsText(results, this.parts.now()));
  }
}
