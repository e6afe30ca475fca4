/** What the language side asks of whoever knows the labels that are stored. */
import type { KnownCustomResource } from '../query/options';
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

/** A document as somebody sees it now. */
export interface Asker {
  readonly uri: string;
  readonly version: number;
}

export interface StoredLabels {
  /**
   * What is there now, perhaps older than it should be; nothing is read for it. `resource` as kubectl
   * names it; no namespace means all of them.
   */
  index(resource: string, namespace: string | undefined): LabelIndex | undefined;
  /**
   * As `index`, and has it read in the background where that is due: once for each version of a
   * document, so that what became known never leads to more reads. Secrets are left to `whenReady`. Of
   * what may be a custom resource the names of definitions are read first.
   */
  want(resource: string, namespace: string | undefined, asker: Asker): LabelIndex | undefined;
  /**
   * The index that there is, a newer one being read behind it when it is too old; else the one that is
   * there within `withinMs`. When the signal aborts, and nobody else wants it, reading ends. Never
   * rejects.
   */
  whenReady(
    resource: string,
    namespace: string | undefined,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<LabelIndex | undefined>;
  /** The document is no longer open. */
  forget(uri: string): void;
  state(resource: string, namespace: string | undefined): StoredState;
  /** Names of the namespaces, at most 2,000; undefined where they are not known. As `whenReady`. */
  whenNamespaces(signal: AbortSignal, withinMs: number): Promise<readonly string[] | undefined>;
  /** Custom resources as far as they are known now, the same array until more is known; nothing is read. */
  readonly customResources: readonly KnownCustomResource[];
  /** As above, by one read of the names of their definitions where that is due. As `whenReady`. */
  whenCustomResources(
    signal: AbortSignal,
    withinMs: number,
  ): Promise<readonly KnownCustomResource[]>;
  /** Keys that were read for all this over the open connection. */
  readonly examined: number;
  /** Called after something became known, failed or was dropped; answers how to stop that. */
  onChanged(listener: () => void): () => void;
}
