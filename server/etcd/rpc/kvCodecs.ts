/** Field tables of etcd's key-value messages: numbers and types of `etcdserverpb/rpc.proto` and `mvccpb/kv.proto`. */
import { field, many, messageCodec, type Codec } from './codec';
import type * as m from './messages';
import { readRangeResponse } from './rangeReader';

export const responseHeader: Codec<m.ResponseHeader> = messageCodec<m.ResponseHeader>(
  'ResponseHeader',
  [
    field(1, 'clusterId', 'uint64'),
    field(2, 'memberId', 'uint64'),
    field(3, 'revision', 'int64'),
    field(4, 'raftTerm', 'uint64'),
  ],
);

export const keyValue: Codec<m.KeyValue> = messageCodec<m.KeyValue>('KeyValue', [
  field(1, 'key', 'bytes'),
  field(2, 'createRevision', 'int64'),
  field(3, 'modRevision', 'int64'),
  field(4, 'version', 'int64'),
  field(5, 'value', 'bytes'),
  field(6, 'lease', 'int64'),
]);

export const rangeRequest: Codec<m.RangeRequest> = messageCodec<m.RangeRequest>('RangeRequest', [
  field(1, 'key', 'bytes'),
  field(2, 'rangeEnd', 'bytes'),
  field(3, 'limit', 'int64'),
  field(4, 'revision', 'int64'),
  field(5, 'sortOrder', 'enum'),
  field(6, 'sortTarget', 'enum'),
  field(7, 'serializable', 'bool'),
  field(8, 'keysOnly', 'bool'),
  field(9, 'countOnly', 'bool'),
  field(10, 'minModRevision', 'int64'),
  field(11, 'maxModRevision', 'int64'),
  field(12, 'minCreateRevision', 'int64'),
  field(13, 'maxCreateRevision', 'int64'),
]);

const anyRangeResponse: Codec<m.RangeResponse> = messageCodec<m.RangeResponse>('RangeResponse', [
  field(1, 'header', () => responseHeader),
  many(2, 'kvs', () => keyValue),
  field(3, 'more', 'bool'),
  field(4, 'count', 'int64'),
]);

/** Nearly all that a list receives: keys and values as etcd writes them are read in one go. */
export const rangeResponse: Codec<m.RangeResponse> = {
  ...anyRangeResponse,
  decode: (bytes) => readRangeResponse(bytes) ?? anyRangeResponse.decode(bytes),
};

export const rangeStreamResponse: Codec<m.RangeStreamResponse> =
  messageCodec<m.RangeStreamResponse>('RangeStreamResponse', [
    field(1, 'rangeResponse', () => rangeResponse),
  ]);

export const putRequest: Codec<m.PutRequest> = messageCodec<m.PutRequest>('PutRequest', [
  field(1, 'key', 'bytes'),
  field(2, 'value', 'bytes'),
  field(3, 'lease', 'int64'),
  field(4, 'prevKv', 'bool'),
  field(5, 'ignoreValue', 'bool'),
  field(6, 'ignoreLease', 'bool'),
]);

export const putResponse: Codec<m.PutResponse> = messageCodec<m.PutResponse>('PutResponse', [
  field(1, 'header', () => responseHeader),
  field(2, 'prevKv', () => keyValue),
]);

export const deleteRangeRequest: Codec<m.DeleteRangeRequest> = messageCodec<m.DeleteRangeRequest>(
  'DeleteRangeRequest',
  [field(1, 'key', 'bytes'), field(2, 'rangeEnd', 'bytes'), field(3, 'prevKv', 'bool')],
);

export const deleteRangeResponse: Codec<m.DeleteRangeResponse> =
  messageCodec<m.DeleteRangeResponse>('DeleteRangeResponse', [
    field(1, 'header', () => responseHeader),
    field(2, 'deleted', 'int64'),
    many(3, 'prevKvs', () => keyValue),
  ]);

export const requestOp: Codec<m.RequestOp> = messageCodec<m.RequestOp>('RequestOp', [
  field(1, 'requestRange', () => rangeRequest),
  field(2, 'requestPut', () => putRequest),
  field(3, 'requestDeleteRange', () => deleteRangeRequest),
  field(4, 'requestTxn', () => txnRequest),
]);

export const responseOp: Codec<m.ResponseOp> = messageCodec<m.ResponseOp>('ResponseOp', [
  field(1, 'responseRange', () => rangeResponse),
  field(2, 'responsePut', () => putResponse),
  field(3, 'responseDeleteRange', () => deleteRangeResponse),
  field(4, 'responseTxn', () => txnResponse),
]);

export const compare: Codec<m.Compare> = messageCodec<m.Compare>('Compare', [
  field(1, 'result', 'enum'),
  field(2, 'target', 'enum'),
  field(3, 'key', 'bytes'),
  field(4, 'version', 'int64'),
  field(5, 'createRevision', 'int64'),
  field(6, 'modRevision', 'int64'),
  field(7, 'value', 'bytes'),
  field(8, 'lease', 'int64'),
  field(64, 'rangeEnd', 'bytes'),
]);

export const txnRequest: Codec<m.TxnRequest> = messageCodec<m.TxnRequest>('TxnRequest', [
  many(1, 'compare', () => compare),
  many(2, 'success', () => requestOp),
  many(3, 'failure', () => requestOp),
]);

export const txnResponse: Codec<m.TxnResponse> = messageCodec<m.TxnResponse>('TxnResponse', [
  field(1, 'header', () => responseHeader),
  field(2, 'succeeded', 'bool'),
  many(3, 'responses', () => responseOp),
]);

export const compactionRequest: Codec<m.CompactionRequest> = messageCodec<m.CompactionRequest>(
  'CompactionRequest',
  [field(1, 'revision', 'int64'), field(2, 'physical', 'bool')],
);

export const compactionResponse: Codec<m.CompactionResponse> = messageCodec<m.CompactionResponse>(
  'CompactionResponse',
  [field(1, 'header', () => responseHeader)],
);
