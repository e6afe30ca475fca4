/** `resources`: what is stored, found by keys-only reads of one key each and counted one by one. */
import { concatBytes, prefixEnd, utf8, utf8Lossy } from '../../common/bytes';
import { qualifiedName } from '../../common/groupResource';
import type { EtcdReader } from '../../etcd/interfaces';
import {
  KNOWN_ROOTS,
  resourceOfPrefix,
  rootBytes,
  type PrefixOwner,
} from '../../kube/resources/resources';
import { discoverPrefixes, MOST_PREFIXES, type StoredPrefix } from '../../targets/discover';
import { readDefinition } from '../../targets/findCustom';
import type { ResourcesPlan } from '../args/plan';
import { connectTo } from '../connectTo';
import { warn, type Context } from '../context';
import { cell, keyText } from '../output/text';
import { padEnd, padStart } from '../output/width';
import { plural as countOf } from '../receiptText';
import { thousands } from '../quantities';

interface Stored extends StoredPrefix {
  readonly owner: PrefixOwner;
  readonly count: bigint;
  readonly scope: string;
}

export async function runResources(plan: ResourcesPlan, context: Context): Promise<void> {
  const etcd = await connectTo(plan.connection, context);
  try {
    const root = rootBytes(plan.connection.root);
    const prefixes = await discover(etcd, root, context);
    if (prefixes.length === 0) {
      await nothingFound(etcd, root, context);
      return;
    }
    const stored: Stored[] = [];
    for (const prefix of prefixes) {
      context.notes.status(`counting ${keyText(prefix.prefix)} …`);
      stored.push(await measure(etcd, plan.connection.root, prefix, context));
    }
    context.notes.clearStatus();
    await context.rows.write(table(stored, context.rows.isTTY));
    const gets = stored.filter(({ owner }) => owner.type === 'resource' && owner.resource.custom);
    context.notes.line(
      `${countOf(prefixes.length + 1, 'keys-only read')} of one key, ${countOf(prefixes.length, 'count-only read')}, ${countOf(gets.length, 'read')} of a custom resource's definition`,
    );
  } finally {
    etcd.close();
  }
}

/** One keys-only read for each other root met in practice. */
async function nothingFound(etcd: EtcdReader, root: Uint8Array, context: Context): Promise<void> {
  const other: string[] = [];
  for (const known of KNOWN_ROOTS) {
    const key = rootBytes(known);
    const range = { key, rangeEnd: prefixEnd(key), limit: 1n, keysOnly: true };
    const { kvs } = await etcd.range(range, { signal: context.signal });
    if (kvs.length > 0) other.push(`--root ${known.slice(0, -1)}`);
  }
  const hint = other.length > 0 ? `there is something with ${other.join(' and ')}` : NO_ROOT;
  context.notes.line(`nothing is stored below ${keyText(root)}: ${hint}`);
}

const NO_ROOT = 'give the storage root of the API server with --root';

async function discover(
  etcd: EtcdReader,
  root: Uint8Array,
  context: Context,
): Promise<StoredPrefix[]> {
  const found = await discoverPrefixes(etcd, root, context.signal, (count) => {
    context.notes.status(`looking for prefixes, ${count} found …`);
  });
  if (found.truncated) {
    warn(context, `more than ${thousands(MOST_PREFIXES)} prefixes: the rest is left out`);
  }
  return found.prefixes;
}

async function measure(
  etcd: EtcdReader,
  root: string,
  found: StoredPrefix,
  context: Context,
): Promise<Stored> {
  const owner = resourceOfPrefix(utf8Lossy(found.prefix));
  const key = concatBytes(rootBytes(root), found.prefix);
  const below = concatBytes(key, utf8('/'));
  const range = found.isKey ? { key } : { key: below, rangeEnd: prefixEnd(below) };
  const { count } = await etcd.range({ ...range, countOnly: true }, { signal: context.signal });
  return { ...found, owner, count, scope: await scopeOf(etcd, root, owner, context) };
}

async function scopeOf(
  etcd: EtcdReader,
  root: string,
  owner: PrefixOwner,
  context: Context,
): Promise<string> {
  if (owner.type === 'internal') return 'not objects';
  if (owner.type === 'unknown') return 'unknown';
  const { custom, namespaced } = owner.resource;
  if (!custom) return namespaced === true ? 'namespaced' : 'cluster';
  try {
    const definition = await readDefinition(
      etcd,
      root,
      qualifiedName(owner.resource),
      context.signal,
    );
    if (definition === undefined) return 'unknown: no definition';
    return definition.namespaced ? 'namespaced' : 'cluster';
  } catch (error) {
    if (context.signal.aborted) throw error;
    return 'unknown';
  }
}

function table(stored: readonly Stored[], grouped: boolean): string {
  const rows = stored.map(({ prefix, owner, count, scope }) => [
    nameOf(owner),
    grouped ? thousands(count) : count.toString(),
    scope,
    keyText(prefix),
  ]);
  const lines = [['RESOURCE', 'OBJECTS', 'SCOPE', 'PREFIX'], ...rows];
  const width = (column: number): number =>
    lines.reduce((most, cells) => Math.max(most, (cells[column] ?? '').length), 0);
  const [name, count, scope] = [width(0), width(1), width(2)];
  return lines
    .map(
      ([a = '', b = '', c = '', d = '']) =>
        `${padEnd(a, name)}   ${padStart(b, count)}   ${padEnd(c, scope)}   ${d}\n`,
    )
    .join('');
}

function nameOf(owner: PrefixOwner): string {
  if (owner.type !== 'resource') return '-';
  return cell(qualifiedName(owner.resource));
}
