import { describe, expect, it } from 'vitest';
import type { ToThread } from '../../../../server/analyst/messages';
import {
  Analyst,
  GRACE_MS,
  PATIENCE_MS,
  type HeldDocument,
  type ThreadHooks,
} from '../../../../server/features/language/analyst';
import { NOTHING_FOUND } from '../../../../server/language/model';
import { Timers } from './support';

const empty = NOTHING_FOUND;

class ScriptedThread {
  readonly sent: ToThread[] = [];
  stopped = 0;
  ended = false;
  constructor(readonly hooks: ThreadHooks) {}

  get asked(): number[] {
    return this.sent.flatMap((message) => (message.kind === 'ask' ? [message.id] : []));
  }

  get handed(): string[] {
    return this.sent.flatMap((message) =>
      message.kind === 'text' ? [`${message.document.uri} ${message.document.version}`] : [],
    );
  }

  /** Answers the question that it is at. */
  answer(answer: unknown = empty): void {
    this.hooks.received({ id: this.asked.at(-1)!, answer });
  }
}

function setUp() {
  const threads: ScriptedThread[] = [];
  const timers = new Timers();
  const faults: string[] = [];
  const analyst = new Analyst({
    startThread: (hooks) => {
      const thread = new ScriptedThread(hooks);
      threads.push(thread);
      return {
        send: (message) => thread.sent.push(message),
        stop: (id) => {
          thread.stopped = id;
        },
        end: () => {
          thread.ended = true;
        },
      };
    },
    after: timers.after,
    fault: (text) => faults.push(text),
  });
  return { analyst, threads, timers, faults };
}

/** Changes while it is held, as documents of an editor do. */
class Held implements HeldDocument {
  readonly languageId = 'yaml';
  constructor(
    readonly uri: string,
    public version = 1,
  ) {}

  getText(): string {
    return `text ${this.version} of ${this.uri}`;
  }
}

const held = (uri: string, version = 1) => new Held(uri, version);

/** What settled until now. */
async function settled<T>(asked: Promise<T>): Promise<T | 'waiting'> {
  await Promise.resolve();
  return Promise.race([asked, Promise.resolve('waiting' as const)]);
}

