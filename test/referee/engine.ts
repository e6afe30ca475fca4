/** Our engine's side of a comparison: the product's own store over the wire, its reads recorded there. */
import { systemClock } from '../../server/common/clock';
import { silentLog } from '../../server/common/log';
import { connect } from '../../server/etcd/connect';
import { createFeatureChecker, type FeatureChecker } from '../../server/etcd/features';
import type { EtcdReader } from '../../server/etcd/interfaces';
import type { StoredObject } from '../../server/kube/decode/object';
import { selectableFieldsOf } from '../../server/kube/fields/selectableFields';
import { formatLabels, parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { SelectorError } from '../../server/kube/selectors/types';
import { createStoreMetrics, type StoreMetrics } from '../../server/metrics/storeMetrics';
import { StoreError, type StoreErrorCode } from '../../server/store/errors';
import { ListFailedError, type ListItem, type ListOptions } from '../../server/store/interfaces';
import { createStore } from '../../server/store/list';
import { objectDecoder } from '../../server/store/objectDecoder';
import { overriding } from '../support/readerOverride';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import type { ListAsk } from './oracle';
import { ourFailures } from './failures';
import { ourMetrics } from './metrics';
import {
  causeLine,
  relativeRevision,
  relativeToken,
  showRequest,
  type Outcome,
  type OutcomeError,
} from './outcome';

export const podFields = selectableFieldsOf({ group: '', resource: 'pods' }, true);

export function itemLine(item: ListItem<StoredObject>, brief: boolean): string {
  const { namespace, name, uid, labels } = item.object.metadata;
  const parts = [namespace, name, uid, String(item.modRevision)];
  return (brief ? parts : [...parts, formatLabels(labels)]).join('|');
}

/** Errors that upstream makes API statuses of; all others are plain there. */
const statusCodes: ReadonlySet<StoreErrorCode> = new Set([
  'badRequest',
  'expired',
  'expiredWithContinue',
  'tooLargeResourceVersion',
  'tooManyRequests',
  'storeRead',
]);

export function errorOutcome(error: StoreError): OutcomeError {
  const isStatus = statusCodes.has(error.code);
  return {
    kind: isStatus ? 'status' : error.code === 'internal' ? 'internal' : 'plain',
    message: error.message,
    code: isStatus ? (error.status ?? 0) : 0,
    reason: isStatus ? (error.reason ?? '') : '',
    causes: error.causes.map(({ type, field, message }) => causeLine(type, field, message)),
    continue: error.continueToken ?? '',
    retryAfter: error.retryAfterSeconds ?? 0,
  };
}

export interface EngineAnswer {
  readonly outcome: Outcome;
  /** The continue token as it is; empty when there is none. */
  readonly token: string;
}

export class Engine {
  private features: FeatureChecker = createFeatureChecker(systemClock);

  private constructor(
    private readonly proxy: RecordingProxy,
    private readonly reader: EtcdReader,
  ) {}

  static async start(endpoint: string): Promise<Engine> {
    const proxy = await startRecordingProxy(endpoint);
    try {
      return new Engine(proxy, connect({ endpoints: [proxy.endpoint], byteBudget: -1 }));
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    try {
      this.reader.close();
    } finally {
      await this.proxy.close();
    }
  }

  /** `disturb` is awaited before the etcd read that the question names. */
  async list(ask: ListAsk, base = 0n, disturb?: () => Promise<void>): Promise<EngineAnswer> {
    this.proxy.clear();
    if (ask.forget) this.features = createFeatureChecker(systemClock);
    const etcd = disturb === undefined ? this.reader : disturbed(this.reader, ask.disturb, disturb);
    const counters = createStoreMetrics();
    const ended = await this.run(ask, etcd, counters);
    const metrics = await ourMetrics(counters);
    const reads = this.proxy.calls.filter(({ method }) => method.startsWith('Range'));
    const requests = reads.map(({ method, requests: [message = Buffer.of()] }) =>
      showRequest(method, message, base),
    );
    const nothing = { items: [], resourceVersion: '', continue: '', remaining: null };
    if (ended instanceof StoreError) {
      const [error, failures] = [errorOutcome(ended), ourFailures(ended)];
      return { outcome: { ...nothing, error, failures, requests, metrics }, token: '' };
    }
    const outcome = {
      items: ended.items.map((item) => itemLine(item, ask.brief)),
      resourceVersion: relativeRevision(String(ended.resourceVersion), base),
      continue: relativeToken(ended.continueToken, base),
      remaining: ended.remainingItemCount === null ? null : String(ended.remainingItemCount),
      error: null,
      failures: [],
      requests,
      metrics,
    };
    return { outcome, token: ended.continueToken };
  }

  private async run(ask: ListAsk, etcd: EtcdReader, metrics: StoreMetrics) {
    try {
      const readsFields = ask.fieldSelector !== '';
      const store = createStore({
        etcd,
        root: ask.root,
        resourcePrefix: ask.resourcePrefix,
        groupResource: { group: '', resource: 'pods' },
        decoder: objectDecoder(podFields, readsFields, { apiVersion: 'v1', kind: 'Pod' }),
        streamSupport: this.features,
        metrics,
        clock: systemClock,
        log: silentLog,
        gates: {
          etcdRangeStream: ask.stream,
          allowUnsafeMalformedObjectDeletion: ask.aggregate,
        },
        guardUnlimitedReads: false,
      });
      return await store.getList(optionsOf(ask));
    } catch (error) {
      if (error instanceof ListFailedError) return error.cause;
      if (error instanceof StoreError) return error;
      if (error instanceof SelectorError)
        return new StoreError({ code: 'plain', message: error.message });
      throw error;
    }
  }
}

export function optionsOf(ask: ListAsk): ListOptions {
  return {
    key: ask.key,
    recursive: ask.recursive,
    resourceVersion: ask.resourceVersion,
    resourceVersionMatch: ask.match,
    predicate: {
      label: parseLabelSelector(ask.labelSelector),
      field: parseFieldSelector(ask.fieldSelector),
      limit: BigInt(ask.limit),
      continueToken: ask.continue,
    },
  };
}

function disturbed(reader: EtcdReader, at: number, disturb: () => Promise<void>): EtcdReader {
  let reads = 0;
  const before = async (): Promise<void> => {
    reads++;
    if (reads === at) await disturb();
  };
  return overriding(reader, {
    range: async (request, options) => {
      await before();
      return reader.range(request, options);
    },
    rangeStream: async function* (request, options) {
      await before();
      yield* reader.rangeStream(request, options);
    },
  });
}
