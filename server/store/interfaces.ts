/**
 * The LIST engine's contract. Rules and names follow `k8s.io/apiserver/pkg/storage`; sizes are
 * bytes, times milliseconds, revisions and counts int64 as bigint.
 */
import type { GroupResource } from '../common/groupResource';
import type { FieldSelector, LabelSelector, StringSet } from '../kube/selectors/types';
import type { StoreError } from './errors';

export type { GroupResource };

export interface ObjectAttributes {
  readonly labels: StringSet;
  readonly fields: StringSet;
}

/** Selection of one list (`storage.SelectionPredicate`). */
export interface Predicate {
  readonly label: LabelSelector | undefined;
  readonly field: FieldSelector | undefined;
  /** Matching objects wanted at most; zero or less is no limit (rule O6). */
  readonly limit: bigint;
  /** Continue token as the client sent it; empty for none. */
  readonly continueToken: string;
}

export interface ListOptions {
  /** Storage path below the root, such as `/pods/web`, or of one object when not recursive. */
  readonly key: string;
  /** False reads the single key (rule N2). */
  readonly recursive: boolean;
  readonly resourceVersion: string;
  /** Upstream's `Exact` and `NotOlderThan`, empty for the legacy rule; other text is an error. */
  readonly resourceVersionMatch: string;
  readonly predicate: Predicate;
}

export interface ItemContext {
  readonly key: Uint8Array;
  readonly modRevision: bigint;
}

export type Rejects = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Turns stored bytes into objects. Both steps throw; the message becomes part of the error. */
export interface ItemDecoder<T> {
  /** Undoes encryption at rest; throwing is upstream's "unable to transform key". */
  transform(value: Uint8Array, item: ItemContext): Uint8Array;
  decode(value: Uint8Array, item: ItemContext): T;
  /** The same for a value where it stands. Absent: there is none. */
  readonly inPlace?: InPlaceDecoder<T>;
  /** Attributes to match; throwing means "does not match" (upstream's `getAttrs`). */
  attributes(object: T): ObjectAttributes;
  /**
   * Tells of a value where it stands (bytes, its first offset and its end) that both steps above would
   * succeed and that the predicate does not select the object. False when it cannot tell. Absent: it
   * never can.
   */
  rejecter?: (predicate: Pick<Predicate, 'label' | 'field'>) => Rejects | undefined;
  /** The same object sharing no memory with the reply it was read from. Absent: it never does. */
  detach?(object: T): T;
}

/** Reads a value where it stands: bytes, its first offset in them and its end. */
export interface InPlaceDecoder<T> {
  /** Whether transforming and decoding would surely succeed. False when it cannot tell. */
  isSound(bytes: Uint8Array, start: number, end: number): boolean;
  /** The object of a value that is sound, sharing its memory. */
  make(bytes: Uint8Array, start: number, end: number): T;
}

export interface ListItem<T> {
  readonly object: T;
  readonly key: Uint8Array;
  readonly modRevision: bigint;
  /** Length of the stored value in bytes. */
  readonly size: number;
}

/** What to do with an object that cannot be read (rule E3). */
export type UnreadablePolicy = 'abort' | 'aggregate' | 'skip';

export interface UnreadableItem {
  readonly key: Uint8Array;
  readonly error: Error;
}

/** Operation names as upstream's metrics have them. */
export type Operation =
  'list' | 'listStream' | 'get' | 'getCurrentResourceVersion' | 'listWithCount';

