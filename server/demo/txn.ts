/** Transactions on the store (upstream: `etcdserver/txn/txn.go`). */
import { compareBytes } from '../common/bytes';
import type * as m from '../etcd/rpc/messages';
import { failures } from './failures';
import { rangeEndOf } from './mvcc';
import type { MvccStore, WriteTxn } from './mvcc';
import { executeRange } from './range';
import { checkPutOnStore, executeDeleteRange, executePut, revisionHeader } from './writes';

/** A transaction with the branch chosen at every level, before anything is written. */
interface Path {
  readonly succeeded: boolean;
  readonly ops: readonly m.RequestOp[];
  /** One for each op that is a transaction itself, in order. */
  readonly nested: readonly Path[];
}

const compareTarget = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;
const compareResult = { equal: 0, greater: 1, less: 2, notEqual: 3 } as const;

const missing: m.KeyValue = {
  key: new Uint8Array(0),
  createRevision: 0n,
  modRevision: 0n,
  version: 0n,
  value: new Uint8Array(0),
  lease: 0n,
};

/**
 * Runs a transaction whose request was checked. Compares see the store before it; ranges inside see
 * the writes before them. The reply's header holds only the revision, a nested one's not even that.
 */
export function executeTxn(store: MvccStore, request: m.TxnRequest): m.TxnResponse {
  const path = choose(store, request);
  checkOnStore(store, path);
  const before = store.revision;
  return store.write((txn) => {
    const response = execute(txn, path, before);
    const revision = txn.changed ? before + 1n : before;
    return { ...response, header: revisionHeader(revision) };
  });
}

function choose(store: MvccStore, request: m.TxnRequest): Path {
  const succeeded = request.compare.every((one) => holds(store, one));
  const ops = succeeded ? request.success : request.failure;
  const nested = ops.flatMap(({ requestTxn }) =>
    requestTxn === undefined ? [] : [choose(store, requestTxn)],
  );
  return { succeeded, ops, nested };
}

function checkOnStore(store: MvccStore, path: Path): void {
  const nested = path.nested.values();
  for (const op of path.ops) {
    if (op.requestRange !== undefined) checkRevision(store, op.requestRange.revision);
    else if (op.requestPut !== undefined) checkPutOnStore(store, op.requestPut);
    else if (op.requestTxn !== undefined) {
      const { value } = nested.next();
      if (value !== undefined) checkOnStore(store, value);
    }
  }
}

function checkRevision(store: MvccStore, revision: bigint): void {
  if (revision === 0n) return;
  if (revision > store.revision) throw failures.futureRevision();
  if (revision < store.compactRevision) throw failures.compacted();
}

function execute(txn: WriteTxn, path: Path, before: bigint): m.TxnResponse {
  const nested = path.nested.values();
  const responses = path.ops.map((op): m.ResponseOp => {
    if (op.requestRange !== undefined) {
      return { ...noResponse, responseRange: executeRange(txn, op.requestRange, true) };
    }
    if (op.requestPut !== undefined) {
      return { ...noResponse, responsePut: executePut(txn, op.requestPut) };
    }
    if (op.requestDeleteRange !== undefined) {
      const deleted = executeDeleteRange(txn, op.requestDeleteRange, before);
      return { ...noResponse, responseDeleteRange: deleted };
    }
    const { value } = nested.next();
    return { ...noResponse, responseTxn: value && execute(txn, value, before) };
  });
  return { header: revisionHeader(0n), succeeded: path.succeeded, responses };
}

const noResponse: m.ResponseOp = {
  responseRange: undefined,
  responsePut: undefined,
  responseDeleteRange: undefined,
  responseTxn: undefined,
};

function holds(store: MvccStore, compare: m.Compare): boolean {
  const end = rangeEndOf(compare.rangeEnd);
  const { kvs } = store.range({ key: compare.key, end, revision: 0n, limit: 0n });
  if (kvs.length > 0) return kvs.every((kv) => holdsFor(kv, compare));
  return compare.target !== compareTarget.value && holdsFor(missing, compare);
}

function holdsFor(kv: m.KeyValue, compare: m.Compare): boolean {
  const order = orderOf(kv, compare);
  switch (compare.result) {
    case compareResult.equal:
      return order === 0;
    case compareResult.greater:
      return order > 0;
    case compareResult.less:
      return order < 0;
    case compareResult.notEqual:
      return order !== 0;
    default:
      return true;
  }
}

function orderOf(kv: m.KeyValue, compare: m.Compare): number {
  switch (compare.target) {
    case compareTarget.version:
      return Number(kv.version - compare.version);
    case compareTarget.create:
      return Number(kv.createRevision - compare.createRevision);
    case compareTarget.mod:
      return Number(kv.modRevision - compare.modRevision);
    case compareTarget.value:
      return compareBytes(kv.value, compare.value);
    case compareTarget.lease:
      return Number(kv.lease - compare.lease);
    default:
      return 0;
  }
}
