package main

import (
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/storage"
)

type servedGrid struct {
	Axes axes `json:"axes"`
	// Outcomes are what a request came to; an answer is the number of one in base 36.
	Outcomes []string    `json:"outcomes"`
	Runs     []servedRun `json:"runs"`
}

type servedRun struct {
	Gates    map[string]bool `json:"gates"`
	Progress bool            `json:"progress"`
	State    string          `json:"state"`
	Answers  string          `json:"answers"`
}

type gotGrid struct {
	ResourceVersion []string `json:"resourceVersion"`
	Runs            []gotRun `json:"runs"`
}

type gotRun struct {
	Gates    map[string]bool `json:"gates"`
	State    string          `json:"state"`
	Outcomes []string        `json:"outcomes"`
}

// inParallel is how many requests wait at a time.
const inParallel = 500

// serve puts every request to the release's cache with etcd below it.
func serve() servedGrid {
	grid := servedGrid{Axes: axes{
		ResourceVersion: []string{"", "0", "1", cached, "200", "x"},
		Match:           []string{"", "Exact", "NotOlderThan"},
		Limit:           []int64{0, 5},
		Token:           []string{"", token(100), token(-1), "bad"},
		Recursive:       []bool{true, false},
		Filtered:        []bool{false, true},
	}}
	eachGates(func(gates map[string]bool) {
		for _, progress := range progressAxis {
			setProgress(progress)
			for _, state := range states {
				grid.Runs = append(grid.Runs, servedRun{gates, progress, state, grid.run(state)})
			}
		}
	})
	return grid
}

func (g *servedGrid) run(state string) string {
	made := newCache(state)
	defer made.stop()
	var outcomes []*string
	var running sync.WaitGroup
	slots := make(chan struct{}, inParallel)
	g.Axes.each(func(key string, opts storage.ListOptions) {
		outcome := new(string)
		outcomes = append(outcomes, outcome)
		slots <- struct{}{}
		running.Add(1)
		go func() {
			defer running.Done()
			*outcome = made.list(key, opts)
			<-slots
		}()
	})
	running.Wait()
	var text strings.Builder
	for _, outcome := range outcomes {
		text.WriteByte(g.digit(*outcome))
	}
	return text.String()
}

const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

func (g *servedGrid) digit(outcome string) byte {
	for i, known := range g.Outcomes {
		if known == outcome {
			return digits[i]
		}
	}
	g.Outcomes = append(g.Outcomes, outcome)
	return digits[len(g.Outcomes)-1]
}

func get() gotGrid {
	grid := gotGrid{ResourceVersion: []string{"", "0", "1", "200"}}
	eachGates(func(gates map[string]bool) {
		setProgress(true)
		for _, state := range states {
			made := newCache(state)
			run := gotRun{Gates: gates, State: state}
			for _, resourceVersion := range grid.ResourceVersion {
				run.Outcomes = append(run.Outcomes, made.get(resourceVersion))
			}
			made.stop()
			grid.Runs = append(grid.Runs, run)
		}
	})
	return grid
}
