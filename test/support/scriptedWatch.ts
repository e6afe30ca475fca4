/** Watches that answer from a script, for what no real etcd can be made to send at will. */
import { utf8 } from '../../server/common/bytes';
import { EtcdError } from '../../server/etcd/errors';
import type {
  CallOptions,
  KeyValue,
  OpenedWatch,
  WatchBatch,
  WatchEvent,
  WatchRequest,
  WatchStream,
} from '../../server/etcd/interfaces';

export interface ScriptedWatch {
  /** How it is acknowledged; refused with an error. Revision 1000 of cluster 1 when absent. */
  readonly opened?: Partial<OpenedWatch> | EtcdError;
  /** What comes then, an error last. Without one it is silent until cancelled. */
  readonly steps?: readonly (WatchBatch | EtcdError)[];
}

export interface OpenedCall {
  readonly request: WatchRequest;
  readonly options: CallOptions | undefined;
  progressRequests: number;
  cancelled: boolean;
}

export interface ScriptedWatches {
  readonly watch: (request: WatchRequest, options?: CallOptions) => WatchStream;
  readonly calls: OpenedCall[];
}

/** Serves the n-th watch from the n-th script, the last of them for all later ones. */
export function scriptedWatches(scripts: readonly ScriptedWatch[]): ScriptedWatches {
  const calls: OpenedCall[] = [];
  return {
    calls,
    watch: (request, options) => {
      const script = scripts[Math.min(calls.length, scripts.length - 1)] ?? {};
      const call: OpenedCall = { request, options, progressRequests: 0, cancelled: false };
      calls.push(call);
      return play(script, call);
    },
  };
}

function play({ opened = {}, steps = [] }: ScriptedWatch, call: OpenedCall): WatchStream {
  const stop = new AbortController();
  const end = (): void => {
    call.cancelled = true;
    stop.abort();
  };
  if (call.options?.signal?.aborted === true) end();
  call.options?.signal?.addEventListener('abort', end, { once: true, signal: stop.signal });
  const acknowledged =
    opened instanceof EtcdError
      ? Promise.reject(opened)
      : Promise.resolve({ revision: 1000n, clusterId: 1n, endpoint: 'script:1', ...opened });
  acknowledged.catch(() => undefined);
  async function* batches(): AsyncGenerator<WatchBatch, void, undefined> {
    await acknowledged;
    for (const step of steps) {
      if (step instanceof EtcdError) throw step;
      yield step;
    }
    await new Promise<void>((resolve) => {
      if (stop.signal.aborted) resolve();
      stop.signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }
  return {
    opened: acknowledged,
    requestProgress: () => {
      call.progressRequests++;
    },
    cancel: end,
    [Symbol.asyncIterator]: batches,
  };
}

const kv = (key: string, value: string, modRevision: bigint, createRevision: bigint): KeyValue => ({
  key: utf8(key),
  value: utf8(value),
  createRevision,
  modRevision,
  version: 1n,
  lease: 0n,
});

export const created = (
  key: string,
  revision: bigint,
  value = `${key}@${revision}`,
): WatchEvent => ({
  type: 'put',
  kv: kv(key, value, revision, revision),
});

export const modified = (key: string, revision: bigint, before: bigint): WatchEvent => ({
  type: 'put',
  kv: kv(key, `${key}@${revision}`, revision, 1n),
  prevKv: kv(key, `${key}@${before}`, before, 1n),
});

export const deleted = (key: string, revision: bigint, before: bigint): WatchEvent => ({
  type: 'delete',
  kv: kv(key, '', revision, 0n),
  prevKv: kv(key, `${key}@${before}`, before, 1n),
});

export const batch = (events: readonly WatchEvent[], partial = false): WatchBatch => ({
  revision: events.at(-1)?.kv.modRevision ?? 0n,
  events,
  partial,
  requested: false,
});

export const progress = (revision: bigint, requested = true): WatchBatch => ({
  revision,
  events: [],
  partial: false,
  requested,
});
