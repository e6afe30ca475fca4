import { describe, expect, it } from 'vitest';
import type { ToThread } from '../../../../server/analyst/messages';
import {
  Analyst,
  GRACE_MS,
  PATIENCE_MS,
  type HeldDocument,
  type ThreadHooks,
} from '../../../../server/features/language/analyst';
import { NOTHING_FOUND, type Analysis } from '../../../../server/language/model';

const empty: Analysis = NOTHING_FOUND;

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
}

function setUp() {
  const threads: ScriptedThread[] = [];
  const timers = new Set<{ ms: number; action: () => void }>();
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
    after: (ms, action) => {
      const timer = { ms, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    fault: (text) => faults.push(text),
  });
  const fire = (): void => {
    const [first] = timers;
    timers.delete(first!);
    first!.action();
  };
  return { analyst, threads, timers, faults, fire };
}

const held = (uri: string, version = 1): HeldDocument => ({
  uri,
  version,
  languageId: 'yaml',
  getText: () => `text of ${uri}`,
});

describe('the analyst', () => {
  it('starts its thread at the first question, hands a version over once, and passes the answer on', async () => {
    const { analyst, threads, timers } = setUp();
    expect(threads).toHaveLength(0);
    const first = analyst.ask(held('a'), 'analysis', null);
    const second = analyst.ask(held('a'), 'spotAt', 3);
    const [thread] = threads;
    expect(thread!.handed).toEqual(['a 1']);
    const [one, two] = thread!.asked;
    thread!.hooks.received({ id: two!, answer: undefined });
    thread!.hooks.received({ id: one!, answer: empty });
    expect(await first).toEqual({ answered: true, value: empty });
    expect(await second).toEqual({ answered: true, value: undefined });
    expect(timers.size).toBe(0);
    void analyst.ask(held('a', 2), 'analysis', null);
    expect(threads).toHaveLength(1);
    expect(thread!.handed).toEqual(['a 1', 'a 2']);
  });

  it('ends the thread when an answer takes too long, and asks the others of a new one', async () => {
    const { analyst, threads, timers, fire } = setUp();
    const slow = analyst.ask(held('slow'), 'analysis', null);
    const other = analyst.ask(held('other'), 'analysis', null);
    expect([...timers].map(({ ms }) => ms)).toEqual([PATIENCE_MS]);
    fire();
    expect(await slow).toEqual({ answered: false, why: 'tooLong' });
    expect(threads.map(({ ended }) => ended)).toEqual([true, false]);
    const [, next] = threads;
    expect(next!.handed).toEqual(['other 1']);
    next!.hooks.received({ id: next!.asked[0]!, answer: empty });
    expect(await other).toEqual({ answered: true, value: empty });
    expect(timers.size).toBe(0);
  });

  it('does not look again at a version that took too long, and does at the next one', async () => {
    const { analyst, threads, fire } = setUp();
    const slow = analyst.ask(held('slow'), 'analysis', null);
    fire();
    await slow;
    expect(await analyst.ask(held('slow'), 'siteAt', 0)).toEqual({
      answered: false,
      why: 'tooLong',
    });
    expect(threads).toHaveLength(1);
    void analyst.ask(held('slow', 2), 'analysis', null);
    expect(threads[1]!.handed).toEqual(['slow 2']);
  });

  it('blames the oldest question when the thread ends by itself', async () => {
    const { analyst, threads } = setUp();
    const huge = analyst.ask(held('huge'), 'analysis', null);
    const other = analyst.ask(held('other'), 'analysis', null);
    threads[0]!.hooks.ended();
    expect(await huge).toEqual({ answered: false, why: 'ended' });
    threads[1]!.hooks.received({ id: threads[1]!.asked[0]!, answer: empty });
    expect((await other).answered).toBe(true);
  });

  it('counts the time of a question from the answer to the one before it', async () => {
    const { analyst, threads, timers, fire } = setUp();
    const first = analyst.ask(held('a'), 'analysis', null);
    const second = analyst.ask(held('b'), 'analysis', null);
    const [before] = timers;
    threads[0]!.hooks.received({ id: threads[0]!.asked[0]!, answer: empty });
    const [behind] = timers;
    expect(timers.size).toBe(1);
    expect(behind).not.toBe(before);
    fire();
    expect((await first).answered).toBe(true);
    expect(await second).toEqual({ answered: false, why: 'tooLong' });
  });

  it('stops work on a text that has changed, and on no other', async () => {
    const { analyst, threads, timers } = setUp();
    const old = analyst.ask(held('a'), 'analysis', null);
    const other = analyst.ask(held('b'), 'analysis', null);
    const later = analyst.ask(held('a'), 'siteAt', 1);
    const [thread] = threads;
    const [one, two] = thread!.asked;
    analyst.changed(held('b'));
    expect(thread!.stopped).toBe(one! - 1);
    analyst.changed(held('a', 2));
    expect(await old).toEqual({ answered: false, why: 'outdated' });
    expect(await later).toEqual({ answered: false, why: 'outdated' });
    expect(thread!.stopped).toBe(one);
    expect([...timers].map(({ ms }) => ms)).toEqual([GRACE_MS]);
    thread!.hooks.received({ id: one!, stopped: true });
    expect([...timers].map(({ ms }) => ms)).toEqual([PATIENCE_MS]);
    thread!.hooks.received({ id: two!, answer: empty });
    expect((await other).answered).toBe(true);
    // What was asked of the old text behind it is skipped as well.
    expect(thread!.stopped).toBe(thread!.asked[2]);
    expect(timers.size).toBe(0);
    expect(thread!.ended).toBe(false);
  });

  it('ends a thread that does not stop in time, and blames nobody', async () => {
    const { analyst, threads, fire } = setUp();
    void analyst.ask(held('a'), 'analysis', null);
    const next = analyst.ask(held('a', 2), 'analysis', null);
    const again = analyst.ask(held('a', 2), 'spotAt', 0);
    expect(threads).toHaveLength(1);
    fire();
    expect(threads.map(({ ended }) => ended)).toEqual([true, false]);
    expect(threads[1]!.handed).toEqual(['a 2']);
    const [one, two] = threads[1]!.asked;
    threads[1]!.hooks.received({ id: one!, answer: empty });
    threads[1]!.hooks.received({ id: two!, answer: undefined });
    expect((await next).answered).toBe(true);
    expect((await again).answered).toBe(true);
  });

  it('blames nobody for a thread that ends while it is stopped', async () => {
    const { analyst, threads } = setUp();
    void analyst.ask(held('a'), 'analysis', null);
    const next = analyst.ask(held('a', 2), 'analysis', null);
    threads[0]!.hooks.ended();
    threads[1]!.hooks.received({ id: threads[1]!.asked[0]!, answer: empty });
    expect((await next).answered).toBe(true);
  });

  it('refuses the version that was asked about, though the document changed meanwhile', async () => {
    const { analyst, threads, fire } = setUp();
    const document = { ...held('a') };
    const slow = analyst.ask(document, 'analysis', null);
    document.version = 2;
    fire();
    expect(await slow).toEqual({ answered: false, why: 'tooLong' });
    void analyst.ask(document, 'analysis', null);
    expect(threads[1]!.handed).toEqual(['a 2']);
  });

  it('reports a fault of ours and goes on with the same thread', async () => {
    const { analyst, threads, faults } = setUp();
    const asked = analyst.ask(held('a'), 'analysis', null);
    threads[0]!.hooks.received({ id: threads[0]!.asked[0]!, fault: 'Error: it' });
    expect(await asked).toEqual({ answered: false, why: 'fault' });
    expect(faults).toEqual(['Error: it']);
    expect(threads[0]!.ended).toBe(false);
  });

  it('tells the thread of a closed document, and answers nothing once it is disposed', async () => {
    const { analyst, threads } = setUp();
    const asked = analyst.ask(held('a'), 'analysis', null);
    analyst.forget('a');
    expect(threads[0]!.sent.at(-1)).toEqual({ kind: 'forget', uri: 'a' });
    analyst.dispose();
    expect(await asked).toEqual({ answered: false, why: 'closed' });
    expect(threads[0]!.ended).toBe(true);
  });
});
