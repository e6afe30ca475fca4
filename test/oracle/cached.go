package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
	etcdfeature "k8s.io/apiserver/pkg/storage/feature"
	"k8s.io/client-go/tools/cache"
)

// historyWindow is what the API server keeps of a watch cache's events at least.
const historyWindow = cacher.DefaultEventFreshDuration

// nodeIndex is the one index that the API server's cache of Pods has (pkg/registry/core/pod).
var nodeIndex = cache.Indexers{
	storage.FieldIndex("spec.nodeName"): func(object any) ([]string, error) {
		return []string{object.(*corev1.Pod).Spec.NodeName}, nil
	},
}

// cachedStore is upstream's watch cache in front of one of its stores, as the API server stacks them.
type cachedStore struct {
	cacher    *cacher.Cacher
	delegator *cacher.CacheDelegator
}

func (c *cachedStore) stop() {
	c.delegator.Stop()
	c.cacher.Stop()
}

// cached answers when the cache has its first list, which it reads from etcd when it is made.
func (o *oracle) cached(ctx context.Context, ask *listAsk) (storage.Interface, error) {
	key := storeKey{ask.Root, ask.ResourcePrefix, ask.Aggregate}
	made, ok := o.caches[key]
	if !ok {
		below, err := o.store(ask)
		if err != nil {
			return nil, err
		}
		if made, err = o.newCache(below, ask.ResourcePrefix); err != nil {
			return nil, err
		}
		o.caches[key] = made
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := made.cacher.Wait(ctx); err != nil {
		return nil, err
	}
	if err := o.knowsProgress(ctx); err != nil {
		return nil, err
	}
	return made.delegator, nil
}

// knowsProgress waits until upstream knows that this etcd tells a watch how far it is. Upstream asks
// in the background, and until it has its answer sends consistent lists past the cache.
func (o *oracle) knowsProgress(ctx context.Context) error {
	etcdfeature.DefaultFeatureSupportChecker.CheckClient(o.client.Ctx(), o.client, storage.RequestWatchProgress)
	err := wait.PollUntilContextCancel(ctx, time.Millisecond, true, func(context.Context) (bool, error) {
		return etcdfeature.DefaultFeatureSupportChecker.Supports(storage.RequestWatchProgress), nil
	})
	if err != nil {
		return fmt.Errorf("upstream does not find that this etcd reports the progress of watches: %w", err)
	}
	return nil
}

func (o *oracle) newCache(below storage.Interface, prefix string) (*cachedStore, error) {
	made, err := cacher.NewCacherFromConfig(cacher.Config{
		Storage:             below,
		Versioner:           storage.APIObjectVersioner{},
		GroupResource:       pods,
		EventsHistoryWindow: historyWindow,
		ResourcePrefix:      prefix,
		KeyFunc: func(object runtime.Object) (string, error) {
			pod := object.(*corev1.Pod)
			return prefix + "/" + pod.Namespace + "/" + pod.Name, nil
		},
		GetAttrsFunc: podAttributes,
		Indexers:     &nodeIndex,
		NewFunc:      newPod,
		NewListFunc:  newPodList,
		Codec:        o.codecs.stored,
	})
	if err != nil {
		return nil, err
	}
	return &cachedStore{made, cacher.NewCacheDelegator(made, below)}, nil
}

// stopCaches ends every cache with its watch, and forgets its store, which takes one cache only.
func (o *oracle) stopCaches() {
	for key, made := range o.caches {
		made.stop()
		delete(o.caches, key)
		delete(o.stores, key)
	}
}
