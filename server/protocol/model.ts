/**
 * What language server, extension host and panel tell each other: plain JSON. Revisions and counts
 * that may pass 2^53 are decimal text; keys are printable text, and hex where bytes matter.
 */
import type { Failure } from './errors';
import type { ConnectionSetting } from './names';

export type { HoverPlace, HoverText, TextPosition, TextRange } from './hover';

export type RangeStreamAnswer =
  | { readonly answer: 'supported' }
  /** `retryAt` is when it is tried again, in milliseconds since 1970; absent when not remembered. */
  | { readonly answer: 'notSupported'; readonly retryAt?: number; readonly byProxy?: boolean }
  | { readonly answer: 'unknown'; readonly reason: string }
  /** The gate `EtcdRangeStream` is off. */
  | { readonly answer: 'gateOff' };

export interface MemberInfo {
  readonly endpoint: string;
  readonly version: string;
  /** Empty when the member answered. */
  readonly problem: string;
}

export type ConnectionStatus =
  | { readonly state: 'disconnected'; readonly failure?: Failure }
  | { readonly state: 'connecting'; readonly name: string }
  | {
      readonly state: 'connected';
      readonly name: string;
      /**
       * The same as long as this connection is open, and another for every connection after it, also of
       * the same name and after the server was started anew.
       */
      readonly connectionNumber: number;
      readonly endpoints: readonly string[];
      readonly root: string;
      readonly isDemo: boolean;
      readonly probing: boolean;
      readonly members: readonly MemberInfo[];
      readonly rangeStream: RangeStreamAnswer;
      /** The last list did not reach etcd. */
      readonly unreachable?: true;
      /** Milliseconds since 1970 of the last probe; 0 before the first. */
      readonly probedAt: number;
    };

/** Variables of a terminal in which a connection is meant; null unsets one. Never a password. */
export type AccessVariables = Readonly<Record<string, string | null>>;

export interface ConnectParams {
  readonly connection: ConnectionSetting;
  readonly password?: string;
  readonly passphrase?: string;
}

export interface ResourceEntry {
  /** As it is asked for: `pods`, `deployments.apps`, `widgets.example.com`. */
  readonly name: string;
  /** Empty when not known: of a custom resource until it was listed. */
  readonly kind: string;
  /** True also when not known. */
  readonly namespaced: boolean;
  /** Whether objects of it are stored, where that is known. */
  readonly stored: boolean;
}

export type ReadMode = 'auto' | 'pages' | 'stream';

/** One LIST as the query bar states it. Texts are as typed. */
export interface ListQuery {
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Digits; empty or 0 for no limit. */
  readonly limit: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly continueToken: string;
  readonly readMode: ReadMode;
  /** Leave out objects that cannot be read, and name them. */
  readonly skipUnreadable: boolean;
  /** Absent: from etcd. */
  readonly serveFrom?: 'watchCache' | undefined;
}

export interface ListParams {
  /** Chosen by the caller; events of this list carry it. */
  readonly listId: string;
  readonly query: ListQuery;
  /** Follow all tokens to the end. */
  readonly follow: boolean;
  /** Allows an unlimited read that was counted just now, and asked about when it is large. */
  readonly confirmed: boolean;
  /** It was measured just now: that read is its first round trip. */
  readonly measured?: boolean;
  /** Batches of events are answered by `etcdList/taken`; the list waits for a client that lags. */
  readonly acknowledged?: boolean;
  /** The client shows by itself how far it is. */
  readonly silent?: boolean;
}

export interface Row {
  /** Etcd key in hex, to open the object. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
  /** RFC 3339, empty when unknown. */
  readonly created: string;
  /** The object's resourceVersion. */
  readonly version: string;
  /** Bytes of the stored value. */
  readonly size: number;
}

