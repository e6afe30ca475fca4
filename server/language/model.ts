/**
 * What the language side knows of a document: plain data with UTF-16 offsets, which may cross to
 * another thread. `features` makes an editor's answers of it, the command line prints it.
 */
import type { Operator, Span } from '../kube/selectors';
import type { Finding, Fix, Untold } from './findings';
import type { QueryDocument } from './query/model';
import type { Writing } from './source/writing';

/** Which objects a selector selects from. */
export interface SelectedFrom {
  /** As kubectl names it, such as `pods` or `deployments.apps`; undefined where nobody can tell. */
  readonly resource: string | undefined;
  /** Undefined for all namespaces, or where nobody can tell. */
  readonly namespace: string | undefined;
}

/** One requirement as it stands in the document. */
export interface SiteRequirement {
  readonly kind: 'label' | 'field';
  /** All of it. */
  readonly span: Span;
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  /** Where the key stands; absent where it cannot be replaced alone. */
  readonly keyPart?: SitePart;
  /** Where the values stand, one for each in their order; absent where they cannot be replaced alone. */
  readonly valueParts?: readonly SitePart[];
}

/** A key or value that can be replaced. */
export interface SitePart {
  readonly span: Span;
  /** How another is written in its place. */
  readonly writing: Writing;
}

/** What an empty or an absent selector means where it stands; `own` is the namespace that it is in. */
export type EmptyMeaning = 'all' | 'none' | 'own' | 'refused' | 'filled' | 'unknown';

/** One selector of a document. */
export interface SelectorSite {
  /** How it is written: as one text, as `matchLabels` and `matchExpressions`, as a plain map, or as terms for nodes. */
  readonly form: 'text' | 'object' | 'map' | 'terms';
  readonly span: Span;
  /** Where a lens stands: at the key or text that begins it. */
  readonly anchor: Span;
  readonly from: SelectedFrom;
  readonly requirements: readonly SiteRequirement[];
  /**
   * What it selects, as texts that kubectl takes; undefined while it has errors or holds parts that
   * a template fills in. Several are alternatives, as terms for nodes are.
   */
  readonly selects: readonly { readonly labels: string; readonly fields: string }[] | undefined;
  /** Whether all of it was read: without errors, and nothing in it that a template fills in. */
  readonly isWhole: boolean;
  readonly empty: EmptyMeaning;
}

/** What is known of a document after it was gone over. */
export interface Analysis {
  readonly findings: readonly Finding[];
  /** Beside them, where there are very many. */
  readonly untold: Untold;
  readonly sites: readonly SelectorSite[];
  /** Selectors that were looked at: more than `sites` where there are very many. */
  readonly selectors: number;
}

export const NOTHING_FOUND: Analysis = { findings: [], untold: {}, sites: [], selectors: 0 };

/** Called now and then in long work; throws when nobody waits for its result any more. */
export type Checkpoint = () => void;

export type SpotKind =
  | 'labelKey'
  | 'labelOperator'
  | 'labelValue'
  | 'fieldName'
  | 'fieldOperator'
  | 'fieldValue'
  | 'resource'
  | 'namespace'
  | 'flag'
  | 'choice';

/** A place where something may be completed. */
export interface CompletionSpot {
  readonly kind: SpotKind;
  /** What is replaced, from the first character of the word to its last, behind the cursor too. */
  readonly span: Span;
  /** What of it stands before the cursor, decoded. */
  readonly typed: string;
  readonly from: SelectedFrom;
  /** The key whose value or operator is asked for; empty for others. */
  readonly key: string;
  /** What stands in the same list already, and needs no second offer. */
  readonly given: readonly string[];
  /** What may stand there: of flags and choices, and of fields and operators where the place knows. */
  readonly choices: readonly SpotChoice[];
  /** How an offer is written there. */
  readonly writing: Writing;
  /** Put behind an offer as it is, such as the colon that a key of a map lacks; absent for nothing. */
  readonly behind?: string;
  /** The schema of query documents, by which other extensions complete, says the same. */
  readonly isInSchema?: boolean;
}

export interface SpotChoice {
  readonly text: string;
  /** One short line. */
  readonly detail: string;
}

/** A document that is looked at again and again while it changes. */
export interface LanguageFile {
  /** Parts that did not change are not parsed again. */
  update(text: string): void;
  analysis(): Analysis;
  spotAt(offset: number): CompletionSpot | undefined;
  siteAt(offset: number): SelectorSite | undefined;
  /** Other ways to write the selector at an offset, each of which means the same. */
  actionsAt(offset: number): readonly Fix[];
  /** What is known beside the text is other now; absent where nothing hangs on that. */
  readAgain?(): void;
  /** Of a document of queries. */
  readonly queries?: QueryDocument;
}
