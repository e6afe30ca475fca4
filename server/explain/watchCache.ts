/** Whether a resource has a watch cache at all (rule C1). */
import type { ServerFacts } from './asked';
import type { Inquiry } from './inquiry';
import type { ListedResource } from './request';
import { sourcesOf } from './sources';
import { shown } from './words';

/** Upstream: `DefaultWatchCacheSizes`. */
function hasByDefault({ group, resource }: ListedResource): boolean {
  return !(resource === 'events' && (group === '' || group === 'events.k8s.io'));
}

export function hasWatchCache(
  resource: ListedResource,
  { watchCache, version }: ServerFacts,
  inquiry: Inquiry,
): boolean {
  const has = watchCache ?? hasByDefault(resource);
  const name = shown(resource.name);
  const by = watchCache === undefined ? ' by default' : ', as is said';
  const text = has
    ? `${name} have a watch cache${by}.`
    : `${name} have no watch cache${by}: every list and get reads etcd.`;
  inquiry.step({ rule: 'C1', source: sourcesOf(version).cacheOrNot, text });
  return has;
}
