/**
 * Where selectors and labels stand, and what they mean there. A line without an indent names a group,
 * or a group and version, and kinds of it; or a fragment that others include. The lines below it are
 *
 *     PATH FORM SELECTS EMPTY/ABSENT OPTIONS
 *     PATH +FRAGMENT
 *
 * with `[]` for the items of a list, `-` where nobody can tell, and `@own` for what lies in the
 * object's own namespace. The words are explained in `kindRows.ts`. The labels of every object are
 * known without a line.
 */
export const FRAGMENTS = `
podTemplate
  metadata.labels labels pods@own - shown=labels
  spec +podSpec
podSpec
  nodeSelector map nodes all/all holder=PodSpec warns=key
  affinity +affinity
  topologySpreadConstraints[] +spread
  volumes[].ephemeral.volumeClaimTemplate +claim
  volumes[].projected.sources[].clusterTrustBundle.labelSelector object clustertrustbundles.certificates.k8s.io all/none surprising
affinity
  nodeAffinity +nodeAffinity
  podAffinity +podAffinity
  podAntiAffinity +podAffinity
nodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution nodes nodes refused/all warns=key
  preferredDuringSchedulingIgnoredDuringExecution[].preference term nodes all/all warns=key lenient
podAffinity
  requiredDuringSchedulingIgnoredDuringExecution[] +podAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm +podAffinityTerm
podAffinityTerm
  labelSelector object pods@own all/none surprising elsewhere=namespaces,namespaceSelector
  namespaceSelector object namespaces all/none
  matchLabelKeys keys pods@own - holder=PodAffinityTerm
  mismatchLabelKeys keys pods@own - holder=PodAffinityTerm
  topologyKey key nodes - holder=PodAffinityTerm
spread
  labelSelector object pods@own all/none surprising
  matchLabelKeys keys pods@own - holder=TopologySpreadConstraint
  topologyKey key nodes - unchecked warns=key holder=TopologySpreadConstraint
claim
  metadata.labels labels persistentvolumeclaims@own
  spec.selector object persistentvolumes all/all
volumeSpec
  nodeAffinity.required nodes nodes refused/all warns=key
workload
  spec.template +podTemplate
job
  selector object pods@own filled/filled job
  template +podTemplate
peer
  podSelector object pods@own all/unknown elsewhere=namespaceSelector
  namespaceSelector object namespaces all/unknown
metric
  pods.metric.selector object - all/all unchecked
  object.metric.selector object - all/all unchecked
  external.metric.selector object - all/all unchecked
matchResources
  namespaceSelector object namespaces all/all
  objectSelector object - all/all
review
  spec.resourceAttributes.labelSelector.rawSelector labelText - all/all other=requirements
  spec.resourceAttributes.labelSelector.requirements requirements - all/all operators=review other=rawSelector
  spec.resourceAttributes.fieldSelector.rawSelector fieldText - all/all
oldScale
  status.selector map pods@own unknown/unknown holder=ScaleStatus
  status.targetSelector labelText pods@own unknown/unknown
`;

