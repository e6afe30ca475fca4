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
  /** Nobody waits any more for the answers to this question and those before it. */
  stop(id: number): void;
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
export type Unanswered = 'tooLong' | 'ended' | 'fault' | 'closed' | 'outdated';

export type Answer<Q extends Question> =
  | { readonly answered: true; readonly value: Questions[Q]['answer'] }
  | { readonly answered: false; readonly why: Unanswered };

interface Pending {
  readonly document: HeldDocument;
  /** That of the document when it was asked about. */
  readonly version: number;
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

/** Longest time in milliseconds that one question may take, from when those before it are answered. */
export const PATIENCE_MS = 10_000;

/** How long the thread has to heed that its work is not wanted any more, before it is ended. */
export const GRACE_MS = 500;

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
  /** While a report of the thread is waited for: takes back what happens without one. */
  private waiting: (() => void) | undefined;
  /** The thread was told to stop, and has not reported since. */
  private isStopping = false;

  constructor(private readonly parts: AnalystParts) {}

  /** Never rejects. */
  ask<Q extends Question>(
    document: HeldDocument,
    question: Q,
    about: Questions[Q]['about'],
  ): Promise<Answer<Q>> {
    this.changed(document);
    return new Promise((resolve) => {
      const settle = (answer: Answer<Q>): void => {
        resolve(answer);
      };
      this.put({ document, version: document.version, question, about, settle });
    });
  }

  /** What was asked about an older version is not wanted any more: work on it ends at once. */
  changed({ uri, version }: HeldDocument): void {
    this.drop('outdated', (asked) => asked.document.uri === uri && asked.version !== version);
  }

  forget(uri: string): void {
    this.drop('closed', ({ document }) => document.uri === uri);
    this.refused.delete(uri);
    if (this.sent.delete(uri)) this.thread?.send({ kind: 'forget', uri });
  }

  dispose(): void {
    for (const lost of this.end()) lost.settle({ answered: false, why: 'closed' });
  }

  private put(pending: Pending): void {
    const { document, question, about } = pending;
    const { uri, version } = document;
    const refused = this.refused.get(uri);
    if (refused?.version === version) {
      pending.settle({ answered: false, why: refused.why });
      return;
    }
    const thread = this.need();
    this.hand(thread, document);
    const id = this.nextId++;
    this.pending.set(id, { ...pending, version });
    if (this.waiting === undefined) this.waitForReport();
    thread.send({ kind: 'ask', id, uri, question, about });
  }

  private drop(why: Unanswered, isUnwanted: (asked: Pending) => boolean): void {
    const [oldest] = this.pending.keys();
    for (const [id, asked] of [...this.pending]) {
      if (!isUnwanted(asked)) continue;
      this.pending.delete(id);
      asked.settle({ answered: false, why });
      if (id === oldest) this.stopWork();
    }
    this.stopUnwanted();
  }

  /** What the thread is at is not wanted any more. */
  private stopWork(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.wait(GRACE_MS, () => {
      this.replaceThread();
    });
  }

  /** Nobody waits for what was asked before the oldest question that is left. */
  private stopUnwanted(): void {
    const [oldest = this.nextId] = this.pending.keys();
    this.thread?.stop(oldest - 1);
  }

  private replaceThread(): void {
    for (const each of this.end()) this.put(each);
  }

  private waitForReport(): void {
    this.wait(PATIENCE_MS, () => {
      this.giveUp('tooLong');
    });
  }

  private wait(ms: number, action: () => void): void {
    this.waiting?.();
    this.waiting = this.parts.after(ms, action);
  }

  private reported(): void {
    this.waiting?.();
    this.waiting = undefined;
    this.isStopping = false;
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
        if (this.isStopping) this.replaceThread();
        else this.giveUp('ended');
      },
    });
    return this.thread;
  }

  private received(message: FromThread): void {
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    this.reported();
    this.stopUnwanted();
    if (this.pending.size > 0) this.waitForReport();
    if (pending === undefined || 'stopped' in message) return;
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
    this.refused.set(blamed.document.uri, { version: blamed.version, why });
    blamed.settle({ answered: false, why });
    for (const other of others) this.put(other);
  }

  /** What was asked and not answered, oldest first. */
  private end(): Pending[] {
    const { thread } = this;
    this.reported();
    this.thread = undefined;
    this.sent.clear();
    const lost = [...this.pending.values()];
    this.pending.clear();
    thread?.end();
    return lost;
  }
}
