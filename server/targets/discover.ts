/** What is stored, found by keys-only reads of one key each. */
import { nextKey, prefixEnd } from '../common/bytes';
import type { EtcdReader } from '../etcd/interfaces';
import { discoverNextProbe } from '../kube/resources/resources';

/** Prefixes looked for at most; a cluster has a few hundred. */
export const MOST_PREFIXES = 5000;

export interface StoredPrefix {
  /** Below the root, such as `minions`. */
  readonly prefix: Uint8Array;
  /** One key of this very name, not keys below it. */
  readonly isKey: boolean;
}

/**
 * One read for each prefix found and one more. `onFound` is told how many there are before each
 * read. `truncated` when there are more than are looked for.
 */
export async function discoverPrefixes(
  etcd: Pick<EtcdReader, 'range'>,
  root: Uint8Array,
  signal: AbortSignal,
  onFound: (found: number) => void = () => undefined,
): Promise<{ readonly prefixes: StoredPrefix[]; readonly truncated: boolean }> {
  const prefixes: StoredPrefix[] = [];
  let key = root;
  while (prefixes.length < MOST_PREFIXES) {
    onFound(prefixes.length);
    const range = { key, rangeEnd: prefixEnd(root), limit: 1n, keysOnly: true };
    const { kvs } = await etcd.range(range, { signal });
    const first = kvs[0];
    if (first?.key.length === root.length && key === root) {
      // A key that is named as the root is no prefix, and what is below it comes after.
      key = nextKey(root);
      continue;
    }
    const probe = first && discoverNextProbe(root, first.key);
    if (first === undefined || probe === undefined) return { prefixes, truncated: false };
    const isKey = first.key.length === root.length + probe.prefix.length;
    prefixes.push({ prefix: probe.prefix, isKey });
    key = probe.next;
  }
  return { prefixes, truncated: true };
}
