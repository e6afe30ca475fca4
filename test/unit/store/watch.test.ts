import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { utf8Lossy } from '../../../server/common/bytes';
import type { EtcdErrorCode } from '../../../server/etcd/errors';
import type { EtcdReader, RangeReply } from '../../../server/etcd/interfaces';
import type { RetryTiming } from '../../../server/store/watchBackoff';
import type { FeedOptions } from '../../../server/store/watchInterfaces';
import { scriptedError, scriptedEtcd } from '../../support/scriptedEtcd';
import {
  batch,
  created,
  deleted,
  modified,
  progress,
  scriptedWatches,
  type OpenedCall,
  type ScriptedWatch,
} from '../../support/scriptedWatch';
import { takeTold, testFeeds, told, type TestFeeds } from '../../support/testFeed';
import { waitFor } from '../../support/waitFor';

const key = (name: string): string => `/registry/pods/${name}`;

interface Rig {
  readonly feeds: TestFeeds;
  readonly calls: OpenedCall[];
  /** Milliseconds that were waited between tries. */
  readonly waits: number[];
}

/** No time passes, and chance is always in the middle. */
function instantly(waits: number[]): RetryTiming {
  return {
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 0.5,
  };
}

function rig(scripts: readonly ScriptedWatch[], options: RigOptions = {}): Rig {
  const { watch, calls } = scriptedWatches(scripts);
  const waits: number[] = [];
  const { range = revisionIs(100n), sound = true, timing = instantly(waits) } = options;
  const { reader } = scriptedEtcd({ watch, range });
  return { feeds: testFeeds({ etcd: reader, timing, sound }), calls, waits };
}

interface RigOptions {
  readonly range?: EtcdReader['range'];
  readonly sound?: boolean;
  readonly timing?: RetryTiming;
}

/** An empty resource at this revision. */
function revisionIs(revision: bigint): EtcdReader['range'] {
  const reply: RangeReply = {
    kvs: [],
    count: 0n,
    more: false,
    revision,
    bytes: 1,
    endpoint: 's:1',
  };
  return () => Promise.resolve(reply);
}

const broken = scriptedError('unavailable', 'connection reset');
const after = (afterRevision: bigint): FeedOptions => ({ afterRevision });
const starts = (calls: readonly OpenedCall[]): bigint[] =>
  calls.map(({ request }) => request.startRevision);

async function failureOf(feeds: TestFeeds, options: FeedOptions): Promise<unknown> {
  try {
    for await (const event of feeds.open(options)) expect(told(event)).toBeUndefined();
  } catch (error) {
    return error;
  }
  throw new Error('the feed ended without an error');
}

