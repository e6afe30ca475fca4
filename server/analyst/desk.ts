/** Answers what is asked of documents, one after the other. */
import type { Analysis, LanguageFile } from '../language/model';
import type { DocumentText, FromThread, Question, ToThread } from './messages';

/** Undefined for a document that no language of ours is in. */
export type OpenFile = (document: DocumentText) => LanguageFile | undefined;

const nothing: Analysis = { findings: [], sites: [] };

export class Desk {
  private readonly files = new Map<string, LanguageFile>();
  /** Why a document could not be opened or updated, told to who asks about it. */
  private readonly faults = new Map<string, string>();

  constructor(private readonly open: OpenFile) {}

  /** Undefined where nothing was asked. Never throws. */
  handle(message: ToThread): FromThread | undefined {
    switch (message.kind) {
      case 'text':
        this.take(message.document);
        return undefined;
      case 'forget':
        this.drop(message.uri);
        return undefined;
      case 'ask':
        return this.answer(message);
    }
  }

  private take(document: DocumentText): void {
    const known = this.files.get(document.uri);
    this.drop(document.uri);
    try {
      known?.update(document.text);
      const file = known ?? this.open(document);
      if (file !== undefined) this.files.set(document.uri, file);
    } catch (error) {
      this.faults.set(document.uri, textOf(error));
    }
  }

  private drop(uri: string): void {
    this.files.delete(uri);
    this.faults.delete(uri);
  }

  private answer({ id, uri, question, about }: Extract<ToThread, { kind: 'ask' }>): FromThread {
    const fault = this.faults.get(uri);
    if (fault !== undefined) return { id, fault };
    try {
      return { id, answer: answers[question](this.files.get(uri) ?? noFile, about) };
    } catch (error) {
      return { id, fault: textOf(error) };
    }
  }
}

type Answers = { readonly [Q in Question]: (file: LanguageFile, about: unknown) => unknown };

const offsetOf = (about: unknown): number => (typeof about === 'number' ? about : 0);

const answers: Answers = {
  analysis: (file) => file.analysis(),
  spotAt: (file, about) => file.spotAt(offsetOf(about)),
  siteAt: (file, about) => file.siteAt(offsetOf(about)),
  actionsAt: (file, about) => file.actionsAt(offsetOf(about)),
  queries: ({ queries }) => queries?.queries() ?? [],
  symbols: ({ queries }) => queries?.symbols() ?? [],
  folds: ({ queries }) => queries?.folds() ?? [],
  marks: ({ queries }) => queries?.semanticTokens() ?? [],
  format: ({ queries }) => queries?.format() ?? [],
};

/** Of a document in no language of ours nothing is found. */
const noFile: LanguageFile = {
  update: () => undefined,
  analysis: () => nothing,
  spotAt: () => undefined,
  siteAt: () => undefined,
  actionsAt: () => [],
};

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
