/**
 * Values that selectable fields can have, where Kubernetes has a fixed list. Upstream (1.37): the
 * constants of `k8s.io/api/core/v1/types.go`.
 */
import { findResource } from '../../kube/resources/resources';

const TRUTH = ['true', 'false'];
const EVENT_TYPES = ['Normal', 'Warning'];

/** By resource and internal field name. */
const CHOICES: ReadonlyMap<string, readonly string[]> = new Map([
  ['pods status.phase', ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']],
  ['pods spec.restartPolicy', ['Always', 'OnFailure', 'Never']],
  ['pods spec.hostNetwork', TRUTH],
  ['nodes spec.unschedulable', TRUTH],
  ['namespaces status.phase', ['Active', 'Terminating']],
  ['services spec.type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']],
  ['events type', EVENT_TYPES],
  [
    'secrets type',
    [
      'Opaque',
      'kubernetes.io/service-account-token',
      'kubernetes.io/dockercfg',
      'kubernetes.io/dockerconfigjson',
      'kubernetes.io/basic-auth',
      'kubernetes.io/ssh-auth',
      'kubernetes.io/tls',
      'bootstrap.kubernetes.io/token',
    ],
  ],
]);

/** Empty where there is no such list. */
export function fieldChoices(resource: string, field: string): readonly string[] {
  const found = findResource(resource)?.resource;
  if (found === undefined || found.custom) return [];
  return CHOICES.get(`${found.resource} ${field}`) ?? [];
}