describe('a feed', () => {
  it('watches its prefix from behind the sync, with previous values and notices', async () => {
    const { feeds, calls } = rig([{ steps: [batch([created(key('a'), 101n)])] }]);
    expect(await takeTold(feeds.open(), 2)).toEqual(['syncEnd 100', 'created a@101']);
    expect(calls).toHaveLength(1);
    const { request, cancelled } = calls[0]!;
    expect(utf8Lossy(request.key)).toBe('/registry/pods/');
    expect(utf8Lossy(request.rangeEnd ?? new Uint8Array(0))).toBe('/registry/pods0');
    expect(request).toMatchObject({ startRevision: 101n, prevKv: true, progressNotify: true });
    expect(cancelled).toBe(true);
  });

  it('tells changes in order, and begins behind a known revision without a sync', async () => {
    const events = [
      created(key('a'), 51n),
      modified(key('a'), 52n, 51n),
      deleted(key('a'), 53n, 52n),
    ];
    const { feeds, calls } = rig([{ steps: [batch(events)] }]);
    const lines = ['created a@51', 'modified a@52', 'deleted a@53'];
    expect(await takeTold(feeds.open(after(50n)), 3)).toEqual(lines);
    expect(starts(calls)).toEqual([51n]);
    expect(await feeds.metrics.registry.metrics()).toMatch(
      /apiserver_storage_events_received_total\{group="",resource="pods"\} 3/,
    );
  });

  it('goes on behind the last revision told when the watch breaks', async () => {
    const { feeds, calls } = rig([
      { steps: [batch([created(key('a'), 101n), created(key('b'), 102n)]), broken] },
      { opened: broken },
      { steps: [batch([created(key('c'), 103n)])] },
    ]);
    const lines = await takeTold(feeds.open(after(100n)), 3);
    expect(lines).toEqual(['created a@101', 'created b@102', 'created c@103']);
    expect(starts(calls)).toEqual([101n, 103n, 103n]);
  });

  it('tells nothing twice and nothing too early where a revision was cut in two', async () => {
    const whole = [created(key('a'), 101n), created(key('b'), 101n), created(key('c'), 101n)];
    const { feeds, calls } = rig([
      { steps: [batch(whole.slice(0, 2), true), progress(101n), broken] },
      { steps: [batch(whole.slice(0, 1), true), batch(whole.slice(1)), progress(101n)] },
    ]);
    const lines = await takeTold(feeds.open(after(100n)), 4);
    expect(lines).toEqual(['created a@101', 'created b@101', 'created c@101', 'progress 101']);
    expect(starts(calls)).toEqual([101n, 101n]);
  });

  it('goes on behind a progress notification', async () => {
    const { feeds, calls } = rig([{ steps: [progress(120n), broken] }, {}]);
    const feed = feeds.open(after(100n));
    const iterator = feed[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: 'progress', revision: 120n });
    const next = iterator.next();
    next.catch(() => undefined);
    await waitFor(() => calls.length === 2);
    expect(starts(calls)).toEqual([101n, 121n]);
    await iterator.return?.();
  });

  it('does not tell a notice that is older than what was told', async () => {
    const steps = [batch([created(key('a'), 105n)]), progress(99n, false), progress(106n, false)];
    const { feeds } = rig([{ steps }]);
    expect(await takeTold(feeds.open(after(100n)), 2)).toEqual(['created a@105', 'progress 106']);
  });

  it('does not tell answers to progress requests where they may be ahead of events', async () => {
    const steps = [progress(120n), progress(110n, false), batch([created(key('a'), 111n)])];
    const { feeds } = rig([{ steps }], { sound: false });
    expect(await takeTold(feeds.open(after(100n)), 2)).toEqual(['progress 110', 'created a@111']);
  });

  it('asks for progress once the watch is open, and again when it broke before the answer', async () => {
    const { feeds, calls } = rig([
      { steps: [batch([created(key('a'), 101n)]), broken] },
      { steps: [progress(101n), broken] },
      { steps: [batch([created(key('b'), 102n)])] },
    ]);
    const feed = feeds.open(after(100n));
    feed.requestProgress();
    expect(await takeTold(feed, 3)).toEqual(['created a@101', 'progress 101', 'created b@102']);
    expect(calls.map(({ progressRequests }) => progressRequests)).toEqual([1, 1, 0]);
  });

  it('can be iterated once', async () => {
    const { feeds } = rig([{}]);
    const feed = feeds.open();
    await takeTold(feed, 1);
    expect(() => feed[Symbol.asyncIterator]()).toThrow('iterated once');
  });
});

