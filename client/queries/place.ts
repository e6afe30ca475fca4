/** Which query a command is about. */
import type {
  FileQueries,
  FileQuery,
  FileRequest,
  QueryPlace,
} from '../../server/protocol/queryFiles';
import { refused } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';

/** Where the person is in the active editor. */
export interface Cursor {
  readonly uri: string;
  /** From 0. */
  readonly line: number;
}

/** A document's queries. */
export interface QueryFile extends FileQueries {
  readonly uri: string;
}

export interface ChosenQuery {
  readonly file: QueryFile;
  readonly index: number;
}

/** A query without errors. */
export interface Runnable extends ChosenQuery {
  readonly query: FileQuery;
  readonly request: FileRequest;
}

/** The argument of a lens; undefined for any other, which keybindings and menus may hand over. */
export function placeIn(argument: unknown): QueryPlace | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, version, index } = argument as Partial<Record<keyof QueryPlace, unknown>>;
  const isPlace =
    typeof uri === 'string' && Number.isInteger(version) && Number.isSafeInteger(index);
  return isPlace ? (argument as QueryPlace) : undefined;
}

export const CHANGED = 'The file has changed since: choose the query again.';

export class QueryFiles {
  constructor(
    private readonly lsp: LspCaller,
    private readonly cursor: () => Cursor | undefined,
  ) {}

  async of(uri: string): Promise<QueryFile> {
    const answer = await this.lsp.request('etcdList/queries', { uri });
    if (answer !== null) return { ...answer, uri };
    throw refused(
      'The queries of this file are not known now: open it in an editor, and try again.',
    );
  }

  /** The query that the argument names, else the one at the cursor. */
  async chosen(argument: unknown): Promise<ChosenQuery> {
    const place = placeIn(argument);
    if (place === undefined) return this.atCursor();
    const file = await this.ofPlace(place);
    return { file, index: place.index };
  }

  /** The file that the argument names, else the one in the active editor. */
  async file(argument: unknown): Promise<QueryFile> {
    const place = placeIn(argument);
    return place === undefined ? this.of(this.activeCursor().uri) : this.ofPlace(place);
  }

  private async ofPlace({ uri, version, index }: QueryPlace): Promise<QueryFile> {
    const file = await this.of(uri);
    if (file.version === version && index in file.queries) return file;
    throw refused(CHANGED);
  }

  private async atCursor(): Promise<ChosenQuery> {
    const { uri, line } = this.activeCursor();
    const file = await this.of(uri);
    const index = file.queries.findLastIndex(({ range }) => range.start.line <= line);
    if (index >= 0) return { file, index };
    throw refused('No query stands at the cursor: put it into one, and try again.');
  }

  private activeCursor(): Cursor {
    const cursor = this.cursor();
    if (cursor !== undefined) return cursor;
    throw refused('No query file is open in the active editor: open one, and try again.');
  }
}

/** Throws a sentence for a query with errors. */
export function runnable({ file, index }: ChosenQuery): Runnable {
  const query = file.queries[index];
  if (query?.request) return { file, index, query, request: query.request };
  throw refused('This query has errors, so nothing was sent: mend what is marked in it first.');
}

/** What sentences call it. */
export function nameOf({ file, index }: ChosenQuery): string {
  const name = file.queries[index]?.name ?? '';
  return name === '' ? `query ${index + 1}` : `"${name}"`;
}

/** What stands above its results: its name, its title, else its number. */
export function headOf({ queries }: QueryFile, index: number): string {
  const { name = '', title = '' } = queries[index] ?? {};
  return name || title || `Query ${index + 1}`;
}

/** That the queries from `index` on were not run; empty when there are none. */
export function leftText(file: QueryFile, index: number): string {
  const count = file.queries.length - index;
  if (count <= 0) return '';
  const first = headOf(file, index);
  if (count === 1) return `1 query behind it was not run: ${first}.`;
  return `${count} queries behind it were not run, from ${first} on.`;
}
