/** The engine over a given transport, as most tests want it. */
import { systemClock, type Clock } from '../../server/common/clock';
import { silentLog, type Log } from '../../server/common/log';
import { createFeatureChecker, type FeatureChecker } from '../../server/etcd/features';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { createStoreMetrics, type StoreMetrics } from '../../server/metrics/storeMetrics';
import type { ItemDecoder, ListOptions, ListStore } from '../../server/store/interfaces';
import { createStore } from '../../server/store/list';
import { testDecoder, type TestObject } from './testObjects';

export interface TestStoreOptions {
  readonly etcd: EtcdReader;
  readonly decoder?: ItemDecoder<TestObject>;
  readonly root?: string;
  readonly resourcePrefix?: string;
  /** The gate `EtcdRangeStream`; off when absent. */
  readonly stream?: boolean;
  /** The gate `AllowUnsafeMalformedObjectDeletion`. */
  readonly aggregate?: boolean;
  readonly guard?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly features?: FeatureChecker;
}

export interface TestStore extends ListStore<TestObject> {
  readonly metrics: StoreMetrics;
  readonly features: FeatureChecker;
}

export function testStore(options: TestStoreOptions): TestStore {
  const metrics = createStoreMetrics();
  const clock = options.clock ?? systemClock;
  const features = options.features ?? createFeatureChecker(clock);
  const store = createStore({
    etcd: options.etcd,
    root: options.root ?? '/registry',
    resourcePrefix: options.resourcePrefix ?? '/pods/',
    groupResource: { group: '', resource: 'pods' },
    decoder: options.decoder ?? testDecoder(),
    streamSupport: features,
    metrics,
    clock,
    log: options.log ?? silentLog,
    gates: {
      etcdRangeStream: options.stream ?? false,
      allowUnsafeMalformedObjectDeletion: options.aggregate ?? false,
    },
    guardUnlimitedReads: options.guard ?? false,
  });
  return { getList: (list, hooks) => store.getList(list, hooks), metrics, features };
}

export interface ListInput {
  readonly key?: string;
  readonly recursive?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: bigint;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly continueToken?: string;
}

export function listOptions(input: ListInput = {}): ListOptions {
  return {
    key: input.key ?? '/pods/',
    recursive: input.recursive ?? true,
    resourceVersion: input.resourceVersion ?? '',
    resourceVersionMatch: input.resourceVersionMatch ?? '',
    predicate: {
      label: parseLabelSelector(input.labelSelector ?? ''),
      field: parseFieldSelector(input.fieldSelector ?? ''),
      limit: input.limit ?? 0n,
      continueToken: input.continueToken ?? '',
    },
  };
}
