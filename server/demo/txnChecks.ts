/** What etcd refuses in a transaction before it looks at the store (upstream: `v3rpc/key.go`). */
import { compareBytes } from '../common/bytes';
import type { DeleteRangeRequest, RequestOp, TxnRequest } from '../etcd/rpc/messages';
import { failures } from './failures';
import { checkRangeRequest } from './range';
import { checkDeleteRequest, checkPutRequest } from './writes';

/** Operations allowed in each list of a transaction, those of nested ones included. */
const maxOps = 128;

export function checkTxnRequest(request: TxnRequest): void {
  checkOps(request, maxOps);
  checkOverlaps(request.success);
  checkOverlaps(request.failure);
}

function checkOps(request: TxnRequest, allowed: number): void {
  const { compare, success, failure } = request;
  const ops = Math.max(compare.length, success.length, failure.length);
  if (ops > allowed) throw failures.tooManyOps();
  if (compare.some(({ key }) => key.length === 0)) throw failures.emptyKey();
  for (const op of [...success, ...failure]) checkOp(op, allowed - ops);
}

function checkOp(op: RequestOp, allowed: number): void {
  if (op.requestRange !== undefined) checkRangeRequest(op.requestRange);
  else if (op.requestPut !== undefined) checkPutRequest(op.requestPut);
  else if (op.requestDeleteRange !== undefined) checkDeleteRequest(op.requestDeleteRange);
  else if (op.requestTxn !== undefined) checkOps(op.requestTxn, allowed);
  else throw failures.keyNotFound();
}

interface Writes {
  /** Keys as Latin-1 text. */
  readonly puts: Set<string>;
  readonly deletes: DeleteRangeRequest[];
}

/**
 * No key may be put twice, nor put and deleted, with upstream's two exceptions: the two branches of
 * a nested transaction exclude each other, and a range without an end overlaps nothing.
 */
function checkOverlaps(ops: readonly RequestOp[]): Writes {
  const puts = new Set<string>();
  const deletes = ops.flatMap((op) => op.requestDeleteRange ?? []);
  for (const { requestTxn } of ops) {
    if (requestTxn === undefined) continue;
    const then = checkOverlaps(requestTxn.success);
    const otherwise = checkOverlaps(requestTxn.failure);
    addPuts(puts, then.puts, deletes, new Set());
    addPuts(puts, otherwise.puts, deletes, then.puts);
    deletes.push(...then.deletes, ...otherwise.deletes);
  }
  for (const { requestPut } of ops) {
    if (requestPut !== undefined)
      addPuts(puts, new Set([textOf(requestPut.key)]), deletes, new Set());
  }
  return { puts, deletes };
}

function addPuts(
  puts: Set<string>,
  added: ReadonlySet<string>,
  deletes: readonly DeleteRangeRequest[],
  allowedTwice: ReadonlySet<string>,
): void {
  for (const text of added) {
    if (puts.has(text) && !allowedTwice.has(text)) throw failures.duplicateKey();
    const key = Buffer.from(text, 'latin1');
    if (deletes.some((range) => covers(range, key))) throw failures.duplicateKey();
    puts.add(text);
  }
}

/** The end is taken as it is: a single NUL, though it means "no end", lies before every other key. */
function covers({ key: from, rangeEnd }: DeleteRangeRequest, key: Uint8Array): boolean {
  if (rangeEnd.length === 0) return compareBytes(from, key) === 0;
  return compareBytes(from, key) <= 0 && compareBytes(key, rangeEnd) < 0;
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
