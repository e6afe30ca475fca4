/** Random clusters and what is asked of them. Revisions, keys and tokens are relative, so that a plan can shrink. */
/** Bytes in base64 behind one part of an object, or, `apart`, as that part once more. */
export interface GraftPlan {
  /** 1 metadata, 2 spec, 3 status. */
  readonly part: number;
  readonly apart: boolean;
  readonly bytes: string;
}

export interface PutPlan {
  readonly kind: 'put';
  readonly namespace: string;
  readonly name: string;
  /** Hex appended to the key: bytes that need not be text. */
  readonly suffix: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly node: string;
  readonly phase: string;
  readonly hostNetwork: boolean;
  readonly ip: string;
  readonly ips: readonly string[];
  readonly json: boolean;
  /** Never in JSON. */
  readonly grafts: readonly GraftPlan[];
  readonly together: boolean;
}

export interface DeletePlan {
  readonly kind: 'delete';
  readonly namespace: string;
  readonly name: string;
}

export interface BulkPlan {
  readonly kind: 'bulk';
  readonly namespace: string;
  readonly count: number;
  /** Each so many-th object has the label `rare=yes`. */
  readonly every: number;
  /** Each so many-th is no object; 0 none. */
  readonly badEvery: number;
  readonly padding: number;
}

export interface BadPlan {
  readonly kind: 'bad';
  readonly namespace: string;
  readonly name: string;
  /** A value by itself in base64, or damage done to a good one. */
  readonly raw: string | undefined;
  readonly damage: { readonly keep: number; readonly at: number; readonly xor: number };
}

export type WritePlan = PutPlan | DeletePlan | BulkPlan | BadPlan;

/** A place in the cluster's history: a share of it, so many revisions beyond it, or a text as it is. */
export type VersionPlan =
  { readonly share: number } | { readonly ahead: number } | { readonly text: string };

export type TokenPlan =
  | { readonly kind: 'none' }
  /** One that an earlier list gave. */
  | { readonly kind: 'given'; readonly index: number; readonly tamper: string; readonly at: number }
  | { readonly kind: 'made'; readonly version: VersionPlan; readonly start: string }
  | { readonly kind: 'text'; readonly text: string };

export interface ListPlan {
  readonly kind: 'list';
  readonly key: string;
  readonly recursive: boolean;
  readonly version: VersionPlan;
  readonly match: string;
  readonly limit: string;
  readonly label: string;
  readonly field: string;
  readonly token: TokenPlan;
  readonly stream: boolean;
  readonly aggregate: boolean;
  readonly forget: boolean;
  /** Follows the token to the end, in so many pages at most. */
  readonly follow: number;
  /** Compacts everything before this etcd read of the list; 0 never. */
  readonly disturb: number;
  /** Written before that read, the first when that is 0; then history is compacted only if so said. */
  readonly meanwhile: readonly WritePlan[];
  readonly compactToo: boolean;
}

export type StepPlan =
  | ListPlan
  | { readonly kind: 'write'; readonly write: WritePlan }
  | { readonly kind: 'compact'; readonly share: number };

export interface ClusterPlan {
  /** Compares items without their labels. */
  readonly brief?: boolean;
  readonly root: string;
  readonly resourcePrefix: string;
  readonly writes: readonly WritePlan[];
  readonly steps: readonly StepPlan[];
}
