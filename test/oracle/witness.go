package main

import (
	"bytes"
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage/etcd3"
	"k8s.io/apiserver/pkg/storage/value"
)

// failure is one stored value that upstream could not read.
type failure struct {
	Key []byte `json:"key"`
	// Step is `transform` or `decode`.
	Step string `json:"step"`
	// Protobuf says that the value has protobuf's magic bytes, or has no bytes at all.
	Protobuf bool `json:"protobuf"`
}

// witness notes at which keys a store fails to read values. Upstream's own errors do not always
// name the key, and its decoder is never told of it: the transformer, which runs right before, is.
type witness struct {
	lock  sync.Mutex
	key   []byte
	noted []failure
}

func (w *witness) start() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.noted = []failure{}
}

func (w *witness) stop() []failure {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.noted
}

func (w *witness) reach(key []byte) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.key = bytes.Clone(key)
}

func (w *witness) fail(step string, data []byte) {
	w.lock.Lock()
	defer w.lock.Unlock()
	protobuf := len(data) == 0 || bytes.HasPrefix(data, protobufMagic)
	w.noted = append(w.noted, failure{w.key, step, protobuf})
}

var protobufMagic = []byte("k8s\x00")

func (w *witness) transformer(below value.Transformer) value.Transformer {
	return &watchedTransformer{below, w}
}

type watchedTransformer struct {
	value.Transformer
	witness *witness
}

func (t *watchedTransformer) TransformFromStorage(ctx context.Context, data []byte, about value.Context) ([]byte, bool, error) {
	t.witness.reach(about.AuthenticatedData())
	plain, stale, err := t.Transformer.TransformFromStorage(ctx, data, about)
	if err != nil {
		t.witness.fail("transform", data)
	}
	return plain, stale, err
}

func (w *witness) decoder(below etcd3.Decoder) etcd3.Decoder {
	return &watchedDecoder{below, w}
}

type watchedDecoder struct {
	etcd3.Decoder
	witness *witness
}

func (d *watchedDecoder) DecodeListItem(ctx context.Context, data []byte, revision uint64, newItem func() runtime.Object) (runtime.Object, error) {
	object, err := d.Decoder.DecodeListItem(ctx, data, revision, newItem)
	if err != nil {
		d.witness.fail("decode", data)
	}
	return object, err
}
