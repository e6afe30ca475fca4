/** Put and DeleteRange on the store (upstream: `etcdserver/txn/put.go`, `delete.go`). */
import type * as m from '../etcd/rpc/messages';
import { failures } from './failures';
import { rangeEndOf } from './mvcc';
import type { WriteTxn } from './mvcc';
import type { Readable } from './range';

export function checkPutRequest(request: m.PutRequest): void {
  if (request.key.length === 0) throw failures.emptyKey();
  if (request.ignoreValue && request.value.length > 0) throw failures.valueProvided();
  if (request.ignoreLease && request.lease !== 0n) throw failures.leaseProvided();
}

export function checkDeleteRequest(request: m.DeleteRangeRequest): void {
  if (request.key.length === 0) throw failures.emptyKey();
}

/** What can only be refused with a look at the store. There are no leases here. */
export function checkPutOnStore(store: Readable, request: m.PutRequest): void {
  if (request.lease !== 0n) throw failures.leaseNotFound();
  const ignores = request.ignoreValue || request.ignoreLease;
  if (ignores && currentValue(store, request.key) === undefined) throw failures.keyNotFound();
}

export function executePut(txn: WriteTxn, request: m.PutRequest): m.PutResponse {
  const before = currentValue(txn, request.key);
  const value = request.ignoreValue ? (before?.value ?? request.value) : request.value;
  const revision = txn.put(request.key, value);
  return { header: revisionHeader(revision), prevKv: request.prevKv ? before : undefined };
}

/** `current` is the store's revision before the transaction; without a change it is the reply's. */
export function executeDeleteRange(
  txn: WriteTxn,
  request: m.DeleteRangeRequest,
  current: bigint,
): m.DeleteRangeResponse {
  const end = rangeEndOf(request.rangeEnd);
  const prevKvs = request.prevKv
    ? txn.range({ key: request.key, end, revision: 0n, limit: 0n }).kvs
    : [];
  const deleted = txn.deleteRange(request.key, end);
  const revision = txn.changed ? current + 1n : current;
  return { header: revisionHeader(revision), deleted: BigInt(deleted), prevKvs };
}

/** A header as the store's layer fills it; the service adds the cluster's part where etcd does. */
export function revisionHeader(revision: bigint): m.ResponseHeader {
  return { clusterId: 0n, memberId: 0n, revision, raftTerm: 0n };
}

function currentValue(store: Readable, key: Uint8Array): m.KeyValue | undefined {
  return store.range({ key, end: undefined, revision: 0n, limit: 1n }).kvs[0];
}
