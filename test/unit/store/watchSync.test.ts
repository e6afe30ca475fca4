import { describe, expect, it } from 'vitest';
import { utf8Lossy } from '../../../server/common/bytes';
import type { EtcdReader, RangeReply, RangeRequest } from '../../../server/etcd/interfaces';
import { decodeContinue } from '../../../server/store/continueToken';
import { StoreError } from '../../../server/store/errors';
import type { RequestRecord } from '../../../server/store/interfaces';
import {
  scriptedError,
  scriptedEtcd,
  scriptedValue,
  type Script,
  type ScriptStep,
} from '../../support/scriptedEtcd';
import { scriptedWatches } from '../../support/scriptedWatch';
import { takeTold, testFeeds, told, type TestFeeds } from '../../support/testFeed';

const at = (name: string, modRevision = 1n) => ({
  ...scriptedValue(`/registry/pods/${name}`, new Map()),
  modRevision,
});
const chunk = (names: readonly string[], revision?: bigint): ScriptStep => ({
  kvs: names.map((name) => at(name)),
  count: 0n,
  more: false,
  ...(revision !== undefined && { revision }),
});

/** Serves pages by the steps, an error among them where one is to fail. */
function pages(...steps: (Partial<RangeReply> | Error)[]): {
  range: EtcdReader['range'];
  asked: RangeRequest[];
} {
  const asked: RangeRequest[] = [];
  return {
    asked,
    range: (request) => {
      const step = steps[asked.length];
      asked.push(request);
      if (step instanceof Error || step === undefined) {
        return Promise.reject(step ?? new Error('no more pages'));
      }
      const reply = {
        kvs: [],
        count: 0n,
        more: false,
        revision: 7n,
        bytes: 1,
        endpoint: 'script:1',
      };
      return Promise.resolve({ ...reply, ...step });
    },
  };
}

function feedsOver(script: Script, stream = true): TestFeeds {
  const watch = scriptedWatches([{}]).watch;
  return testFeeds({ etcd: scriptedEtcd({ watch, ...script }).reader, stream });
}

async function untilEnd(feeds: TestFeeds, lines: string[] = []): Promise<string[]> {
  for await (const event of feeds.open()) {
    lines.push(told(event));
    if (event.type === 'syncEnd') break;
  }
  return lines;
}

async function failure(feeds: TestFeeds, lines: string[] = []): Promise<StoreError> {
  const error = await untilEnd(feeds, lines).catch((thrown: unknown) => thrown);
  if (error instanceof StoreError) return error;
  throw new Error(`expected a StoreError, got ${String(error)}`);
}

async function counted({ metrics }: TestFeeds): Promise<string[]> {
  const all = await metrics.registry.getMetricsAsJSON();
  const wanted = ['etcd_requests_total', 'etcd_request_errors_total'];
  return all
    .filter(({ name }) => wanted.includes(name))
    .flatMap(({ name, values }) =>
      values.map(({ labels, value }) => `${name} ${String(labels.operation)} ${value}`),
    );
}

describe('the sync of a watch, streamed', () => {
  it('tells the objects of every message and the revision that the last one names', async () => {
    const feeds = feedsOver({ streams: [[chunk(['a', 'b']), chunk(['c']), chunk([], 9n)]] });
    expect(await untilEnd(feeds)).toEqual(['synced a@1', 'synced b@1', 'synced c@1', 'syncEnd 9']);
    expect(await counted(feeds)).toEqual(['etcd_requests_total listStream 1']);
  });

  it('goes to pages when the first message refuses it, unseen', async () => {
    const { range } = pages({ kvs: [at('a')] });
    const feeds = feedsOver({ streams: [[scriptedError('unimplemented')]], range });
    expect(await untilEnd(feeds)).toEqual(['synced a@1', 'syncEnd 7']);
    expect(feeds.features.supports('RangeStream')).toBe(false);
    expect(await counted(feeds)).toEqual(['etcd_requests_total list 1']);
  });

  it('begins anew with pages when a later message refuses it', async () => {
    const { range } = pages({ kvs: [at('a', 8n), at('c')], revision: 8n });
    const streams = [[chunk(['a']), chunk(['b']), scriptedError('unimplemented')]];
    const feeds = feedsOver({ streams, range });
    const again = ['syncRestart', 'synced a@8', 'synced c@1', 'syncEnd 8'];
    expect(await untilEnd(feeds)).toEqual(['synced a@1', 'synced b@1', ...again]);
    expect(feeds.features.supports('RangeStream')).toBe(false);
    expect(await counted(feeds)).toEqual(['etcd_requests_total list 1']);
  });

  it('is not tried where it was refused, nor with the gate off', async () => {
    for (const gate of [true, false]) {
      const feeds = feedsOver({ range: pages({}).range }, gate);
      feeds.features.markUnsupported('RangeStream');
      expect(await untilEnd(feeds)).toEqual(['syncEnd 7']);
    }
  });

  it('is 410 without a token when it is compacted', async () => {
    const feeds = feedsOver({ streams: [[chunk(['a']), scriptedError('compacted')]] });
    const lines: string[] = [];
    expect(await failure(feeds, lines)).toMatchObject({
      code: 'expired',
      status: 410,
      message: 'The resourceVersion for the provided list is too old.',
      continueToken: undefined,
    });
    expect(lines).toEqual(['synced a@1']);
    expect(await counted(feeds)).toEqual([
      'etcd_requests_total listStream 1',
      'etcd_request_errors_total listStream 1',
    ]);
  });

  it('fails when it names no revision, which counts as no failed request', async () => {
    const feeds = feedsOver({ streams: [[chunk(['a'])]] });
    expect(await failure(feeds)).toMatchObject({
      code: 'inconsistentReply',
      message: 'rangeStream for "/registry/pods/" completed without a revision',
    });
    expect(await counted(feeds)).toEqual(['etcd_requests_total listStream 1']);
  });
});

