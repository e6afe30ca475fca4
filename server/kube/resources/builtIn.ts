/**
 * The built-in resources that are stored: one a line, as group (`core` for the empty one), plural,
 * kind, versions with the preferred first, scope, short names.
 *
 * Upstream: `kubernetes/api/discovery` of 1.37; `podsecuritypolicies` and `extensions` are gone
 * from it, yet old stores hold them.
 */
export const RESOURCE_LINES: readonly string[] = [
  'core configmaps ConfigMap v1 ns cm',
  'core endpoints Endpoints v1 ns ep',
  'core events Event v1 ns ev',
  'core limitranges LimitRange v1 ns limits',
  'core namespaces Namespace v1 cluster ns',
  'core nodes Node v1 cluster no',
  'core persistentvolumeclaims PersistentVolumeClaim v1 ns pvc',
  'core persistentvolumes PersistentVolume v1 cluster pv',
  'core pods Pod v1 ns po',
  'core podtemplates PodTemplate v1 ns -',
  'core replicationcontrollers ReplicationController v1 ns rc',
  'core resourcequotas ResourceQuota v1 ns quota',
  'core secrets Secret v1 ns -',
  'core serviceaccounts ServiceAccount v1 ns sa',
  'core services Service v1 ns svc',
  'apiregistration.k8s.io apiservices APIService v1 cluster -',
  'apps controllerrevisions ControllerRevision v1 ns -',
  'apps daemonsets DaemonSet v1 ns ds',
  'apps deployments Deployment v1 ns deploy',
  'apps replicasets ReplicaSet v1 ns rs',
  'apps statefulsets StatefulSet v1 ns sts',
  'events.k8s.io events Event v1 ns ev',
  'autoscaling horizontalpodautoscalers HorizontalPodAutoscaler v2,v1 ns hpa',
  'batch cronjobs CronJob v1 ns cj',
  'batch jobs Job v1 ns -',
  'certificates.k8s.io certificatesigningrequests CertificateSigningRequest v1 cluster csr',
  'certificates.k8s.io clustertrustbundles ClusterTrustBundle v1,v1beta1 cluster -',
  'certificates.k8s.io podcertificaterequests PodCertificateRequest v1,v1beta1 ns -',
  'networking.k8s.io ingressclasses IngressClass v1 cluster -',
  'networking.k8s.io ingresses Ingress v1 ns ing',
  'networking.k8s.io ipaddresses IPAddress v1 cluster ip',
  'networking.k8s.io networkpolicies NetworkPolicy v1 ns netpol',
  'networking.k8s.io servicecidrs ServiceCIDR v1 cluster -',
  'policy poddisruptionbudgets PodDisruptionBudget v1 ns pdb',
  'rbac.authorization.k8s.io clusterrolebindings ClusterRoleBinding v1 cluster -',
  'rbac.authorization.k8s.io clusterroles ClusterRole v1 cluster -',
  'rbac.authorization.k8s.io rolebindings RoleBinding v1 ns -',
  'rbac.authorization.k8s.io roles Role v1 ns -',
  'storage.k8s.io csidrivers CSIDriver v1 cluster -',
  'storage.k8s.io csinodes CSINode v1 cluster -',
  'storage.k8s.io csistoragecapacities CSIStorageCapacity v1 ns -',
  'storage.k8s.io storageclasses StorageClass v1 cluster sc',
  'storage.k8s.io volumeattachments VolumeAttachment v1 cluster -',
  'storage.k8s.io volumeattributesclasses VolumeAttributesClass v1 cluster vac',
  'admissionregistration.k8s.io mutatingadmissionpolicies MutatingAdmissionPolicy v1,v1beta1,v1alpha1 cluster -',
  'admissionregistration.k8s.io mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding v1,v1beta1,v1alpha1 cluster -',
  'admissionregistration.k8s.io mutatingwebhookconfigurations MutatingWebhookConfiguration v1 cluster -',
  'admissionregistration.k8s.io validatingadmissionpolicies ValidatingAdmissionPolicy v1 cluster -',
  'admissionregistration.k8s.io validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding v1 cluster -',
  'admissionregistration.k8s.io validatingwebhookconfigurations ValidatingWebhookConfiguration v1 cluster -',
  'apiextensions.k8s.io customresourcedefinitions CustomResourceDefinition v1 cluster crd,crds',
  'scheduling.k8s.io compositepodgroups CompositePodGroup v1alpha3 ns -',
  'scheduling.k8s.io podgroups PodGroup v1beta1,v1alpha3 ns -',
  'scheduling.k8s.io priorityclasses PriorityClass v1 cluster pc',
  'scheduling.k8s.io workloads Workload v1beta1,v1alpha3 ns -',
  'coordination.k8s.io leasecandidates LeaseCandidate v1beta1,v1alpha2 ns -',
  'coordination.k8s.io leases Lease v1 ns -',
  'node.k8s.io runtimeclasses RuntimeClass v1 cluster -',
  'discovery.k8s.io endpointslices EndpointSlice v1 ns -',
  'resource.k8s.io deviceclasses DeviceClass v1,v1beta2,v1beta1 cluster -',
  'resource.k8s.io devicetaintrules DeviceTaintRule v1,v1beta2,v1alpha3 cluster -',
  'resource.k8s.io resourceclaims ResourceClaim v1,v1beta2,v1beta1 ns -',
  'resource.k8s.io resourceclaimtemplates ResourceClaimTemplate v1,v1beta2,v1beta1 ns -',
  'resource.k8s.io resourcepoolstatusrequests ResourcePoolStatusRequest v1alpha3 cluster -',
  'resource.k8s.io resourceslices ResourceSlice v1,v1beta2,v1beta1 cluster -',
  'flowcontrol.apiserver.k8s.io flowschemas FlowSchema v1 cluster -',
  'flowcontrol.apiserver.k8s.io prioritylevelconfigurations PriorityLevelConfiguration v1 cluster -',
  'internal.apiserver.k8s.io storageversions StorageVersion v1alpha1 cluster -',
  'storagemigration.k8s.io storageversionmigrations StorageVersionMigration v1,v1beta1 cluster -',
  'lifecycle.k8s.io evictionrequests EvictionRequest v1alpha1 ns -',
  'lifecycle.k8s.io evictions Eviction v1alpha1 ns -',
  'policy podsecuritypolicies PodSecurityPolicy v1beta1 cluster psp',
];

