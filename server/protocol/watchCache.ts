/** A watch cache that runs for the open connection, or ran and failed. */
export interface WatchCacheInfo {
  /** As lists name it, and as it is stopped: `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly state: 'filling' | 'ready' | 'refilling' | 'stopped';
  readonly objects: number;
  /** Bytes taken, counted and not measured. */
  readonly bytes: number;
  /** Bytes that all watch caches may take together. */
  readonly limitBytes: number;
  /** Everything is known up to it; `0` before the first fill. */
  readonly revision: string;
  /** Milliseconds since 1970 of the last fill; absent before it. */
  readonly filledAt?: number;
  /** Revisions that can be listed, the current one among them. */
  readonly snapshots: number;
  /** Absent without snapshots. */
  readonly oldestSnapshot?: string;
  readonly window: { readonly events: number; readonly capacity: number };
  /** Whether consistent reads can be served. */
  readonly supportsProgress: boolean;
  /** Why its watch is broken just now, in a sentence; it grows old meanwhile. */
  readonly interrupted?: string;
  /** What ended it, or what it is filled anew for. */
  readonly failure?: string;
}