describe('a feed whose watch breaks', () => {
  const passing: [EtcdErrorCode, string, number?][] = [
    ['unavailable', 'etcdserver: no leader', 14],
    ['deadline', 'no answer within 60000 ms', 4],
    ['other', 'etcdserver: watch canceled', 1],
    ['other', 'etcdserver: too many requests', 8],
    ['other', 'Received RST_STREAM with code 2', 13],
    ['other', 'the watcher was too slow', 9],
  ];
  it.each(passing)('goes on after %s: %s', async (code, message, grpcCode) => {
    const error = scriptedError(code, message, grpcCode);
    const { feeds, calls } = rig([{ steps: [error] }, { steps: [progress(101n)] }]);
    expect(await takeTold(feeds.open(after(100n)), 1)).toEqual(['progress 101']);
    expect(calls).toHaveLength(2);
  });

  const lasting: [EtcdErrorCode, string, number?][] = [
    ['permissionDenied', 'etcdserver: permission denied', 7],
    ['tls', 'self-signed certificate', 14],
    ['authentication', 'etcdserver: authentication failed, invalid user ID or password', 3],
    ['invalidAuthToken', 'etcdserver: invalid auth token', 16],
    ['userEmpty', 'etcdserver: user name is empty', 3],
    ['unimplemented', 'unknown service etcdserverpb.Watch', 12],
    ['notEtcd', 'the reply is text/html, not gRPC', 12],
    ['malformedReply', 'bad message'],
    ['other', 'mvcc: watcher range is empty', 9],
  ];
  it.each(lasting)('ends at once after %s: %s', async (code, message, grpcCode) => {
    const cause = scriptedError(code, message, grpcCode);
    const { feeds, calls, waits } = rig([{ opened: cause }]);
    expect(await failureOf(feeds, after(100n))).toMatchObject({ code: 'etcd', message, cause });
    expect([calls.length, waits.length]).toEqual([1, 0]);
  });

  it('is 410 when what comes next is compacted, at the start and when it goes on', async () => {
    const expired = {
      code: 'expired',
      status: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided watch is too old.',
    };
    const compacted = scriptedError('compacted');
    const [first, later] = [{ opened: compacted }, { steps: [compacted] }];
    expect(await failureOf(rig([first]).feeds, after(100n))).toMatchObject(expired);
    const resumed = rig([{ steps: [broken] }, later]);
    expect(await failureOf(resumed.feeds, after(100n))).toMatchObject(expired);
    expect(resumed.calls).toHaveLength(2);
  });

  it('takes messages in parts once one was too large, and ends when that is no help', async () => {
    const tooLarge = scriptedError(
      'replyTooLarge',
      'Received message larger than max (9 vs. 8)',
      8,
    );
    const { feeds, calls } = rig([
      { steps: [batch([created(key('a'), 101n)]), tooLarge] },
      { steps: [batch([created(key('b'), 102n)], true), tooLarge] },
    ]);
    const lines: string[] = [];
    const run = async (): Promise<void> => {
      for await (const event of feeds.open(after(100n))) lines.push(told(event));
    };
    await expect(run()).rejects.toMatchObject({ code: 'overBudget' });
    expect(lines).toEqual(['created a@101', 'created b@102']);
    expect(calls.map(({ request }) => request.fragment)).toEqual([false, true]);
  });

  it('ends with the event that has no previous value', async () => {
    const { kv, type } = modified(key('a'), 101n, 90n);
    const { feeds, waits } = rig([{ steps: [batch([{ type, kv }])] }]);
    expect(await failureOf(feeds, after(100n))).toMatchObject({ code: 'internal', status: 500 });
    expect(waits).toEqual([]);
  });

  it('waits twice as long after each try in vain, up to five seconds, and begins again after a success', async () => {
    const vain: ScriptedWatch[] = Array.from({ length: 8 }, () => ({ opened: broken }));
    const { feeds, waits } = rig([
      ...vain,
      { steps: [progress(101n), broken] },
      { steps: [progress(102n)] },
    ]);
    const told: string[] = [];
    const feed = feeds.open({
      ...after(100n),
      onInterrupted: ({ error, retryInMs }) => told.push(`${error.message} ${retryInMs}`),
      onResumed: () => told.push('resumed'),
    });
    expect(await takeTold(feed, 2)).toEqual(['progress 101', 'progress 102']);
    expect(waits).toEqual([75, 150, 300, 600, 1200, 2400, 3750, 3750, 75]);
    expect(told.slice(-3)).toEqual(['resumed', 'connection reset 75', 'resumed']);
    expect(told).toHaveLength(11);
  });

  it('does not count an acknowledgement alone as a success', async () => {
    const { feeds, waits } = rig([
      { steps: [broken] },
      { steps: [broken] },
      { steps: [broken] },
      { steps: [progress(101n)] },
    ]);
    await takeTold(feeds.open(after(100n)), 1);
    expect(waits).toEqual([75, 150, 300]);
  });
});

