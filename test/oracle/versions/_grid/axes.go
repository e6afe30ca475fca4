package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/storage"
)

const (
	prefix = "/pods"
	// cached is the revision that the cache has seen, the only one that it has a snapshot of.
	cached = "100"
	// ahead is etcd's revision where the cache has fallen behind it.
	ahead = "150"
)

// axes are the values that requests of a grid are made of.
type axes struct {
	ResourceVersion []string `json:"resourceVersion"`
	Match           []string `json:"match"`
	Limit           []int64  `json:"limit"`
	Token           []string `json:"token"`
	Recursive       []bool   `json:"recursive"`
	Filtered        []bool   `json:"filtered"`
}

func token(revision int64) string {
	text, err := storage.EncodeContinue(prefix+"/ns/a\x00", prefix+"/", revision)
	if err != nil {
		fatal(err)
	}
	return text
}

var filter = labels.SelectorFromSet(labels.Set{"a": "b"})

func (a axes) each(visit func(key string, opts storage.ListOptions)) {
	for _, resourceVersion := range a.ResourceVersion {
		for _, match := range a.Match {
			for _, limit := range a.Limit {
				for _, token := range a.Token {
					for _, recursive := range a.Recursive {
						for _, filtered := range a.Filtered {
							predicate := storage.SelectionPredicate{
								Label:    labels.Everything(),
								Field:    fields.Everything(),
								GetAttrs: attributes,
								Limit:    limit,
								Continue: token,
							}
							if filtered {
								predicate.Label = filter
							}
							key := prefix + "/ns"
							if !recursive {
								key += "/x"
								predicate.Field = fields.OneTermEqualSelector("metadata.name", "x")
							}
							visit(key, storage.ListOptions{
								ResourceVersion:      resourceVersion,
								ResourceVersionMatch: metav1.ResourceVersionMatch(match),
								Predicate:            predicate,
								Recursive:            recursive,
							})
						}
					}
				}
			}
		}
	}
}
