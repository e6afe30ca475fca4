/**
 * What the language server and the thread that looks at documents tell each other. Looking at a
 * document can take long, or more memory than there is, so it is done where it can be ended.
 */
import type { Analysis, CompletionSpot, SelectorSite } from '../language/model';

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
}

export type Question = keyof Questions;

/** To the thread. A text is sent once for each version that is asked about. */
export type ToThread =
  | { readonly kind: 'text'; readonly document: DocumentText }
  | { readonly kind: 'forget'; readonly uri: string }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly uri: string;
      readonly question: Question;
      readonly about: unknown;
    };

export type FromThread =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string };
