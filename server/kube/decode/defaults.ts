/**
 * Labels that upstream's defaulting adds while it decodes, so that a label selector sees them.
 *
 * Upstream: `SetDefaults_Namespace` and `SetDefaults_ReplicationController` of
 * `kubernetes/pkg/apis/core/v1/defaults.go`.
 */
import { jsonLabels } from './jsonMetadata';
import { isObject, type JsonObject, member } from './jsonText';
import { emptyMetadata, type MetadataDraft, readObjectMeta } from './metadata';
import { WireReader, WireType } from './wire';

/** Whether objects of this type may get labels that are not stored. */
export function hasDefaultLabels(apiVersion: string, kind: string): boolean {
  return apiVersion === 'v1' && (kind === 'Namespace' || kind === 'ReplicationController');
}

/** Completes the labels of an object stored as `v1`. `templateLabels` is asked only when needed. */
export function defaultLabels(
  kind: string,
  metadata: MetadataDraft,
  templateLabels: () => Map<string, string>,
): void {
  if (kind === 'Namespace' && metadata.name !== '') {
    metadata.labels.set('kubernetes.io/metadata.name', metadata.name);
  }
  if (kind === 'ReplicationController' && metadata.labels.size === 0) {
    metadata.labels = templateLabels();
  }
}

/** Field numbers of spec, template and metadata. */
const TEMPLATE_META = [2, 3, 1] as const;

export function wireTemplateLabels(raw: Uint8Array): Map<string, string> {
  const metadata = emptyMetadata();
  mergeAt(new WireReader(raw), TEMPLATE_META, metadata);
  return metadata.labels;
}

function mergeAt(reader: WireReader, path: readonly number[], metadata: MetadataDraft): void {
  const [field, ...rest] = path;
  if (field === undefined) {
    readObjectMeta(reader, metadata);
    return;
  }
  while (reader.next('ReplicationController')) {
    if (reader.field === field && reader.wireType === WireType.bytes) {
      mergeAt(reader.message(), rest, metadata);
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
