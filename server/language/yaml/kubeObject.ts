/** One Kubernetes object of a document. */
import { isSeq } from 'yaml';
import { qualifiedName } from '../../common/groupResource';
import { BUILT_IN, type Resource } from '../../kube/resources/resources';
import { groupOf, KUSTOMIZATION } from './kinds';
import { textOf, type Tree, type Value } from './tree';

export interface KubeObject {
  readonly value: Value;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  /** As kubectl names it; undefined for a custom resource. */
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
  const kind = textOf(tree.field(root, 'kind'));
  const apiVersion = textOf(tree.field(root, 'apiVersion'));
  if (kind === undefined && isKustomization(fileName)) {
    return [objectOf(tree, root, KUSTOMIZATION, 'Kustomization')];
  }
  if (kind === undefined || apiVersion === undefined || kind === '') return [];
  const items = itemsOf(tree, root, kind);
  if (items === undefined || !isSeq(items.node)) return [objectOf(tree, root, apiVersion, kind)];
  const itemKind = kind.replace(/List$|^Template$/, '');
  return tree.items(items).flatMap((item) => itemOf(tree, item, apiVersion, itemKind));
}

/** A kustomization need not say what it is. `fileName` with or without folders. */
export function isKustomization(fileName: string): boolean {
  return /(?:^|[\\/])(?:kustomization\.ya?ml|Kustomization)$/.test(fileName);
}

/** What a list holds, or a template of OpenShift. */
function itemsOf(tree: Tree, root: Value, kind: string): Value | undefined {
  if (kind === 'Template') return tree.field(root, 'objects');
  return kind.endsWith('List') ? tree.field(root, 'items') : undefined;
}

/** Items of a list of one kind need not name it. */
function itemOf(tree: Tree, item: Value, listVersion: string, listKind: string): KubeObject[] {
  const kind = textOf(tree.field(item, 'kind')) ?? listKind;
  const apiVersion = textOf(tree.field(item, 'apiVersion')) ?? listVersion;
  return kind === '' ? [] : [objectOf(tree, item, apiVersion, kind)];
}

function objectOf(tree: Tree, value: Value, apiVersion: string, kind: string): KubeObject {
  const metadata = tree.field(value, 'metadata');
  const group = groupOf(apiVersion);
  const known = KNOWN.get(`${group} ${kind}`);
  return {
    value,
    apiVersion,
    kind,
    namespace: metadata && textOf(tree.field(metadata, 'namespace')),
    resource: known && qualifiedName(known),
    isBuiltIn: known !== undefined || OTHER_BUILT_IN.has(group),
  };
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

/** The resource of a built-in kind that no other group has as well, as kubectl names it. */
export function resourceOfKind(kind: string): string | undefined {
  const [only, ...others] = BUILT_IN.filter((each) => each.kind === kind);
  return only === undefined || others.length > 0 ? undefined : qualifiedName(only);
}
