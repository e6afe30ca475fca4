/** Finds a custom resource in etcd by whatever name the person gave. */
import { concatBytes, nextKey, prefixEnd, utf8, utf8Lossy } from '../common/bytes';
import type { EtcdReader } from '../etcd/interfaces';
import { rootBytes } from '../kube/resources/resources';
import {
  DEFINITIONS_PREFIX,
  isCalled,
  parseDefinition,
  type CustomDefinition,
} from './customDefinition';

/** Names of definitions read at most. */
export const MOST_DEFINITIONS = 2000n;
/** Definitions read whole at most, and how many at a time: each may be 100 kB and more. */
export const MOST_LOOKED_THROUGH = 100n;
const PAGE = 25n;

/** One get; undefined when there is no such definition. Throws `DecodeError` or `EtcdError`. */
export async function readDefinition(
  etcd: EtcdReader,
  root: string,
  name: string,
  signal: AbortSignal,
): Promise<CustomDefinition | undefined> {
  const key = concatBytes(rootBytes(root), utf8(`${DEFINITIONS_PREFIX}/${name}`));
  const { kvs } = await etcd.range({ key }, { signal });
  const value = kvs[0]?.value;
  return value === undefined ? undefined : parseDefinition(value);
}

/** Names of the definitions, `PLURAL.GROUP`: one keys-only read. */
export async function definitionNames(
  etcd: EtcdReader,
  root: string,
  signal: AbortSignal,
): Promise<string[]> {
  const prefix = concatBytes(rootBytes(root), utf8(`${DEFINITIONS_PREFIX}/`));
  const range = {
    key: prefix,
    rangeEnd: prefixEnd(prefix),
    keysOnly: true,
    limit: MOST_DEFINITIONS,
  };
  const { kvs } = await etcd.range(range, { signal });
  return kvs.map(({ key }) => utf8Lossy(key.subarray(prefix.length)));
}

/**
 * The definition that answers to a word without a group: a plural by its key alone, then a
 * singular, kind or short name by reading the first definitions. Unreadable ones are passed over.
 */
export async function findByWord(
  etcd: EtcdReader,
  root: string,
  word: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<CustomDefinition | undefined> {
  const plural = names.find((name) => name.startsWith(`${word.toLowerCase()}.`));
  if (plural !== undefined) return readDefinition(etcd, root, plural, signal);
  if (names.length === 0) return undefined;
  const prefix = concatBytes(rootBytes(root), utf8(`${DEFINITIONS_PREFIX}/`));
  let key = prefix;
  for (let seen = 0n; seen < MOST_LOOKED_THROUGH; seen += PAGE) {
    const { kvs, more } = await etcd.range(
      { key, rangeEnd: prefixEnd(prefix), limit: PAGE },
      { signal },
    );
    const match = kvs
      .map(({ value }) => tolerant(value))
      .find((each) => each && isCalled(each, word));
    const last = kvs.at(-1);
    if (match !== undefined || !more || last === undefined) return match;
    key = nextKey(last.key);
  }
  return undefined;
}

function tolerant(value: Uint8Array): CustomDefinition | undefined {
  try {
    return parseDefinition(value);
  } catch {
    return undefined;
  }
}
