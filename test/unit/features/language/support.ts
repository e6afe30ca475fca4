/** A clock that tests move, and documents as an editor holds them. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { Diagnostics } from '../../../../server/features/language/diagnostics';
import type { Severities } from '../../../../server/features/language/found';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { Analyses } from '../../../../server/features/language/analyses';
import { Analyst } from '../../../../server/features/language/analyst';
import { Desk } from '../../../../server/analyst/desk';
import type { ToThread } from '../../../../server/analyst/messages';
import { openDocument } from '../../../../server/language/open';
import type { LabelIndex } from '../../../../server/language/index/labelIndex';
import type { StoredLabels } from '../../../../server/language/index/storedLabels';

export class Timers {
  private readonly timers = new Set<{ readonly at: number; readonly action: () => void }>();
  private time = 0;

  readonly now = (): number => this.time;

  readonly after = (ms: number, action: () => void): (() => void) => {
    const timer = { at: this.time + ms, action };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  };

  get size(): number {
    return this.timers.size;
  }

  /** Calls what is due by then, the earliest first. */
  pass(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const [next] = [...this.timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.timers.delete(next);
      this.time = next.at;
      next.action();
    }
    this.time = Math.max(this.time, until);
  }
}

interface DiagnosticsOf {
  readonly timers?: Timers;
  readonly severities?: () => Severities;
}

/** Diagnostics by a clock that tests move, of nothing stored; what they publish is kept. */
export function diagnosticsOf(
  analyses: Analyses,
  { timers = new Timers(), severities = () => ({}) }: DiagnosticsOf = {},
) {
  const published: PublishDiagnosticsParams[] = [];
  const diagnostics = new Diagnostics({
    analyses,
    stored: nothingStored,
    counts: new SiteCounts(),
    severities,
    publish: (params) => published.push(params),
    after: timers.after,
    now: timers.now,
  });
  return { diagnostics, timers, published };
}

export const documentOf = (text: string, uri = 'file:///a/b.yaml', languageId = 'yaml') =>
  TextDocument.create(uri, languageId, 1, text);

/** Replaces all of it, as a person who types does. */
export function change(document: TextDocument, text: string): void {
  TextDocument.update(document, [{ text }], document.version + 1);
}

/** The desk itself in the place of a thread; what it answers waits until it is let go. */
export function analystOfDesk(timers = new Timers()) {
  const desk = new Desk(openDocument);
  const held: (() => void)[] = [];
  let isHolding = false;
  const analyst = new Analyst({
    startThread: ({ received }) => ({
      send: (message: ToThread) => {
        const answer = desk.handle(message);
        if (answer === undefined) return;
        const pass = (): void => {
          // A real thread's answers are copies.
          received(structuredClone(answer));
        };
        if (isHolding) held.push(pass);
        else queueMicrotask(pass);
      },
      stop: () => undefined,
      end: () => undefined,
    }),
    after: timers.after,
    fault: (text) => {
      throw new Error(text);
    },
  });
  return {
    analyst,
    analyses: new Analyses(analyst),
    hold: () => {
      isHolding = true;
    },
    letGo: () => {
      isHolding = false;
      for (const pass of held.splice(0)) pass();
    },
  };
}

/** Nothing is known of what is stored. */
export const nothingStored: StoredLabels = {
  index: () => undefined,
  whenReady: () => Promise.resolve(undefined),
  state: () => ({ state: 'idle' }),
  want: () => undefined,
  forget: () => undefined,
  whenNamespaces: () => Promise.resolve(undefined),
  customResources: [],
  whenCustomResources: () => Promise.resolve([]),
  examined: 0,
  onChanged: () => () => undefined,
};

/** The same index for whatever is asked. */
export const storedIn = (index: LabelIndex | undefined): StoredLabels => ({
  ...nothingStored,
  index: () => index,
  whenReady: () => Promise.resolve(index),
  want: () => index,
});
