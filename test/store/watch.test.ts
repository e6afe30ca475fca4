/** A feed over every etcd: what it tells adds up to what is stored, whatever happens on the way. */
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../server/etcd/connect';
import { createFeatureChecker } from '../../server/etcd/features';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { systemClock } from '../../server/common/clock';
import type { RequestRecord } from '../../server/store/interfaces';
import type { FeedEvent, FeedOptions } from '../../server/store/watchInterfaces';
import { startFaultProxy, type FaultProxy } from '../support/faultProxy';
import { follow, type Following } from '../support/followedFeed';
import { FoldedState } from '../support/foldedState';
import { notReadOnly } from '../support/readOnly';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { startSubject, subjectNames, type StoreSubject } from '../support/storeSubjects';
import { takeTold, testFeeds, type TestFeeds } from '../support/testFeed';
import { waitFor } from '../support/waitFor';

const many = 25_000;
const large = 3_000;
const flowControlWindow = 8 * 1024 * 1024;
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe.each(subjectNames())('a feed over %s', (name) => {
  let subject: StoreSubject;
  let recording: RecordingProxy;
  let reader: EtcdReader;
  beforeAll(async () => {
    subject = await startSubject(name);
    recording = await startRecordingProxy(subject.endpoint);
    reader = connect({ endpoints: [recording.endpoint] });
    const entries = Array.from(
      { length: many },
      (_, i) => [`/registry/many/${String(i).padStart(5, '0')}`, text(`value ${i}`)] as const,
    );
    await subject.writer.bulkLoad(entries);
  });
  afterAll(async () => {
    reader.close();
    await recording.close();
    await subject.stop();
    expect(recording.everPaths).toContain('/etcdserverpb.Watch/Watch');
    expect(notReadOnly(recording.everPaths)).toEqual([]);
  });

  /** Feeds over a connection that a test may break. */
  async function breakable(
    prefix: string,
    byteBudget = -1,
  ): Promise<{ feeds: TestFeeds; proxy: FaultProxy }> {
    const proxy = await startFaultProxy(subject.endpoint);
    const own = connect({ endpoints: [proxy.endpoint], byteBudget });
    onTestFinished(async () => {
      own.close();
      await proxy.close();
    });
    return { feeds: testFeeds({ etcd: own, resourcePrefix: prefix }), proxy };
  }

  const feedsOf = (resourcePrefix: string, stream = false): TestFeeds =>
    testFeeds({ etcd: reader, resourcePrefix, stream });

  const differences = ({ state }: Following, prefix: string): Promise<string[]> =>
    state.differences(reader, `/registry${prefix}/`);

  it('syncs by stream and by pages to the same', async () => {
    const revision = await subject.writer.revision();
    const told: ReadonlyMap<string, unknown>[] = [];
    for (const stream of [true, false]) {
      const requests: RequestRecord[] = [];
      const feeds = feedsOf('/many', stream);
      const following = follow(feeds, {
        onRequest: (record, state) => {
          if (state === 'done') requests.push(record);
        },
      });
      await following.until(revision);
      told.push(following.state.objects);
      expect(await differences(following, '/many')).toEqual([]);
      const pages = ['list', 'list', 'list'];
      const operations = requests.map(({ operation }) => operation);
      if (!stream) expect(operations).toEqual(pages);
      else
        expect(operations).toEqual(
          subject.hasRangeStream ? ['listStream'] : ['listStream', ...pages],
        );
      expect(feeds.features.supports('RangeStream')).toBe(!stream || subject.hasRangeStream);
      const paged = requests.filter(({ operation }) => operation === 'list');
      expect(paged.map((page) => page.limit)).toEqual(paged.map(() => 10_000n));
      expect(paged.map((page) => page.revision > 0n)).toEqual(paged.map((_, i) => i > 0));
      await following.stop();
    }
    expect(told[0]!.size).toBe(many);
    expect(told[0]).toEqual(told[1]);
  });

  it('tells changes once and in order while much is written', async () => {
    const key = (i: number): string => `/registry/busy/${i % 37}`;
    for (let i = 0; i < 40; i++) await subject.writer.put(key(i), text(`before ${i}`));
    const writing = (async () => {
      for (let i = 0; i < 600; i++) {
        if (i % 5 === 4) await subject.writer.delete(key(i));
        else await subject.writer.put(key(i), text(`${i}`));
        // The embedded etcd writes within this process, which has to come to other work.
        await setImmediate();
      }
    })();
    const following = follow(feedsOf('/busy', true));
    await writing;
    const last = await subject.writer.put(key(0), text('the last one'));
    await following.until(last);
    expect(await differences(following, '/busy')).toEqual([]);
    expect(following.state.changes.length).toBeGreaterThan(0);
  });

  it('goes on when the connection breaks, again and again', async () => {
    const { feeds, proxy } = await breakable('/cut');
    let resumed = 0;
    const following = follow(feeds, { onResumed: () => resumed++ });
    await following.until(1n);
    let last = 0n;
    for (let i = 0; i < 300; i++) {
      if (i % 50 === 25) proxy.cut();
      last = await subject.writer.put(`/registry/cut/${i % 11}`, text(`${i}`));
    }
    await following.until(last);
    expect(following.state.changes).toHaveLength(300);
    expect(resumed).toBeGreaterThan(0);
    expect(await differences(following, '/cut')).toEqual([]);
  });

  it('goes on within a revision whose events came in parts', async () => {
    const value = new Uint8Array(4_000).fill(0x78);
    const keys = Array.from(
      { length: large },
      (_, i) => `/registry/parts/${String(i).padStart(4, '0')}`,
    );
    const start = await subject.writer.revision();
    await subject.writer.bulkLoad(keys.map((key) => [key, value] as const));
    const loaded = await subject.writer.revision();
    // All comes in one message beyond this budget, so that it is taken in parts then.
    const { feeds, proxy } = await breakable('/parts', 3_500_000);
    const interruptions: string[] = [];
    const options: FeedOptions = {
      afterRevision: start,
      onInterrupted: ({ error }) => interruptions.push(error.message),
    };
    const following = follow(feeds, options, start);
    await waitFor(() => following.state.changes.length === large, { timeoutMs: 60_000 });
    expect(following.state.revision).toBe(loaded);
    expect(interruptions).toHaveLength(1);
    proxy.cutAfter(5_000_000);
    const gone = await subject.writer.deletePrefix('/registry/parts/');
    await waitFor(() => following.state.changes.length === 2 * large, { timeoutMs: 60_000 });
    expect(following.state.revision).toBe(gone);
    expect(interruptions[0]).toContain('larger than max');
    expect(interruptions).toHaveLength(2);
    expect(new Set(following.state.changes).size).toBe(2 * large);
    expect(following.state.objects.size).toBe(0);
  });

  it('holds back etcd, and one message in memory, while its reader is slow', async () => {
    const value = new Uint8Array(1_000_000).fill(0x78);
    const { feeds, proxy } = await breakable('/slow', 3_500_000);
    const start = await subject.writer.put('/registry/slow/0', text('first'));
    const iterator = feeds.open({ afterRevision: start })[Symbol.asyncIterator]();
    const next = async (): Promise<FeedEvent> => {
      const step = await iterator.next();
      if (step.done === true) throw new Error('the feed ended');
      return step.value;
    };
    const first = next();
    await subject.writer.put('/registry/slow/0', value);
    const told = await first;
    // What was written before the watch is there comes in one message, however large.
    for (let i = 1; i < 40; i++) await subject.writer.put(`/registry/slow/${i}`, value);
    const last = await subject.writer.put('/registry/slow/last', text('last'));
    const state = new FoldedState(start);
    state.objects.set('/registry/slow/0', { value: text('first'), modRevision: start });
    state.fold(told);
    // What etcd could send, it has: nothing more comes until the reader goes on.
    let before = -1;
    await waitFor(
      () => {
        const passed = proxy.passed('toClient');
        const isStill = passed === before;
        before = passed;
        return isStill;
      },
      { intervalMs: 300 },
    );
    // A first message of all of it is refused after a window at most; parts of it come then.
    expect(before).toBeLessThan(2 * flowControlWindow + 8_000_000);
    while (state.revision < last) state.fold(await next());
    await iterator.return?.();
    expect(proxy.passed('toClient')).toBeGreaterThan(40_000_000);
    expect(await state.differences(reader, '/registry/slow/')).toEqual([]);
  });

  it('is 410 when etcd has compacted what comes next, now and when it goes on', async () => {
    const { feeds, proxy } = await breakable('/old');
    const known = await subject.writer.put('/registry/old/a', text('1'));
    const following = follow(feeds);
    await following.until(known);
    await proxy.refuse();
    proxy.cut();
    await subject.writer.put('/registry/old/a', text('2'));
    const compacted = await subject.writer.put('/registry/old/a', text('3'));
    await subject.writer.compact(compacted);
    await proxy.heal();
    const expired = {
      code: 'expired',
      status: 410,
      message: 'The resourceVersion for the provided watch is too old.',
    };
    expect(await following.ended).toMatchObject(expired);
    const late = follow(feeds, { afterRevision: known }, known);
    expect(await late.ended).toMatchObject(expired);
  });

  it('goes on where what it has told is compacted', async () => {
    const { feeds, proxy } = await breakable('/kept');
    const following = follow(feeds);
    const told = await subject.writer.put('/registry/kept/a', text('1'));
    await following.until(told);
    await proxy.refuse();
    proxy.cut();
    await subject.writer.compact(told);
    const last = await subject.writer.put('/registry/kept/a', text('2'));
    await proxy.heal();
    await following.until(last);
    expect(await differences(following, '/kept')).toEqual([]);
  });

  it('ends with an event whose previous value is compacted', async () => {
    const before = await subject.writer.put('/registry/gone/a', text('1'));
    const compacted = await subject.writer.put('/registry/gone/a', text('2'));
    await subject.writer.compact(compacted);
    const following = follow(feedsOf('/gone'), { afterRevision: before }, before);
    const where = `key="/registry/gone/a", modRevision=${String(compacted)}, type=PUT`;
    expect(await following.ended).toMatchObject({
      code: 'internal',
      message: `Internal error occurred: etcd event received with PrevKv=nil (${where})`,
    });
  });

  it('refuses a revision that etcd has not reached', async () => {
    const afterRevision = (await subject.writer.revision()) + 1_000n;
    const following = follow(feedsOf('/none'), { afterRevision }, afterRevision);
    expect(await following.ended).toMatchObject({ code: 'tooLargeResourceVersion', status: 504 });
  });

  it('tells how far it has come when asked, where etcd can be believed', async () => {
    const features = createFeatureChecker(systemClock);
    const stop = new AbortController();
    onTestFinished(() => {
      stop.abort();
    });
    await features.checkAll(reader, stop.signal);
    const feeds = testFeeds({ etcd: reader, resourcePrefix: '/asked', features });
    const events: string[] = [];
    const feed = feeds.open({ signal: stop.signal });
    const done = (async () => {
      for await (const { type } of feed) events.push(type);
    })().catch(() => undefined);
    await waitFor(() => events.includes('syncEnd'));
    const elsewhere = await subject.writer.put('/registry/elsewhere/a', text('1'));
    const asking = setInterval(() => {
      feed.requestProgress();
    }, 50);
    onTestFinished(() => {
      clearInterval(asking);
    });
    if (features.supports('RequestWatchProgress')) {
      await waitFor(() => events.includes('progress'));
    } else {
      await waitFor(async () => (await bookmarks(feeds)) > 2);
      await subject.writer.put('/registry/asked/a', text('1'));
      await waitFor(() => events.includes('created'));
      expect(events).toEqual(['syncEnd', 'created']);
    }
    expect(elsewhere).toBeGreaterThan(0n);
    stop.abort();
    await done;
  });

  it('ends its call when it is left or aborted, and holds on to nothing', async () => {
    const stop = new AbortController();
    const start = await subject.writer.put('/registry/left/a', text('1'));
    const options = { afterRevision: start - 1n, signal: stop.signal };
    const cancel = 8;
    recording.clear();
    await takeTold(feedsOf('/left').open(options), 1);
    await waitFor(() => recording.calls.at(-1)?.clientReset === cancel);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);

    recording.clear();
    const waiting = takeTold(feedsOf('/left').open(options), 2).catch((error: unknown) => error);
    await waitFor(() => recording.calls.at(-1)?.replyLengths.length);
    stop.abort();
    expect(await waiting).toMatchObject({ code: 'cancelled' });
    await waitFor(() => recording.calls.at(-1)?.clientReset === cancel);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});

async function bookmarks({ metrics }: TestFeeds): Promise<number> {
  const all = await metrics.registry.getMetricsAsJSON();
  return all.find(({ name }) => name === 'etcd_bookmark_total')?.values[0]?.value ?? 0;
}
