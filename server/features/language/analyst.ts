/** The thread that looks at documents, as the features see it: asked, waited for, ended when it takes too long. */
import type {
  DocumentText,
  FromThread,
  Question,
  Questions,
  ToThread,
} from '../../analyst/messages';
import type { KnownCustomResource } from '../../language/query/options';

/** What is used of `vscode-languageserver-textdocument`, whose documents change while they are held. */
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

/** How a thread ended by itself: its memory was used up, or in these words of a fault of ours. */
export type ThreadEnd = { readonly fault?: never } | { readonly fault: string };

export interface ThreadHooks {
  readonly received: (message: FromThread) => void;
  readonly ended: (end: ThreadEnd) => void;
}

export type StartThread = (hooks: ThreadHooks) => AnalystThread;

/** Why there is no answer. `ended` is for want of memory. */
export type Unanswered = 'tooLong' | 'ended' | 'fault' | 'closed' | 'outdated' | 'cancelled';

export type Answer<Q extends Question> =
  | { readonly answered: true; readonly value: Questions[Q]['answer'] }
  | { readonly answered: false; readonly why: Unanswered };

/** A question with the document as it was then. */
interface Pending {
  readonly document: DocumentText;
  /** The document as it is now. */
  readonly held: HeldDocument;
  readonly question: Question;
  readonly about: unknown;
  readonly signal: AbortSignal | undefined;
  readonly settle: (answer: Answer<Question>) => void;
}

/** The question that the thread is at. */
interface Asked {
  readonly id: number;
  readonly pending: Pending;
  /** Its document was changed or closed: it was answered so, and the thread was told to stop. */
  isUnwanted: boolean;
  stopTimer: () => void;
}

export interface AnalystParts {
  readonly startThread: StartThread;
  /** Calls once after that many milliseconds; the result takes it back. */
  readonly after: (ms: number, action: () => void) => () => void;
  /** Told of faults of ours. */
  readonly fault: (text: string) => void;
}

/** Longest time in milliseconds that the thread may take for one question. */
export const PATIENCE_MS = 10_000;

/** How long the thread has to heed that its work is not wanted any more, before it is ended. */
export const GRACE_MS = 500;

/**
 * The thread gets one question at a time, so that its time is that question's alone, and what nobody
 * waits for any more is never sent.
 */
export class Analyst {
  private thread: AnalystThread | undefined;
  private readonly sent = new Map<string, number>();
  private readonly waiting: Pending[] = [];
  private asked: Asked | undefined;
  /** Versions of documents that ended the thread or took too long; not asked about again. */
  private readonly refused = new Map<
    string,
    { readonly version: number; readonly why: Unanswered }
  >();
  private customResources: readonly KnownCustomResource[] = [];
  private nextId = 1;
  private isDisposed = false;
  /** Said last of how a thread ended: one that cannot be started ends at each question. */
  private lastFault = '';

  constructor(private readonly parts: AnalystParts) {}

  /** Never rejects. A question that was not sent yet when the signal aborts is dropped. */
  ask<Q extends Question>(
    document: HeldDocument,
    question: Q,
    about: Questions[Q]['about'],
    signal?: AbortSignal,
  ): Promise<Answer<Q>> {
    const { uri, languageId, version } = document;
    this.changed(document);
    return new Promise((resolve) => {
      this.waiting.push({
        document: { uri, languageId, version, text: document.getText() },
        held: document,
        question,
        about,
        signal,
        settle: (answer) => {
          resolve(answer);
        },
      });
      this.next();
    });
  }

  /** Custom resources that are known from now on; answers whether they are others than before. */
  know(customResources: readonly KnownCustomResource[]): boolean {
    if (customResources === this.customResources) return false;
    this.customResources = customResources;
    this.thread?.send({ kind: 'resources', customResources });
    return true;
  }

  /** What was asked about an older version is not wanted any more: work on it ends at once. */
  changed({ uri, version }: HeldDocument): void {
    this.drop('outdated', ({ document }) => document.uri === uri && document.version !== version);
  }

  /** To be called when a document is closed. */
  forget(uri: string): void {
    this.refused.delete(uri);
    this.drop('closed', ({ document }) => document.uri === uri);
    if (this.sent.delete(uri)) this.thread?.send({ kind: 'forget', uri });
  }

