/**
 * Which fields each built-in resource offers, where they stand, and their defaults.
 *
 * Upstream (Kubernetes 1.37): `GetAttrs` of `pkg/registry/GROUP/RESOURCE/strategy.go`, the defaults
 * of `pkg/apis/GROUP/VERSION/defaults.go`, field numbers from `generated.proto` of `k8s.io/api`.
 */
import type { FieldRule, FieldSource } from './rule';

export interface FieldForm {
  /** API group of the stored version. */
  readonly group: string;
  readonly rules: readonly FieldRule[];
}

export interface FieldEntry {
  readonly resource: string;
  readonly groups: readonly string[];
  readonly namespaced: boolean;
  readonly nameAlias?: boolean;
  /** One per group the objects may be stored in. */
  readonly forms: readonly FieldForm[];
}

/** `path` is the JSON path with dots; a segment of digits is an index. */
function at(path: string, ...wire: readonly number[]): FieldSource {
  const json = path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { wire, json };
}

function text(path: string, wire: readonly number[], absent = ''): FieldRule {
  return { name: path, type: 'text', sources: [at(path, ...wire)], absent };
}

function whole(path: string, wire: readonly number[], name = path): FieldRule {
  return { name, type: 'int32', sources: [at(path, ...wire)], absent: '0' };
}

function flag(path: string, wire: readonly number[]): FieldRule {
  return { name: path, type: 'bool', sources: [at(path, ...wire)], absent: 'false' };
}

function oneOf(name: string, ...sources: readonly FieldSource[]): FieldRule {
  return { name, type: 'text', sources, absent: '' };
}

/** `status.podIPs` can be asked for, yet upstream's set lacks it, so it always reads as empty. */
const POD: readonly FieldRule[] = [
  text('spec.nodeName', [2, 10]),
  text('spec.restartPolicy', [2, 3], 'Always'),
  text('spec.schedulerName', [2, 19], 'default-scheduler'),
  oneOf(
    'spec.serviceAccountName',
    at('spec.serviceAccountName', 2, 8),
    at('spec.serviceAccount', 2, 9),
  ),
  flag('spec.hostNetwork', [2, 11]),
  text('status.phase', [3, 1]),
  oneOf('status.podIP', at('status.podIP', 3, 6), at('status.podIPs.0.ip', 3, 12, 1)),
  text('status.nominatedNodeName', [3, 11]),
];

const REFERENCE: readonly (readonly [name: string, wire: number])[] = [
  ['kind', 1],
  ['namespace', 2],
  ['name', 3],
  ['uid', 4],
  ['apiVersion', 5],
  ['resourceVersion', 6],
  ['fieldPath', 7],
];

function involved(member: string, wire: number): readonly FieldRule[] {
  return REFERENCE.map(([name, number]) =>
    oneOf(`involvedObject.${name}`, at(`${member}.${name}`, wire, number)),
  );
}

const CORE_EVENT: readonly FieldRule[] = [
  ...involved('involvedObject', 2),
  text('reason', [3]),
  oneOf('reportingComponent', at('reportingComponent', 14)),
  oneOf('source', at('source.component', 5, 1), at('reportingComponent', 14)),
  text('type', [9]),
];

const EVENTS_EVENT: readonly FieldRule[] = [
  ...involved('regarding', 8),
  text('reason', [7]),
  oneOf('reportingComponent', at('reportingController', 4)),
  oneOf('source', at('deprecatedSource.component', 12, 1), at('reportingController', 4)),
  text('type', [11]),
];

function core(
  resource: string,
  namespaced: boolean,
  rules: readonly FieldRule[],
  nameAlias = false,
): FieldEntry {
  return { resource, groups: [''], namespaced, nameAlias, forms: [{ group: '', rules }] };
}

function grouped(
  group: string,
  resource: string,
  namespaced: boolean,
  rules: readonly FieldRule[],
): FieldEntry {
  return { resource, groups: [group], namespaced, forms: [{ group, rules }] };
}

const CERTIFICATES = 'certificates.k8s.io';

export const FIELD_TABLE: readonly FieldEntry[] = [
  core('pods', true, POD),
  core('nodes', false, [flag('spec.unschedulable', [2, 4])]),
  core('secrets', true, [text('type', [3], 'Opaque')]),
  core('services', true, [text('spec.clusterIP', [2, 3]), text('spec.type', [2, 4], 'ClusterIP')]),
  core('namespaces', false, [text('status.phase', [3, 1], 'Active')], true),
  core('replicationcontrollers', true, [whole('status.replicas', [3, 1])]),
  core('persistentvolumes', false, [], true),
  core('persistentvolumeclaims', true, [], true),
  {
    resource: 'events',
    groups: ['', 'events.k8s.io'],
    namespaced: true,
    forms: [
      { group: '', rules: CORE_EVENT },
      { group: 'events.k8s.io', rules: EVENTS_EVENT },
    ],
  },
  grouped('apps', 'replicasets', true, [whole('status.replicas', [3, 1])]),
  grouped('batch', 'jobs', true, [whole('status.succeeded', [3, 5], 'status.successful')]),
  grouped(CERTIFICATES, 'certificatesigningrequests', false, [text('spec.signerName', [2, 7])]),
  grouped(CERTIFICATES, 'clustertrustbundles', false, [text('spec.signerName', [2, 1])]),
  grouped(CERTIFICATES, 'podcertificaterequests', true, [
    text('spec.signerName', [2, 1]),
    text('spec.podName', [2, 2]),
    text('spec.nodeName', [2, 6]),
  ]),
  grouped('resource.k8s.io', 'resourceslices', false, [
    text('spec.nodeName', [2, 3]),
    text('spec.driver', [2, 1]),
    text('spec.pool.name', [2, 2, 1]),
  ]),
  grouped('coordination.k8s.io', 'leasecandidates', true, [text('spec.leaseName', [2, 1])]),
];
