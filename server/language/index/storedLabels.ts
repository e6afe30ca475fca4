/** What the language side asks of whoever knows the labels that are stored. */
import type { LabelIndex } from './labelIndex';

/** How it stands with one index. */
export type StoredState =
  | { readonly state: 'ready' }
  /** It was asked for and is not there yet. */
  | { readonly state: 'reading' }
  /** Nobody has asked. */
  | { readonly state: 'idle' }
  /** It could not be read, and is not tried again for a while. */
  | { readonly state: 'failed'; readonly sentence: string }
  /** It is not read at all: not allowed, not connected, or no such resource. */
  | { readonly state: 'off'; readonly sentence: string };

export interface StoredLabels {
  /**
   * What is there now, perhaps older than it should be; asks for a newer one in the background when
   * that is allowed. `resource` as kubectl names it; no namespace means all of them.
   */
  index(resource: string, namespace: string | undefined): LabelIndex | undefined;
  /**
   * The index once it is there and not too old, or what there is after `withinMs`. When the signal
   * aborts, and nobody else wants it, reading ends. Never rejects.
   */
  whenReady(
    resource: string,
    namespace: string | undefined,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<LabelIndex | undefined>;
  state(resource: string, namespace: string | undefined): StoredState;
  /** Names of the namespaces, at most 2,000; undefined while they are not known. As `index`. */
  namespaces(): readonly string[] | undefined;
  /** As `whenReady`. */
  whenNamespaces(signal: AbortSignal, withinMs: number): Promise<readonly string[] | undefined>;
  /** Keys that were read for all this over the open connection. */
  readonly examined: number;
  /** Called after something became known, failed or was dropped; answers how to stop that. */
  onChanged(listener: () => void): () => void;
}
