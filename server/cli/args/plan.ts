/** What the arguments ask for, checked and complete; commands read nothing else. */
import type { CacheGates } from '../../cache/serving';
import type { Gates } from '../../cache/versions/gates';
import type { KubernetesVersion } from '../../cache/versions/version';
import type { WayName } from '../../compare/model';
import type { AskedList } from '../../explain/asked';
import type { StoredKeys } from '../../explain/estimateModel';
import type { Severity } from '../../language/findings';
import type { Sort } from '../../metrics/scrape/report';
import type { FeatureGates, StreamMode } from '../../store/interfaces';

export const outputFormats = ['table', 'wide', 'name', 'json', 'yaml', 'ndjson'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const receiptForms = ['text', 'json'] as const;
export type ReceiptForm = (typeof receiptForms)[number];

export const streamModes = ['auto', 'on', 'off', 'force'] as const satisfies readonly StreamMode[];

export const servingSources = ['etcd', 'watch-cache'] as const;

/** Who serves the lists; a watch cache of this process with its limit in bytes. */
export type ServeFrom =
  | { readonly kind: 'etcd' }
  | {
      readonly kind: 'watch-cache';
      readonly limitBytes: number;
      readonly gates: CacheGates;
    };

/** What may come from a flag or from etcdctl's variable. */
export type GivenName =
  'endpoints' | 'cacert' | 'cert' | 'key' | 'skipVerify' | 'insecureTransport';

export interface ConnectionPlan {
  /** The flag, or the variable that a value came from, for sentences that blame it. */
  readonly names: Readonly<Record<GivenName, string>>;
  /** As given, split at commas; the transport parses them. */
  readonly endpoints: readonly string[];
  readonly cacert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly skipVerify: boolean;
  /** False demands TLS also for an endpoint without a scheme; undefined leaves it to the endpoint. */
  readonly insecureTransport: boolean | undefined;
  readonly user: string | undefined;
  /** Password from the environment; never from an argument. */
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
  readonly dialTimeoutMs: number;
  /** Deadline of one read in milliseconds; 0 is none. */
  readonly commandTimeoutMs: number;
  readonly root: string;
  readonly serializable: boolean;
  readonly byteBudget: number;
}

export type Paging =
  /** kubectl's `--chunk-size`: pages of this size, followed to the end; 0 is one unlimited read. */
  | { readonly kind: 'chunks'; readonly size: bigint }
  /** One request of this limit; followed through its tokens only when asked. */
  | { readonly kind: 'limit'; readonly limit: bigint; readonly follow: boolean };

export type Target =
  | { readonly kind: 'resource'; readonly resource: string; readonly name: string | undefined }
  /** A full etcd prefix, starting with a slash. */
  | { readonly kind: 'prefix'; readonly prefix: string };

export interface GetPlan {
  readonly command: 'get';
  readonly target: Target;
  /** Undefined lists all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly paging: Paging;
  readonly output: OutputFormat;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly skipUnreadable: boolean;
  readonly showSecrets: boolean;
  readonly receipt: ReceiptForm;
  readonly stream: StreamMode;
  readonly gates: FeatureGates;
  readonly serveFrom: ServeFrom;
  /** Where the metrics of the list are written. */
  readonly metricsFile: string | undefined;
  /** Estimate first, and hold that against the receipt. */
  readonly explain: boolean;
  readonly connection: ConnectionPlan;
}

export type TokenPlan =
  | {
      readonly command: 'token decode';
      readonly token: string;
      /** Undefined leaves the start key relative. */
      readonly prefix: string | undefined;
    }
  | { readonly command: 'token check'; readonly token: string; readonly prefix: string }
  | {
      readonly command: 'token encode';
      readonly revision: bigint;
      /** Full key and the prefix it lies under. */
      readonly key: string;
      readonly prefix: string;
    };

export interface ProbePlan {
  readonly command: 'probe';
  readonly connection: ConnectionPlan;
}

export interface ResourcesPlan {
  readonly command: 'resources';
  readonly connection: ConnectionPlan;
}

export interface DemoPlan {
  readonly command: 'demo';
  readonly pods: number;
  readonly seed: number;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly rangeStream: boolean;
  /** The command to run against the demo, without the program's name; empty serves. */
  readonly run: readonly string[];
}

export interface RunPlan {
  readonly command: 'run';
  /** A query file; `-` is standard input. */
  readonly file: string;
  /** Queries to run, with those whose tokens they take; none for all. */
  readonly names: readonly string[];
  /** What kubectl would have as its current namespace. */
  readonly namespace: string;
  readonly output: OutputFormat;
  readonly receipt: ReceiptForm;
  readonly skipUnreadable: boolean;
  readonly showSecrets: boolean;
  /** That all lists obey. */
  readonly gates: FeatureGates;
  /** The same as it was given, for command lines that go on with a list; empty where it was not. */
  readonly featureGates: string;
  /** A query that fails does not stop the run. */
  readonly keepGoing: boolean;
  /** Where the metrics of all its lists are written. */
  readonly metricsFile: string | undefined;
  readonly connection: ConnectionPlan;
  /** The connection flags as they were given, for command lines that go on with a list. */
  readonly connectionWords: readonly string[];
}

export const lintFormats = ['text', 'json', 'sarif'] as const;

export interface LintPlan {
  readonly command: 'lint';
  /** Files and folders; `-` is standard input. */
  readonly paths: readonly string[];
  readonly output: (typeof lintFormats)[number];
  /** The least that is shown. */
  readonly severity: Severity;
}

export const explainFormats = ['text', 'json'] as const;

export type ExplainSubject =
  | { readonly kind: 'asked'; readonly asked: AskedList }
  /** Queries as a file has them. */
  | { readonly kind: 'text'; readonly text: string }
  /** `-` is standard input; no names are all. */
  | { readonly kind: 'file'; readonly file: string; readonly names: readonly string[] };

export interface ExplainPlan {
  readonly command: 'explain';
  readonly subject: ExplainSubject;
  /** What kubectl would have as its current namespace. */
  readonly namespace: string;
  readonly output: (typeof explainFormats)[number];
  /** Of the API server that is asked about. */
  readonly version: KubernetesVersion;
  readonly gates: Gates;
  /** Undefined leaves it to what the server does by default. */
  readonly watchCache: boolean | undefined;
  readonly connection: ConnectionPlan;
  /** An etcd was named, which may be asked what it can do. */
  readonly asksEtcd: boolean;
  readonly cost: CostPlan;
}

export const compareFormats = ['table', 'json'] as const;

export interface ComparePlan {
  readonly command: 'compare';
  /** What is listed; without a name, a token or a version. */
  readonly list: GetPlan;
  /** The client's, above zero. */
  readonly limit: bigint;
  readonly toTheEnd: boolean;
  /** At least two. */
  readonly ways: readonly WayName[];
  readonly rounds: number;
  /** Nobody is asked. */
  readonly agreed: boolean;
  readonly output: (typeof compareFormats)[number];
  /** Undefined leaves the single requests out. */
  readonly receipt: ReceiptForm | undefined;
}

export const metricsFormats = ['table', 'json'] as const;

export interface MetricsPlan {
  readonly command: 'metrics';
  /** Scrapes; `-` is standard input. */
  readonly files: readonly string[];
  /** Older ones of the same servers; none for what was counted since they started. */
  readonly since: readonly string[];
  /** Between the two, where it is given. */
  readonly seconds: number | undefined;
  readonly output: (typeof metricsFormats)[number];
  readonly sort: Sort;
  readonly byServer: boolean;
  /** Rows of each table; undefined for all. */
  readonly top: number | undefined;
}

/** What an estimate is reckoned from. */
export type CostPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'given'; readonly stored: StoredKeys }
  /** A bounded sample of etcd. */
  | { readonly kind: 'measure' };

export type Plan =
  | GetPlan
  | TokenPlan
  | ProbePlan
  | ResourcesPlan
  | DemoPlan
  | LintPlan
  | RunPlan
  | ExplainPlan
  | ComparePlan
  | MetricsPlan;
