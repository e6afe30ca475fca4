/** Answers what is asked of documents, one after the other. */
import { NOTHING_FOUND, type Checkpoint, type LanguageFile } from '../language/model';
import type { KnownCustomResource } from '../language/query/options';
import type { DocumentText, FromThread, Question, ToThread } from './messages';

/** Undefined for a document that no language of ours is in. */
export type OpenFile = (
  document: DocumentText,
  checkpoint: Checkpoint,
  customResources: () => readonly KnownCustomResource[],
) => LanguageFile | undefined;

/** Nobody waits for the answer any more. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

export class Desk {
  private readonly files = new Map<string, LanguageFile>();
  /** Why a document could not be opened or updated, told to who asks about it. */
  private readonly faults = new Map<string, string>();

  private customResources: readonly KnownCustomResource[] = [];

  /** The question that is being answered. */
  private current: number | undefined;

  /** `isStopped` tells whether nobody waits any more for the answer to that question. */
  constructor(
    private readonly open: OpenFile,
    private readonly isStopped: (id: number) => boolean = () => false,
  ) {}

  /** Undefined where nothing was asked. Never throws. */
  handle(message: ToThread): FromThread | undefined {
    switch (message.kind) {
      case 'text':
        this.take(message.document);
        return undefined;
      case 'forget':
        this.drop(message.uri);
        return undefined;
      case 'resources':
        this.customResources = message.customResources;
        for (const file of this.files.values()) file.readAgain?.();
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
      const file = known ?? this.open(document, this.checkpoint, () => this.customResources);
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
    this.current = id;
    try {
      this.checkpoint();
      return { id, answer: answers[question](this.files.get(uri) ?? noFile, about) };
    } catch (error) {
      if (error instanceof StoppedError) return { id, stopped: true };
      return { id, fault: textOf(error) };
    } finally {
      this.current = undefined;
    }
  }

  private readonly checkpoint: Checkpoint = () => {
    const { current } = this;
    if (current !== undefined && this.isStopped(current)) throw new StoppedError();
  };
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
  analysis: () => NOTHING_FOUND,
  spotAt: () => undefined,
  siteAt: () => undefined,
  actionsAt: () => [],
};

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
