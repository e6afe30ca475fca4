/** One watch on a duplex call of its own. */
import { status } from '@grpc/grpc-js';
import { attemptError, type Attempt } from './attempt';
import { withDeniedRead } from './denied';
import { isEtcdError, type EtcdError } from './errors';
import type {
  CallOptions,
  OpenedWatch,
  WatchBatch,
  WatchEvent,
  WatchRequest,
  WatchStream,
} from './interfaces';
import { openDuplex, type MessageSource } from './messageStream';
import { decodeReply } from './replies';
import type * as m from './rpc/messages';
import { watchRequest, watchResponse } from './rpc/serviceCodecs';
import type { Plan, Session } from './session';
import { translateFailure } from './translate';

/** `EventType` of etcd's `mvccpb`. */
const deleteEvent = 1;

/** Names no watch, but all of a call. */
const everyWatch = -1n;

interface Acknowledged {
  readonly source: MessageSource;
  readonly header: m.ResponseHeader | undefined;
}

/**
 * Starts the watch at once; its failures come from the iteration. The acknowledgement must come
 * within `deadlineMs`; after it the watch may be silent for as long as it likes.
 */
export function openWatch(
  session: Session,
  request: WatchRequest,
  options: CallOptions | undefined,
  user: string | undefined,
): WatchStream {
  const stop = followingSignal(options?.signal);
  const end: WatchEnd = { stop, quiet: false, iterated: false };
  const plan: Plan = {
    method: 'watch',
    lane: 'watches',
    options: { ...options, signal: stop.signal },
  };
  const acknowledgement = session
    .run(plan, (attempt) => acknowledged(attempt, encodeCreate(request)))
    .catch((error: unknown) => {
      stop.abort();
      throw withDeniedRead(error, request, user);
    });
  const opened = acknowledgement.then(openedOf);
  // A failure is kept for who waits for it or iterates, perhaps later.
  opened.catch(() => undefined);
  return {
    opened,
    requestProgress: () => {
      acknowledgement.then(
        ({ source }) => {
          source.send(watchRequest.encode({ progressRequest: {} }));
        },
        () => undefined,
      );
    },
    cancel: () => {
      end.quiet = true;
      stop.abort();
    },
    [Symbol.asyncIterator]: () => batches(acknowledgement, end),
  };
}

interface WatchEnd {
  readonly stop: AbortController;
  /** The holder of the watch ended it, so its iteration ends without an error. */
  quiet: boolean;
  iterated: boolean;
}

/** Aborts with `outer`, and lets go of it once aborted itself. */
function followingSignal(outer: AbortSignal | undefined): AbortController {
  const own = new AbortController();
  const follow = (): void => {
    own.abort(outer?.reason);
  };
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  own.signal.addEventListener('abort', () => {
    outer?.removeEventListener('abort', follow);
  });
  return own;
}

function encodeCreate(request: WatchRequest): Uint8Array {
  const { key, rangeEnd, startRevision } = request;
  const { prevKv = false, progressNotify = false, fragment = false } = request;
  return watchRequest.encode({
    createRequest: {
      key,
      rangeEnd: rangeEnd ?? new Uint8Array(0),
      startRevision,
      prevKv,
      progressNotify,
      filters: [],
      watchId: 0n,
      fragment,
    },
  });
}

function openedOf({ source, header }: Acknowledged): OpenedWatch {
  return {
    revision: header?.revision ?? 0n,
    clusterId: header?.clusterId ?? 0n,
    endpoint: source.attempt.lane.endpoint,
  };
}

async function acknowledged(attempt: Attempt, create: Uint8Array): Promise<Acknowledged> {
  const source = openDuplex(attempt, create);
  try {
    const first = await source.next(attempt.timeoutMs);
    if (first === undefined) throw endedError(attempt);
    const response = decodeReply(watchResponse, first, attempt);
    if (response.canceled) throw canceledError(attempt, response);
    if (!response.created) {
      throw attemptError(attempt, 'malformedReply', 'the watch was not acknowledged');
    }
    return { source, header: response.header };
  } catch (error) {
    source.cancel();
    throw error;
  }
}

async function* batches(
  acknowledgement: Promise<Acknowledged>,
  end: WatchEnd,
): AsyncGenerator<WatchBatch, void, undefined> {
  if (end.iterated) throw new Error('a watch can be iterated once');
  end.iterated = true;
  try {
    const { source } = await acknowledgement;
    for (;;) {
      const message = await source.next(Infinity);
      if (message === undefined) throw endedError(source.attempt);
      const response = decodeReply(watchResponse, message, source.attempt);
      if (response.canceled) throw canceledError(source.attempt, response);
      yield batchOf(response);
    }
  } catch (error) {
    if (!(end.quiet && isEtcdError(error, 'cancelled'))) throw error;
  } finally {
    end.stop.abort();
  }
}

function batchOf({ header, events, fragment, watchId }: m.WatchResponse): WatchBatch {
  return {
    revision: header?.revision ?? 0n,
    events: events.map(eventOf),
    partial: fragment,
    requested: events.length === 0 && watchId === everyWatch,
  };
}

const noKeyValue: m.KeyValue = {
  key: new Uint8Array(0),
  value: new Uint8Array(0),
  createRevision: 0n,
  modRevision: 0n,
  version: 0n,
  lease: 0n,
};

function eventOf({ type, kv = noKeyValue, prevKv }: m.Event): WatchEvent {
  const base = { type: type === deleteEvent ? 'delete' : 'put', kv } as const;
  return prevKv === undefined ? base : { ...base, prevKv };
}

/**
 * As etcd's client reads a cancelled watch: compacted, else the reason given, else a future
 * revision. A reason may be a printed gRPC error.
 */
function canceledError(attempt: Attempt, response: m.WatchResponse): EtcdError {
  const where = { endpoint: attempt.lane.endpoint, method: attempt.method };
  const reason = response.cancelReason.replace(/^rpc error: code = \w+ desc = /, '');
  if (response.compactRevision === 0n && reason !== '') {
    return translateFailure({ code: status.FAILED_PRECONDITION, details: reason }, where);
  }
  const which = response.compactRevision === 0n ? 'is a future revision' : 'has been compacted';
  const details = `etcdserver: mvcc: required revision ${which}`;
  return translateFailure({ code: status.OUT_OF_RANGE, details }, where);
}

function endedError(attempt: Attempt): EtcdError {
  return attemptError(attempt, 'unavailable', 'the server ended the watch', {
    grpcCode: status.UNAVAILABLE,
  });
}
