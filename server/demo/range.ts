/** A Range request on the store (upstream: `etcdserver/txn/range.go` and the checks of `v3rpc/key.go`). */
import { compareBytes } from '../common/bytes';
import type { KeyValue, RangeRequest, RangeResponse } from '../etcd/rpc/messages';
import { failures } from './failures';
import { rangeEndOf } from './mvcc';
import type { RangeQuery, RangeResult } from './mvcc';

/** What a range reads from: the store, or a transaction in it. */
export interface Readable {
  range(query: RangeQuery): RangeResult;
}

const order = { none: 0, ascend: 1, descend: 2 } as const;
const target = { key: 0, version: 1, create: 2, mod: 3, value: 4 } as const;

const maxInt64 = 2n ** 63n - 1n;
const noValue = new Uint8Array(0);

export function checkRangeRequest(request: RangeRequest): void {
  if (request.key.length === 0) throw failures.emptyKey();
  if (!Object.values<number>(order).includes(request.sortOrder)) throw failures.invalidSortOption();
  if (!Object.values<number>(target).includes(request.sortTarget)) {
    throw failures.invalidSortOption();
  }
}

/** Whether the keys come in byte order anyway, as far as reading with a limit is concerned. */
export function isDefaultOrder(request: RangeRequest): boolean {
  return (
    request.sortOrder === order.none ||
    (request.sortTarget === target.key && request.sortOrder === order.ascend)
  );
}

export function hasRevisionFilters(request: RangeRequest): boolean {
  return (
    request.minModRevision !== 0n ||
    request.maxModRevision !== 0n ||
    request.minCreateRevision !== 0n ||
    request.maxCreateRevision !== 0n
  );
}

/** The reply, with only the revision in its header. `countAll` as in {@link RangeQuery}. */
export function executeRange(
  from: Readable,
  request: RangeRequest,
  countAll: boolean,
): RangeResponse {
  const result = from.range({
    key: request.key,
    end: rangeEndOf(request.rangeEnd),
    revision: request.revision,
    limit: readLimit(request),
    countOnly: request.countOnly,
    countAll,
  });
  const kvs = sorted(filtered(result.kvs, request), request);
  const more = request.limit > 0n && BigInt(kvs.length) > request.limit;
  const kept = more ? kvs.slice(0, Number(request.limit)) : kvs;
  return {
    header: { clusterId: 0n, memberId: 0n, revision: result.revision, raftTerm: 0n },
    kvs: request.keysOnly ? kept.map((kv) => ({ ...kv, value: noValue })) : kept,
    more,
    count: BigInt(result.count),
  };
}

/** One key beyond the limit tells whether there are more; sorting and filtering need them all. */
function readLimit(request: RangeRequest): bigint {
  if (!isDefaultOrder(request) || hasRevisionFilters(request)) return 0n;
  const { limit } = request;
  return limit > 0n && limit < maxInt64 ? limit + 1n : limit;
}

function filtered(kvs: KeyValue[], request: RangeRequest): KeyValue[] {
  if (!hasRevisionFilters(request)) return kvs;
  const within = (value: bigint, least: bigint, most: bigint): boolean =>
    (least === 0n || value >= least) && (most === 0n || value <= most);
  return kvs.filter(
    (kv) =>
      within(kv.modRevision, request.minModRevision, request.maxModRevision) &&
      within(kv.createRevision, request.minCreateRevision, request.maxCreateRevision),
  );
}

/**
 * Keys that are equal in the sorted-by respect keep their byte order. Upstream does not promise it:
 * its sort is stable for up to 12 keys only.
 */
function sorted(kvs: KeyValue[], request: RangeRequest): KeyValue[] {
  const { sortTarget, sortOrder } = request;
  if (sortTarget === target.key && sortOrder !== order.descend) return kvs;
  const compare = comparison(sortTarget);
  const sign = sortOrder === order.descend ? -1 : 1;
  return [...kvs].sort((a, b) => sign * compare(a, b));
}

function comparison(sortTarget: number): (a: KeyValue, b: KeyValue) => number {
  const by =
    (value: (kv: KeyValue) => bigint) =>
    (a: KeyValue, b: KeyValue): number =>
      Number(value(a) - value(b));
  switch (sortTarget) {
    case target.version:
      return by((kv) => kv.version);
    case target.create:
      return by((kv) => kv.createRevision);
    case target.mod:
      return by((kv) => kv.modRevision);
    case target.value:
      return (a, b) => compareBytes(a.value, b.value);
    default:
      return (a, b) => compareBytes(a.key, b.key);
  }
}
