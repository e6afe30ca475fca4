/** Runs queries of files: in the panel, with results beside, all in order. */
import { queryText } from '../../server/protocol/queryText';
import type { Shown } from '../common/notices';
import type { GivenQuery } from '../panel/bridge';
import type { CancellationSource } from '../panel/runs';
import { canRun, type Access } from './access';
import { continuedAlone, type Outcome } from './continued';
import type { LastRuns } from './lastRuns';
import type { Lists } from './lists';
import { runnable, type ChosenQuery, type QueryFile } from './place';
import type { ResultDocuments } from './resultDocuments';
import type { RunMarks } from './runMarks';
import { Sheet, type OpenConnection } from './sheet';

export interface RunnerParts {
  readonly access: Access;
  readonly lists: Lists;
  readonly runs: LastRuns;
  readonly documents: Pick<ResultDocuments, 'open'>;
  readonly marks: Pick<RunMarks, 'clear' | 'mark'>;
  readonly panel: { runQuery(given: GivenQuery): void };
  /** Shows that something runs, with a way to stop it. */
  readonly progress: (title: string, work: (shown: Shown) => Promise<void>) => PromiseLike<void>;
  /** Notifies of what failed. */
  readonly tell: (sentence: string) => void;
  readonly connection: () => OpenConnection;
  readonly makeSource: () => CancellationSource;
  readonly now: () => number;
}

export class QueryRunner {
  /** What runs beside each file; a new run ends it. */
  private readonly running = new Map<string, CancellationSource>();

  constructor(private readonly parts: RunnerParts) {}

  /** `follow` reads to the end also what is written as one page. */
  async inPanel(chosen: ChosenQuery, follow = false): Promise<void> {
    const { runs, panel, now, access } = this.parts;
    const one = runnable(chosen);
    const { file, request } = one;
    const query = continuedAlone(one, this.lastOf(file));
    if (!(await canRun(access))) return;
    // Where it ends, another may be open already.
    const { number } = this.parts.connection();
    panel.runQuery({
      query,
      follow: follow || request.follow,
      onEnd: (ended) => {
        runs.put(file.uri, request, { at: now(), connection: number, ...ended });
      },
    });
  }

  async beside(chosen: ChosenQuery): Promise<void> {
    const { file, request, ...one } = runnable(chosen);
    const outcomeOf = this.lastOf(file);
    // What can be refused is refused before a document opens.
    continuedAlone({ file, request, ...one }, outcomeOf);
    if (!(await canRun(this.parts.access))) return;
    await this.onSheet(file, queryText(request.query), async (sheet) => {
      await sheet.step(chosen.index, outcomeOf);
    });
  }

  /** Tokens are taken from the results of this run. Stops at the first query that fails. */
  async all(file: QueryFile): Promise<void> {
    if (!(await canRun(this.parts.access))) return;
    await this.onSheet(file, `${file.queries.length} queries`, async (sheet) => {
      const outcomes = new Map<number, Outcome>();
      for (const index of file.queries.keys()) {
        const outcome = await sheet.step(index, (earlier) => this.ofHere(outcomes.get(earlier)));
        if (outcome === 'failed') {
          sheet.notRun(index + 1);
          return;
        }
        outcomes.set(index, outcome);
      }
    });
  }

  /** What the lens above a query says is what the next one goes on from. */
  lastOf({ uri, queries }: QueryFile): (index: number) => Outcome | undefined {
    return (index) => {
      const request = queries[index]?.request;
      return this.ofHere(request ? this.parts.runs.of(uri, request) : undefined);
    };
  }

  /** A token of one etcd means nothing to another. */
  private ofHere(outcome: Outcome | undefined): Outcome | undefined {
    if (typeof outcome !== 'object') return outcome;
    return outcome.connection === this.parts.connection().number ? outcome : 'elsewhere';
  }

  /** Where the results are not looked at, nothing else would say that a query failed. */
  private tellOf({ failed }: Sheet): void {
    if (failed !== undefined) this.parts.tell(failed);
  }

  dispose(): void {
    for (const source of this.running.values()) source.cancel();
  }

  private async onSheet(
    file: QueryFile,
    title: string,
    work: (sheet: Sheet) => Promise<void>,
  ): Promise<void> {
    const { parts } = this;
    const { uri } = file;
    this.running.get(uri)?.cancel();
    const source = parts.makeSource();
    this.running.set(uri, source);
    parts.marks.clear(file);
    const isNewest = (): boolean => this.running.get(uri) === source;
    try {
      const page = await parts.documents.open(uri, '');
      await parts.progress(title, async ({ token, report }) => {
        const asked = token.onCancellationRequested(() => {
          source.cancel();
        });
        const show = (text: string): void => {
          if (isNewest()) page.show(text);
        };
        const sheet = new Sheet({ ...parts, file, show, report, token: source.token });
        await work(sheet);
        sheet.finish();
        if (isNewest()) this.tellOf(sheet);
        asked.dispose();
      });
    } finally {
      if (isNewest()) this.running.delete(uri);
      source.dispose();
    }
  }
}
