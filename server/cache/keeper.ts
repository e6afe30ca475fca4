/**
 * Keeps the contents of a cache as etcd has them: fills them, follows the changes, and fills them anew
 * when a feed cannot go on without missing something (rule C1). Upstream: `startCaching` in
 * `pkg/storage/cacher/cacher.go` over the reflector of `client-go`.
 */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import { Turns } from '../common/turns';
import type { ItemDecoder } from '../store/interfaces';
import type { Change, Feed, FeedEvent, FeedOptions, FeedSource } from '../store/watchInterfaces';
import { cachedItem } from './cachedItem';
import type { Contents } from './contents';
import { endedFeed, isExpired, isHopeless } from './failures';
import { orderOf } from './keyOrder';
import { pause } from './pause';
import type { Readiness } from './readiness';

export interface KeeperParts<T> {
  readonly feeds: FeedSource;
  readonly decoder: ItemDecoder<T>;
  readonly contents: Contents<T>;
  readonly readiness: Readiness;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when the watch breaks, and when it goes on; the feed resumes it by itself. */
  readonly interruptions: Pick<FeedOptions, 'onInterrupted' | 'onResumed'>;
  /** Told when a fill is whole. */
  readonly onFilled: () => void;
  /** Told at each turn that a fill gives to other work. */
  readonly onFilling: () => void;
}

/** Before a fill that follows another one. Upstream waits a second each time. */
const firstRefillMs = 1_000;
const longestRefillMs = 30_000;

interface FeedEnd {
  readonly error: unknown;
  /** Trying again would end in the same way. */
  readonly isFinal: boolean;
}

export class Keeper<T> {
  private feed: Feed | undefined;
  private everFilled = false;
  /** Whether the contents are those of a whole fill. */
  private isFilled = false;

  constructor(private readonly parts: KeeperParts<T>) {}

  /** Asks etcd how far the watch is, if one is open. */
  requestProgress(): void {
    this.feed?.requestProgress();
  }

  /** Resolves once the signal aborts; rejects with what makes it impossible to go on. */
  async run(signal: AbortSignal): Promise<void> {
    for (let wait = firstRefillMs; ; wait = Math.min(wait * 2, longestRefillMs)) {
      const end = await this.follow(signal);
      if (signal.aborted) return;
      if (end.isFinal || !(this.everFilled || isExpired(end.error))) throw end.error;
      if (this.isFilled) wait = firstRefillMs;
      this.becomeEmpty(end.error);
      if (!(await pause(wait, signal))) return;
    }
  }

  private becomeEmpty(error: unknown): void {
    const { contents, readiness, log } = this.parts;
    this.isFilled = false;
    readiness.pending(isExpired(error) ? undefined : (error as Error));
    contents.drop();
    log.info(`the watch cache is filled anew: ${(error as Error).message}`);
  }

  /** One feed to its end. */
  private async follow(signal: AbortSignal): Promise<FeedEnd> {
    const feed = this.parts.feeds.open({ signal, ...this.parts.interruptions });
    this.feed = feed;
    try {
      return (await this.takeAll(feed, signal)) ?? { error: endedFeed(), isFinal: false };
    } catch (error) {
      return { error, isFinal: isHopeless(error) };
    } finally {
      this.feed = undefined;
    }
  }

  /** Resolves with why the cache cannot take what the feed tells. Gives way to other work. */
  private async takeAll(feed: Feed, signal: AbortSignal): Promise<FeedEnd | undefined> {
    const turns = new Turns(this.parts.clock);
    for await (const event of feed) {
      if (turns.due() && this.isBetween(event)) {
        if (!this.isFilled) this.parts.onFilling();
        await turns.give();
      }
      if (signal.aborted) return undefined;
      try {
        this.take(event);
      } catch (error) {
        return { error, isFinal: true };
      }
    }
    return undefined;
  }

  /** Whether lists may be served before this event: not between two changes of one transaction. */
  private isBetween(event: FeedEvent): boolean {
    return !('revision' in event) || event.revision > this.parts.contents.revision;
  }

  private take(event: FeedEvent): void {
    const { contents, decoder, readiness, onFilled } = this.parts;
    switch (event.type) {
      case 'synced':
        contents.fill(cachedItem(decoder, event));
        break;
      case 'syncRestart':
        contents.drop();
        break;
      case 'syncEnd':
        contents.filled(event.revision);
        this.isFilled = true;
        this.everFilled = true;
        readiness.ready();
        onFilled();
        break;
      case 'progress':
        contents.progress(event.revision);
        break;
      default:
        this.change(event);
    }
  }

  private change({ type, key, value, revision }: Change): void {
    const { contents, decoder } = this.parts;
    if (type === 'deleted') contents.delete(orderOf(key), revision);
    else contents.put(cachedItem(decoder, { key, value, modRevision: revision }), revision);
  }
}
