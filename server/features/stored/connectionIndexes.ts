/** What is known of the labels of one open connection, and the reads that make it known. */
import type { Clock } from '../../common/clock';
import type { Log } from '../../common/log';
import type { StoreMetrics } from '../../metrics/storeMetrics';
import { findResource } from '../../kube/resources/resources';
import { namespaceNameErrors } from '../../kube/selectors';
import type { IndexedResource, LabelIndex } from '../../language/index/labelIndex';
import { nounOf } from '../../language/index/nouns';
import type { Asker } from '../../language/index/storedLabels';
import type { KnownCustomResource } from '../../language/query/options';
import type { CompletionSettings } from '../../protocol/lsp';
import type { ListTarget } from '../../targets/target';
import { isOutside, failureOf } from '../failures';
import { knownTarget } from '../knownTargets';
import type { OpenConnection } from '../openConnection';
import { targetOf } from '../query';
import { readDefinitionNames, storedNamespaces } from '../resources';
import { Askers } from './askers';
import { CustomResources } from './customResources';
import { IndexCache } from './indexCache';
import type { Place } from './places';
import type { Job } from './readQueue';
import { RecentFailures } from './recentFailures';
import { readSample } from './sample';
import { SamplePages } from './samplePages';

export interface ConnectionIndexesParts {
  readonly connection: OpenConnection;
  readonly settings: () => CompletionSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  /** Told after something became known or failed. */
  readonly onChanged: () => void;
}

/** Where to look in one namespace, or in a resource without: names begin with a letter or digit. */
const LETTERS = ['c', 'e', 'h', 'k', 'n', 'p', 's', 'v'];
const NAMESPACES = 'namespaces';
const DEFINITIONS = 'definitions';
const SECRETS = 'secrets';

export class ConnectionIndexes {
  private readonly cache: IndexCache;
  private readonly failures: RecentFailures;
  private readonly askers = new Askers();
  private readonly custom: CustomResources;
  private names: { readonly all: readonly string[]; readonly readAt: number } | undefined;
  private keys = 0;

  constructor(private readonly parts: ConnectionIndexesParts) {
    this.cache = new IndexCache(parts.clock);
    this.failures = new RecentFailures(parts.clock);
    this.custom = new CustomResources(parts.connection);
  }

  get connection(): OpenConnection {
    return this.parts.connection;
  }

  /** Keys read so far. */
  get examined(): number {
    return this.keys;
  }

  index(id: string): LabelIndex | undefined {
    return this.cache.get(id);
  }

  get namespaces(): readonly string[] | undefined {
    return this.names?.all;
  }

  get customResources(): readonly KnownCustomResource[] {
    return this.custom.known;
  }

  /** Why it is not tried now, in one sentence. */
  failure(id: string): string | undefined {
    return this.failures.sentence(id);
  }

  /** The read that makes the place known; undefined when that is not due. */
  indexJob(place: Place): Job | undefined {
    const { id } = place;
    if (this.isYoung(id) && this.cache.get(id) !== undefined) return undefined;
    return this.job(id, (signal) => this.readIndex(place, signal));
  }

  /**
   * As above, once for each version of a document. What was dropped to make room is not read again
   * before its time: else two that do not fit together would be read in turn. Of Secrets nothing is
   * read that nobody asks for.
   */
  backgroundJob(place: Place, asker: Asker): Job | undefined {
    const { id, name } = place;
    if (name === SECRETS || this.isYoung(id)) return undefined;
    const job = this.job(id, (signal) => this.readIndex(place, signal));
    return job !== undefined && this.askers.isNew(asker, id) ? job : undefined;
  }

  forget(uri: string): void {
    this.askers.forget(uri);
  }

  /** Drops what is more than the setting allows now; answers whether that was anything. */
  trim(): boolean {
    return this.cache.trim(this.parts.settings().maxKeys);
  }

  private isYoung(id: string): boolean {
    return this.cache.wasReadWithin(id, this.maxAgeMs);
  }

  /** As `indexJob`. */
  namespacesJob(): Job | undefined {
    if (this.areNamesYoung) return undefined;
    return this.job(NAMESPACES, (signal) => this.readNamespaces(signal));
  }

  /** As `indexJob`, of the names of definitions. */
  definitionsJob(): Job | undefined {
    if (this.connection.definitionNamesAge < this.maxAgeMs) return undefined;
    return this.job(DEFINITIONS, (signal) => this.readDefinitions(signal));
  }

