/** Resources by the names people write, and where their objects are stored. */
import { utf8, utf8Lossy, prefixEnd, concatBytes } from '../../common/bytes';
import { pathJoin } from '../../common/pathClean';
import type { ItemType } from '../decode/envelope';
import { NON_OBJECT_PREFIXES, RESOURCE_LINES, SPECIAL_PREFIXES } from './builtIn';

/** Storage root of an API server that was given no other (`--etcd-prefix`). */
export const DEFAULT_ROOT = '/registry';

export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Preferred first; empty for a custom resource, whose versions are in its definition. */
  readonly versions: readonly string[];
  /** Undefined for a custom resource: keys do not tell, its definition does. */
  readonly namespaced: boolean | undefined;
  readonly shortNames: readonly string[];
  /** Below the root, without slashes at its ends, such as `services/specs`. */
  readonly prefix: string;
  readonly custom: boolean;
}

/** Every built-in resource, core group first. */
export const BUILT_IN: readonly Resource[] = RESOURCE_LINES.map(parseLine);

function parseLine(line: string): Resource {
  const [group = '', resource = '', kind = '', versions = '', scope, short = ''] = line.split(' ');
  return {
    group: group === 'core' ? '' : group,
    resource,
    singular: kind.toLowerCase(),
    kind,
    versions: versions.split(','),
    namespaced: scope === 'ns',
    shortNames: short === '-' ? [] : short.split(','),
    prefix: SPECIAL_PREFIXES.get(`${group}/${resource}`) ?? resource,
    custom: false,
  };
}

/** Type of a built-in resource's objects, in its preferred version. */
export function itemTypeOf({ group, versions, kind }: Resource): ItemType {
  const version = versions[0] ?? '';
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

const SEGMENT = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/;

export interface FoundResource {
  readonly resource: Resource;
  /** The version asked for, or the preferred one; empty for a custom resource without one. */
  readonly version: string;
}

/**
 * A resource as kubectl names it: `pods`, `po`, `pod`, `deployments.apps`, `deployments.v1.apps`,
 * `widgets.example.com`, in any case of letters. A name with a group that is not built in is a
 * custom resource when the group has a dot, as definitions require. Undefined for anything else: see
 * `suggestResources`.
 */
export function findResource(text: string): FoundResource | undefined {
  const [name = '', ...rest] = text.trim().toLowerCase().split('.');
  if (rest.length === 0) return found(BUILT_IN.find((resource) => isNamed(resource, name)));
  const whole = findIn(name, rest.join('.'), '');
  if (whole !== undefined) return whole;
  const [version = '', ...parts] = rest;
  const group = parts.join('.');
  if (VERSION.test(version)) {
    if (BUILT_IN.some((resource) => resource.group === group)) return findIn(name, group, version);
    if (parts.length > 1) return found(customResource(group, name), version);
  }
  return rest.length < 2 ? undefined : found(customResource(rest.join('.'), name));
}

function findIn(name: string, group: string, version: string): FoundResource | undefined {
  const match = BUILT_IN.find((resource) => resource.group === group && isNamed(resource, name));
  if (match !== undefined && version !== '' && !match.versions.includes(version)) return undefined;
  return found(match, version);
}

function found(resource: Resource | undefined, version = ''): FoundResource | undefined {
  if (resource === undefined) return undefined;
  return { resource, version: version === '' ? (resource.versions[0] ?? '') : version };
}

function isNamed(resource: Resource, name: string): boolean {
  return (
    resource.resource === name || resource.singular === name || resource.shortNames.includes(name)
  );
}

/** A custom resource by group and plural; undefined when they cannot be names. */
export function customResource(group: string, plural: string): Resource | undefined {
  if (!SEGMENT.test(plural) || !group.split('.').every((part) => SEGMENT.test(part))) {
    return undefined;
  }
  return {
    group,
    resource: plural,
    singular: '',
    kind: '',
    versions: [],
    namespaced: undefined,
    shortNames: [],
    prefix: `${group}/${plural}`,
    custom: true,
  };
}

/** What stands under a storage prefix. */
export type PrefixOwner =
  | { readonly type: 'resource'; readonly resource: Resource }
  /** Allocations, leases of API servers: objects of no resource. */
  | { readonly type: 'internal'; readonly prefix: string }
  | { readonly type: 'unknown'; readonly prefix: string };

/**
 * The owner of a prefix below the root, such as `minions`, `services/specs` or
 * `example.com/widgets`; slashes at its ends do not matter. Shared prefixes belong to the resource
 * listed first: `events` to the core group.
 */
export function resourceOfPrefix(path: string): PrefixOwner {
  const prefix = path.replace(/^\/+|\/+$/g, '');
  const builtIn = BUILT_IN.find((resource) => resource.prefix === prefix);
  if (builtIn !== undefined) return { type: 'resource', resource: builtIn };
  const [first = '', second = '', ...deeper] = prefix.split('/');
  if (NON_OBJECT_PREFIXES.includes(first)) return { type: 'internal', prefix };
  if (first.includes('.') && deeper.length === 0) {
    const custom = customResource(first, second);
    if (custom !== undefined) return { type: 'resource', resource: custom };
  }
  return { type: 'unknown', prefix };
}

/**
 * The root below which everything is stored, cleaned, with one slash at each end: `registry`,
 * `//registry/` and `/registry` are `/registry/`. Dots are resolved as path cleaning does.
 *
 * Upstream: `path.Join("/", prefix)` in `pkg/storage/etcd3/store.go`.
 */
export function normalizeRoot(text: string): string {
  const joined = pathJoin('/', text);
  return joined.endsWith('/') ? joined : `${joined}/`;
}

/** Roots met in practice: Kubernetes' own, then OpenShift's two. */
export const KNOWN_ROOTS: readonly string[] = ['/registry/', '/kubernetes.io/', '/openshift.io/'];

export interface Probe {
  /** The prefix the key lies in, below the root, such as `minions`. */
  readonly prefix: Uint8Array;
  /** Where the next keys-only read of one key starts: behind all keys of this prefix. */
  readonly next: Uint8Array;
}

const SLASH = 0x2f;

/**
 * Plans the discovery of what is stored, one keys-only read of one key at a time: given the key
 * that was found, tells its prefix and where to look next. Undefined when the key is not below the
 * root: then discovery is done.
 */
export function discoverNextProbe(root: Uint8Array, key: Uint8Array): Probe | undefined {
  if (key.length <= root.length || !root.every((byte, i) => key[i] === byte)) return undefined;
  const rest = key.subarray(root.length);
  const first = segmentEnd(rest, 0);
  const name = utf8Lossy(rest.subarray(0, first));
  const isDeep = name === 'services' || name === 'ranges' || name.includes('.');
  const end = isDeep && first < rest.length ? segmentEnd(rest, first + 1) : first;
  const prefix = rest.subarray(0, end);
  return {
    prefix,
    next:
      end < rest.length
        ? prefixEnd(concatBytes(root, prefix, Uint8Array.of(SLASH)))
        : concatBytes(root, prefix, Uint8Array.of(0)),
  };
}

/** The bytes of a root, for `discoverNextProbe` and range ends. */
export function rootBytes(root: string): Uint8Array {
  return utf8(normalizeRoot(root));
}

function segmentEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(SLASH, from);
  return at < 0 ? bytes.length : at;
}
