/** A feed whose events a test tells. */
import type { TestObjectInput } from './testObjects';
import { encodeTestObject } from './testObjects';
import type {
  Change,
  Feed,
  FeedEvent,
  FeedOptions,
  FeedSource,
} from '../../server/store/watchInterfaces';

export class FakeFeed implements Feed {
  progressRequests = 0;
  ended = false;
  private readonly queue: FeedEvent[] = [];
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  constructor(readonly options: FeedOptions) {
    options.signal?.addEventListener('abort', () => {
      this.fail(new Error('aborted'));
    });
  }

  requestProgress(): void {
    this.progressRequests++;
  }

  tell(...events: readonly FeedEvent[]): void {
    this.queue.push(...events);
    this.wake();
  }

  fail(error: Error): void {
    this.failure = error;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedEvent> {
    try {
      for (;;) {
        const event = this.queue.shift();
        if (event !== undefined) yield event;
        else if (this.failure !== undefined) throw this.failure;
        else
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
      }
    } finally {
      this.ended = true;
    }
  }
}

/** The feeds that were opened, in their order. */
export interface FakeFeeds extends FeedSource {
  readonly opened: readonly FakeFeed[];
  /** The one that was opened last. */
  readonly feed: FakeFeed;
}

export function fakeFeeds(): FakeFeeds {
  const opened: FakeFeed[] = [];
  return {
    opened,
    get feed() {
      const last = opened.at(-1);
      if (last === undefined) throw new Error('no feed was opened');
      return last;
    },
    open: (options = {}) => {
      const feed = new FakeFeed(options);
      opened.push(feed);
      return feed;
    },
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const podKey = (path: string): string => `/registry/pods/${path}`;

/** Of `web/a`: an object with that namespace and name. */
function objectOf(path: string, more: Partial<TestObjectInput>): Uint8Array {
  const [namespace = '', name = ''] = path.split('/');
  return encodeTestObject({ namespace, name, ...more });
}

export const synced = (
  path: string,
  modRevision: bigint,
  more: Partial<TestObjectInput> = {},
): FeedEvent => ({
  type: 'synced',
  key: bytes(podKey(path)),
  value: objectOf(path, more),
  modRevision,
});

export const changed = (
  type: Change['type'],
  path: string,
  revision: bigint,
  more: Partial<TestObjectInput> = {},
): Change => {
  const value = objectOf(path, more);
  const previous = type === 'created' ? undefined : { value, modRevision: 1n };
  return { type, key: bytes(podKey(path)), value, previous, revision };
};
