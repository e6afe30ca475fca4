/**
 * What the language server and the thread that looks at documents tell each other. Looking at a
 * document can take long, or more memory than there is, so it is done where it can be ended.
 */
import type { Span } from '../kube/selectors';
import type { Edit, Fix } from '../language/findings';
import type { Analysis, CompletionSpot, SelectorSite } from '../language/model';
import type { Mark, Query, QuerySymbol } from '../language/query/model';
import type { KnownCustomResource } from '../language/query/options';

export interface DocumentText {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** What may be asked of a document, with the answers. */
export interface Questions {
  analysis: { about: null; answer: Analysis };
  spotAt: { about: number; answer: CompletionSpot | undefined };
  siteAt: { about: number; answer: SelectorSite | undefined };
  actionsAt: { about: number; answer: readonly Fix[] };
  /** These of a document of queries; of any other there are none. */
  queries: { about: null; answer: readonly Query[] };
  symbols: { about: null; answer: readonly QuerySymbol[] };
  folds: { about: null; answer: readonly Span[] };
  marks: { about: null; answer: readonly Mark[] };
  format: { about: null; answer: readonly Edit[] };
}

export type Question = keyof Questions;

/** To the thread. A text is sent once for each version that is asked about. */
export type ToThread =
  | { readonly kind: 'text'; readonly document: DocumentText }
  | { readonly kind: 'forget'; readonly uri: string }
  /** All that are known from now on. */
  | { readonly kind: 'resources'; readonly customResources: readonly KnownCustomResource[] }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly uri: string;
      readonly question: Question;
      readonly about: unknown;
    };

export type FromThread =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string }
  /** It was not wanted any more. */
  | { readonly id: number; readonly stopped: true };

/** What the thread is started with. */
export interface ThreadData {
  /**
   * Its one number is that of the last question that nobody waits for any more, nor for those before
   * it. Shared, since the thread looks into no message while it works.
   */
  readonly stopped: Int32Array<SharedArrayBuffer>;
}
