/** Where upstream decides what; paths below `k8s.io/apiserver` at the release that was checked. */
import { isAtLeast, type KubernetesVersion } from '../cache/versions/version';

export const SOURCES = {
  decode: 'pkg/endpoints/handlers/get.go listOpts',
  options: 'pkg/endpoints/handlers/get.go listOpts (internalversion ValidateListOptions)',
  narrow: 'pkg/registry/generic/registry/store.go ListPredicate',
  cacheOrNot: 'pkg/server/options/etcd.go GetRESTOptions',
  validate: 'pkg/storage/interfaces.go ValidateListOptions',
  shouldDelegate: 'pkg/storage/cacher/delegator/interface.go ShouldDelegateList',
  exact: 'pkg/storage/cacher/cacher.go ShouldDelegateExactRV',
  continued: 'pkg/storage/cacher/cacher.go ShouldDelegateContinue',
  consistent: 'pkg/storage/cacher/cacher.go ShouldDelegateConsistentRead',
  notReady: 'pkg/storage/cacher/delegator.go shouldDelegateListOnNotReadyCache',
  delegatorList: 'pkg/storage/cacher/delegator.go GetList',
  delegatorGet: 'pkg/storage/cacher/delegator.go Get',
  cacheGet: 'pkg/storage/cacher/cacher.go Get',
  cacheList: 'pkg/storage/cacher/cacher.go GetList',
  parse: 'pkg/storage/api_object_versioner.go ParseResourceVersion',
  wait: 'pkg/storage/cacher/watch_cache.go waitUntilFreshLocked',
  shouldStream: 'pkg/storage/etcd3/store.go shouldStream',
  pages: 'pkg/storage/etcd3/store.go pagedChunks',
  etcdList: 'pkg/storage/etcd3/store.go GetList',
  etcdGet: 'pkg/storage/etcd3/store.go Get',
  etcdMinimum: 'pkg/storage/etcd3/store.go validateMinimumResourceVersion',
  prefix: 'no API server: this project alone',
} as const;

export type Sources = Readonly<Record<keyof typeof SOURCES, string>>;

/** Before lists were streamed. */
const TO_1_36: Sources = {
  ...SOURCES,
  wait: 'pkg/storage/cacher/watch_cache.go waitUntilFreshAndBlock',
  shouldStream: SOURCES.etcdList,
  pages: SOURCES.etcdList,
};

const TO_1_35: Sources = {
  ...TO_1_36,
  decode: 'pkg/endpoints/handlers/get.go ListResource',
  options: 'pkg/endpoints/handlers/get.go ListResource (internalversion ValidateListOptions)',
};

/** Before there was a delegator in front of the cache. */
const TO_1_32: Sources = {
  ...TO_1_35,
  validate: 'pkg/storage/etcd3/store.go resolveGetListRev',
  shouldDelegate: 'pkg/storage/cacher/cacher.go shouldDelegateList',
  exact: 'pkg/storage/cacher/cacher.go shouldDelegateList',
  continued: 'pkg/storage/cacher/cacher.go shouldDelegateList',
  consistent: 'pkg/storage/cacher/cacher.go shouldDelegateList',
  notReady: 'pkg/storage/cacher/cacher.go shouldDelegateListOnNotReadyCache',
  delegatorList: SOURCES.cacheList,
  delegatorGet: 'pkg/storage/cacher/cacher.go Get',
};

const TO_1_30: Sources = { ...TO_1_32, notReady: SOURCES.cacheList };

export function sourcesOf(version: KubernetesVersion): Sources {
  if (isAtLeast(version, '1.37')) return SOURCES;
  if (isAtLeast(version, '1.36')) return TO_1_36;
  if (isAtLeast(version, '1.33')) return TO_1_35;
  return isAtLeast(version, '1.31') ? TO_1_32 : TO_1_30;
}
