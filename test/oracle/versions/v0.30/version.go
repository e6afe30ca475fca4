package main

import (
	_ "unsafe"

	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
)

const (
	kubernetes      = "1.30"
	tellsConsistent = false
)

// progressAxis has one value: this release does not look at the version of etcd.
var progressAxis = []bool{true}

func setProgress(bool) {}

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
