/** What a query file says, as plain data with UTF-16 offsets. */
import type { Span } from '../../kube/selectors';
import type { Analysis, CompletionSpot, SelectorSite } from '../model';
import type { Edit, Fix } from '../findings';

/** How a query is written. */
export type QueryForm = 'kubectl' | 'get' | 'list' | 'yaml';

export type ContinueSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  /** The token that the last list of an earlier query ended with; `index` counts the queries. */
  | { readonly kind: 'query'; readonly name: string; readonly index: number };

/** One request, without errors, as the engine takes it. Texts are decoded. */
export interface QueryRequest {
  /** As kubectl names it, such as `pods` or `deployments.apps`; a prefix of keys begins with a slash. */
  readonly resource: string;
  /** Empty for all namespaces, and for a resource that is known to have none. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** A decimal int64; empty or 0 for no limit, negative ones mean none as well. */
  readonly limit: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly continue: ContinueSource;
  /** Exactly one request, or pages of `limit` that are followed to the end, as kubectl does. */
  readonly paging: 'one' | 'toEnd';
  readonly readMode: 'auto' | 'pages' | 'stream';
  readonly skipUnreadable: boolean;
  /** It names one object, which a client would get and not list; the field selector holds the name. */
  readonly named: boolean;
  /** That the named object is not there is no failure. */
  readonly mayBeMissing?: boolean;
  /** It is written as a watch: what is run is its initial list. */
  readonly watch: boolean;
}

/** One block of a query file, or one document of a YAML one. */
export interface Query {
  /** From `# @name x` or the member `name`. */
  readonly name: string | undefined;
  /** What stands behind its `###`; absent for nothing. */
  readonly title?: string;
  /** Undefined where the block begins with none of the forms. */
  readonly form: QueryForm | undefined;
  /** All of its block. */
  readonly span: Span;
  /** The word that its request begins with: where a lens stands. */
  readonly anchor: Span;
  /** The line of the anchor, from 0. */
  readonly line: number;
  /** Undefined while it has errors. */
  readonly request: QueryRequest | undefined;
}

/** Kinds of words, for colours. */
export type MarkType =
  | 'keyword'
  | 'type'
  | 'parameter'
  | 'property'
  | 'operator'
  | 'string'
  | 'number'
  | 'variable'
  | 'comment';

/** Within one line. */
export interface Mark {
  readonly span: Span;
  readonly type: MarkType;
}

export interface QuerySymbol {
  readonly name: string;
  /** The request, where `name` is not it; else empty. */
  readonly detail: string;
  readonly span: Span;
  readonly selection: Span;
}

/** What an editor and the command line ask of a file of queries. */
export interface QueryDocument {
  analysis(): Analysis;
  /** One for each block that holds a request, in order. */
  queries(): readonly Query[];
  /** All of the text was looked at: there are no queries beyond those of `queries`. */
  isWhole(): boolean;
  spotAt(offset: number): CompletionSpot | undefined;
  /** The selectors of the query whose selector text stands there. */
  siteAt(offset: number): SelectorSite | undefined;
  /** Other ways to write the selector at an offset, each of which means the same. */
  actionsAt(offset: number): readonly Fix[];
  symbols(): readonly QuerySymbol[];
  /** From the first character of a block to the last of it that is no blank. */
  folds(): readonly Span[];
  semanticTokens(): readonly Mark[];
  /** Changes blanks alone, in order; none where nothing is to be done. */
  format(): readonly Edit[];
}
