// The program asks one release of Kubernetes' watch cache which lists and gets it serves, over a grid
// of requests, and prints its answers as JSON. What differs between releases stands in version.go.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/klog/v2"
)

// answers is all that is printed. Each text holds one character for each request, in the order of the
// axes, the last one the fastest.
type answers struct {
	Kubernetes string           `json:"kubernetes"`
	Release    string           `json:"release"`
	Gates      map[string]stage `json:"gates"`
	Decided    decidedGrid      `json:"decided"`
	Served     servedGrid       `json:"served"`
	Got        gotGrid          `json:"got"`
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	all := &answers{Kubernetes: kubernetes, Release: release(), Gates: knownGates()}
	all.Decided = decide()
	all.Served = serve()
	all.Got = get()
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(all); err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "versions:", err)
	os.Exit(1)
}

func release() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/apiserver" {
			return module.Version
		}
	}
	fatal(fmt.Errorf("built without k8s.io/apiserver"))
	return ""
}
