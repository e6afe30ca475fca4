/** One Kubernetes object of a document. */
import { isSeq } from 'yaml';
import { qualifiedName } from '../../common/groupResource';
import { BUILT_IN, type Resource } from '../../kube/resources/resources';
import {
  groupOf,
  KUSTOMIZATION,
  placesOf,
  type KindNode,
  type WrittenKind,
  type WrittenVersion,
} from './kinds';
import { isSubstituted } from './templates';
import { textOf, type Entry, type Tree, type Value } from './tree';

export interface KubeObject {
  readonly value: Value;
  /** Where selectors and labels may stand in it. */
  readonly places: KindNode;
  /** Undefined where none is written, and where a template has a hand in it. */
  readonly namespace: string | undefined;
  /** A template decides which namespace it is. */
  readonly isNamespaceOpen: boolean;
  /** As kubectl names it; undefined for a custom resource, and where a template chooses the kind. */
  readonly resource: string | undefined;
  /** Its Go type is one of Kubernetes' own. */
  readonly isBuiltIn: boolean;
}

/**
 * How Go's decoder calls a field, such as `ObjectMeta.spec.template.metadata.labels`; undefined for a
 * custom resource. Volumes hold a type that it names as well, though no manifest does.
 */
export function goFieldOf(
  { isBuiltIn }: KubeObject,
  path: string,
  holder: string | undefined,
): string | undefined {
  if (!isBuiltIn || holder === undefined) return undefined;
  const within = path.replace(/\bvolumes\[\d+\]/, 'volumes.VolumeSource');
  return `${holder}.${within.replace(/\[\d+\]/g, '')}`;
}

/** The objects of a document: one, those of a list, or none. */
export function objectsOf(tree: Tree, fileName = ''): KubeObject[] {
  const root = tree.root();
  const kinds = textsOf(tree, root, 'kind');
  if (kinds.length === 0 && isKustomization(fileName)) return [objectOf(tree, root, [], [])];
  const versions = textsOf(tree, root, 'apiVersion');
  // A template may write the version with its key.
  const isObject = versions.length > 0 || (root.isDoubtful && root.node !== undefined);
  const kind = textOf(kinds.at(-1)) ?? '';
  if (!isObject || kind === '') return [];
  const items = itemsOf(tree, root, kind);
  if (items === undefined || !isSeq(items.node)) return [objectOf(tree, root, versions, kinds)];
  const itemKind = kind.replace(/List$|^Template$/, '');
  return tree.items(items).flatMap((item) => itemOf(tree, item, versions, itemKind));
}

/** A kustomization need not say what it is. `fileName` with or without folders. */
export function isKustomization(fileName: string): boolean {
  return /(?:^|[\\/])(?:kustomization\.ya?ml|Kustomization)$/.test(fileName);
}

/** Most that a template is taken to choose from. */
const MOST_CHOICES = 10;

/** The entry of a key; where a template stands beside it all of them, since it may choose one. */
function textsOf(tree: Tree, value: Value, name: string): Entry[] {
  const entries = tree
    .entries(value, (key) => key === name)
    .filter((entry) => textOf(entry) !== undefined);
  return entries.slice(entries.at(-1)?.isDoubtful === true ? -MOST_CHOICES : -1);
}

/** What a list holds, or a template of OpenShift. */
function itemsOf(tree: Tree, root: Value, kind: string): Value | undefined {
  if (kind === 'Template') return tree.field(root, 'objects');
  return kind.endsWith('List') ? tree.field(root, 'items') : undefined;
}

/** Items of a list of one kind need not name it. */
function itemOf(
  tree: Tree,
  item: Value,
  listVersions: readonly Entry[],
  listKind: string,
): KubeObject[] {
  const kinds = textsOf(tree, item, 'kind');
  const versions = textsOf(tree, item, 'apiVersion');
  const kind = textOf(kinds.at(-1)) ?? listKind;
  if (kind === '') return [];
  const named = kinds.length === 0 ? listKind : kinds;
  return [objectOf(tree, item, versions.length === 0 ? listVersions : versions, named)];
}

