// The modules whose YAML files are gone over; go.sum holds their checksums. Nothing of them is built.
module corpus

go 1.26

require (
	github.com/argoproj/argo-cd/v3 v3.2.0
	github.com/kyverno/kyverno v1.19.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
	k8s.io/kubernetes v1.37.0
	sigs.k8s.io/kustomize/api v0.20.1
	sigs.k8s.io/kustomize/kustomize/v5 v5.7.1
)