  /** As above, once for each version of a document. */
  backgroundDefinitionsJob(asker: Asker): Job | undefined {
    const job = this.definitionsJob();
    return job !== undefined && this.askers.isNew(asker, DEFINITIONS) ? job : undefined;
  }

  private get maxAgeMs(): number {
    return this.parts.settings().maxAgeSeconds * 1000;
  }

  private get areNamesYoung(): boolean {
    const { clock } = this.parts;
    return this.names !== undefined && clock.monotonic() - this.names.readAt < this.maxAgeMs;
  }

  private job(id: string, read: (signal: AbortSignal) => Promise<void>): Job | undefined {
    if (this.failures.sentence(id) !== undefined) return undefined;
    return { id, run: (signal) => this.run(id, read, signal) };
  }

  /**
   * What is stopped is no failure; whatever else goes wrong is remembered. What failed while it waited,
   * as everything does when etcd cannot be reached, is not tried.
   */
  private async run(
    id: string,
    read: (signal: AbortSignal) => Promise<void>,
    stop: AbortSignal,
  ): Promise<void> {
    const { connection, log, onChanged } = this.parts;
    const signal = AbortSignal.any([stop, connection.closed]);
    const isStopped = (): boolean => signal.aborted;
    if (isStopped() || this.failures.sentence(id) !== undefined) return;
    try {
      await read(signal);
      this.failures.forget(id);
    } catch (error) {
      if (isStopped()) return;
      this.failures.note(id, error);
      const failure = failureOf(error);
      if (isOutside(failure)) log.warn(`completion: ${failure.sentence}`);
    }
    onChanged();
  }

  private async readIndex(place: Place, signal: AbortSignal): Promise<void> {
    const { connection, clock, log, settings, metrics } = this.parts;
    const target = await this.targetOf(place, signal);
    const onExamined = (keys: number): void => {
      this.keys += keys;
    };
    const { namespace } = place;
    const pages = new SamplePages({
      connection,
      target,
      namespace,
      clock,
      log,
      metrics,
      signal,
      onExamined,
    });
    const { sampleObjects, exactUpTo, maxKeys } = settings();
    const size = {
      sampleObjects: Math.min(sampleObjects, maxKeys),
      exactUpTo: Math.min(exactUpTo, maxKeys),
      byteBudget: connection.reader.byteBudget,
    };
    const beginnings = (): Promise<readonly string[]> => this.beginnings(target, namespace, signal);
    const resource = indexedResource(target, namespace, connection);
    const index = await readSample({ pages, size, resource, beginnings });
    if (signal.aborted) return;
    this.cache.put(place.id, index, maxKeys, this.maxAgeMs);
  }

  /** A custom resource whose definition was not read yet costs a read of it. */
  private async targetOf({ word, namespace }: Place, signal: AbortSignal): Promise<ListTarget> {
    const { connection } = this.parts;
    const known = knownTarget(word, connection);
    if (known.kind === 'target') return known.target;
    this.keys += 1;
    return targetOf({ resource: word, namespace }, connection, signal, () => undefined);
  }

  private async beginnings(
    { namespaced }: ListTarget,
    namespace: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (!namespaced || namespace !== '') return LETTERS;
    if (!this.areNamesYoung) await this.readNamespaces(signal);
    // Whatever else may be stored there would make a token that is refused.
    return (this.names?.all ?? []).filter((name) => namespaceNameErrors(name).length === 0);
  }

  private async readDefinitions(signal: AbortSignal): Promise<void> {
    this.keys += await readDefinitionNames(this.connection, signal);
  }

  private async readNamespaces(signal: AbortSignal): Promise<void> {
    const { connection, clock } = this.parts;
    const all = await storedNamespaces(connection, signal);
    this.keys += all.length;
    if (!signal.aborted) this.names = { all, readAt: clock.monotonic() };
  }
}

function indexedResource(
  { name, groupResource, namespaced, fieldTransform }: ListTarget,
  namespace: string,
  { definitions }: OpenConnection,
): IndexedResource {
  const kind = definitions.get(name)?.kind ?? findResource(name)?.resource.kind ?? '';
  return {
    noun: nounOf(kind, groupResource.resource),
    namespace: namespace === '' ? undefined : namespace,
    namespaced,
    fieldTransform,
  };
}