  /** Ends the thread; whatever is asked is not answered any more. */
  dispose(): void {
    this.isDisposed = true;
    this.drop('closed', () => true);
    this.end();
  }

  /** Sends the oldest question that someone waits for, unless the thread is at one. */
  private next(): void {
    while (this.asked === undefined) {
      const pending = this.waiting.shift();
      if (pending === undefined) return;
      const why = this.whyNot(pending);
      if (why === undefined) this.send(pending);
      else pending.settle({ answered: false, why });
    }
  }

  private whyNot({ document, held, signal }: Pending): Unanswered | undefined {
    if (this.isDisposed) return 'closed';
    if (signal?.aborted === true) return 'cancelled';
    if (held.version !== document.version) return 'outdated';
    const refused = this.refused.get(document.uri);
    return refused?.version === document.version ? refused.why : undefined;
  }

  private send(pending: Pending): void {
    const { document, question, about } = pending;
    const { uri, version } = document;
    const thread = this.need();
    if (this.sent.get(uri) !== version) {
      this.sent.set(uri, version);
      thread.send({ kind: 'text', document });
    }
    const id = this.nextId++;
    const stopTimer = this.parts.after(PATIENCE_MS, () => {
      this.giveUp('tooLong');
    });
    this.asked = { id, pending, isUnwanted: false, stopTimer };
    thread.send({ kind: 'ask', id, uri, question, about });
  }

  private need(): AnalystThread {
    this.thread ??= this.start();
    return this.thread;
  }

  private start(): AnalystThread {
    const thread = this.parts.startThread({
      received: (message) => {
        this.received(message);
      },
      ended: ({ fault }) => {
        if (fault !== undefined) this.tell(fault);
        this.giveUp(fault === undefined ? 'ended' : 'fault');
      },
    });
    const { customResources } = this;
    if (customResources.length > 0) thread.send({ kind: 'resources', customResources });
    return thread;
  }

  private received(message: FromThread): void {
    if (this.asked?.id !== message.id) return;
    const { pending, isUnwanted, stopTimer } = this.asked;
    this.asked = undefined;
    stopTimer();
    if (isUnwanted || 'stopped' in message) {
      this.next();
      return;
    }
    if ('fault' in message) {
      this.parts.fault(message.fault);
      pending.settle({ answered: false, why: 'fault' });
    } else {
      pending.settle({ answered: true, value: message.answer as never });
    }
    this.next();
  }

  /**
   * Ends the thread for the question it is at: that version of the document is not looked at again,
   * unless it was not wanted any more. The other questions go to a new thread.
   */
  private giveUp(why: Unanswered): void {
    const { asked } = this;
    this.end();
    if (asked?.isUnwanted === false) {
      const { document, settle } = asked.pending;
      this.refused.set(document.uri, { version: document.version, why });
      settle({ answered: false, why });
    }
    this.next();
  }

  private end(): void {
    const { thread, asked } = this;
    this.thread = undefined;
    this.asked = undefined;
    this.sent.clear();
    asked?.stopTimer();
    thread?.end();
  }

  /** Answers what is not wanted any more, so that it is never sent; what the thread is at is stopped. */
  private drop(why: Unanswered, isUnwanted: (pending: Pending) => boolean): void {
    const { asked } = this;
    if (asked !== undefined && isUnwanted(asked.pending)) this.stop(asked, why);
    for (const pending of this.waiting.splice(0)) {
      if (isUnwanted(pending)) pending.settle({ answered: false, why });
      else this.waiting.push(pending);
    }
  }

  private stop(asked: Asked, why: Unanswered): void {
    if (asked.isUnwanted) return;
    asked.isUnwanted = true;
    asked.pending.settle({ answered: false, why });
    this.thread?.stop(asked.id);
    asked.stopTimer();
    asked.stopTimer = this.parts.after(GRACE_MS, () => {
      this.giveUp(why);
    });
  }

  private tell(fault: string): void {
    if (fault !== this.lastFault) this.parts.fault(fault);
    this.lastFault = fault;
  }
}
