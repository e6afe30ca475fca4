package main

import (
	_ "unsafe"

	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
	etcdfeature "k8s.io/apiserver/pkg/storage/feature"
)

const (
	kubernetes      = "1.31"
	tellsConsistent = false
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

//go:linkname shouldDelegateList k8s.io/apiserver/pkg/storage/cacher.shouldDelegateList
func shouldDelegateList(opts storage.ListOptions) bool

func shouldDelegate(opts storage.ListOptions, _ *cacher.Cacher) (toEtcd, consistent bool, err error) {
	return shouldDelegateList(opts), false, nil
}

// stacked is the cache itself, which stands in front of its storage in this release.
func stacked(made *cacher.Cacher, _ storage.Interface) (storage.Interface, func()) {
	return made, func() {}
}

func configure(*cacher.Config) {}
