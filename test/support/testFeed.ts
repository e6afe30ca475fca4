/** Feeds over a given transport, as most tests want them, and what they tell as short lines. */
import { systemClock, type Clock } from '../../server/common/clock';
import { silentLog, type Log } from '../../server/common/log';
import { utf8Lossy } from '../../server/common/bytes';
import { createFeatureChecker, type FeatureChecker } from '../../server/etcd/features';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { createStoreMetrics, type StoreMetrics } from '../../server/metrics/storeMetrics';
import { createFeedSource } from '../../server/store/watch';
import type { RetryTiming } from '../../server/store/watchBackoff';
import type { FeedEvent, FeedSource } from '../../server/store/watchInterfaces';

export interface TestFeedOptions {
  readonly etcd: EtcdReader;
  readonly resourcePrefix?: string;
  /** The gate `EtcdRangeStream`; off when absent. */
  readonly stream?: boolean;
  /** Whether etcd's progress notifications count as sound; as the checker says when absent. */
  readonly sound?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly timing?: RetryTiming;
  readonly features?: FeatureChecker;
}

export interface TestFeeds extends FeedSource {
  readonly metrics: StoreMetrics;
  readonly features: FeatureChecker;
}

export function testFeeds(options: TestFeedOptions): TestFeeds {
  const metrics = createStoreMetrics();
  const clock = options.clock ?? systemClock;
  const features = options.features ?? createFeatureChecker(clock);
  const { sound, timing } = options;
  const source = createFeedSource({
    etcd: options.etcd,
    root: '/registry',
    resourcePrefix: options.resourcePrefix ?? '/pods',
    groupResource: { group: '', resource: 'pods' },
    streamSupport: features,
    progressSupport: sound === undefined ? features : { supports: () => sound },
    metrics,
    clock,
    log: options.log ?? silentLog,
    gates: { etcdRangeStream: options.stream ?? false },
    ...(timing !== undefined && { timing }),
  });
  return { open: (feed) => source.open(feed), metrics, features };
}

const name = (key: Uint8Array): string => utf8Lossy(key).replace('/registry/pods/', '');

/** `created a@5`, `syncEnd 7`. */
export function told(event: FeedEvent): string {
  switch (event.type) {
    case 'synced':
      return `synced ${name(event.key)}@${event.modRevision}`;
    case 'syncRestart':
      return 'syncRestart';
    case 'syncEnd':
    case 'progress':
      return `${event.type} ${event.revision}`;
    case 'created':
    case 'modified':
    case 'deleted':
      return `${event.type} ${name(event.key)}@${event.revision}`;
  }
}

/** The lines of the next events, `count` of them, then leaves. */
export async function takeTold(feed: AsyncIterable<FeedEvent>, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of feed) {
    lines.push(told(event));
    if (lines.length === count) break;
  }
  return lines;
}
