/**
 * Labels and fields that are stored, known by bounded reads: on a trusted workspace and an open
 * connection alone, one read at a time, and nothing longer than the connection.
 */
import type { Clock } from '../../common/clock';
import type { Log } from '../../common/log';
import type { StoreMetrics } from '../../metrics/storeMetrics';
import type { LabelIndex } from '../../language/index/labelIndex';
import type { Asker, StoredLabels, StoredState } from '../../language/index/storedLabels';
import type { KnownCustomResource } from '../../language/query/options';
import type { ConnectionHolder } from '../connectionHolder';
import type { OpenConnection } from '../openConnection';
import type { ServerSettings } from '../settings';
import { ConnectionIndexes } from './connectionIndexes';
import { placeOf, type Place } from './places';
import { ReadQueue } from './readQueue';

export interface LabelStoreParts {
  readonly holder: Pick<ConnectionHolder, 'usable'>;
  readonly settings: Pick<ServerSettings, 'current'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

type Found =
  | { readonly held: ConnectionIndexes; readonly place: Place; readonly unsure?: never }
  | {
      readonly held?: never;
      readonly place?: never;
      readonly sentence: () => string;
      /** Who may read whether there is such a place. */
      readonly unsure?: ConnectionIndexes | undefined;
    };

const NONE: readonly KnownCustomResource[] = [];

const OFF = 'The setting etcdList.completion.enabled is off.';

export class LabelStore implements StoredLabels {
  private readonly queue = new ReadQueue();
  private readonly listeners = new Set<() => void>();
  private held: ConnectionIndexes | undefined;

  constructor(private readonly parts: LabelStoreParts) {}

  index(resource: string, namespace: string | undefined): LabelIndex | undefined {
    const { held, place } = this.find(resource, namespace);
    return place === undefined ? undefined : held.index(place.id);
  }

  want(resource: string, namespace: string | undefined, asker: Asker): LabelIndex | undefined {
    const { held, place, unsure } = this.find(resource, namespace);
    const job =
      place === undefined
        ? unsure?.backgroundDefinitionsJob(asker)
        : held.backgroundJob(place, asker);
    if (job !== undefined) this.queue.ask(job);
    return place === undefined ? undefined : held.index(place.id);
  }

  /** The document is no longer open. */
  forget(uri: string): void {
    this.held?.forget(uri);
  }

  async whenReady(
    resource: string,
    namespace: string | undefined,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<LabelIndex | undefined> {
    const { clock } = this.parts;
    const until = clock.monotonic() + withinMs;
    const at = await this.findWhenReady(resource, namespace, signal, withinMs);
    if (at.place === undefined) return undefined;
    const { place, held } = at;
    const job = held.indexJob(place);
    const old = held.index(place.id);
    if (job !== undefined && old !== undefined) this.queue.ask(job);
    else if (job !== undefined) await this.queue.wait(job, signal, until - clock.monotonic());
    return this.live().held === held ? held.index(place.id) : undefined;
  }

  /** What may be a custom resource is one, or none, once the names of these are known. */
  private async findWhenReady(
    resource: string,
    namespace: string | undefined,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<Found> {
    const at = this.find(resource, namespace);
    const job = at.unsure?.definitionsJob();
    if (job === undefined) return at;
    await this.queue.wait(job, signal, withinMs);
    return this.find(resource, namespace);
  }

  state(resource: string, namespace: string | undefined): StoredState {
    const at = this.find(resource, namespace);
    if (at.place === undefined) return { state: 'off', sentence: at.sentence() };
    const { id } = at.place;
    if (at.held.index(id) !== undefined) return { state: 'ready' };
    if (this.queue.has(id)) return { state: 'reading' };
    const sentence = at.held.failure(id);
    return sentence === undefined ? { state: 'idle' } : { state: 'failed', sentence };
  }

  async whenNamespaces(
    signal: AbortSignal,
    withinMs: number,
  ): Promise<readonly string[] | undefined> {
    const { held } = this.live();
    const job = held?.namespacesJob();
    if (job !== undefined && held?.namespaces !== undefined) this.queue.ask(job);
    else if (job !== undefined) await this.queue.wait(job, signal, withinMs);
    return this.live().held === held ? held?.namespaces : undefined;
  }

  get customResources(): readonly KnownCustomResource[] {
    return this.live().held?.customResources ?? NONE;
  }

  async whenCustomResources(
    signal: AbortSignal,
    withinMs: number,
  ): Promise<readonly KnownCustomResource[]> {
    const { held } = this.live();
    const job = held?.definitionsJob();
    const isKnown = held?.connection.definitionNames !== undefined;
    if (job !== undefined && isKnown) this.queue.ask(job);
    else if (job !== undefined) await this.queue.wait(job, signal, withinMs);
    return this.customResources;
  }

  get examined(): number {
    return this.live().held?.examined ?? 0;
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** To be called when the connection's status has changed: who was told of nothing asks again. */
  connectionChanged(): void {
    const before = this.held;
    const { held } = this.live();
    if (held !== undefined && held !== before) this.changed();
  }

  /** To be called when settings have changed: what is switched off, or too much now, ends at once. */
  settingsChanged(): void {
    const before = this.held;
    const { held } = this.live();
    if (held === undefined) return;
    if (held !== before || held.trim()) this.changed();
  }

  private find(resource: string, namespace: string | undefined): Found {
    const live = this.live();
    if (live.held === undefined) return { sentence: () => live.sentence };
    const { held } = live;
    const found = placeOf(resource, namespace, held.connection);
    if (found.place !== undefined) return { held, place: found.place };
    const { sentence, isUnsure = false } = found;
    return { sentence, unsure: isUnsure ? held : undefined };
  }

  /** What is known over the connection that may be used now; what belongs to another is dropped. */
  private live():
    { readonly held: ConnectionIndexes } | { readonly held?: never; readonly sentence: string } {
    const { connection, sentence = '' } = this.allowed();
    if (this.held?.connection !== connection) this.drop();
    if (connection === undefined) return { sentence };
    // Who was told of the drop may have asked already.
    return { held: this.held ?? this.begin(connection) };
  }

  private allowed(): { readonly connection?: OpenConnection; readonly sentence?: string } {
    const { settings, holder } = this.parts;
    if (!settings.current.completion.enabled) return { sentence: OFF };
    const { connection, failure } = holder.usable();
    return connection === undefined ? { sentence: failure.sentence } : { connection };
  }

  private begin(connection: OpenConnection): ConnectionIndexes {
    const { settings, clock, log, metrics } = this.parts;
    const held = new ConnectionIndexes({
      connection,
      settings: () => settings.current.completion,
      clock,
      log,
      metrics,
      onChanged: () => {
        if (this.held === held) this.changed();
      },
    });
    this.held = held;
    connection.closed.addEventListener('abort', () => {
      if (this.held === held) this.drop();
    });
    return held;
  }

  private drop(): void {
    if (this.held === undefined) return;
    this.held = undefined;
    this.queue.clear();
    this.changed();
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
