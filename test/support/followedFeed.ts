import { onTestFinished } from 'vitest';
import type { Feed, FeedOptions, FeedSource } from '../../server/store/watchInterfaces';
import { FoldedState } from './foldedState';
import { waitFor } from './waitFor';

export interface Following {
  readonly state: FoldedState;
  readonly feed: Feed;
  /** Resolves when the feed has told everything up to this revision. */
  until(revision: bigint): Promise<void>;
  /** Settles with what the feed ended with. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Folds a feed in the background until the test is over. */
export function follow(feeds: FeedSource, options: FeedOptions = {}, from?: bigint): Following {
  const state = new FoldedState(from);
  const stop = new AbortController();
  const feed = feeds.open({ ...options, signal: stop.signal });
  let failure: unknown;
  const ended = (async () => {
    for await (const event of feed) state.fold(event);
  })().catch((error: unknown) => {
    failure = error;
    return error;
  });
  const following: Following = {
    state,
    feed,
    ended,
    until: async (revision) => {
      await waitFor(() => failure !== undefined || state.revision >= revision, {
        timeoutMs: 60_000,
        what: `revision ${String(revision)}`,
      });
      if (state.revision < revision) throw failure;
    },
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
  onTestFinished(() => following.stop());
  return following;
}
