package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// patience is how long etcd may take before the oracle gives up, which is a fault and no outcome.
const patience = 20 * time.Second

// podSpec describes a Pod. Maps are lists of pairs, since a name such as `__proto__` is data.
type podSpec struct {
	Namespace   string      `json:"namespace"`
	Name        string      `json:"name"`
	Labels      [][2]string `json:"labels"`
	Annotations [][2]string `json:"annotations"`
	UID         string      `json:"uid"`
	Node        string      `json:"node"`
	Phase       string      `json:"phase"`
	HostNetwork bool        `json:"hostNetwork"`
	IP          string      `json:"ip"`
	IPs         []string    `json:"ips"`
	Padding     int         `json:"padding"`
	JSON        bool        `json:"json"`
	// Grafts are for protobuf only.
	Grafts []graft `json:"grafts"`
}

// damage is done to the bytes of an object after upstream wrote them.
type damage struct {
	// Bytes kept, as a share of the length in thousandths; zero keeps all.
	Keep int `json:"keep"`
	// Where in the metadata's own bytes, in thousandths, and what is xored there; zero changes nothing.
	At  int  `json:"at"`
	Xor byte `json:"xor"`
}

// change is one write of one key, at a revision of its own unless Together joins it to the one before.
type change struct {
	Key      []byte   `json:"key"`
	Delete   bool     `json:"delete"`
	Pod      *podSpec `json:"pod"`
	Damage   *damage  `json:"damage"`
	Raw      []byte   `json:"raw"`
	Together bool     `json:"together"`
}

func toMap(pairs [][2]string) map[string]string {
	if len(pairs) == 0 {
		return nil
	}
	made := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		made[pair[0]] = pair[1]
	}
	return made
}

func (s *podSpec) pod() *corev1.Pod {
	annotations := toMap(s.Annotations)
	if s.Padding > 0 {
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations["padding"] = string(bytes.Repeat([]byte("x"), s.Padding))
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Namespace, Name: s.Name, UID: types.UID(s.UID),
			Labels: toMap(s.Labels), Annotations: annotations,
		},
		Spec: corev1.PodSpec{
			NodeName: s.Node, RestartPolicy: corev1.RestartPolicyAlways, HostNetwork: s.HostNetwork,
			SchedulerName: corev1.DefaultSchedulerName, ServiceAccountName: "default",
			Containers: []corev1.Container{{Name: "main", Image: "example.com/app:1"}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodPhase(s.Phase)},
	}
	pod.Status.PodIP = s.IP
	for _, ip := range s.IPs {
		pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: ip})
	}
	return pod
}

func (c *codecs) encode(spec *podSpec, done *damage) ([]byte, error) {
	encoder, pod := c.protobuf, spec.pod()
	if spec.JSON {
		encoder = c.json
	}
	value, err := runtime.Encode(encoder, pod)
	if err == nil && len(spec.Grafts) > 0 {
		value, err = grafted(pod, spec.Grafts)
	}
	if err != nil || done == nil {
		return value, err
	}
	if done.Xor != 0 {
		metadata, err := pod.ObjectMeta.Marshal()
		if err != nil {
			return nil, err
		}
		start := bytes.Index(value, metadata)
		if start < 0 {
			return nil, fmt.Errorf("the metadata is not found in its object")
		}
		value[start+done.At*(len(metadata)-1)/1000] ^= done.Xor
	}
	if done.Keep > 0 {
		value = value[:len(value)*done.Keep/1000]
	}
	return value, nil
}

func (o *oracle) operation(c *change) (clientv3.Op, error) {
	key := string(c.Key)
	switch {
	case c.Delete:
		return clientv3.OpDelete(key), nil
	case c.Pod != nil:
		value, err := o.codecs.encode(c.Pod, c.Damage)
		return clientv3.OpPut(key, string(value)), err
	default:
		return clientv3.OpPut(key, string(c.Raw)), nil
	}
}

// apply writes and returns the last revision.
func (o *oracle) apply(changes []change) (int64, error) {
	if o.client == nil {
		return 0, fmt.Errorf("not connected")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var revision int64
	var together []clientv3.Op
	commit := func() error {
		if len(together) == 0 {
			return nil
		}
		reply, err := o.plain.Txn(ctx).Then(together...).Commit()
		if err != nil {
			return err
		}
		revision, together = reply.Header.Revision, nil
		return nil
	}
	for i := range changes {
		if !changes[i].Together {
			if err := commit(); err != nil {
				return 0, err
			}
		}
		op, err := o.operation(&changes[i])
		if err != nil {
			return 0, err
		}
		together = append(together, op)
	}
	err := commit()
	return revision, err
}

// erase deletes every key below that name, and forgets the stores that read them.
func (o *oracle) erase(name string) error {
	if o.client == nil {
		return fmt.Errorf("not connected")
	}
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("no name of a cluster: %q", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := o.plain.Delete(ctx, "/"+name+"/", clientv3.WithPrefix()); err != nil {
		return err
	}
	for key := range o.stores {
		if strings.HasPrefix(key.root, name+"/") {
			delete(o.stores, key)
		}
	}
	return nil
}

// revision is the store's latest one.
func (o *oracle) revision() (int64, error) {
	if o.client == nil {
		return 0, fmt.Errorf("not connected")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reply, err := o.plain.Get(ctx, "\x00", clientv3.WithCountOnly())
	if err != nil {
		return 0, err
	}
	return reply.Header.Revision, nil
}

// compact drops history below a revision, zero for the latest, and returns the latest.
func (o *oracle) compact(at int64) (int64, error) {
	latest, err := o.revision()
	if err != nil {
		return 0, err
	}
	if at == 0 {
		at = latest
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err = o.plain.Compact(ctx, at, clientv3.WithCompactPhysical())
	return latest, err
}
