/** Storage keys (rules K1 to K3). Upstream: `storage.PrepareKey`, `store.prepareKey`, `etcd3.New`. */
import { utf8 } from '../common/bytes';
import { goQuote } from '../common/goText';
import { normalizeRoot } from '../kube/resources/resources';
import { pathSegmentNameErrors } from '../kube/selectors';
import { StoreError } from './errors';

function hasSegment(key: string, segment: string): boolean {
  return (
    key === segment ||
    key.startsWith(`${segment}/`) ||
    key.endsWith(`/${segment}`) ||
    key.includes(`/${segment}/`)
  );
}

const refuse = (message: string): StoreError => new StoreError({ code: 'invalidKey', message });

/**
 * Checks a storage path against its resource prefix and, for a recursive list, ends it in a slash.
 * The slash is added before the prefix is checked. Throws `StoreError` `invalidKey`.
 */
export function prepareKey(resourcePrefix: string, key: string, recursive: boolean): string {
  if (hasSegment(key, '..') || hasSegment(key, '.')) throw refuse(`invalid key: ${goQuote(key)}`);
  if (key === '' || key === '/') throw refuse(`empty key: ${goQuote(key)}`);
  const whole = recursive && !key.endsWith('/') ? `${key}/` : key;
  if (!whole.startsWith(resourcePrefix)) {
    const quoted = goQuote(resourcePrefix);
    throw refuse(`invalid key: ${goQuote(whole)} lacks resource prefix: ${quoted}`);
  }
  return whole;
}

/** The storage root with exactly one leading and one trailing slash, cleaned. */
export const storePathPrefix = (configured: string): string => normalizeRoot(configured);

/** Throws the error upstream's constructor gives for a resource prefix it cannot use. */
export function checkResourcePrefix(resourcePrefix: string): void {
  if (resourcePrefix === '') throw refuse('resourcePrefix cannot be empty');
  if (resourcePrefix === '/') throw refuse('resourcePrefix cannot be /');
  if (!resourcePrefix.startsWith('/')) throw refuse('resourcePrefix needs to start from /');
}

/** The etcd key of a prepared storage path, as text. */
export function etcdKeyText(pathPrefix: string, preparedKey: string): string {
  return pathPrefix + (preparedKey.startsWith('/') ? preparedKey.slice(1) : preparedKey);
}

export function etcdKey(pathPrefix: string, preparedKey: string): Uint8Array {
  return utf8(etcdKeyText(pathPrefix, preparedKey));
}

/**
 * Storage path of an object; `namespace` is undefined for a cluster-scoped one. Throws `StoreError`
 * `invalidKey` for a name that is no path segment. Upstream: `storage.NamespaceKeyFunc`.
 */
export function objectKey(prefix: string, namespace: string | undefined, name: string): string {
  if (!prefix.endsWith('/')) throw refuse("prefix should have '/' suffix");
  const problems = pathSegmentNameErrors(name);
  if (problems.length > 0) throw refuse(`invalid name: [${problems.join(' ')}]`);
  return namespace === undefined ? prefix + name : `${prefix}${namespace}/${name}`;
}
