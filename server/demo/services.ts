/** etcd's gRPC services on a store (upstream: `etcdserver/api/v3rpc`). */
import * as kv from '../etcd/rpc/kvCodecs';
import type * as m from '../etcd/rpc/messages';
import { methods } from '../etcd/rpc/methods';
import * as service from '../etcd/rpc/serviceCodecs';
import type { Codec } from '../etcd/rpc/codec';
import { refuseMethod, serveDuplex, serveStream, serveUnary } from './calls';
import type { CallContext } from './calls';
import { clusterHeader, clusterStatus, filledHeader, memberList } from './cluster';
import { failures, unknownMethod } from './failures';
import type { MvccStore } from './mvcc';
import { checkRangeRequest, executeRange } from './range';
import { encodeRangeResponse, encodeRangeStreamResponse } from './rangeEncoding';
import { checkRangeStreamRequest, rangeStreamChunks } from './rangeStream';
import { executeTxn } from './txn';
import { checkTxnRequest } from './txnChecks';
import { WatchStream } from './watchStream';
import {
  checkDeleteRequest,
  checkPutOnStore,
  checkPutRequest,
  executeDeleteRange,
  executePut,
  revisionHeader,
} from './writes';

export interface ServiceOptions extends CallContext {
  readonly store: MvccStore;
  readonly version: string;
  readonly rangeStream: boolean;
  readonly maxRequestBytes: number;
  /** Milliseconds between the progress notices of watches. */
  readonly progressNotifyMs: number;
  readonly endpoint: () => string;
}

/** Added to the request limit for gRPC messages and watch fragments (upstream: `config.go`). */
export const grpcOverheadBytes = 512 * 1024;

/** Methods that etcd has and this server has not. */
const absent: Readonly<Record<string, readonly string[]>> = {
  Lease: ['LeaseGrant', 'LeaseRevoke', 'LeaseKeepAlive', 'LeaseTimeToLive', 'LeaseLeases'],
  Cluster: ['MemberAdd', 'MemberRemove', 'MemberUpdate', 'MemberPromote'],
  Maintenance: ['Alarm', 'Defragment', 'Hash', 'HashKV', 'Snapshot', 'MoveLeader', 'Downgrade'],
  Auth: [
    ...['AuthEnable', 'AuthDisable', 'AuthStatus', 'UserAdd', 'UserGet', 'UserList', 'UserDelete'],
    ...['UserChangePassword', 'UserGrantRole', 'UserRevokeRole', 'RoleAdd', 'RoleGet', 'RoleList'],
    ...['RoleDelete', 'RoleGrantPermission', 'RoleRevokePermission'],
  ],
};

export function addServices(options: ServiceOptions): void {
  addReads(options);
  addWrites(options);
  addWatch(options);
  addOthers(options);
  for (const [name, list] of Object.entries(absent)) {
    for (const method of list) {
      const path = `/etcdserverpb.${name}/${method}`;
      refuseMethod(options, path, unknownMethod(path));
    }
  }
}

function addReads(options: ServiceOptions): void {
  const { store } = options;
  const codecs = { request: kv.rangeRequest, response: { encode: encodeRangeResponse } };
  serveUnary(options, methods.range, codecs, (request) => {
    checkRangeRequest(request);
    const response = executeRange(store, request, true);
    return { ...response, header: filledHeader(response.header, store) };
  });
  const streamResponse = { encode: encodeRangeStreamResponse };
  const streamCodecs = { request: kv.rangeRequest, response: streamResponse };
  serveStream(options, methods.rangeStream, streamCodecs, function* (request) {
    if (!options.rangeStream) throw unknownMethod(methods.rangeStream);
    checkRangeStreamRequest(request);
    for (const chunk of rangeStreamChunks(store, request, options.maxRequestBytes)) {
      const header = chunk.header && filledHeader(chunk.header, store);
      yield { rangeResponse: { ...chunk, header } };
    }
  });
}

function addWrites(options: ServiceOptions): void {
  const { store } = options;
  const limitSize = <T extends object>(codec: Codec<T>, request: T): void => {
    if (codec.encode(request).length > options.maxRequestBytes) throw failures.requestTooLarge();
  };
  const put = { request: kv.putRequest, response: kv.putResponse };
  serveUnary(options, methods.put, put, (request) => {
    checkPutRequest(request);
    limitSize(kv.putRequest, request);
    checkPutOnStore(store, request);
    return filled(
      store.write((txn) => executePut(txn, request)),
      store,
    );
  });
  const deletion = { request: kv.deleteRangeRequest, response: kv.deleteRangeResponse };
  serveUnary(options, methods.deleteRange, deletion, (request) => {
    checkDeleteRequest(request);
    limitSize(kv.deleteRangeRequest, request);
    const before = store.revision;
    return filled(
      store.write((txn) => executeDeleteRange(txn, request, before)),
      store,
    );
  });
  serveUnary(
    options,
    methods.txn,
    { request: kv.txnRequest, response: kv.txnResponse },
    (request) => {
      checkTxnRequest(request);
      if (!isReadOnly(request)) limitSize(kv.txnRequest, request);
      return filled(executeTxn(store, request), store);
    },
  );
  const compaction = { request: kv.compactionRequest, response: kv.compactionResponse };
  serveUnary(options, methods.compact, compaction, (request) => {
    store.compact(request.revision);
    return filled({ header: revisionHeader(store.revision) }, store);
  });
}

function filled<T extends { readonly header: m.ResponseHeader | undefined }>(
  response: T,
  store: MvccStore,
): T {
  return { ...response, header: filledHeader(response.header, store) };
}

function isReadOnly(request: m.TxnRequest): boolean {
  return [...request.success, ...request.failure].every((op) => op.requestRange !== undefined);
}

function addWatch(options: ServiceOptions): void {
  const { store } = options;
  const codecs = { request: service.watchRequest, response: service.watchResponse };
  serveDuplex(options, methods.watch, codecs, (send) => {
    const fragmentBytes = options.maxRequestBytes + grpcOverheadBytes;
    const stream = new WatchStream({ store, header: clusterHeader, send, fragmentBytes });
    const timer = setInterval(() => {
      stream.tick();
    }, options.progressNotifyMs);
    timer.unref();
    return {
      handle: (request) => {
        stream.handle(request);
      },
      resume: () => {
        stream.resume();
      },
      close: () => {
        clearInterval(timer);
        stream.close();
      },
    };
  });
}

function addOthers(options: ServiceOptions): void {
  const { store, version } = options;
  const status = { request: service.statusRequest, response: service.statusResponse };
  serveUnary(options, methods.status, status, () => clusterStatus(store, version));
  const members = { request: service.memberListRequest, response: service.memberListResponse };
  serveUnary(options, methods.memberList, members, () => memberList(options.endpoint()));
  const auth = { request: service.authenticateRequest, response: service.authenticateResponse };
  serveUnary(options, methods.authenticate, auth, () => {
    throw failures.authNotEnabled();
  });
}
