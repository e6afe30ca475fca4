/** The thread that looks at documents, as the features see it: asked, waited for, ended when it takes too long. */
import type { FromThread, Question, Questions, ToThread } from '../../analyst/messages';

/** What is used of `vscode-languageserver-textdocument`. */
export interface HeldDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  getText(): string;
}

/** What is used of a worker thread. */
export interface AnalystThread {
  send(message: ToThread): void;
  /** Ends it at once, whatever it does. */
  end(): void;
}

export interface ThreadHooks {
  readonly received: (message: FromThread) => void;
  /** It ended by itself, as it does when its memory is used up. */
  readonly ended: () => void;
}

export type StartThread = (hooks: ThreadHooks) => AnalystThread;

/** Why there is no answer. */
export type Unanswered = 'tooLong' | 'ended' | 'fault' | 'closed';

export type Answer<Q extends Question> =
  | { readonly answered: true; readonly value: Questions[Q]['answer'] }
  | { readonly answered: false; readonly why: Unanswered };

interface Pending {
  readonly document: HeldDocument;
  readonly question: Question;
  readonly about: unknown;
  readonly settle: (answer: Answer<Question>) => void;
}

export interface AnalystParts {
  readonly startThread: StartThread;
  /** Calls once after that many milliseconds; the result takes it back. */
  readonly after: (ms: number, action: () => void) => () => void;
  /** Told of faults of ours. */
  readonly fault: (text: string) => void;
}

/** Longest time in milliseconds that one question may take. */
export const PATIENCE_MS = 10_000;

export class Analyst {
  private thread: AnalystThread | undefined;
  private readonly sent = new Map<string, number>();
  private readonly pending = new Map<number, Pending>();
  /** Versions of documents that ended the thread or took too long; not asked about again. */
  private readonly refused = new Map<
    string,
    { readonly version: number; readonly why: Unanswered }
  >();
  private nextId = 1;

  constructor(private readonly parts: AnalystParts) {}

  /** Never rejects. */
  ask<Q extends Question>(
    document: HeldDocument,
    question: Q,
    about: Questions[Q]['about'],
  ): Promise<Answer<Q>> {
    return new Promise((resolve) => {
      this.put({
        document,
        question,
        about,
        settle: (answer) => {
          resolve(answer);
        },
      });
    });
  }

  forget(uri: string): void {
    this.refused.delete(uri);
    if (this.sent.delete(uri)) this.thread?.send({ kind: 'forget', uri });
  }

  dispose(): void {
    for (const lost of this.end()) lost.settle({ answered: false, why: 'closed' });
  }

  private put(pending: Pending): void {
    const { document, question, about } = pending;
    const { uri } = document;
    const refused = this.refused.get(uri);
    if (refused?.version === document.version) {
      pending.settle({ answered: false, why: refused.why });
      return;
    }
    const thread = this.need();
    this.hand(thread, document);
    const id = this.nextId++;
    const stop = this.parts.after(PATIENCE_MS, () => {
      this.giveUp('tooLong');
    });
    const settle = (answer: Answer<Question>): void => {
      stop();
      pending.settle(answer);
    };
    this.pending.set(id, { ...pending, settle });
    thread.send({ kind: 'ask', id, uri, question, about });
  }

  private hand(thread: AnalystThread, document: HeldDocument): void {
    const { uri, languageId, version } = document;
    if (this.sent.get(uri) === version) return;
    this.sent.set(uri, version);
    thread.send({ kind: 'text', document: { uri, languageId, version, text: document.getText() } });
  }

  private need(): AnalystThread {
    this.thread ??= this.parts.startThread({
      received: (message) => {
        this.received(message);
      },
      ended: () => {
        this.giveUp('ended');
      },
    });
    return this.thread;
  }

  private received(message: FromThread): void {
    const pending = this.pending.get(message.id);
    if (pending === undefined) return;
    this.pending.delete(message.id);
    if ('fault' in message) {
      this.parts.fault(message.fault);
      pending.settle({ answered: false, why: 'fault' });
    } else {
      pending.settle({ answered: true, value: message.answer as never });
    }
  }

  /**
   * Ends the thread for the question it was at, the oldest: that version of the document is not
   * looked at again. The other questions go to a new thread.
   */
  private giveUp(why: Unanswered): void {
    const [blamed, ...others] = this.end();
    if (blamed === undefined) return;
    const { uri, version } = blamed.document;
    this.refused.set(uri, { version, why });
    blamed.settle({ answered: false, why });
    for (const other of others) this.put(other);
  }

  /** What was asked and not answered, oldest first. */
  private end(): Pending[] {
    const { thread } = this;
    this.thread = undefined;
    this.sent.clear();
    const lost = [...this.pending.values()];
    this.pending.clear();
    thread?.end();
    return lost;
  }
}
