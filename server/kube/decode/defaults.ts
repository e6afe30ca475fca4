/**
 * Labels that upstream's defaulting adds while it decodes, so that a label selector sees them.
 *
 * Upstream: `SetDefaults_Namespace` and `SetDefaults_ReplicationController` of
 * `kubernetes/pkg/apis/core/v1/defaults.go`, `SetDefaults_Job` of `kubernetes/pkg/apis/batch/v1`.
 */
import type { ItemType } from './envelope';
import { jsonLabels } from './jsonMetadata';
import { isObject, type JsonObject, member } from './jsonText';
import { emptyMetadata, type MetadataDraft, readObjectMeta } from './metadata';
import { WireReader, WireType } from './wire';

/** Field numbers of spec, template and metadata, in objects that take their template's labels. */
const TEMPLATE_META: ReadonlyMap<string, readonly number[]> = new Map([
  ['v1 ReplicationController', [2, 3, 1]],
  ['batch/v1 Job', [2, 6, 1]],
]);

const typeText = ({ apiVersion, kind }: ItemType): string => `${apiVersion} ${kind}`;

/** Whether objects of this type may get labels that are not stored. */
export function hasDefaultLabels(type: ItemType): boolean {
  const text = typeText(type);
  return text === 'v1 Namespace' || TEMPLATE_META.has(text);
}

/** Completes the labels of an object. `templateLabels` is asked only when needed. */
export function defaultLabels(
  type: ItemType,
  metadata: MetadataDraft,
  templateLabels: () => Map<string, string>,
): void {
  const text = typeText(type);
  if (text === 'v1 Namespace' && metadata.name !== '') {
    metadata.labels.set('kubernetes.io/metadata.name', metadata.name);
  }
  if (TEMPLATE_META.has(text) && metadata.labels.size === 0) metadata.labels = templateLabels();
}

export function wireTemplateLabels(raw: Uint8Array, type: ItemType): Map<string, string> {
  const metadata = emptyMetadata();
  const path = TEMPLATE_META.get(typeText(type)) ?? [];
  if (path.length > 0) mergeAt(new WireReader(raw), path, metadata, type.kind);
  return metadata.labels;
}

function mergeAt(
  reader: WireReader,
  path: readonly number[],
  metadata: MetadataDraft,
  kind: string,
): void {
  const [field, ...rest] = path;
  if (field === undefined) {
    readObjectMeta(reader, metadata);
    return;
  }
  while (reader.next(kind)) {
    if (reader.field === field && reader.wireType === WireType.bytes) {
      mergeAt(reader.message(), rest, metadata, kind);
    } else {
      reader.skip();
    }
  }
}

export function jsonTemplateLabels(object: JsonObject): Map<string, string> {
  let value = object;
  for (const name of ['spec', 'template', 'metadata']) {
    const next = member(value, name);
    if (!isObject(next)) return new Map();
    value = next;
  }
  return jsonLabels(member(value, 'labels'), 'spec.template.metadata.labels');
}
