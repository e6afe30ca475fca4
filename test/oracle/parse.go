package main

import (
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/storage"
)

// parsed is upstream's verdict on one text: its canonical form, or the error.
type parsed struct {
	Text  string `json:"text,omitempty"`
	Empty bool   `json:"empty,omitempty"`
	// Whether each set matches.
	Matches []bool `json:"matches,omitempty"`
	// Of a token.
	Key      []byte `json:"key,omitempty"`
	Revision int64  `json:"revision,string,omitempty"`
	// Bytes, since an error may quote what is no text.
	Error []byte `json:"error,omitempty"`
}

func failed(err error) *parsed {
	return &parsed{Error: []byte(err.Error())}
}

func matchAll(sets [][][2]string, matches func(map[string]string) bool) []bool {
	var found []bool
	for _, pairs := range sets {
		found = append(found, matches(toMap(pairs)))
	}
	return found
}

func parse(ask *request) *parsed {
	switch ask.Op {
	case "labels":
		selector, err := labels.Parse(ask.Text)
		if err != nil {
			return failed(err)
		}
		matches := matchAll(ask.Sets, func(set map[string]string) bool { return selector.Matches(labels.Set(set)) })
		return &parsed{Text: selector.String(), Empty: selector.Empty(), Matches: matches}
	case "fields":
		selector, err := fields.ParseSelector(ask.Text)
		if err != nil {
			return failed(err)
		}
		matches := matchAll(ask.Sets, func(set map[string]string) bool { return selector.Matches(fields.Set(set)) })
		return &parsed{Text: selector.String(), Empty: selector.Empty(), Matches: matches}
	case "quantity":
		quantity, err := resource.ParseQuantity(ask.Text)
		if err != nil {
			return failed(err)
		}
		return &parsed{Text: quantity.String()}
	default:
		key, revision, err := storage.DecodeContinue(ask.Text, string(ask.Prefix))
		if err != nil {
			return failed(err)
		}
		return &parsed{Key: []byte(key), Revision: revision}
	}
}
