/** What the last run of each query cost, as long as the window is open. */
import type { Failure } from '../../server/protocol/errors';
import type { TotalEntry } from '../../server/protocol/model';
import type { FileRequest } from '../../server/protocol/queryFiles';
import { Emitter } from '../common/emitter';

export interface LastRun {
  /** Milliseconds since 1970 of its end. */
  readonly at: number;
  /** Number of the connection that it ran over; null without one. */
  readonly connection: number | null;
  /** Absent when it failed before anything was read. */
  readonly total?: TotalEntry;
  readonly failure?: Failure;
}

/** Runs kept of all files together; the oldest go first. */
export const MOST_RUNS = 2000;

/** A query that is written in another way is another one; queries that ask the same share their run. */
export class LastRuns {
  /** Fires the file's URI. */
  readonly changed = new Emitter<string>();
  private readonly runs = new Map<string, { readonly uri: string; readonly run: LastRun }>();

  put(uri: string, request: FileRequest, run: LastRun): void {
    const key = keyOf(uri, request);
    this.runs.delete(key);
    this.runs.set(key, { uri, run });
    const [oldest] = this.runs.keys();
    if (this.runs.size > MOST_RUNS && oldest !== undefined) this.runs.delete(oldest);
    this.changed.fire(uri);
  }

  of(uri: string, request: FileRequest): LastRun | undefined {
    return this.runs.get(keyOf(uri, request))?.run;
  }

  /** Whether anything of this file was run. */
  has(uri: string): boolean {
    return [...this.runs.values()].some((each) => each.uri === uri);
  }
}

function keyOf(uri: string, { query, continueOf, follow }: FileRequest): string {
  const texts = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([uri, continueOf, follow, texts]);
}
