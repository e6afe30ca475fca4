package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/apis/example"
	examplev1 "k8s.io/apiserver/pkg/apis/example/v1"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
)

// etcd stands below the cache: it holds no object, and notes what reaches it for a request of the grid.
type etcd struct {
	storage.Interface
	revision string
	// unready closes when the cache's own list may end, which it never does while it is nil.
	unready <-chan struct{}
}

type recorderKey struct{}

// recorder is carried by the context of a request; the cache's own reads have none.
type recorder struct{ events []string }

func recorded(ctx context.Context) *recorder {
	found, _ := ctx.Value(recorderKey{}).(*recorder)
	return found
}

func (s *etcd) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

func (s *etcd) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	request := recorded(ctx)
	revision := s.revision
	switch {
	case request == nil:
		if s.unready != nil {
			<-s.unready
			return context.Canceled
		}
		revision = cached
	case key == prefix:
		// How releases to 1.32 read etcd's current revision.
		request.events = append(request.events, "revision")
	default:
		request.events = append(request.events, "etcd")
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	accessor.SetResourceVersion(revision)
	return nil
}

func (s *etcd) Get(ctx context.Context, _ string, _ storage.GetOptions, _ runtime.Object) error {
	request := recorded(ctx)
	request.events = append(request.events, "etcd")
	return nil
}

func (s *etcd) GetCurrentResourceVersion(ctx context.Context) (uint64, error) {
	if request := recorded(ctx); request != nil {
		request.events = append(request.events, "revision")
	}
	return storage.APIObjectVersioner{}.ParseResourceVersion(s.revision)
}

func (s *etcd) Watch(context.Context, string, storage.ListOptions) (watch.Interface, error) {
	return watch.NewFake(), nil
}

func (s *etcd) RequestWatchProgress(context.Context) error { return nil }
func (s *etcd) CompactRevision() int64                     { return 0 }
func (s *etcd) IsWatchListSemanticsUnSupported() bool      { return true }

func attributes(object runtime.Object) (labels.Set, fields.Set, error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, nil, err
	}
	return accessor.GetLabels(), fields.Set{"metadata.name": accessor.GetName()}, nil
}

func newCacher(below storage.Interface) *cacher.Cacher {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{example.AddToScheme, examplev1.AddToScheme} {
		if err := add(scheme); err != nil {
			fatal(err)
		}
	}
	config := cacher.Config{
		Storage:        below,
		Versioner:      storage.APIObjectVersioner{},
		GroupResource:  schema.GroupResource{Resource: "pods"},
		ResourcePrefix: prefix,
		KeyFunc: func(object runtime.Object) (string, error) {
			pod := object.(*example.Pod)
			return prefix + "/" + pod.Namespace + "/" + pod.Name, nil
		},
		GetAttrsFunc: attributes,
		NewFunc:      func() runtime.Object { return &example.Pod{} },
		NewListFunc:  func() runtime.Object { return &example.PodList{} },
		Codec:        serializer.NewCodecFactory(scheme).LegacyCodec(examplev1.SchemeGroupVersion),
	}
	configure(&config)
	made, err := cacher.NewCacherFromConfig(config)
	if err != nil {
		fatal(err)
	}
	return made
}