/** Groups of built-in kinds that look as a custom resource's may look. */
export const DOTTED_GROUPS: ReadonlySet<string> = new Set(
  RESOURCE_LINES.map((line) => line.slice(0, line.indexOf(' '))).filter((group) =>
    group.includes('.'),
  ),
);

/**
 * Storage prefixes that are not the lower-case plural.
 *
 * Upstream: `SpecialDefaultResourcePrefixes` of `kubernetes/pkg/kubeapiserver`; the last two groups
 * are served by aggregated API servers, which put their group in front.
 */
export const SPECIAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['core/services', 'services/specs'],
  ['core/endpoints', 'services/endpoints'],
  ['core/nodes', 'minions'],
  ['core/replicationcontrollers', 'controllers'],
  ['networking.k8s.io/ingresses', 'ingress'],
  ['policy/podsecuritypolicies', 'podsecuritypolicy'],
  [
    'apiextensions.k8s.io/customresourcedefinitions',
    'apiextensions.k8s.io/customresourcedefinitions',
  ],
  ['apiregistration.k8s.io/apiservices', 'apiregistration.k8s.io/apiservices'],
]);

/** What lies below the root without being objects of a resource. */
export const NON_OBJECT_PREFIXES: readonly string[] = [
  'ranges',
  'masterleases',
  'peerserverleases',
];
