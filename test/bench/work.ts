/** What a measured process is asked to do, and what it answers: one JSON line each. */

/** One list, followed through its tokens to the end. */
export interface ListWork {
  readonly root: string;
  readonly label: string;
  readonly field: string;
  /** 0 is none. */
  readonly limit: number;
  /** The gate `EtcdRangeStream`. */
  readonly stream: boolean;
}

/** One etcd request as it goes out, the message in base64. */
export interface Sent {
  readonly method: string;
  readonly message: string;
}

export type Ask =
  /** `loop` watches the event loop. */
  | { readonly op: 'list' | 'naive'; readonly list: ListWork; readonly loop?: boolean }
  | { readonly op: 'floor'; readonly requests: readonly Sent[]; readonly loop?: boolean }
  | { readonly op: 'getAll'; readonly prefix: string; readonly loop?: boolean }
  /** Joins that many bytes once, as they would come from the network. */
  | { readonly op: 'join'; readonly bytes: number }
  | { readonly op: 'rate'; readonly rate: RateWork };

/** A small piece of work, repeated for `seconds`. */
export interface RateWork {
  readonly mode: 'labels' | 'match' | 'token' | 'decode';
  readonly text: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly prefix: string;
  /** Base64. */
  readonly value: string;
  readonly seconds: number;
}

export interface Outcome {
  readonly ms: number;
  /** Objects selected. */
  readonly items?: number;
  /** Keys that etcd sent, selected or not. */
  readonly keys?: number;
  readonly requests?: readonly Sent[];
  /** Etcd requests made. */
  readonly requestCount?: number;
  /** Bytes of all replies, and of the largest. */
  readonly replyBytes?: number;
  readonly largestReply?: number;
  /** The longest time in milliseconds that the event loop was away. */
  readonly longestBlock?: number;
  readonly perSecond?: number;
}

export type Answer = Outcome | { readonly failure: string };