/** `kinds` may be the one that a list has for its items. Without any it is a kustomization. */
function objectOf(
  tree: Tree,
  value: Value,
  versions: readonly Entry[],
  kinds: readonly Entry[] | string,
): KubeObject {
  const written = kinds.length === 0 ? KUSTOMIZATION_KIND : writtenKind(tree, versions, kinds);
  const known = resourcesOf(written);
  const [only, ...others] = new Set(known);
  return {
    value,
    places: placesOf(written),
    ...namespaceOf(tree, value),
    resource: only === undefined || others.length > 0 ? undefined : qualifiedName(only),
    isBuiltIn: known.every((each) => each !== undefined) || isBuiltInGroup(written),
  };
}

function namespaceOf(tree: Tree, value: Value): Pick<KubeObject, 'namespace' | 'isNamespaceOpen'> {
  const metadata = tree.field(value, 'metadata');
  const entry = metadata && tree.field(metadata, 'namespace');
  // One that a template writes may stand in either map.
  const isBeside = metadata?.isDoubtful === true && (entry === undefined || entry.isDoubtful);
  const namespace = entry && plainText(tree, entry);
  const isUnread = entry !== undefined && namespace === undefined && textOf(entry) !== undefined;
  const isNamespaceOpen = isBeside || isUnread;
  return { namespace: isNamespaceOpen ? undefined : namespace, isNamespaceOpen };
}

const KUSTOMIZATION_KIND: WrittenKind = {
  versions: [{ apiVersion: KUSTOMIZATION, group: groupOf(KUSTOMIZATION) }],
  kinds: ['Kustomization'],
};

function writtenKind(
  tree: Tree,
  versions: readonly Entry[],
  kinds: readonly Entry[] | string,
): WrittenKind {
  const names = typeof kinds === 'string' ? [kinds] : kinds.map((kind) => plainText(tree, kind));
  return {
    versions:
      versions.length === 0 ? [ANY_VERSION] : versions.map((each) => writtenVersion(tree, each)),
    kinds: names.includes(undefined) ? [] : names.flatMap((name) => name ?? []),
  };
}

const ANY_VERSION: WrittenVersion = { apiVersion: undefined, group: undefined };

function writtenVersion(tree: Tree, entry: Entry): WrittenVersion {
  const apiVersion = plainText(tree, entry);
  if (apiVersion !== undefined) return { apiVersion, group: groupOf(apiVersion) };
  const text = textOf(entry) ?? '';
  const slash = text.indexOf('/');
  const span = slash < 0 ? undefined : tree.mapped(entry.node)?.place({ start: 0, end: slash });
  const group = text.slice(0, Math.max(0, slash));
  const isOpen = span === undefined || tree.touchesTemplate(span) || isSubstituted(group);
  return { apiVersion, group: isOpen ? undefined : group };
}

/** Undefined where something replaces a part of it. */
function plainText(tree: Tree, entry: Entry): string | undefined {
  const text = textOf(entry);
  const isOpen = text === undefined || tree.touchesTemplate(entry.span) || isSubstituted(text);
  return isOpen ? undefined : text;
}

/** Of each that may be meant, with undefined for one that is not built in. */
function resourcesOf({ versions, kinds }: WrittenKind): (Resource | undefined)[] {
  if (kinds.length === 0) return [undefined];
  return versions.flatMap(({ group }) =>
    kinds.flatMap((kind) => {
      if (group !== undefined) return [KNOWN.get(`${group} ${kind}`)];
      const named = BUILT_IN.filter((each) => each.kind === kind);
      return named.length === 0 ? [undefined] : named;
    }),
  );
}

function isBuiltInGroup({ versions }: WrittenKind): boolean {
  return versions.every(({ group }) => group !== undefined && OTHER_BUILT_IN.has(group));
}

const KNOWN: ReadonlyMap<string, Resource> = new Map(
  BUILT_IN.map((each) => [`${each.group || 'core'} ${each.kind}`, each]),
);

/** Groups whose kinds are never stored, or no longer. */
const OTHER_BUILT_IN: ReadonlySet<string> = new Set([
  'core',
  'apps',
  'autoscaling',
  'batch',
  'extensions',
  'policy',
  'authorization.k8s.io',
  'authentication.k8s.io',
]);

/**
 * The resource of a built-in kind, as kubectl names it. Without a group undefined where several groups
 * have such a kind; `core` or nothing is the empty one.
 */
export function resourceOfKind(kind: string, group?: string): string | undefined {
  const [only, ...others] = BUILT_IN.filter(
    (each) =>
      each.kind === kind && (group === undefined || each.group === group.replace(/^core$/, '')),
  );
  return only === undefined || others.length > 0 ? undefined : qualifiedName(only);
}