describe('a feed over an etcd of another history', () => {
  it('goes on where only the member it came to lags behind', async () => {
    const lagging = { opened: { revision: 90n }, steps: [batch([created(key('a'), 101n)])] };
    const { feeds } = rig([lagging], { range: revisionIs(100n) });
    expect(await takeTold(feeds.open(after(100n)), 1)).toEqual(['created a@101']);
  });

  it('says that the revision went back', async () => {
    let current = 100n;
    const { feeds, calls } = rig(
      [{ steps: [batch([created(key('a'), 105n)]), broken] }, { opened: { revision: 40n } }],
      { range: (...asked) => revisionIs(current)(...asked) },
    );
    const lines: string[] = [];
    const run = async (): Promise<void> => {
      for await (const event of feeds.open()) {
        lines.push(told(event));
        current = 41n;
      }
    };
    await expect(run()).rejects.toMatchObject({
      code: 'otherHistory',
      message: expect.stringContaining("etcd's revision went back from 105 to 41") as string,
    });
    expect(lines).toEqual(['syncEnd 100', 'created a@105']);
    expect(calls.every(({ cancelled }) => cancelled)).toBe(true);
  });

  it('says that another cluster answers', async () => {
    const { feeds } = rig([{ steps: [broken] }, { opened: { clusterId: 2n } }]);
    expect(await failureOf(feeds, after(100n))).toMatchObject({
      code: 'otherHistory',
      message: expect.stringContaining('another etcd cluster answers at script:1') as string,
    });
  });

  it('refuses a revision that etcd has not reached, when the caller named it', async () => {
    const early = rig([{ opened: { revision: 40n } }], { range: revisionIs(40n) });
    expect(await failureOf(early.feeds, after(100n))).toMatchObject({
      code: 'tooLargeResourceVersion',
      message: 'Timeout: Too large resource version: 100, current: 40',
    });
  });

  it('asks again when the question for the revision fails', async () => {
    let asked = 0;
    const range: EtcdReader['range'] = (request, options) => {
      expect(options?.serializable).toBe(false);
      expect(utf8Lossy(request.key)).toBe('/registry/pods');
      return asked++ === 0 ? Promise.reject(broken) : revisionIs(100n)(request);
    };
    const lagging = { opened: { revision: 90n }, steps: [progress(101n)] };
    const { feeds, calls } = rig([lagging], { range });
    expect(await takeTold(feeds.open(after(100n)), 1)).toEqual(['progress 101']);
    expect(calls.map(({ cancelled }) => cancelled)).toEqual([true, true]);
  });
});

describe('a feed that is ended', () => {
  it("fails as cancelled with the caller's abort, while it waits for events or for the next try", async () => {
    const forEver: RetryTiming = {
      wait: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
      random: () => 0,
    };
    for (const script of [{}, { opened: broken }]) {
      const { feeds, calls } = rig([script], { timing: forEver });
      const stop = new AbortController();
      const failed = failureOf(feeds, { ...after(100n), signal: stop.signal });
      await waitFor(() => calls.length === 1);
      stop.abort();
      expect(await failed).toMatchObject({ code: 'cancelled' });
      expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
      await waitFor(() => calls[0]!.cancelled || script.opened !== undefined);
    }
  });

  it('ends its call when the loop is left, and when the next event is no longer wanted', async () => {
    const stop = new AbortController();
    const { feeds, calls } = rig([{ steps: [progress(101n)] }]);
    await takeTold(feeds.open({ ...after(100n), signal: stop.signal }), 1);
    expect(calls[0]!.cancelled).toBe(true);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);

    const iterator = feeds.open(after(101n))[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const pending = iterator.next().catch((error: unknown) => error);
    await iterator.return?.();
    expect(await pending).toMatchObject({ code: 'cancelled' });
    expect(calls[1]!.cancelled).toBe(true);
  });

  it('begins nothing when it is aborted before', async () => {
    const { feeds } = rig([{}]);
    const signal = AbortSignal.abort();
    expect(await failureOf(feeds, { signal })).toMatchObject({ code: 'cancelled' });
  });
});
