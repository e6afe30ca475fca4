/** Field tables of etcd's watch, auth, maintenance and cluster messages (`etcdserverpb/rpc.proto`). */
import { field, many, messageCodec, type Codec } from './codec';
import { keyValue, responseHeader } from './kvCodecs';
import type * as m from './messages';

export const watchCreateRequest: Codec<m.WatchCreateRequest> = messageCodec<m.WatchCreateRequest>(
  'WatchCreateRequest',
  [
    field(1, 'key', 'bytes'),
    field(2, 'rangeEnd', 'bytes'),
    field(3, 'startRevision', 'int64'),
    field(4, 'progressNotify', 'bool'),
    many(5, 'filters', 'enum'),
    field(6, 'prevKv', 'bool'),
    field(7, 'watchId', 'int64'),
    field(8, 'fragment', 'bool'),
  ],
);

export const watchCancelRequest: Codec<m.WatchCancelRequest> = messageCodec<m.WatchCancelRequest>(
  'WatchCancelRequest',
  [field(1, 'watchId', 'int64')],
);

export const watchProgressRequest: Codec<m.WatchProgressRequest> =
  messageCodec<m.WatchProgressRequest>('WatchProgressRequest', []);

export const watchRequest: Codec<m.WatchRequest> = messageCodec<m.WatchRequest>('WatchRequest', [
  field(1, 'createRequest', () => watchCreateRequest),
  field(2, 'cancelRequest', () => watchCancelRequest),
  field(3, 'progressRequest', () => watchProgressRequest),
]);

export const event: Codec<m.Event> = messageCodec<m.Event>('Event', [
  field(1, 'type', 'enum'),
  field(2, 'kv', () => keyValue),
  field(3, 'prevKv', () => keyValue),
]);

export const watchResponse: Codec<m.WatchResponse> = messageCodec<m.WatchResponse>(
  'WatchResponse',
  [
    field(1, 'header', () => responseHeader),
    field(2, 'watchId', 'int64'),
    field(3, 'created', 'bool'),
    field(4, 'canceled', 'bool'),
    field(5, 'compactRevision', 'int64'),
    field(6, 'cancelReason', 'string'),
    field(7, 'fragment', 'bool'),
    many(11, 'events', () => event),
  ],
);

export const authenticateRequest: Codec<m.AuthenticateRequest> =
  messageCodec<m.AuthenticateRequest>('AuthenticateRequest', [
    field(1, 'name', 'string'),
    field(2, 'password', 'string'),
  ]);

export const authenticateResponse: Codec<m.AuthenticateResponse> =
  messageCodec<m.AuthenticateResponse>('AuthenticateResponse', [
    field(1, 'header', () => responseHeader),
    field(2, 'token', 'string'),
  ]);

export const statusRequest: Codec<m.StatusRequest> = messageCodec<m.StatusRequest>(
  'StatusRequest',
  [],
);

export const statusResponse: Codec<m.StatusResponse> = messageCodec<m.StatusResponse>(
  'StatusResponse',
  [
    field(1, 'header', () => responseHeader),
    field(2, 'version', 'string'),
    field(3, 'dbSize', 'int64'),
    field(4, 'leader', 'uint64'),
    field(5, 'raftIndex', 'uint64'),
    field(6, 'raftTerm', 'uint64'),
    field(7, 'raftAppliedIndex', 'uint64'),
    many(8, 'errors', 'string'),
    field(9, 'dbSizeInUse', 'int64'),
    field(10, 'isLearner', 'bool'),
  ],
);

export const memberListRequest: Codec<m.MemberListRequest> = messageCodec<m.MemberListRequest>(
  'MemberListRequest',
  [field(1, 'linearizable', 'bool')],
);

export const member: Codec<m.Member> = messageCodec<m.Member>('Member', [
  field(1, 'id', 'uint64'),
  field(2, 'name', 'string'),
  many(3, 'peerUrls', 'string'),
  many(4, 'clientUrls', 'string'),
  field(5, 'isLearner', 'bool'),
]);

export const memberListResponse: Codec<m.MemberListResponse> = messageCodec<m.MemberListResponse>(
  'MemberListResponse',
  [field(1, 'header', () => responseHeader), many(2, 'members', () => member)],
);
