package main

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// graft is what an object has besides what upstream's serializer wrote: bytes behind one of its
// parts, or one more part of that kind.
type graft struct {
	// Part is the field's number in a Pod: 1 its metadata, 2 its spec, 3 its status.
	Part  protowire.Number `json:"part"`
	Apart bool             `json:"apart"`
	Bytes []byte           `json:"bytes"`
}

// grafted writes a Pod as upstream does, with the grafts.
func grafted(pod *corev1.Pod, grafts []graft) ([]byte, error) {
	metadata, err := pod.ObjectMeta.Marshal()
	if err != nil {
		return nil, err
	}
	spec, err := pod.Spec.Marshal()
	if err != nil {
		return nil, err
	}
	status, err := pod.Status.Marshal()
	if err != nil {
		return nil, err
	}
	parts := [][]byte{metadata, spec, status}
	var behind []byte
	for _, one := range grafts {
		switch {
		case one.Part < 1 || int(one.Part) > len(parts):
			return nil, fmt.Errorf("a Pod has no part %d", one.Part)
		case one.Apart:
			behind = appendPart(behind, one.Part, one.Bytes)
		default:
			parts[one.Part-1] = append(parts[one.Part-1], one.Bytes...)
		}
	}
	var raw []byte
	for i, part := range parts {
		raw = appendPart(raw, protowire.Number(i+1), part)
	}
	envelope := runtime.Unknown{
		TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		Raw:      append(raw, behind...),
	}
	value, err := envelope.Marshal()
	return append(slices.Clone(protobufMagic), value...), err
}

func appendPart(to []byte, number protowire.Number, part []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), part)
}
