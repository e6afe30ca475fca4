/** Files of queries: what stands in them, as the extension host runs it. */
import type { ListQuery, TextRange } from './model';

/** One query of a file as it can be run. */
export interface FileRequest {
  /** Its token is empty where `continueOf` names another query. */
  readonly query: ListQuery;
  /** It goes on from the token that this earlier query ended with, counted from 0; null for none. */
  readonly continueOf: number | null;
  /** It reads to the end, page by page. */
  readonly follow: boolean;
}

export interface FileQuery {
  /** Empty where it has none. */
  readonly name: string;
  /** What stands behind its `###`; absent for nothing. */
  readonly title?: string;
  /** All of its block. */
  readonly range: TextRange;
  /** The word that its request begins with. */
  readonly anchor: TextRange;
  /** Null while it has errors. */
  readonly request: FileRequest | null;
}

/** Queries of an open document, in order. */
export interface FileQueries {
  /** Of the document. */
  readonly version: number;
  readonly queries: readonly FileQuery[];
}

/** What a lens above a query hands to its command. */
export interface QueryPlace {
  readonly uri: string;
  /** Of the document: in another version another query may have this number. */
  readonly version: number;
  /** Counted from 0. */
  readonly index: number;
}