/** Kinds of `k8s.io/api`, those that are no longer served among them. */
export const BUILT_IN_KINDS = `
core Pod
  spec +podSpec
core PodTemplate
  template +podTemplate
core ReplicationController
  spec.selector map pods@own filled/filled template=spec.template holder=ReplicationControllerSpec
  +workload
core Service
  spec.selector map pods@own none/none surprising holder=ServiceSpec
core PersistentVolume
  spec +volumeSpec
core PersistentVolumeClaim
  spec.selector object persistentvolumes all/all
apps,extensions Deployment
  spec.selector object pods@own refused/refused template=spec.template refusal=deployment
  +workload
apps,extensions ReplicaSet
  spec.selector object pods@own refused/refused template=spec.template refusal=deployment
  +workload
apps,extensions DaemonSet
  spec.selector object pods@own refused/refused template=spec.template refusal=daemonset
  +workload
apps StatefulSet
  spec.selector object pods@own refused/refused template=spec.template refusal=statefulset
  spec.volumeClaimTemplates[] +claim
  +workload
apps,extensions Scale
  +oldScale
autoscaling Scale
  status.selector labelText pods@own unknown/unknown
autoscaling/v2 HorizontalPodAutoscaler
  spec.metrics[] +metric
  status.currentMetrics[] +metric
batch Job
  spec +job
batch CronJob
  spec.jobTemplate.metadata.labels labels jobs.batch@own
  spec.jobTemplate.spec.selector object pods@own refused/filled cronJob
  spec.jobTemplate.spec.template +podTemplate
policy/v1 PodDisruptionBudget
  spec.selector object pods@own all/none surprising
policy/v1beta1 PodDisruptionBudget
  spec.selector object pods@own none/none surprising
networking.k8s.io,extensions NetworkPolicy
  spec.podSelector object pods@own all/all
  spec.ingress[].from[] +peer
  spec.egress[].to[] +peer
admissionregistration.k8s.io ValidatingWebhookConfiguration,MutatingWebhookConfiguration
  webhooks[] +matchResources
admissionregistration.k8s.io ValidatingAdmissionPolicy,MutatingAdmissionPolicy
  spec.matchConstraints +matchResources
admissionregistration.k8s.io ValidatingAdmissionPolicyBinding,MutatingAdmissionPolicyBinding
  spec.matchResources +matchResources
  spec.paramRef.selector object - all/unknown
rbac.authorization.k8s.io ClusterRole
  aggregationRule.clusterRoleSelectors[] object clusterroles.rbac.authorization.k8s.io all/none surprising
authorization.k8s.io SubjectAccessReview,SelfSubjectAccessReview,LocalSubjectAccessReview
  +review
node.k8s.io RuntimeClass
  scheduling.nodeSelector map nodes all/all holder=Scheduling warns=whole
  spec.scheduling.nodeSelector map nodes all/all holder=Scheduling warns=whole
storage.k8s.io CSIStorageCapacity
  nodeTopology object nodes all/none surprising warns=key
storage.k8s.io StorageClass
  allowedTopologies[] topology nodes all/all warns=whole holder=TopologySelectorLabelRequirement
storage.k8s.io VolumeAttachment
  spec.source.inlineVolumeSpec +volumeSpec
resource.k8s.io ResourceSlice
  spec.nodeSelector nodes nodes refused/unknown
  spec.devices[].nodeSelector nodes nodes refused/unknown
  spec.devices[].basic.nodeSelector nodes nodes refused/unknown
resource.k8s.io ResourceClaim
  status.allocation.nodeSelector nodes nodes refused/all
resource.k8s.io ResourceClaimTemplate
  spec.metadata.labels labels resourceclaims.resource.k8s.io@own
`;

