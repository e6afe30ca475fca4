/**
 * Requests and notifications between the extension host and the language server. Cancelling a
 * request cancels the etcd call behind it. A failed request answers `ResponseError` whose `data` is a
 * `Failure`.
 */
import type { CompareParams, WaysCompared, WaysForecast } from './compare';
import type {
  AccessVariables,
  CheckResult,
  CommandsParams,
  ConnectionStatus,
  ConnectParams,
  DecodeTokenParams,
  EncodeTokenParams,
  HoverPlace,
  HoverText,
  HoverToken,
  HoverTokenParams,
  ListDone,
  ListEvent,
  ListParams,
  ListQuery,
  Measure,
  OpenedObject,
  OpenObjectParams,
  QueryCommands,
  ResourceEntry,
  Taken,
  TokenFacts,
} from './model';
import type { HoverMetricParams, MetricsRead, ReadMetricsParams, ScrapePart } from './metrics';
import type { ExplainedList, ExplainParams } from './explain';
import type { FileQueries, QueryPlace } from './queryFiles';
import type { WatchCacheInfo } from './watchCache';
import type { FeatureGateSettings, KubernetesVersionSetting, SeveritySettings } from './names';

/** Client to server. */
export interface LspRequests {
  'etcdList/connect': { params: ConnectParams; result: ConnectionStatus };
  'etcdList/connectDemo': { params: { pods: number }; result: ConnectionStatus };
  'etcdList/disconnect': { params: null; result: ConnectionStatus };
  'etcdList/status': { params: null; result: ConnectionStatus };
  /** How etcdctl and etcd-list reach the etcd of the open connection; null without one. */
  'etcdList/accessVariables': { params: null; result: AccessVariables | null };
  'etcdList/probe': { params: null; result: ConnectionStatus };
  'etcdList/setRangeStreamGate': { params: { on: boolean }; result: ConnectionStatus };
  /**
   * Built-in resources and what is stored. When connected: one keys-only read of one key for each
   * prefix found and one more, and one of the names of definitions; no values.
   */
  'etcdList/resources': { params: null; result: readonly ResourceEntry[] };
  /** Namespaces stored, at most 2,000; one keys-only read. */
  'etcdList/namespaces': { params: null; result: readonly string[] };
  'etcdList/check': { params: ListQuery; result: CheckResult };
  /** What a list without a limit would read; one small read. */
  'etcdList/measure': { params: ListQuery; result: Measure };
  'etcdList/list': { params: ListParams; result: ListDone };
  /** What comparing the ways to read a list would read, from a bounded sample of at most 500 objects. */
  'etcdList/forecastWays': { params: CompareParams; result: WaysForecast };
  /** Reads the list in every way; what fails or is stopped comes with what was read till then. */
  'etcdList/compareWays': { params: CompareParams; result: WaysCompared };
  /** Answered when its watch has ended; also when there is none. */
  'etcdList/stopWatchCache': { params: { resource: string }; result: null };
  'etcdList/commands': { params: CommandsParams; result: QueryCommands };
  /** Null for a document that the server does not hold, or could not look at. */
  'etcdList/queries': { params: { uri: string }; result: FileQueries | null };
  /**
   * Which way an API server would serve one query, in words; nothing is read. Null where the document
   * is another by now.
   */
  'etcdList/explain': { params: QueryPlace; result: { text: string } | null };
  /** The same of a query of the panel, with what it would cost; read is only what `measure` says. */
  'etcdList/explainList': { params: ExplainParams; result: ExplainedList };
  'etcdList/openObject': { params: OpenObjectParams; result: OpenedObject };
  'etcdList/decodeToken': { params: DecodeTokenParams; result: TokenFacts };
  'etcdList/encodeToken': { params: EncodeTokenParams; result: TokenFacts };
  /** Null where no token stands under the pointer. */
  'etcdList/hoverToken': { params: HoverTokenParams; result: HoverToken | null };
  /** What this server counted so far, as Prometheus text. */
  'etcdList/metrics': { params: null; result: { text: string } };
  /** Part of a text of metrics that is to be read. */
  'etcdList/scrapePart': { params: ScrapePart; result: null };
  'etcdList/readMetrics': { params: ReadMetricsParams; result: MetricsRead };
  /** Null for a line that tells nothing of lists. */
  'etcdList/hoverMetric': { params: HoverMetricParams; result: { markdown: string } | null };
  /** LSP's own, for documents that the server holds; null as above. */
  'textDocument/hover': { params: HoverPlace; result: HoverText | null };
}

/** Server to client. */
export interface LspNotifications {
  'etcdList/statusChanged': ConnectionStatus;
  /** A batch, in order. */
  'etcdList/listEvents': readonly ListEvent[];
  /** All watch caches of the open connection, after each change. */
  'etcdList/watchCaches': readonly WatchCacheInfo[];
}

/** How labels that are stored are sampled, for completion and for counts. */
export interface CompletionSettings {
  readonly enabled: boolean;
  /** Objects read of a resource that has many. */
  readonly sampleObjects: number;
  /** A resource or namespace with no more objects than this is read whole. */
  readonly exactUpTo: number;
  /** What is older is read again when it is asked for. */
  readonly maxAgeSeconds: number;
  /** Objects known at a time, of all resources together. */
  readonly maxKeys: number;
}

/** What the client hands over when the server starts. */
export interface InitializationOptions {
  /** Of the workspace; the network stays off while it is false. */
  readonly trusted: boolean;
  readonly rangeStreamGate: boolean;
  /** Of the API server that Explain asks about. */
  readonly kubernetesVersion: KubernetesVersionSetting;
  readonly featureGates: FeatureGateSettings;
  readonly byteBudgetMiB: number;
  readonly deadlineSeconds: number;
  readonly completion: CompletionSettings;
  readonly severities: SeveritySettings;
  /**
   * Another extension completes YAML by the schemas that extensions contribute, so that members and words
   * of query documents are left to it.
   */
  readonly schemaCompletion: boolean;
  /** Port on the loopback on which metrics are served; 0 for none. */
  readonly metricsPort: number;
  /** Memory that all watch caches may take together. */
  readonly watchCacheMiB: number;
}

/** Client to server: the workspace became trusted, settings changed, a batch of events was taken. */
export interface ClientNotifications {
  'etcdList/trustGranted': null;
  'etcdList/settings': Omit<InitializationOptions, 'trusted'>;
  'etcdList/taken': Taken;
}

export type LspRequest = keyof LspRequests;
export type LspNotification = keyof LspNotifications;
export type ClientNotification = keyof ClientNotifications;
