/**
 * Conversion of field labels from what a client writes to the internal ones (rule F1), per
 * resource and version, before anything is read.
 *
 * Upstream (Kubernetes 1.37): the `AddFieldLabelConversionFunc` calls of
 * `pkg/apis/GROUP/VERSION/conversion.go`, `DefaultMetaV1FieldSelectorConversion` for all others and
 * `crConverter.ConvertFieldLabel` of apiextensions-apiserver. The API server answers 400 with
 * exactly these texts.
 */
import { customFieldName, type ResourceName } from './selectableFields';
import { goQuote } from '../../common/goText';
import { type FieldTransform, SelectorError } from '../selectors/types';

/** Labels a resource accepts, each with the internal label it stands for. */
type LabelMap = ReadonlyMap<string, string>;

interface LabelRule {
  readonly group: string;
  readonly resource: string;
  readonly labels: LabelMap;
  /** Upstream's text for any other label. */
  readonly refusal: (label: string, version: string) => string;
}

const notSupported = (label: string): string => `field label not supported: ${label}`;
const jobRefusal = (label: string): string => `field label ${goQuote(label)} not supported for Job`;
const sliceRefusal = (label: string, version: string): string =>
  `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${label}`;
const defaultRefusal = (label: string): string =>
  `${goQuote(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';
const REFERENCE = 'kind namespace name uid apiVersion resourceVersion fieldPath'.split(' ');

function same(...labels: readonly string[]): LabelMap {
  return new Map(labels.map((label) => [label, label]));
}

function rule(
  group: string,
  resource: string,
  labels: LabelMap,
  refusal: LabelRule['refusal'] = notSupported,
): LabelRule {
  return { group, resource, labels, refusal };
}

const POD_LABELS: LabelMap = new Map([
  ...same(NAME, NAMESPACE, 'spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName'),
  ...same('spec.serviceAccountName', 'spec.hostNetwork', 'status.phase', 'status.podIP'),
  ...same('status.podIPs', 'status.nominatedNodeName'),
  ['spec.host', 'spec.nodeName'],
]);

const CORE_EVENT_LABELS: LabelMap = new Map([
  ...same(NAME, NAMESPACE, 'reason', 'reportingComponent', 'source', 'type'),
  ...same(...REFERENCE.map((name) => `involvedObject.${name}`)),
]);

const EVENTS_EVENT_LABELS: LabelMap = new Map([
  ...same(NAME, NAMESPACE, 'reason', 'type'),
  ['reportingController', 'reportingComponent'],
  ...REFERENCE.map((name) => [`regarding.${name}`, `involvedObject.${name}`] as const),
]);

const CERTIFICATES = 'certificates.k8s.io';

const LABEL_RULES: readonly LabelRule[] = [
  rule('', 'pods', POD_LABELS),
  rule('', 'nodes', same(NAME, 'spec.unschedulable')),
  rule('', 'replicationcontrollers', same(NAME, NAMESPACE, 'status.replicas')),
  rule('', 'events', CORE_EVENT_LABELS),
  rule('', 'namespaces', same(NAME, 'status.phase')),
  rule('', 'secrets', same(NAME, NAMESPACE, 'type')),
  rule('', 'services', same(NAME, NAMESPACE, 'spec.clusterIP', 'spec.type')),
  rule('events.k8s.io', 'events', EVENTS_EVENT_LABELS),
  rule('batch', 'jobs', same(NAME, NAMESPACE, 'status.successful'), jobRefusal),
  rule(CERTIFICATES, 'certificatesigningrequests', same(NAME, 'spec.signerName')),
  rule(CERTIFICATES, 'clustertrustbundles', same(NAME, 'spec.signerName')),
  rule(
    CERTIFICATES,
    'podcertificaterequests',
    same(NAME, 'spec.signerName', 'spec.podName', 'spec.nodeName'),
  ),
  rule(
    'resource.k8s.io',
    'resourceslices',
    same(NAME, 'spec.nodeName', 'spec.driver', 'spec.pool.name'),
    sliceRefusal,
  ),
];

/**
 * Conversion for a built-in resource in one API version, such as `{group: '', resource: 'pods'}`
 * and `v1`. The transform throws `SelectorError` with upstream's text; its span is empty, since a
 * transform does not know where the term stands.
 */
export function fieldTransformFor(resource: ResourceName, version: string): FieldTransform {
  const found = LABEL_RULES.find(
    (row) => row.group === resource.group && row.resource === resource.resource,
  );
  if (found === undefined) return transformBy(same(NAME, NAMESPACE), defaultRefusal);
  return transformBy(found.labels, (label) => found.refusal(label, version));
}

/** Conversion for a custom resource with the JSON paths its definition declares as selectable. */
export function customFieldTransform(
  namespaced: boolean,
  jsonPaths: readonly string[],
): FieldTransform {
  const scope = namespaced ? [NAME, NAMESPACE] : [NAME];
  return transformBy(same(...scope, ...jsonPaths.map(customFieldName)), notSupported);
}

/** Labels a field selector may use, as the client writes them: for completion and messages. */
export function fieldLabelsOf(resource: ResourceName): readonly string[] {
  const found = LABEL_RULES.find(
    (row) => row.group === resource.group && row.resource === resource.resource,
  );
  return [...(found?.labels ?? same(NAME, NAMESPACE)).keys()];
}

function transformBy(labels: LabelMap, refusal: (label: string) => string): FieldTransform {
  return (field, value) => {
    const internal = labels.get(field);
    if (internal === undefined) throw new SelectorError(refusal(field), { start: 0, end: 0 });
    return [internal, value];
  };
}
