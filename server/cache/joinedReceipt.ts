/** The receipt of a list that asked etcd for the cache's sake and was then served by etcd. */
import type { ListHooks, Receipt, RequestRecord } from '../store/interfaces';

/** Requests of the list below, numbered after those of the cache. */
export function numberedAfter<T>(hooks: ListHooks<T>, before: number): ListHooks<T> {
  const { onRequest } = hooks;
  if (onRequest === undefined || before === 0) return hooks;
  return {
    ...hooks,
    onRequest: (record, state) => {
      onRequest({ ...record, n: record.n + before }, state);
    },
  };
}

/** `durationMs` is how long both took. */
export function joinedReceipt(
  before: readonly RequestRecord[],
  receipt: Receipt,
  durationMs: number,
): Receipt {
  if (before.length === 0) return receipt;
  const after = receipt.requests.map((record) => ({ ...record, n: record.n + before.length }));
  const { total } = receipt;
  const largest = Math.max(total.largestReplyBytes, ...before.map(({ bytes }) => bytes));
  return {
    requests: [...before, ...after],
    total: {
      ...total,
      requests: total.requests + before.length,
      largestReplyBytes: largest,
      durationMs,
    },
  };
}
