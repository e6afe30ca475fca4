/** One open connection: its reader, what is known of its etcd, and its end. */
import { equalBytes } from '../common/bytes';
import type { Clock } from '../common/clock';
import { describeEtcdError } from '../etcd/describe';
import type { FeatureChecker } from '../etcd/features';
import type { EtcdReader } from '../etcd/interfaces';
import { probeRangeStream, type RangeStreamProbe } from '../etcd/probe';
import { cellText } from '../kube/print/cellText';
import { normalizeRoot, rootBytes } from '../kube/resources/resources';
import type { ConnectionStatus, MemberInfo, RangeStreamAnswer } from '../protocol/model';
import type { RangeMeasure, RequestRecord } from '../store/interfaces';
import type { CustomDefinition } from '../targets/customDefinition';
import type { Access } from './accessFlags';
import { cancelled } from './failures';

export interface ConnectionParts {
  readonly name: string;
  readonly reader: EtcdReader;
  readonly root: string;
  /** What the settings say of it. */
  readonly access: Access;
  readonly isDemo: boolean;
  readonly features: FeatureChecker;
  readonly clock: Clock;
  /** Told after every change of `status`. */
  readonly onChange: () => void;
  /** Says more of a failure to reach etcd than the transport can. */
  readonly explain?: (error: unknown) => unknown;
  /** Ends what was started for this connection alone. */
  readonly stop?: () => void;
}

/** What measured a list that is to be read whole, at the latest revision. */
export interface MeasuredList extends RangeMeasure {
  readonly keyPrefix: Uint8Array;
  readonly requests: readonly RequestRecord[];
}

interface DefinitionsRead {
  readonly names: ReadonlySet<string> | undefined;
  readonly at: number;
}

type OpenStatus = Omit<Extract<ConnectionStatus, { state: 'connected' }>, 'connectionNumber'>;

const notAsked: RangeStreamAnswer = { answer: 'unknown', reason: 'It was not asked yet.' };
const triedAgain: RangeStreamAnswer = {
  answer: 'unknown',
  reason: 'Ten minutes have passed since this etcd refused RangeStream: the next list tries it.',
};