/** One etcd request, with the field names of the JSON receipt. */
export interface RequestEntry {
  readonly n: number;
  readonly operation: string;
  readonly endpoint: string;
  readonly serializable: boolean;
  readonly startKey: string | { readonly hex: string };
  readonly endKey: string | { readonly hex: string } | null;
  readonly limit: number;
  readonly revision: string;
  readonly keys: number;
  readonly matched: number;
  readonly bytes: number;
  readonly durationMs: number;
  readonly chunks?: number;
  readonly refused?: true;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface TotalEntry {
  readonly requests: number;
  readonly fetched: number;
  readonly examined: number;
  readonly evaluated: number;
  readonly returned: number;
  readonly resourceVersion: string | null;
  readonly continue: string;
  readonly remainingItemCount: number | null;
  readonly naiveRequests: number | null;
  readonly streamed: boolean;
  readonly servedBy?: 'watchcache' | 'mixed'; // absent: by etcd
  readonly largestReplyBytes: number;
  readonly durationMs: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Pushed while a list runs. `seq` counts from 0 without gaps within one `listId`. */
export interface ListEvent {
  readonly listId: string;
  readonly seq: number;
  readonly body:
    | { readonly kind: 'request'; readonly request: RequestEntry; readonly done: boolean }
    | { readonly kind: 'rows'; readonly rows: readonly Row[] }
    /** The totals so far of a list that follows its tokens, after each page of the client's. */
    | { readonly kind: 'totals'; readonly total: TotalEntry }
    | { readonly kind: 'notice'; readonly text: string };
}

/** Every event of that list up to this number was taken. */
export interface Taken {
  readonly listId: string;
  readonly seq: number;
}

export interface UnreadableEntry {
  readonly key: string;
  readonly reason: string;
}

export interface ListDone {
  readonly total: TotalEntry;
  readonly unreadable: readonly UnreadableEntry[];
  /** Present when the list failed; rows already sent stand. */
  readonly failure?: Failure;
  /** How to make the same request elsewhere. */
  readonly commands: QueryCommands;
}

export interface QueryCommands {
  readonly kubectl: string;
  readonly apiPath: string;
  readonly etcdctl: string;
  readonly etcdList: string;
}

export interface CommandsParams extends ListQuery {
  /** Of a query that follows all its tokens to the end. */
  readonly follow?: boolean;
}

export type QueryField =
  | 'resource'
  | 'namespace'
  | 'labelSelector'
  | 'fieldSelector'
  | 'limit'
  | 'resourceVersion'
  | 'resourceVersionMatch'
  | 'continueToken';

export interface QueryProblem {
  readonly field: QueryField;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** UTF-16 offsets into that field's text. */
  readonly start: number;
  readonly end: number;
}

export interface CheckResult {
  readonly problems: readonly QueryProblem[];
  readonly labelRequirements: number;
  readonly fieldRequirements: number;
  /** Whether this would read everything, in one reply or as a stream. */
  readonly unlimited: boolean;
  /** Whether a watch cache would be filled first, which is asked about. */
  readonly fillsCache?: true;
}

/** What a read of everything would hold, in one reply or as a stream, or a watch cache that is to be filled. */
export interface Measure {
  /** Stored keys below the list's prefix. */
  readonly keys: string;
  /** Estimated from the first keys. */
  readonly bytes: number;
  /** Bytes that are accepted, of a reply or for the cache; -1 for any number, as of a stream. */
  readonly budget: number;
  readonly streams: boolean;
}

export interface OpenObjectParams {
  /** From `Row.key`. */
  readonly key: string;
  /** Revision to read at; empty for the latest. */
  readonly revision: string;
  readonly resource: string;
  readonly reveal: boolean;
  /** Of the connection whose list the row was in; another connection then refuses. */
  readonly connectionNumber?: number;
}

export interface OpenedObject {
  readonly title: string;
  /** YAML. */
  readonly text: string;
  /** Lines said once above the text; empty for none. */
  readonly warning: string;
  readonly masked: boolean;
  /** Of the connection that it was read over. */
  readonly connectionNumber: number;
}

export type TokenVerdictKind =
  'ok' | 'notAToken' | 'unrecognizedVersion' | 'zeroRevision' | 'emptyStart' | 'uncleanStart';

/** What a token says and whether the API server would take it. */
export interface TokenFacts {
  /** The token found in the pasted text. */
  readonly token: string;
  /** Where it was found: raw, quoted, percent-encoded, a URL's parameter, a list's metadata. */
  readonly foundIn: string;
  /** The JSON inside, printable; empty when it is not base64. */
  readonly json: string;
  readonly version: string;
  readonly resourceVersion: string;
  /** Start key with control characters shown. */
  readonly start: string;
  /** Absolute key it resumes at for the chosen resource; empty when refused. */
  readonly resumesAt: string;
  readonly verdict: TokenVerdictKind;
  /** Upstream's whole error text; empty when accepted. */
  readonly upstreamError: string;
  /** Why the rule exists, one or two sentences. */
  readonly why: string;
  /** What the revision means, including -1. */
  readonly revisionMeaning: string;
  /** Whether the revision is compacted on the connected etcd; undefined when not asked or unknown. */
  readonly compacted?: boolean;
  /** Why `compacted` is not known, as the end of a sentence; only without it. */
  readonly compactedUnknown?: string;
  /** The connected etcd has not reached the revision: it refuses the token. Absent when not so or unknown. */
  readonly notReached?: boolean;
}

export interface DecodeTokenParams {
  readonly text: string;
  /** Resource whose prefix the start key is put under; empty for pods. */
  readonly resource: string;
  readonly namespace: string;
  /** Ask the connected etcd whether the revision is compacted (one count-only read). */
  readonly askEtcd: boolean;
}

export interface EncodeTokenParams {
  readonly version: string;
  readonly resourceVersion: string;
  /** Start key with escapes as shown (`\x00`). */
  readonly start: string;
  readonly resource: string;
  readonly namespace: string;
}

export interface HoverTokenParams {
  /** The one line under the pointer. */
  readonly line: string;
  /** UTF-16 offset of the pointer in it. */
  readonly character: number;
}

export interface HoverToken {
  /** Ends with a link that opens the token inspector. */
  readonly markdown: string;
  readonly start: number;
  readonly end: number;
  readonly token: string;
}

/** One past run, kept without values. */
export interface HistoryEntry {
  readonly at: number;
  readonly connection: string;
  readonly query: ListQuery;
  /** Of a long run only its begin and its end. */
  readonly requests: readonly RequestEntry[];
  readonly total: TotalEntry;
  /** Of all replies, also those to requests that are not kept; absent in what was kept earlier. */
  readonly bytes?: number;
  readonly failure?: Failure;
}
