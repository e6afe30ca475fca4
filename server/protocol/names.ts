/** Names that `package.json` contributes, one member each; a test holds both sides equal. */
export const commands = {
  listResources: 'etcdList.listResources',
  inspectToken: 'etcdList.inspectToken',
  connect: 'etcdList.connect',
  connectDemo: 'etcdList.connectDemo',
  disconnect: 'etcdList.disconnect',
  probe: 'etcdList.probe',
  statusMenu: 'etcdList.statusMenu',
  toggleRangeStream: 'etcdList.toggleRangeStream',
  forgetPasswords: 'etcdList.forgetPasswords',
  showLog: 'etcdList.showLog',
  openTerminal: 'etcdList.openTerminal',
  runQuery: 'etcdList.runQuery',
  runQueryToEnd: 'etcdList.runQueryToEnd',
  runQueryBeside: 'etcdList.runQueryBeside',
  runAllQueries: 'etcdList.runAllQueries',
  explainQuery: 'etcdList.explainQuery',
  compareQuery: 'etcdList.compareQuery',
  copyQueryAsKubectl: 'etcdList.copyQueryAsKubectl',
  copyQueryAsEtcdctl: 'etcdList.copyQueryAsEtcdctl',
  copyQueryAs: 'etcdList.copyQueryAs',
  revealValues: 'etcdList.revealValues',
  copySelector: 'etcdList.copySelector',
  showMetrics: 'etcdList.showMetrics',
  readMetrics: 'etcdList.readMetrics',
} as const;

export type Command = (typeof commands)[keyof typeof commands];

/** What a link in a hover may do. Whatever else stands in one does nothing. */
export const hoverCommands: readonly Command[] = [commands.inspectToken];

/** One connection as people write it in `etcdList.connections`. Passwords never stand here. */
export interface ConnectionSetting {
  readonly name: string;
  readonly endpoints: readonly string[];
  /** Storage root; `/registry` when absent. */
  readonly root?: string;
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly serverName?: string;
    readonly skipVerify?: boolean;
  };
  readonly user?: string;
  readonly serializable?: boolean;
}

/** How severe a finding is shown, or not at all. */
export const SEVERITY_SETTINGS = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type SeveritySetting = (typeof SEVERITY_SETTINGS)[number];
export type SeveritySettings = Readonly<Record<string, SeveritySetting>>;

/** The versions whose decisions Explain tells. */
export const kubernetesVersions = [
  '1.30',
  '1.31',
  '1.32',
  '1.33',
  '1.34',
  '1.35',
  '1.36',
  '1.37',
] as const;
export type KubernetesVersionSetting = (typeof kubernetesVersions)[number];

/** The API server's gates that lists hang on, of any of these versions. */
export const featureGates = [
  'EtcdRangeStream',
  'WatchList',
  'ListFromCacheSnapshot',
  'ConsistentListFromCacheSkipTimeoutFallback',
  'AllowUnsafeMalformedObjectDeletion',
  'ConsistentListFromCache',
  'ResilientWatchCacheInitialization',
] as const;
export type FeatureGate = (typeof featureGates)[number];
/** Those that are named; the others are as the version has them. */
export type FeatureGateSettings = Readonly<Partial<Record<FeatureGate, boolean>>>;

/** Settings below `etcdList`, with their types. */
export interface Settings {
  readonly connections: readonly ConnectionSetting[];
  /** The gate `EtcdRangeStream`, from whichever of the two settings says it. */
  readonly rangeStream: boolean;
  readonly kubernetesVersion: KubernetesVersionSetting;
  readonly featureGates: FeatureGateSettings;
  /** Languages whose documents get hovers on continue tokens. */
  readonly hoverLanguages: readonly string[];
  /** Largest reply in MiB. */
  readonly byteBudgetMiB: number;
  /** Longest time of one etcd call in seconds. */
  readonly deadlineSeconds: number;
  /** Pods in the demo cluster. */
  readonly demoPods: number;
  /** Whether labels are read for completion and counts. */
  readonly 'completion.enabled': boolean;
  /** Objects read of a resource that has many. */
  readonly 'completion.sampleObjects': number;
  /** Resources with no more objects than this are read whole. */
  readonly 'completion.exactUpTo': number;
  /** Age at which labels are read again. */
  readonly 'completion.maxAgeSeconds': number;
  /** Objects whose labels are known at a time. */
  readonly 'completion.maxKeys': number;
  /** By the code of a finding; what is not named keeps its own severity. */
  readonly 'diagnostics.severity': SeveritySettings;
  /** Port on the loopback on which the server's metrics are served; 0 for none. */
  readonly 'metrics.port': number;
  /** Memory in MiB that all watch caches may take together. */
  readonly 'watchCache.memoryLimitMiB': number;
  readonly 'trace.server': 'off' | 'messages' | 'verbose';
}

/** What the settings of completion are where nothing says otherwise. */
export const completionDefaults = {
  enabled: true,
  sampleObjects: 500,
  exactUpTo: 5000,
  maxAgeSeconds: 60,
  maxKeys: 200_000,
} as const;

/** Their bounds, both included. */
export const completionBounds = {
  sampleObjects: { minimum: 10, maximum: 10_000 },
  exactUpTo: { minimum: 0, maximum: 100_000 },
  maxAgeSeconds: { minimum: 5, maximum: 86_400 },
  maxKeys: { minimum: 1000, maximum: 1_000_000 },
} as const;

/** Bounds of the memory of watch caches in MiB, both included, and what it is where nothing says otherwise. */
export const watchCacheMiB = { minimum: 1, maximum: 2048, default: 256 } as const;

export const settingsSection = 'etcdList';

/** The language of query files. */
export const queryLanguage = 'etcdlist';

/** Languages that manifests are written in; `helm` is what other extensions call its templates. */
export const manifestLanguages: readonly string[] = ['yaml', 'helm', 'json', 'jsonc'];

/**
 * Languages whose documents the language server holds, looks for selectors in, and answers for itself
 * once it runs.
 */
export const serverLanguages: readonly string[] = [...manifestLanguages, queryLanguage];

/** Query files in both ways of writing them, as an editor selects documents. */
export const queryDocuments: readonly (
  { readonly language: string } | { readonly pattern: string }
)[] = [
  { language: queryLanguage },
  { pattern: '**/*.etcdlist' },
  { pattern: '**/*.etcdlist.{yaml,yml}' },
];

/** Pages beside query files, whose lines the editor wraps by their names: the manifest knows them by these. */
export const pages = { folder: '/etcd LIST', explanation: 'explained.txt' } as const;

/** The type of the panel, for its serializer. */
export const panelViewType = 'etcdList.panel';
