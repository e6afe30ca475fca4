import type { Clock } from '../../../../server/common/clock';
import { compareBytes, utf8 } from '../../../../server/common/bytes';
import { silentLog } from '../../../../server/common/log';
import type { EtcdError } from '../../../../server/etcd/errors';
import { createFeatureChecker } from '../../../../server/etcd/features';
import type {
  CallOptions,
  EtcdReader,
  KeyValue,
  MemberStatus,
  RangeReply,
  RangeRequest,
} from '../../../../server/etcd/interfaces';
import { ConnectionHolder } from '../../../../server/features/connectionHolder';
import { OpenConnection } from '../../../../server/features/openConnection';
import { ServerSettings } from '../../../../server/features/settings';
import { LabelStore } from '../../../../server/features/stored/labelStore';
import type { CompletionSettings } from '../../../../server/protocol/lsp';
import { createStoreMetrics } from '../../../../server/metrics/storeMetrics';
import { scriptedError, scriptedEtcd } from '../../../support/scriptedEtcd';

export class FakeClock implements Clock {
  private at = 1_000_000;
  now = (): number => this.at;
  monotonic = (): number => this.at;
  pass(ms: number): void {
    this.at += ms;
  }
}

/** Keys in memory that are read as an etcd would, as slowly as a test wants. */
export class FakeEtcd {
  readonly requests: RangeRequest[] = [];
  /** Reads at a time, at most so far. */
  most = 0;
  cancelled = 0;
  failure: EtcdError | undefined;
  byteBudget = -1;
  private inFlight = 0;
  private held: (() => void)[] | undefined;
  private readonly values = new Map<string, Uint8Array>();

  put(key: string, value: Uint8Array): void {
    this.values.set(key, value);
  }

  /** Reads wait until they are let go. */
  hold(): void {
    this.held ??= [];
  }

  release(): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const go of held) go();
  }

  get waiting(): number {
    return this.held?.length ?? 0;
  }

  /** Prefixes that were read, in order, pages of one list counted once. */
  get lists(): string[] {
    const keys = this.requests.map(({ key }) => Buffer.from(key).toString());
    return keys.filter((key) => key.endsWith('/'));
  }

  async range(request: RangeRequest, { signal }: CallOptions = {}): Promise<RangeReply> {
    this.requests.push(request);
    this.inFlight++;
    this.most = Math.max(this.most, this.inFlight);
    try {
      await this.turn(signal);
      if (this.failure !== undefined) throw this.failure;
      return this.reply(request);
    } finally {
      this.inFlight--;
    }
  }

  private async turn(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        this.cancelled++;
        reject(scriptedError('cancelled'));
      };
      if (signal?.aborted === true) {
        stop();
        return;
      }
      signal?.addEventListener('abort', stop, { once: true });
      const go = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      if (this.held === undefined) setImmediate(go);
      else this.held.push(go);
    });
  }

  private reply({ key, rangeEnd, limit = 0n, keysOnly }: RangeRequest): RangeReply {
    const inRange = [...this.values]
      .map(([name, value]) => ({ key: utf8(name), value }))
      .filter((each) =>
        rangeEnd === undefined
          ? compareBytes(each.key, key) === 0
          : compareBytes(each.key, key) >= 0 && compareBytes(each.key, rangeEnd) < 0,
      )
      .sort((a, b) => compareBytes(a.key, b.key));
    const taken = limit > 0n ? inRange.slice(0, Number(limit)) : inRange;
    const kvs = taken.map((each): KeyValue => ({
      key: each.key,
      value: keysOnly === true ? new Uint8Array(0) : each.value,
      createRevision: 1n,
      modRevision: 1n,
      version: 1n,
      lease: 0n,
    }));
    return {
      kvs,
      count: BigInt(inRange.length),
      more: taken.length < inRange.length,
      revision: 7n,
      bytes: kvs.reduce((sum, each) => sum + each.key.length + each.value.length + 20, 20),
      endpoint: 'fake:1',
    };
  }
}

export interface PodGiven {
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
  /** Bytes that the value has at least. */
  readonly size?: number;
}

export function pod(namespace: string, name: string, given: PodGiven = {}): Uint8Array {
  const { labels = {}, phase = 'Running', size = 0 } = given;
  return utf8(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels, annotations: { padding: 'x'.repeat(size) } },
      status: { phase },
    }),
  );
}

/** Puts so many Pods and answers their names. */
export function putPods(
  etcd: FakeEtcd,
  namespace: string,
  count: number,
  given: (i: number) => PodGiven = () => ({ labels: { app: namespace } }),
): void {
  for (let i = 0; i < count; i++) {
    const name = `pod-${String(i).padStart(5, '0')}`;
    etcd.put(`/registry/pods/${namespace}/${name}`, pod(namespace, name, given(i)));
  }
}

export interface Rig {
  readonly etcd: FakeEtcd;
  readonly clock: FakeClock;
  readonly holder: ConnectionHolder;
  readonly settings: ServerSettings;
  readonly store: LabelStore;
  readonly logged: string[];
  connect(): Promise<void>;
  set(completion: Partial<CompletionSettings>): void;
}

/** Trusted and connected, unless it says otherwise. */
export async function rig(
  completion: Partial<CompletionSettings> = {},
  { trusted = true, connected = true } = {},
): Promise<Rig> {
  const etcd = new FakeEtcd();
  const clock = new FakeClock();
  const logged: string[] = [];
  const log = { ...silentLog, warn: (text: string) => logged.push(text) };
  const settings = new ServerSettings((text) => {
    throw new Error(text);
  });
  settings.take({ completion });
  const holder = new ConnectionHolder(() => undefined);
  if (trusted) holder.trust();
  const made: Rig = {
    etcd,
    clock,
    holder,
    settings,
    logged,
    store: new LabelStore({ holder, settings, clock, log, metrics: createStoreMetrics() }),
    connect: () => connectTo(etcd, holder, clock),
    set: (changed) => {
      settings.take({ completion: { ...completion, ...changed } });
      made.store.settingsChanged();
    },
  };
  if (trusted && connected) await made.connect();
  return made;
}

async function connectTo(etcd: FakeEtcd, holder: ConnectionHolder, clock: Clock): Promise<void> {
  const answer = [{ kvs: [], count: 0n, more: false, revision: 1n }];
  const { reader: scripted } = scriptedEtcd({ streams: [answer] });
  const reader: EtcdReader = {
    ...scripted,
    byteBudget: etcd.byteBudget,
    range: (request, options) => etcd.range(request, options),
    status: (endpoint) => Promise.resolve({ endpoint, version: '3.7.0' } as MemberStatus),
  };
  const opening = (_: AbortSignal, onChange: () => void): Promise<OpenConnection> =>
    Promise.resolve(
      new OpenConnection({
        name: 'x',
        reader,
        root: '/registry',
        access: { endpoints: [] },
        isDemo: false,
        features: createFeatureChecker(clock),
        clock,
        onChange,
      }),
    );
  await holder.replace('x', opening, new AbortController().signal);
}

export const never: AbortSignal = new AbortController().signal;

/** The index as soon as it is there. */
export const ready = (
  { store }: Pick<Rig, 'store'>,
  resource: string,
  namespace?: string,
): ReturnType<LabelStore['whenReady']> => store.whenReady(resource, namespace, never, 20_000);