describe('the sync of a watch, in pages', () => {
  it('reads pages of one size, pinned to the first', async () => {
    const { range, asked } = pages(
      { kvs: [at('a'), at('b')], more: true },
      { kvs: [at('c')], more: true, revision: 99n },
      { kvs: [at('d')], revision: 100n },
    );
    const feeds = feedsOver({ range }, false);
    expect((await untilEnd(feeds)).at(-1)).toBe('syncEnd 7');
    expect(
      asked.map(({ key, rangeEnd, limit, revision }) => [
        utf8Lossy(key),
        utf8Lossy(rangeEnd ?? new Uint8Array(0)),
        limit,
        revision,
      ]),
    ).toEqual([
      ['/registry/pods/', '/registry/pods0', 10_000n, 0n],
      ['/registry/pods/b\0', '/registry/pods0', 10_000n, 7n],
      ['/registry/pods/c\0', '/registry/pods0', 10_000n, 7n],
    ]);
    expect(await counted(feeds)).toEqual(['etcd_requests_total list 3']);
  });

  it('is 410 with a token from the page that is compacted', async () => {
    const { range } = pages({ kvs: [at('a')], more: true }, scriptedError('compacted'));
    const error = await failure(feedsOver({ range }, false));
    expect(error).toMatchObject({ code: 'expiredWithContinue', status: 410 });
    const prefix = new TextEncoder().encode('/registry/pods/');
    const { key, resourceVersion } = decodeContinue(error.continueToken ?? '', prefix);
    expect([utf8Lossy(key), resourceVersion]).toEqual(['/registry/pods/a\0', -1n]);
  });

  it('fails where an empty page claims more, and where the pages run in a circle', async () => {
    expect(await failure(feedsOver({ range: pages({ more: true }).range }, false))).toMatchObject({
      code: 'inconsistentReply',
      message: 'no results were found, but etcd indicated there were more values remaining',
    });
    const circle = pages({ kvs: [at('b')], more: true }, { kvs: [at('a')], more: true });
    expect(await failure(feedsOver({ range: circle.range }, false))).toMatchObject({
      code: 'inconsistentReply',
    });
  });

  it('hands on any other failure, and does not try again', async () => {
    const { range, asked } = pages(scriptedError('unavailable', 'connection refused'));
    const feeds = feedsOver({ range }, false);
    expect(await failure(feeds)).toMatchObject({ code: 'etcd', message: 'connection refused' });
    expect(asked).toHaveLength(1);
  });

  it('tells its requests, and ends with the loop', async () => {
    const records: RequestRecord[] = [];
    const { range, asked } = pages({ kvs: [at('a'), at('b')], more: true });
    const feed = feedsOver({ range }, false).open({
      onRequest: (record, state) => {
        if (state === 'done') records.push(record);
      },
    });
    expect(await takeTold(feed, 1)).toEqual(['synced a@1']);
    expect(records).toMatchObject([{ operation: 'list', keys: 2, matched: 2, limit: 10_000n }]);
    expect(asked).toHaveLength(1);
  });
});
