/** etcd's messages (`etcdserverpb`, `mvccpb`) as plain data; enums are their numbers. */

export interface ResponseHeader {
  readonly clusterId: bigint;
  readonly memberId: bigint;
  readonly revision: bigint;
  readonly raftTerm: bigint;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly value: Uint8Array;
  readonly lease: bigint;
  /** Where the value stands: bytes of the reply, and the value's first offset in them and its end. */
  readonly within?: Uint8Array;
  readonly valueStart?: number;
  readonly valueEnd?: number;
}

export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly limit: bigint;
  readonly revision: bigint;
  readonly sortOrder: number;
  readonly sortTarget: number;
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
  readonly minModRevision: bigint;
  readonly maxModRevision: bigint;
  readonly minCreateRevision: bigint;
  readonly maxCreateRevision: bigint;
}

export interface RangeResponse {
  readonly header: ResponseHeader | undefined;
  /** The receiver's own list, to empty as it goes. */
  readonly kvs: KeyValue[];
  readonly more: boolean;
  readonly count: bigint;
}

export interface RangeStreamResponse {
  readonly rangeResponse: RangeResponse | undefined;
}

export interface PutRequest {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease: bigint;
  readonly prevKv: boolean;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
}

export interface PutResponse {
  readonly header: ResponseHeader | undefined;
  readonly prevKv: KeyValue | undefined;
}

export interface DeleteRangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly prevKv: boolean;
}

export interface DeleteRangeResponse {
  readonly header: ResponseHeader | undefined;
  readonly deleted: bigint;
  readonly prevKvs: readonly KeyValue[];
}

export interface RequestOp {
  readonly requestRange: RangeRequest | undefined;
  readonly requestPut: PutRequest | undefined;
  readonly requestDeleteRange: DeleteRangeRequest | undefined;
  readonly requestTxn: TxnRequest | undefined;
}

export interface ResponseOp {
  readonly responseRange: RangeResponse | undefined;
  readonly responsePut: PutResponse | undefined;
  readonly responseDeleteRange: DeleteRangeResponse | undefined;
  readonly responseTxn: TxnResponse | undefined;
}

export interface Compare {
  readonly result: number;
  readonly target: number;
  readonly key: Uint8Array;
  readonly version: bigint;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly value: Uint8Array;
  readonly lease: bigint;
  readonly rangeEnd: Uint8Array;
}

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header: ResponseHeader | undefined;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}

export interface CompactionRequest {
  readonly revision: bigint;
  readonly physical: boolean;
}

export interface CompactionResponse {
  readonly header: ResponseHeader | undefined;
}

export interface WatchCreateRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly startRevision: bigint;
  readonly progressNotify: boolean;
  readonly filters: readonly number[];
  readonly prevKv: boolean;
  readonly watchId: bigint;
  readonly fragment: boolean;
}

export interface WatchCancelRequest {
  readonly watchId: bigint;
}

export interface WatchProgressRequest {
  readonly empty?: never;
}

export interface WatchRequest {
  readonly createRequest: WatchCreateRequest | undefined;
  readonly cancelRequest: WatchCancelRequest | undefined;
  readonly progressRequest: WatchProgressRequest | undefined;
}

export interface Event {
  readonly type: number;
  readonly kv: KeyValue | undefined;
  readonly prevKv: KeyValue | undefined;
}

export interface WatchResponse {
  readonly header: ResponseHeader | undefined;
  readonly watchId: bigint;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: bigint;
  readonly cancelReason: string;
  readonly fragment: boolean;
  readonly events: readonly Event[];
}

export interface AuthenticateRequest {
  readonly name: string;
  readonly password: string;
}

export interface AuthenticateResponse {
  readonly header: ResponseHeader | undefined;
  readonly token: string;
}

export interface StatusRequest {
  readonly empty?: never;
}

export interface StatusResponse {
  readonly header: ResponseHeader | undefined;
  readonly version: string;
  readonly dbSize: bigint;
  readonly leader: bigint;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly errors: readonly string[];
  readonly dbSizeInUse: bigint;
  readonly isLearner: boolean;
}

export interface MemberListRequest {
  readonly linearizable: boolean;
}

export interface Member {
  readonly id: bigint;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface MemberListResponse {
  readonly header: ResponseHeader | undefined;
  readonly members: readonly Member[];
}