describe('the analyst', () => {
  it('starts its thread at the first question, hands a version over once, and passes the answer on', async () => {
    const { analyst, threads, timers } = setUp();
    expect(threads).toHaveLength(0);
    const first = analyst.ask(held('a'), 'analysis', null);
    const second = analyst.ask(held('a'), 'spotAt', 3);
    const [thread] = threads;
    expect(thread!.handed).toEqual(['a 1']);
    thread!.answer();
    thread!.hooks.received({ id: thread!.asked[1]!, answer: undefined });
    expect(await first).toEqual({ answered: true, value: empty });
    expect(await second).toEqual({ answered: true, value: undefined });
    expect(timers.size).toBe(0);
    void analyst.ask(held('a', 2), 'analysis', null);
    expect(threads).toHaveLength(1);
    expect(thread!.handed).toEqual(['a 1', 'a 2']);
  });

  it('asks one question at a time, in order', () => {
    const { analyst, threads } = setUp();
    for (const uri of ['a', 'b', 'c']) void analyst.ask(held(uri), 'analysis', null);
    expect(threads[0]!.handed).toEqual(['a 1']);
    threads[0]!.answer();
    expect(threads[0]!.handed).toEqual(['a 1', 'b 1']);
  });

  it('ends the thread when an answer takes too long, and asks the others of a new one', async () => {
    const { analyst, threads, timers } = setUp();
    const slow = analyst.ask(held('slow'), 'analysis', null);
    const other = analyst.ask(held('other'), 'analysis', null);
    timers.pass(PATIENCE_MS);
    expect(await slow).toEqual({ answered: false, why: 'tooLong' });
    expect(threads.map(({ ended }) => ended)).toEqual([true, false]);
    expect(threads[1]!.handed).toEqual(['other 1']);
    threads[1]!.answer();
    expect(await other).toEqual({ answered: true, value: empty });
    expect(timers.size).toBe(0);
  });

  it('tells each thread of the custom resources that are known, before its first question', async () => {
    const { analyst, threads, timers } = setUp();
    const known = [
      {
        group: 'example.com',
        plural: 'widgets',
        otherNames: [],
        namespaced: undefined,
        selectablePaths: undefined,
      },
    ];
    expect(analyst.know(known)).toBe(true);
    expect(analyst.know(known)).toBe(false);
    expect(threads).toHaveLength(0);
    const slow = analyst.ask(held('slow'), 'analysis', null);
    const other = analyst.ask(held('other'), 'analysis', null);
    timers.pass(PATIENCE_MS);
    await slow;
    const kinds = threads.map(({ sent }) => sent.map(({ kind }) => kind));
    expect(kinds).toEqual([
      ['resources', 'text', 'ask'],
      ['resources', 'text', 'ask'],
    ]);
    threads[1]!.answer();
    await other;
    expect(analyst.know([])).toBe(true);
    expect(threads[1]!.sent.at(-1)).toEqual({ kind: 'resources', customResources: [] });
  });

  it('has patience with each question from its own turn on', async () => {
    const { analyst, threads, timers } = setUp();
    const big = analyst.ask(held('big'), 'analysis', null);
    const small = analyst.ask(held('small'), 'analysis', null);
    timers.pass(PATIENCE_MS - 100);
    threads[0]!.answer();
    expect((await big).answered).toBe(true);
    timers.pass(PATIENCE_MS - 100);
    expect(await settled(small)).toBe('waiting');
    threads[0]!.answer();
    expect((await small).answered).toBe(true);
    expect(threads).toHaveLength(1);
  });

  it('does not look again at a version that took too long, and does at the next one', async () => {
    const { analyst, threads, timers } = setUp();
    const document = held('slow');
    const slow = analyst.ask(document, 'analysis', null);
    timers.pass(PATIENCE_MS);
    await slow;
    expect(await analyst.ask(document, 'siteAt', 0)).toEqual({ answered: false, why: 'tooLong' });
    expect(threads).toHaveLength(1);
    document.version = 2;
    void analyst.ask(document, 'analysis', null);
    expect(threads[1]!.handed).toEqual(['slow 2']);
  });

  it('blames the version that it looked at, not the one that was mended meanwhile', async () => {
    const { analyst, threads, timers } = setUp();
    const document = held('a');
    const slow = analyst.ask(document, 'analysis', null);
    document.version = 2;
    timers.pass(PATIENCE_MS);
    await slow;
    const mended = analyst.ask(document, 'analysis', null);
    expect(threads[1]!.handed).toEqual(['a 2']);
    threads[1]!.answer();
    expect((await mended).answered).toBe(true);
  });

  it('never sends what is outdated or cancelled before its turn', async () => {
    const { analyst, threads } = setUp();
    const document = held('a');
    void analyst.ask(held('b'), 'analysis', null);
    const outdated = [
      analyst.ask(document, 'analysis', null),
      analyst.ask(document, 'folds', null),
    ];
    document.version = 2;
    const stop = new AbortController();
    const cancelled = analyst.ask(document, 'marks', null, stop.signal);
    const wanted = analyst.ask(document, 'analysis', null);
    // What waits holds no text for each letter.
    expect(await Promise.all(outdated)).toEqual([
      { answered: false, why: 'outdated' },
      { answered: false, why: 'outdated' },
    ]);
    stop.abort();
    threads[0]!.answer();
    expect(await cancelled).toEqual({ answered: false, why: 'cancelled' });
    expect(threads[0]!.handed).toEqual(['b 1', 'a 2']);
    expect(threads[0]!.asked).toHaveLength(2);
    threads[0]!.answer();
    expect((await wanted).answered).toBe(true);
  });

  it('stops work on a text that has changed, and on no other', async () => {
    const { analyst, threads, timers } = setUp();
    const document = held('a');
    const old = analyst.ask(document, 'analysis', null);
    const other = analyst.ask(held('b'), 'analysis', null);
    const later = analyst.ask(document, 'siteAt', 1);
    const [thread] = threads;
    analyst.changed(held('b'));
    expect(thread!.stopped).toBe(0);
    document.version = 2;
    analyst.changed(document);
    expect(await old).toEqual({ answered: false, why: 'outdated' });
    expect(await later).toEqual({ answered: false, why: 'outdated' });
    const [one] = thread!.asked;
    expect(thread!.stopped).toBe(one);
    thread!.hooks.received({ id: one!, stopped: true });
    // It has its whole time.
    timers.pass(PATIENCE_MS - 1);
    thread!.answer();
    expect((await other).answered).toBe(true);
    expect(thread!.asked).toHaveLength(2);
    expect(thread!.ended).toBe(false);
    expect(timers.size).toBe(0);
  });

  it('ends a thread that does not stop in time, and blames nobody', async () => {
    const { analyst, threads, timers } = setUp();
    const document = held('a');
    void analyst.ask(document, 'analysis', null);
    document.version = 2;
    const next = analyst.ask(document, 'analysis', null);
    timers.pass(GRACE_MS - 1);
    expect(threads).toHaveLength(1);
    timers.pass(1);
    expect(threads.map(({ ended }) => ended)).toEqual([true, false]);
    expect(threads[1]!.handed).toEqual(['a 2']);
    threads[1]!.answer();
    expect((await next).answered).toBe(true);
  });

  it('blames nobody for a thread that ends while it is stopped', async () => {
    const { analyst, threads } = setUp();
    const first = held('a');
    void analyst.ask(first, 'analysis', null);
    analyst.forget('a');
    const again = analyst.ask(held('a'), 'analysis', null);
    threads[0]!.hooks.ended({});
    threads[1]!.answer();
    expect((await again).answered).toBe(true);
  });

  it('blames the question it was at when the thread ends by itself for want of memory', async () => {
    const { analyst, threads, faults } = setUp();
    const huge = analyst.ask(held('huge'), 'analysis', null);
    const other = analyst.ask(held('other'), 'analysis', null);
    threads[0]!.hooks.ended({});
    expect(await huge).toEqual({ answered: false, why: 'ended' });
    expect(faults).toEqual([]);
    threads[1]!.answer();
    expect((await other).answered).toBe(true);
  });

  it('says once why a thread that cannot be started ends, and blames no document for it', async () => {
    const { analyst, threads, faults } = setUp();
    const asked = ['a', 'b', 'c'].map((uri) => analyst.ask(held(uri), 'analysis', null));
    for (const at of [0, 1, 2]) threads[at]!.hooks.ended({ fault: 'no such module' });
    const lost = { answered: false, why: 'fault' };
    expect(await Promise.all(asked)).toEqual([lost, lost, lost]);
    expect(faults).toEqual(['no such module']);
  });

  it('reports a fault of ours and goes on with the same thread', async () => {
    const { analyst, threads, faults } = setUp();
    const asked = analyst.ask(held('a'), 'analysis', null);
    threads[0]!.hooks.received({ id: threads[0]!.asked[0]!, fault: 'Error: it' });
    expect(await asked).toEqual({ answered: false, why: 'fault' });
    expect(faults).toEqual(['Error: it']);
    expect(threads[0]!.ended).toBe(false);
  });

  it('tells the thread of a closed document, and answers nothing of it', async () => {
    const { analyst, threads } = setUp();
    const asked = [analyst.ask(held('a'), 'analysis', null), analyst.ask(held('a'), 'folds', null)];
    const other = analyst.ask(held('b'), 'analysis', null);
    analyst.forget('a');
    expect(threads[0]!.sent.at(-1)).toEqual({ kind: 'forget', uri: 'a' });
    const closed = { answered: false, why: 'closed' };
    expect(await Promise.all(asked)).toEqual([closed, closed]);
    threads[0]!.answer();
    expect(threads[0]!.handed).toEqual(['a 1', 'b 1']);
    threads[0]!.answer();
    expect((await other).answered).toBe(true);
  });

  it('hands a document over anew that is opened again at the same version', async () => {
    const { analyst, threads } = setUp();
    void analyst.ask(held('a'), 'analysis', null);
    analyst.forget('a');
    const again = analyst.ask(held('a'), 'analysis', null);
    threads[0]!.answer('of the text that was closed');
    expect(threads[0]!.handed).toEqual(['a 1', 'a 1']);
    threads[0]!.answer();
    expect(await again).toEqual({ answered: true, value: empty });
  });

  it('holds nothing against a document that was closed before it took too long', async () => {
    const { analyst, threads, timers } = setUp();
    void analyst.ask(held('a'), 'analysis', null);
    analyst.forget('a');
    timers.pass(PATIENCE_MS);
    const again = analyst.ask(held('a'), 'analysis', null);
    threads[1]!.answer();
    expect((await again).answered).toBe(true);
  });

  it('ends its thread and answers nothing once it is disposed', async () => {
    const { analyst, threads, timers } = setUp();
    const asked = [analyst.ask(held('a'), 'analysis', null), analyst.ask(held('b'), 'folds', null)];
    analyst.dispose();
    const closed = { answered: false, why: 'closed' };
    expect(await Promise.all(asked)).toEqual([closed, closed]);
    expect(threads[0]!.ended).toBe(true);
    expect(timers.size).toBe(0);
    expect(await analyst.ask(held('a'), 'analysis', null)).toEqual(closed);
    expect(threads).toHaveLength(1);
  });
});
