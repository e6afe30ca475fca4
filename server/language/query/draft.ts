/** One request as it is written, before it is known whether it makes sense. */
import type { Span } from '../../kube/selectors';
import type { Finding } from '../findings';
import type { SpotChoice } from '../model';
import type { MappedText } from '../source/mappedText';
import type { Writing } from '../source/writing';
import type { Mark, QueryForm, QueryRequest } from './model';

/** A value and where it is stated. */
export interface Stated {
  readonly text: MappedText;
  /** The flag, parameter or member that states it. */
  readonly anchor: Span;
}

/** What may be stated, under the names of `ListOptions`. */
export type OptionName =
  | 'namespace'
  | 'labelSelector'
  | 'fieldSelector'
  | 'limit'
  | 'resourceVersion'
  | 'resourceVersionMatch'
  | 'continue'
  | 'watch'
  | 'sendInitialEvents'
  | 'timeoutSeconds';

export type Options = ReadonlyMap<OptionName, Stated>;

export type DraftTarget =
  /** A resource as kubectl names it. */
  | { readonly kind: 'word'; readonly resource: Stated; readonly name: Stated | undefined }
  /** A resource in the path of an API request. */
  | {
      readonly kind: 'path';
      /** Empty for the core group. */
      readonly group: string;
      readonly version: string;
      readonly resource: Stated;
      readonly name: Stated | undefined;
    }
  | { readonly kind: 'prefix'; readonly prefix: Stated };

/** A place where something may be completed. */
export interface Place {
  readonly kind: 'labels' | 'fields' | 'namespace' | 'resource' | 'token' | 'choice' | 'flag';
  /** What stands there; replaced as a whole where it is no selector. */
  readonly text: MappedText;
  /** How the text at these characters of the document is written anew; undefined where it cannot be. */
  writingIn(span: Span): Writing | undefined;
  readonly choices: readonly SpotChoice[];
  /** What stands in the same request already. */
  readonly given: readonly string[];
  /** The schema of query documents says the same. */
  readonly isInSchema?: boolean;
  /** Put behind what is chosen. */
  readonly behind?: string;
}

export interface Draft {
  readonly form: QueryForm;
  readonly anchor: Span;
  /** From its first character to its last. */
  readonly span: Span;
  /** Undefined where none can be made out, which a finding says. */
  readonly target: DraftTarget | undefined;
  readonly options: Options;
  readonly allNamespaces: boolean;
  /** What a namespace that is not stated means. */
  readonly withoutNamespace: 'all' | 'current';
  /** Undefined leaves it to the option `limit`, as the API server reads it. */
  readonly limit: bigint | undefined;
  readonly paging: QueryRequest['paging'];
  readonly readMode: QueryRequest['readMode'];
  readonly skipUnreadable: boolean;
  /** That a named object is not there is no failure. */
  readonly mayBeMissing?: boolean;
  readonly findings: readonly Finding[];
  readonly marks: readonly Mark[];
  placeAt(offset: number): Place | undefined;
}

/** Where a request ends, and what it is. */
export interface DraftRead {
  readonly draft: Draft;
  /** Nothing of the request stands at or behind it. */
  readonly end: number;
}
