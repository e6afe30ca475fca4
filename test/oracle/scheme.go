package main

import (
	"cmp"
	"runtime/debug"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
)

// codecs holds upstream's serializers for the core group, memory and storage version both v1.
type codecs struct {
	stored   runtime.Codec
	protobuf runtime.Encoder
	json     runtime.Encoder
}

func newCodecs() *codecs {
	scheme := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(scheme))
	factory := serializer.NewCodecFactory(scheme)
	version := corev1.SchemeGroupVersion
	codec := func(s runtime.Serializer) runtime.Codec {
		return factory.CodecForVersions(s, factory.UniversalDeserializer(), version, version)
	}
	protobuf := codec(serializerOf(factory, runtime.ContentTypeProtobuf))
	return &codecs{stored: protobuf, protobuf: protobuf, json: codec(serializerOf(factory, runtime.ContentTypeJSON))}
}

func serializerOf(factory serializer.CodecFactory, mediaType string) runtime.Serializer {
	info, ok := runtime.SerializerInfoForMediaType(factory.SupportedMediaTypes(), mediaType)
	if !ok {
		panic("no serializer for " + mediaType)
	}
	return info.Serializer
}

// podAttributes gives the labels and selectable fields of a Pod as Kubernetes' strategy of Pods does
// once it has decoded one, with its defaults set. That is no part of a public module: this is ours, and
// podFields.test.ts holds it against what Kubernetes' own read.
func podAttributes(object runtime.Object) (labels.Set, fields.Set, error) {
	pod := object.(*corev1.Pod)
	// Of the addresses the single one wins, as it does where Kubernetes converts a stored Pod.
	ip := pod.Status.PodIP
	if ip == "" && len(pod.Status.PodIPs) > 0 {
		ip = pod.Status.PodIPs[0].IP
	}
	own := fields.Set{
		"spec.nodeName":            pod.Spec.NodeName,
		"spec.restartPolicy":       cmp.Or(string(pod.Spec.RestartPolicy), string(corev1.RestartPolicyAlways)),
		"spec.schedulerName":       cmp.Or(pod.Spec.SchedulerName, corev1.DefaultSchedulerName),
		"spec.serviceAccountName":  cmp.Or(pod.Spec.ServiceAccountName, pod.Spec.DeprecatedServiceAccount),
		"spec.hostNetwork":         strconv.FormatBool(pod.Spec.HostNetwork),
		"status.phase":             string(pod.Status.Phase),
		"status.podIP":             ip,
		"status.nominatedNodeName": pod.Status.NominatedNodeName,
	}
	return pod.Labels, generic.AddObjectMetaFieldsSet(own, &pod.ObjectMeta, true), nil
}

// moduleVersions names the modules whose answers these are.
func moduleVersions() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var found []string
	for _, module := range info.Deps {
		switch module.Path {
		case "k8s.io/apiserver", "k8s.io/apimachinery", "k8s.io/api", "go.etcd.io/etcd/client/v3":
			found = append(found, module.Path+" "+module.Version)
		}
	}
	return found
}