export class OpenConnection {
  readonly name: string;
  readonly reader: EtcdReader;
  readonly root: string;
  readonly access: Access;
  readonly isDemo: boolean;
  readonly features: FeatureChecker;
  /** Definitions of custom resources read so far, by `PLURAL.GROUP`. */
  readonly definitions = new Map<string, CustomDefinition>();
  /** No list has shown it yet. */
  private measured: MeasuredList | undefined;
  private definitionsRead: DefinitionsRead | undefined;
  private readonly closing = new AbortController();
  private members: readonly MemberInfo[] = [];
  private answer = notAsked;
  private byProxy = false;
  private retryAt: number | undefined;
  /** Why the last list did not reach etcd. */
  private unreached: string | undefined;
  private probing = false;
  private probedAt = 0;
  private retryTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ConnectionParts) {
    this.name = parts.name;
    this.reader = parts.reader;
    this.root = normalizeRoot(parts.root).replace(/(?<=.)\/$/, '');
    this.access = parts.access;
    this.isDemo = parts.isDemo;
    this.features = parts.features;
  }

  /** Names of the definitions that are stored; undefined before they were asked for, or when too many. */
  get definitionNames(): ReadonlySet<string> | undefined {
    return this.definitionsRead?.names;
  }

  /** Milliseconds since their names were read. */
  get definitionNamesAge(): number {
    const { definitionsRead, parts } = this;
    return definitionsRead === undefined ? Infinity : parts.clock.monotonic() - definitionsRead.at;
  }

  /** Their names were read now; undefined when they are too many. */
  noteDefinitionNames(names: ReadonlySet<string> | undefined): void {
    this.definitionsRead = { names, at: this.parts.clock.monotonic() };
  }

  noteMeasured(measured: MeasuredList | undefined): void {
    this.measured = measured;
  }

  /** What measured the keys below this one, for the list of them that begins now; told once. */
  takeMeasured(keyPrefix: Uint8Array): MeasuredList | undefined {
    const { measured } = this;
    if (measured === undefined || !equalBytes(measured.keyPrefix, keyPrefix)) return undefined;
    this.measured = undefined;
    return measured;
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Without the connection's number, which its holder knows. */
  status(gate: boolean): OpenStatus {
    return {
      state: 'connected',
      name: this.name,
      endpoints: this.reader.endpoints,
      root: this.root,
      isDemo: this.isDemo,
      probing: this.probing,
      members: this.members,
      ...(this.unreached === undefined ? {} : { unreachable: true }),
      rangeStream: gate ? this.shownRangeStream() : { answer: 'gateOff' },
      probedAt: this.probedAt,
    };
  }

  /** What the next list would meet: the engine's memory of a refusal comes before the probe's answer. */
  rangeStream(): RangeStreamAnswer {
    if (this.features.supports('RangeStream')) return this.answer;
    const { retryAt, byProxy } = this;
    return {
      answer: 'notSupported',
      ...(retryAt === undefined ? {} : { retryAt }),
      ...(byProxy ? { byProxy } : {}),
    };
  }

  /** An etcd that cannot be reached supports nothing, whatever it answered before. */
  private shownRangeStream(): RangeStreamAnswer {
    const reason = this.unreached;
    return reason === undefined ? this.rangeStream() : { answer: 'unknown', reason };
  }

  /**
   * Asks every endpoint's version. Rejects with the first failure when none answers. Once the signal
   * aborts nothing is learned.
   */
  async askMembers(signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const members = await Promise.all(
      this.reader.endpoints.map(async (endpoint): Promise<MemberInfo> => {
        try {
          const { version } = await this.reader.status(endpoint, { signal });
          return { endpoint, version: cellText(version).slice(0, 100), problem: '' };
        } catch (error) {
          failures.push(error);
          return { endpoint, version: '', problem: describeEtcdError(error) };
        }
      }),
    );
    if (signal.aborted) throw cancelled();
    this.members = members;
    const [first] = failures;
    if (failures.length === members.length) throw this.parts.explain?.(first) ?? first;
  }

  /**
   * Asks versions and RangeStream. A failure becomes part of the status. Rejects when it is cancelled
   * or the connection closed: what was known before stays.
   */
  async probe(signal: AbortSignal, askMembers: boolean): Promise<void> {
    const both = AbortSignal.any([signal, this.closed]);
    this.probing = true;
    this.parts.onChange();
    try {
      if (askMembers) await this.askMembers(both).catch(() => undefined);
      const prefix = rootBytes(this.root);
      const answer = await probeRangeStream(this.reader, prefix, { signal: both });
      if (both.aborted) throw cancelled();
      this.unreached = this.problemOfAll();
      this.take(answer);
      this.probedAt = this.parts.clock.now();
    } finally {
      this.probing = false;
      this.parts.onChange();
    }
  }

  /** Why no member answered when they were asked; undefined when one did. */
  private problemOfAll(): string | undefined {
    const answered = this.members.some(({ problem }) => problem === '');
    return answered ? undefined : this.members[0]?.problem;
  }

  private take(probe: RangeStreamProbe): void {
    this.byProxy = probe.answer === 'notSupported' && probe.proxy;
    if (probe.answer === 'supported') this.answer = { answer: 'supported' };
    else if (probe.answer === 'unknown') this.answer = { answer: 'unknown', reason: probe.reason };
    else this.answer = { answer: 'notSupported', ...(probe.proxy ? { byProxy: true } : {}) };
  }

  /** A list was refused the stream: the engine remembers it, and so does the status. */
  noteFallback(): void {
    const wait = this.features.retryInMs();
    this.retryAt = Math.round(this.parts.clock.now() + wait);
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => {
      this.noteRetry();
    }, wait + 1);
    this.retryTimer.unref();
    this.parts.onChange();
  }

  private noteRetry(): void {
    this.answer = triedAgain;
    this.retryAt = undefined;
    this.parts.onChange();
  }

  /** A list was answered by a stream, which is the best proof. */
  noteStreamed(): void {
    if (this.answer.answer === 'supported') return;
    this.answer = { answer: 'supported' };
    this.parts.onChange();
  }

  /** A list ended: undefined when etcd was reached, else a sentence that says why not. */
  noteReach(unreached: string | undefined): void {
    if (unreached === this.unreached) return;
    this.unreached = unreached;
    this.parts.onChange();
  }

  /** Ends its lists and calls. */
  close(): void {
    if (this.closed.aborted) return;
    clearTimeout(this.retryTimer);
    this.closing.abort();
    this.reader.close();
    this.parts.stop?.();
  }
}
