package main

import (
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
	"k8s.io/apiserver/pkg/storage/cacher/delegator"
	etcdfeature "k8s.io/apiserver/pkg/storage/feature"
)

const (
	kubernetes      = "1.33"
	tellsConsistent = true
)

// progressAxis is whether etcd supports RequestWatchProgress.
var progressAxis = []bool{false, true}

type support struct {
	etcdfeature.FeatureSupportChecker
}

func (support) Supports(storage.Feature) bool { return progress }

var progress bool

func setProgress(supported bool) {
	progress = supported
	etcdfeature.DefaultFeatureSupportChecker = support{}
}

func shouldDelegate(opts storage.ListOptions, made *cacher.Cacher) (toEtcd, consistent bool, err error) {
	result, err := delegator.ShouldDelegateList(opts, made)
	return result.ShouldDelegate, result.ConsistentRead, err
}

// stacked is the cache behind its delegator, as the API server stacks them.
func stacked(made *cacher.Cacher, below storage.Interface) (storage.Interface, func()) {
	stack := cacher.NewCacheDelegator(made, below)
	return stack, stack.Stop
}

func configure(config *cacher.Config) {
	config.EventsHistoryWindow = cacher.DefaultEventFreshDuration
}
