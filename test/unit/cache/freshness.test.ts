import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Freshness } from '../../../server/cache/freshness';
import { ProgressRequester } from '../../../server/cache/progressRequester';
import { unreadyError } from '../../../server/cache/serving';
import { StoreError } from '../../../server/store/errors';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = { monotonic: () => performance.now() };

function setUp() {
  let requests = 0;
  const waits: number[] = [];
  const requester = new ProgressRequester(clock, () => {
    requests++;
  });
  const freshness = new Freshness(requester, clock.monotonic, (seconds) => waits.push(seconds));
  return { freshness, waits, requests: () => requests };
}

/** What a wait came to, once it has. */
function outcomeOf(wait: Promise<void>) {
  const outcome: { is: 'waiting' | 'fresh' | StoreError } = { is: 'waiting' };
  wait.then(
    () => {
      outcome.is = 'fresh';
    },
    (error: unknown) => {
      if (error instanceof StoreError) outcome.is = error;
    },
  );
  return outcome;
}

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('waiting for a revision', () => {
  it('is over at once where it was seen, and counts as no wait', async () => {
    const { freshness, waits, requests } = setUp();
    freshness.reach(7n);
    await freshness.wait(0n, true, undefined);
    await freshness.wait(7n, true, undefined);
    expect([waits, requests()]).toEqual([[], 0]);
  });

  it('asks for progress at once and every 100 ms, until the revision is there', async () => {
    const { freshness, waits, requests } = setUp();
    const outcome = outcomeOf(freshness.wait(8n, true, undefined));
    await settle();
    expect(requests()).toBe(1);
    await settle(99);
    expect(requests()).toBe(1);
    await settle(1);
    expect(requests()).toBe(2);
    freshness.reach(7n);
    await settle(100);
    expect([outcome.is, requests()]).toEqual(['waiting', 3]);
    freshness.reach(9n);
    await settle(1000);
    expect([outcome.is, requests()]).toEqual(['fresh', 3]);
    expect(waits).toEqual([0.2]);
  });

  it('asks no more often for two than for one, nor sooner for one who comes later', async () => {
    const { freshness, requests } = setUp();
    const first = freshness.wait(8n, true, undefined);
    const second = freshness.wait(9n, true, undefined);
    await settle();
    freshness.reach(9n);
    await settle();
    await Promise.all([first, second]);
    await settle(50);
    const late = freshness.wait(10n, true, undefined);
    await settle(49);
    expect(requests()).toBe(1);
    await settle(1);
    expect(requests()).toBe(2);
    freshness.reach(10n);
    await settle();
    await late;
  });

  it('asks nothing where etcd’s progress is not sound', async () => {
    const { freshness, requests } = setUp();
    const outcome = outcomeOf(freshness.wait(8n, false, undefined));
    await settle(2999);
    expect([outcome.is, requests()]).toEqual(['waiting', 0]);
    freshness.reach(8n);
    await settle();
    expect(outcome.is).toBe('fresh');
  });

  it('fails after three seconds as upstream does', async () => {
    const { freshness, waits, requests } = setUp();
    freshness.reach(5n);
    const outcome = outcomeOf(freshness.wait(8n, true, undefined));
    await settle(2999);
    expect(outcome.is).toBe('waiting');
    freshness.reach(6n);
    await settle(1);
    expect(outcome.is).toMatchObject({
      code: 'tooLargeResourceVersion',
      message: 'Timeout: Too large resource version: 8, current: 6',
      status: 504,
      reason: 'Timeout',
      retryAfterSeconds: 1,
      causes: [{ type: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    });
    expect(waits).toEqual([3]);
    const asked = requests();
    await settle(1000);
    expect(requests()).toBe(asked);
  });

  it('is over only once all that is at hand was taken', async () => {
    const { freshness } = setUp();
    const taken: string[] = [];
    const waiting = freshness.wait(8n, false, undefined).then(() => taken.push('list'));
    for (const part of ['first', 'second']) {
      freshness.reach(8n);
      taken.push(part);
      await Promise.resolve();
    }
    await settle();
    await waiting;
    expect(taken).toEqual(['first', 'second', 'list']);
  });

  it('ends at once when it is stopped, also before it began', async () => {
    const { freshness } = setUp();
    const stop = new AbortController();
    const outcome = outcomeOf(freshness.wait(8n, true, stop.signal));
    await settle(10);
    stop.abort();
    await settle();
    expect(outcome.is).toMatchObject({ code: 'cancelled' });
    const timeUp = AbortSignal.abort(new DOMException('time', 'TimeoutError'));
    await expect(freshness.wait(8n, true, timeUp)).rejects.toMatchObject({ code: 'timeout' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails for all who wait when the cache ends', async () => {
    const { freshness } = setUp();
    const outcomes = [8n, 9n].map((revision) =>
      outcomeOf(freshness.wait(revision, true, undefined)),
    );
    freshness.fail(unreadyError(0, 'apiserver cacher is stopped'));
    await settle();
    for (const { is } of outcomes) expect(is).toMatchObject({ code: 'tooManyRequests' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