/** Custom kinds whose selectors mean what Kubernetes' own do. */
export const CUSTOM_KINDS = `
monitoring.coreos.com ServiceMonitor
  spec.selector object services@own all/none elsewhere=namespaceSelector
monitoring.coreos.com PodMonitor
  spec.selector object pods@own all/none elsewhere=namespaceSelector
monitoring.coreos.com Probe
  spec.targets.ingress.selector object ingresses.networking.k8s.io@own all/none elsewhere=namespaceSelector
monitoring.coreos.com Prometheus,PrometheusAgent,Alertmanager,ThanosRuler
  spec.serviceMonitorSelector object servicemonitors.monitoring.coreos.com@own all/none elsewhere=serviceMonitorNamespaceSelector
  spec.serviceMonitorNamespaceSelector object namespaces all/own
  spec.podMonitorSelector object podmonitors.monitoring.coreos.com@own all/none elsewhere=podMonitorNamespaceSelector
  spec.podMonitorNamespaceSelector object namespaces all/own
  spec.probeSelector object probes.monitoring.coreos.com@own all/none elsewhere=probeNamespaceSelector
  spec.probeNamespaceSelector object namespaces all/own
  spec.scrapeConfigSelector object scrapeconfigs.monitoring.coreos.com@own all/none elsewhere=scrapeConfigNamespaceSelector
  spec.scrapeConfigNamespaceSelector object namespaces all/own
  spec.ruleSelector object prometheusrules.monitoring.coreos.com@own all/none elsewhere=ruleNamespaceSelector
  spec.ruleNamespaceSelector object namespaces all/own
  spec.alertmanagerConfigSelector object alertmanagerconfigs.monitoring.coreos.com@own all/none elsewhere=alertmanagerConfigNamespaceSelector
  spec.alertmanagerConfigNamespaceSelector object namespaces all/own
  spec.podMetadata.labels labels pods@own
  spec.nodeSelector map nodes all/all
  spec.affinity +affinity
  spec.topologySpreadConstraints[] +spread
  spec.storage.volumeClaimTemplate +claim
  spec.storage.ephemeral.volumeClaimTemplate +claim
  spec.volumes[].ephemeral.volumeClaimTemplate +claim
  spec.volumes[].projected.sources[].clusterTrustBundle.labelSelector object clustertrustbundles.certificates.k8s.io all/none
monitoring.coreos.com ScrapeConfig
  spec.kubernetesSDConfigs[].selectors[].label labelText - all/all
  spec.kubernetesSDConfigs[].selectors[].field fieldText - all/all
karpenter.sh NodePool
  spec.template.metadata.labels labels nodes
  spec.template.spec.requirements requirements nodes all/all operators=karpenter
karpenter.sh NodeClaim
  spec.requirements requirements nodes all/all operators=karpenter
karpenter.sh Provisioner
  spec.labels labels nodes
  spec.requirements requirements nodes all/all operators=karpenter
argoproj.io ApplicationSet
  spec.generators[] +generator
  spec.strategy.rollingSync.steps[].matchExpressions requirements applications.argoproj.io@own all/all operators=inOnly
argoproj.io Rollout
  spec.selector object pods@own refused/unknown template=spec.template
  spec.template +podTemplate
  status.selector labelText pods@own unknown/unknown
argoproj.io Experiment
  spec.templates[].selector object pods@own unknown/unknown
  spec.templates[].template +podTemplate
argoproj.io Workflow,WorkflowTemplate,ClusterWorkflowTemplate
  spec.podGC.labelSelector object pods@own all/all
  spec.podMetadata.labels labels pods@own
  spec.nodeSelector map nodes all/all
  spec.affinity +affinity
  spec.templates[].metadata.labels labels pods@own
  spec.templates[].nodeSelector map nodes all/all
  spec.templates[].affinity +affinity
gateway.networking.k8s.io Gateway
  spec.listeners[].allowedRoutes.namespaces.selector object namespaces all/unknown
constraints.gatekeeper.sh,mutations.gatekeeper.sh *
  spec.match.labelSelector object - all/all
  spec.match.namespaceSelector object namespaces all/all
kyverno.io ClusterPolicy,Policy
  spec.rules[].match +kyvernoMatch
  spec.rules[].exclude +kyvernoMatch
  spec.rules[].mutate.targets[].selector object - all/all wildcards
  spec.rules[].generate.cloneList.selector object - all/all
  spec.rules[].generate.foreach[].cloneList.selector object - all/all
  spec.rules[].validate.cel.paramRef.selector object - all/unknown
  spec.rules[].validate.failureActionOverrides[].namespaceSelector object namespaces all/all wildcards
  spec.validationFailureActionOverrides[].namespaceSelector object namespaces all/all wildcards
kyverno.io ClusterCleanupPolicy,CleanupPolicy
  spec.match +kyvernoMatch
  spec.exclude +kyvernoMatch
kyverno.io PolicyException
  spec.match +kyvernoMatch
policies.kyverno.io *
  spec.matchConstraints +matchResources
  spec.targetMatchConstraints +matchResources
security.istio.io AuthorizationPolicy,PeerAuthentication,RequestAuthentication
  spec.selector.matchLabels map pods@own all/all
telemetry.istio.io Telemetry
  spec.selector.matchLabels map pods@own all/all
networking.istio.io Gateway
  spec.selector map pods all/unknown
networking.istio.io Sidecar,EnvoyFilter,ServiceEntry
  spec.workloadSelector.labels map pods@own all/all
keda.sh ScaledObject
  spec.triggers[].metadata.podSelector labelText pods@own unknown/unknown
keda.sh ScaledJob
  spec.triggers[].metadata.podSelector labelText pods@own unknown/unknown
  spec.jobTargetRef.template +podTemplate
apps.openshift.io DeploymentConfig
  spec.selector map pods@own filled/filled template=spec.template
  +workload
cluster.x-k8s.io MachineDeployment,MachineSet,MachineHealthCheck
  spec.selector object machines.cluster.x-k8s.io@own unknown/unknown
kustomize.config.k8s.io Kustomization,Component
  commonLabels labels - - typed deprecated
  labels[].pairs labels - - typed
  generatorOptions.labels labels - - typed
  configMapGenerator[].options.labels labels configmaps - typed
  secretGenerator[].options.labels labels secrets - typed
  patches[].target.labelSelector labelText - all/all beside
  patchesJson6902[].target.labelSelector labelText - all/all beside
  replacements[].targets[].select.labelSelector labelText - all/all beside
  replacements[].targets[].reject[].labelSelector labelText - all/all beside
`;

export const CUSTOM_FRAGMENTS = `
generator
  clusters.selector object secrets@own all/all
  clusterDecisionResource.labelSelector object - all/all
  matrix.generators[].clusters.selector object secrets@own all/all
  matrix.generators[].clusterDecisionResource.labelSelector object - all/all
  merge.generators[].clusters.selector object secrets@own all/all
  merge.generators[].clusterDecisionResource.labelSelector object - all/all
  matrix.generators[].matrix.generators[].clusters.selector object secrets@own all/all
  matrix.generators[].merge.generators[].clusters.selector object secrets@own all/all
  merge.generators[].matrix.generators[].clusters.selector object secrets@own all/all
  merge.generators[].merge.generators[].clusters.selector object secrets@own all/all
kyvernoMatch
  resources +kyvernoResources
  any[].resources +kyvernoResources
  all[].resources +kyvernoResources
kyvernoResources
  selector object - all/all wildcards
  namespaceSelector object namespaces all/all wildcards
`;