/** One etcd request of a list. Streams are one record, updated as chunks arrive. */
export interface RequestRecord {
  readonly n: number;
  readonly operation: Operation;
  readonly endpoint: string;
  readonly serializable: boolean;
  readonly startKey: Uint8Array;
  /** Absent for a single key. */
  readonly endKey: Uint8Array | undefined;
  readonly limit: bigint;
  readonly revision: bigint;
  readonly keys: number;
  readonly matched: number;
  /** Reply messages as received, without gRPC frames. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Messages of a stream so far. */
  readonly chunks?: number;
  /** RangeStream was answered Unimplemented (rule M2). */
  readonly refused?: true;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface TotalRecord {
  readonly requests: number;
  readonly fetched: number;
  /** Keys examined, unreadable ones included. */
  readonly examined: number;
  /** Keys decoded and tested. */
  readonly evaluated: number;
  readonly returned: number;
  /** The list's revision; null when the list failed before one was known. */
  readonly resourceVersion: bigint | null;
  /** Empty when nothing follows. */
  readonly continueToken: string;
  readonly remainingItemCount: bigint | null;
  /** Requests a fixed page of the client's limit would have made; null without a limit. */
  readonly naiveRequests: number | null;
  readonly streamed: boolean;
  /** Absent where etcd served it; mixed when the cache served some lists of several. */
  readonly servedBy?: 'watchcache' | 'mixed';
  readonly largestReplyBytes: number;
  readonly durationMs: number;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Receipt {
  readonly requests: readonly RequestRecord[];
  readonly total: TotalRecord;
}

export interface ListResult<T> {
  /** Empty when `onItems` took the rows as they came. */
  readonly items: readonly ListItem<T>[];
  readonly resourceVersion: bigint;
  readonly continueToken: string;
  readonly remainingItemCount: bigint | null;
  /** Filled only under the policy `skip`. */
  readonly unreadable: readonly UnreadableItem[];
  /** The last key examined, absent when nothing was: following compares tokens with it. */
  readonly lastKey: Uint8Array | undefined;
  readonly receipt: Receipt;
}

/** A failed list: the receipt is always written. */
export class ListFailedError extends Error {
  override readonly name = 'ListFailedError';
  constructor(
    override readonly cause: StoreError,
    readonly receipt: Receipt,
    /** Objects selected before the failure and not handed out. The API server drops them. */
    readonly items: readonly ListItem<unknown>[],
  ) {
    super(cause.message, { cause });
  }
}

/** How to read (rule S1 and the command line's `--stream`). */
export type StreamMode =
  /** Upstream: stream when the gate is on and the server is not marked as lacking it. */
  | 'auto'
  /** The gate is off. */
  | 'off'
  /** Ignore the ten-minute mark; fall back when refused. */
  | 'on'
  /** Fail instead of falling back. */
  | 'force';

/** Sizes of the pages after the first. Upstream's is `doubling`; the others are ours, to compare with it. */
export type PageSizing =
  | 'doubling'
  /** All of the client's limit. */
  | 'fixed'
  /** By the share of keys that matched so far (`adaptivePages.ts`). */
  | 'adaptive';

/** What is known of a range without reading it. */
export interface RangeMeasure {
  readonly count: bigint;
  /** Of a reply with all of them, estimated. */
  readonly bytes: number;
}

export interface ListHooks<T> {
  readonly signal?: AbortSignal;
  /** Called when a request starts, with each chunk of a stream, and when it ends. */
  readonly onRequest?: (record: RequestRecord, state: 'started' | 'progress' | 'done') => void;
  /**
   * Takes matching rows as they come instead of collecting them. Awaited, so a slow consumer slows
   * the reads. Rows are provisional until the list resolves.
   */
  readonly onItems?: (items: readonly ListItem<T>[]) => void | Promise<void>;
  readonly unreadable?: UnreadablePolicy;
  readonly stream?: StreamMode;
  /** Absent: upstream's. */
  readonly pageSizing?: PageSizing;
  /**
   * A list with both a limit and a selector streams too where it would without its limit: etcd is asked
   * for everything, and the stream is left when the list is full. Never upstream's way.
   */
  readonly openStream?: boolean;
  /** Called once when a stream was refused and pages take over. */
  readonly onFallback?: (reason: string) => void;
  /**
   * Found just now of all keys below the list's at the latest revision. A list of just these without a
   * limit is not counted again before it is read.
   */
  readonly measured?: RangeMeasure | undefined;
}

export interface ListStore<T> {
  /** Rejects with `ListFailedError`, which carries the `StoreError` and the receipt. */
  getList(options: ListOptions, hooks?: ListHooks<T>): Promise<ListResult<T>>;
}

/** Whether this etcd has RangeStream, as remembered (rule S3). */
export interface StreamSupport {
  supports(feature: 'RangeStream'): boolean;
  markUnsupported(feature: 'RangeStream'): void;
}

/** The API server's feature gates that the engine obeys. */
export interface FeatureGates {
  readonly etcdRangeStream: boolean;
  readonly allowUnsafeMalformedObjectDeletion: boolean;
}
