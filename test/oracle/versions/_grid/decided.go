package main

import (
	"strings"

	"k8s.io/apiserver/pkg/storage"
)

type decidedGrid struct {
	Axes axes `json:"axes"`
	// TellsConsistent is whether the release's function says what is a consistent read.
	TellsConsistent bool         `json:"tellsConsistent"`
	Runs            []decidedRun `json:"runs"`
}

// decidedRun has for each request c for the cache or e for etcd, large where it is a consistent read,
// and ! for an error.
type decidedRun struct {
	Gates    map[string]bool `json:"gates"`
	Progress bool            `json:"progress"`
	Answers  string          `json:"answers"`
}

// decide asks the release's own function about every request, also about those that would be refused.
func decide() decidedGrid {
	grid := decidedGrid{TellsConsistent: tellsConsistent, Axes: axes{
		ResourceVersion: []string{"", "0", "00", "1", cached, "200", "x"},
		Match:           []string{"", "Exact", "NotOlderThan", "Other"},
		Limit:           []int64{0, 5, -1},
		Token:           []string{"", token(1), token(100), token(200), token(-1), token(0), "bad"},
		Recursive:       []bool{true, false},
		Filtered:        []bool{false},
	}}
	eachGates(func(gates map[string]bool) {
		made := newCache("fresh")
		defer made.stop()
		for _, progress := range progressAxis {
			setProgress(progress)
			var text strings.Builder
			grid.Axes.each(func(_ string, opts storage.ListOptions) {
				text.WriteByte(letter(made, opts))
			})
			grid.Runs = append(grid.Runs, decidedRun{gates, progress, text.String()})
		}
	})
	return grid
}

func letter(made *cache, opts storage.ListOptions) byte {
	toEtcd, consistent, err := shouldDelegate(opts, made.cacher)
	switch {
	case err != nil:
		return '!'
	case toEtcd && consistent:
		return 'E'
	case toEtcd:
		return 'e'
	case consistent:
		return 'C'
	default:
		return 'c'
	}
}
