package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
)

// states of a cache: it has seen all of etcd, or not yet, or has not read its first list.
var states = []string{"fresh", "behind", "unready"}

const (
	// patience is how long a request of the grid may take: more than the cache's own three seconds.
	patience = 60 * time.Second
	// wait is how long a request waits for a cache that does not become ready.
	wait = time.Second
)

type cache struct {
	cacher  *cacher.Cacher
	storage storage.Interface
	timeout time.Duration
	stop    func()
}

func newCache(state string) *cache {
	below := &etcd{revision: cached}
	end := make(chan struct{})
	made := &cache{timeout: patience}
	switch state {
	case "behind":
		below.revision = ahead
	case "unready":
		below.unready = end
		made.timeout = wait
	}
	made.cacher = newCacher(below)
	stack, stop := stacked(made.cacher, below)
	made.storage = stack
	made.stop = func() {
		close(end)
		stop()
		made.cacher.Stop()
	}
	if state != "unready" {
		made.becomeReady()
	}
	return made
}

func (c *cache) becomeReady() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	anyState := storage.ListOptions{ResourceVersion: "0", Recursive: true, Predicate: storage.Everything}
	for ctx.Err() == nil {
		if c.list(prefix+"/ns", anyState) == "cache" {
			return
		}
		time.Sleep(time.Millisecond)
	}
	fatal(fmt.Errorf("the cache does not become ready"))
}

func (c *cache) list(key string, opts storage.ListOptions) string {
	return c.ask(func(ctx context.Context) error {
		return c.storage.GetList(ctx, key, opts, &example.PodList{})
	})
}

func (c *cache) get(resourceVersion string) string {
	opts := storage.GetOptions{ResourceVersion: resourceVersion, IgnoreNotFound: true}
	return c.ask(func(ctx context.Context) error {
		return c.storage.Get(ctx, prefix+"/ns/x", opts, &example.Pod{})
	})
}

// ask tells what reached etcd, in order, and then how the request failed, or that the cache served it.
func (c *cache) ask(request func(context.Context) error) string {
	seen := &recorder{}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	err := request(context.WithValue(ctx, recorderKey{}, seen))
	events := seen.events
	if err != nil {
		events = append(events, failure(err))
	} else if len(events) == 0 || events[len(events)-1] != "etcd" {
		events = append(events, "cache")
	}
	return strings.Join(events, " ")
}

// failure is the status that the API server answers, with the seconds of its Retry-After.
func failure(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return "500"
	}
	code := fmt.Sprint(status.Status().Code)
	if details := status.Status().Details; code == "429" && details != nil {
		code += fmt.Sprintf("/%ds", details.RetryAfterSeconds)
	}
	return code
}
