/**
 * A watch that is taken up again when it breaks, after the last revision told (rule W2). Upstream:
 * `startWatching` in `pkg/storage/etcd3/watcher.go`, with what etcd's own client does below it.
 */
import { prefixEnd } from '../common/bytes';
import { qualifiedName } from '../common/groupResource';
import type { Log } from '../common/log';
import { isEtcdError } from '../etcd/errors';
import type { OpenedWatch, WatchBatch, WatchStream } from '../etcd/interfaces';
import type { ReadContext } from './chunks';
import { otherHistory, tooLargeResourceVersion } from './errorTexts';
import { callOptions, recordedRange } from './recordedRange';
import { Backoff, type RetryTiming } from './watchBackoff';
import { mayPass, watchCancelled, watchError } from './watchErrors';
import type { FeedOptions } from './watchInterfaces';
import type { WatchPosition } from './watchPosition';

export interface WatchContext {
  readonly read: ReadContext;
  /** Ends everything, waits too; the same as that of `read`. */
  readonly signal: AbortSignal;
  readonly position: WatchPosition;
  readonly timing: RetryTiming;
  readonly log: Log;
  readonly hooks: Pick<FeedOptions, 'onInterrupted' | 'onResumed'>;
}

interface OpenStream {
  readonly stream: WatchStream;
  readonly iterator: AsyncIterator<WatchBatch>;
}

export class ResumingWatch {
  readonly #context: WatchContext;
  readonly #backoff: Backoff;
  #open: OpenStream | undefined;
  /** Whether a watch was ever acknowledged, so that the revision asked for was once etcd's. */
  #known: boolean;
  #interrupted = false;
  #clusterId: bigint | undefined;
  #progressWanted = false;
  /** Upstream never asks for parts; a message beyond the byte budget could not be read without. */
  #inParts = false;

  /** `known` says that the position came from this etcd and not from the caller. */
  constructor(context: WatchContext, known: boolean) {
    this.#context = context;
    this.#known = known;
    this.#backoff = new Backoff(() => context.timing.random());
  }

  /** The next batch; rejects with a `StoreError` when there can be none without a gap. */
  async next(): Promise<WatchBatch> {
    for (;;) {
      try {
        const { iterator } = this.#open ?? (await this.#begin());
        const step = await iterator.next();
        if (step.done === true) throw watchCancelled(this.#context.signal);
        this.#backoff.reset();
        return step.value;
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  /** Sent now, or once the watch is open; again when it breaks before the answer. */
  requestProgress(): void {
    this.#progressWanted = true;
    this.#open?.stream.requestProgress();
  }

  progressCame(): void {
    this.#progressWanted = false;
  }

  close(): void {
    this.#open?.stream.cancel();
    this.#open = undefined;
  }

  async #begin(): Promise<OpenStream> {
    const { read, position, hooks } = this.#context;
    const stream = read.etcd.watch(
      {
        key: read.keyPrefix,
        rangeEnd: prefixEnd(read.keyPrefix),
        startRevision: position.resume(),
        prevKv: true,
        progressNotify: true,
        fragment: this.#inParts,
      },
      callOptions(read),
    );
    try {
      await this.#checkHistory(await stream.opened);
    } catch (error) {
      stream.cancel();
      throw error;
    }
    this.#known = true;
    if (this.#progressWanted) stream.requestProgress();
    this.#open = { stream, iterator: stream[Symbol.asyncIterator]() };
    if (this.#interrupted) hooks.onResumed?.();
    this.#interrupted = false;
    return this.#open;
  }

  /**
   * A watch from a revision that etcd has not reached waits in silence, and what is written until then
   * would be missed. A member may lag behind, so the revision that all agree on is asked for.
   */
  async #checkHistory({ revision, clusterId, endpoint }: OpenedWatch): Promise<void> {
    const { read, position } = this.#context;
    this.#clusterId ??= clusterId;
    if (clusterId !== this.#clusterId) {
      throw otherHistory(`another etcd cluster answers at ${endpoint}`);
    }
    if (revision >= position.revision) return;
    const range = { key: read.resourceKey, limit: 1n };
    const answer = await recordedRange(read, 'getCurrentResourceVersion', range, false);
    answer.request.done();
    const { revision: current } = answer.reply;
    if (current >= position.revision) return;
    if (!this.#known) throw tooLargeResourceVersion(position.revision, current);
    const change = `from ${String(position.revision)} to ${String(current)}`;
    throw otherHistory(`etcd's revision went back ${change}, as after a restore from a backup`);
  }

  /** Waits until the next try is due; throws when there should be none. */
  async #recover(error: unknown): Promise<void> {
    const { signal, timing, log, hooks, read } = this.#context;
    const established = this.#open !== undefined;
    this.close();
    if (signal.aborted) throw watchCancelled(signal);
    if (!isEtcdError(error)) throw error;
    const isTooLarge = error.code === 'replyTooLarge' && !this.#inParts;
    if (!isTooLarge && !mayPass(error, established)) throw watchError(error);
    this.#inParts ||= isTooLarge;
    const retryInMs = this.#backoff.next();
    this.#interrupted = true;
    const named = qualifiedName(read.groupResource);
    log.debug(`the watch of ${named} broke: ${error.message}; next try in ${retryInMs} ms`);
    hooks.onInterrupted?.({ error, retryInMs });
    await timing.wait(retryInMs, signal).catch(() => {
      throw watchCancelled(signal);
    });
  }
}
