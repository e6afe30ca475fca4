package main

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/etcd3"
	etcdfeature "k8s.io/apiserver/pkg/storage/feature"
	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/apiserver/pkg/storage/value/encrypt/identity"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// listAsk is one list as the storage layer gets it, and the process-wide state it runs under.
type listAsk struct {
	Root           string `json:"root"`
	ResourcePrefix string `json:"resourcePrefix"`
	Stream         bool   `json:"stream"`
	Aggregate      bool   `json:"aggregate"`
	// Forget makes upstream forget that this etcd lacks RangeStream.
	Forget bool `json:"forget"`

	Key             string `json:"key"`
	Recursive       bool   `json:"recursive"`
	ResourceVersion string `json:"resourceVersion"`
	Match           string `json:"match"`
	Limit           int64  `json:"limit,string"`
	LabelSelector   string `json:"labelSelector"`
	FieldSelector   string `json:"fieldSelector"`
	Continue        string `json:"continue"`
	// Cached answers through upstream's watch cache over that store.
	Cached bool `json:"cached"`
	// Brief leaves the labels out of the items.
	Brief bool `json:"brief"`
	// Keep counts on from the lists before.
	Keep bool `json:"keep"`

	// Disturb names the etcd read, from one, before which Changes are made; Compact compacts history then.
	Disturb int      `json:"disturb"`
	Changes []change `json:"changes"`
	Compact bool     `json:"compact"`
}

type listAnswer struct {
	Items           []string     `json:"items"`
	ResourceVersion string       `json:"resourceVersion"`
	Continue        string       `json:"continue"`
	Remaining       *int64       `json:"remaining"`
	Error           *errorAnswer `json:"error"`
	Requests        []sent       `json:"requests"`
	// Failures are the values that could not be read, in the order they were met.
	Failures []failure `json:"failures"`
	// Metrics are upstream's own of this list, a line each; those that stayed zero are left out.
	Metrics []string `json:"metrics"`
}

type storeKey struct {
	root, resourcePrefix string
	aggregate            bool
}

func newPod() runtime.Object { return &corev1.Pod{} }

func newPodList() runtime.Object { return &corev1.PodList{} }

var pods = schema.GroupResource{Resource: "pods"}

// store makes a store as the API server does, under the gate as it stands.
func (o *oracle) store(ask *listAsk) (storage.Interface, error) {
	key := storeKey{ask.Root, ask.ResourcePrefix, ask.Aggregate}
	if made, ok := o.stores[key]; ok {
		return made, nil
	}
	transformer := identity.NewEncryptCheckTransformer()
	decoder := etcd3.NewDefaultDecoder(o.codecs.stored, storage.APIObjectVersioner{})
	made, err := o.newStore(ask, o.witness.transformer(transformer), o.witness.decoder(decoder))
	if err != nil {
		return nil, err
	}
	o.stores[key] = made
	return made, nil
}

func (o *oracle) newStore(ask *listAsk, transformer value.Transformer, decoder etcd3.Decoder) (storage.Interface, error) {
	if ask.Aggregate {
		transformer = etcd3.WithCorruptObjErrorHandlingTransformer(transformer)
		decoder = etcd3.WithCorruptObjErrorHandlingDecoder(decoder)
	}
	plain, err := etcd3.New(o.client, nil, o.codecs.stored, newPod, newPodList, ask.Root, ask.ResourcePrefix,
		pods, transformer, etcd3.NewDefaultLeaseManagerConfig(), decoder, storage.APIObjectVersioner{})
	if err != nil || !ask.Aggregate {
		return plain, err
	}
	return etcd3.NewStoreWithUnsafeCorruptObjectDeletion(plain, pods), nil
}

// setGates brings upstream's process-wide state to what this list wants.
func setGates(ask *listAsk) error {
	if ask.Forget {
		etcdfeature.DefaultFeatureSupportChecker = etcdfeature.NewDefaultFeatureSupportChecker()
	}
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{
		"EtcdRangeStream":                    ask.Stream,
		"AllowUnsafeMalformedObjectDeletion": ask.Aggregate,
	})
}

func (ask *listAsk) options() (storage.ListOptions, error) {
	options := storage.ListOptions{
		ResourceVersion:      ask.ResourceVersion,
		ResourceVersionMatch: metav1.ResourceVersionMatch(ask.Match),
		Recursive:            ask.Recursive,
	}
	label, err := labels.Parse(ask.LabelSelector)
	if err != nil {
		return options, err
	}
	field, err := fields.ParseSelector(ask.FieldSelector)
	if err != nil {
		return options, err
	}
	options.Predicate = storage.SelectionPredicate{
		Label: label, Field: field, GetAttrs: podAttributes, Limit: ask.Limit, Continue: ask.Continue,
		IndexFields: []string{"spec.nodeName"},
	}
	return options, nil
}

func (o *oracle) list(ask *listAsk) (*listAnswer, error) {
	if o.client == nil {
		return nil, fmt.Errorf("not connected")
	}
	if err := setGates(ask); err != nil {
		return nil, err
	}
	answer := &listAnswer{Items: []string{}, Requests: []sent{}, Failures: []failure{}, Metrics: []string{}}
	store, err := o.store(ask)
	if err != nil {
		answer.Error = describe(err)
		return answer, nil
	}
	options, err := ask.options()
	if err != nil {
		answer.Error = describe(err)
		return answer, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if ask.Cached {
		if store, err = o.cached(ctx, ask); err != nil {
			return nil, err
		}
	}
	o.recorder.start(o.disturbance(ask))
	o.witness.start()
	if !ask.Keep {
		resetMetrics()
	}
	found := &corev1.PodList{}
	err = store.GetList(ctx, ask.Key, options, found)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("no list within %v: %v", patience, err)
	}
	requests, fault := o.recorder.stop()
	if fault != nil {
		return nil, fault
	}
	answer.Requests, answer.Failures = requests, o.witness.stop()
	if answer.Metrics, fault = listMetrics(); fault != nil {
		return nil, fault
	}
	if err != nil {
		answer.Error = describe(err)
		return answer, nil
	}
	for i := range found.Items {
		answer.Items = append(answer.Items, itemLine(&found.Items[i], ask.Brief))
	}
	answer.ResourceVersion, answer.Continue = found.ResourceVersion, found.Continue
	answer.Remaining = found.RemainingItemCount
	return answer, nil
}

// itemLine is what both sides say of an item, in one form.
func itemLine(pod *corev1.Pod, brief bool) string {
	parts := []string{pod.Namespace, pod.Name, string(pod.UID), pod.ResourceVersion}
	if !brief {
		parts = append(parts, labels.FormatLabels(pod.Labels))
	}
	return strings.Join(parts, "|")
}

func (o *oracle) disturbance(ask *listAsk) (int, func() error) {
	return ask.Disturb, func() error {
		if _, err := o.apply(ask.Changes); err != nil || !ask.Compact {
			return err
		}
		_, err := o.compact(0)
		return err
	}
}
