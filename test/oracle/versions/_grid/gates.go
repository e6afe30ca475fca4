package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// listGates are the gates of any release that lists hang on.
var listGates = []featuregate.Feature{
	"EtcdRangeStream",
	"WatchList",
	"ListFromCacheSnapshot",
	"ConsistentListFromCacheSkipTimeoutFallback",
	"AllowUnsafeMalformedObjectDeletion",
	"ConsistentListFromCache",
	"ResilientWatchCacheInitialization",
}

// deciding are those of them that the watch cache asks, in the order in which grids are run.
var deciding = []featuregate.Feature{
	"ConsistentListFromCache",
	"ResilientWatchCacheInitialization",
	"ListFromCacheSnapshot",
	"ConsistentListFromCacheSkipTimeoutFallback",
}

type stage struct {
	On     bool   `json:"on"`
	Stage  string `json:"stage"`
	Locked bool   `json:"locked"`
}

func knownGates() map[string]stage {
	all := utilfeature.DefaultMutableFeatureGate.GetAll()
	known := map[string]stage{}
	for _, name := range listGates {
		spec, ok := all[name]
		if !ok {
			continue
		}
		named := string(spec.PreRelease)
		if named == "" {
			named = "GA"
		}
		known[string(name)] = stage{spec.Default, named, spec.LockToDefault}
	}
	return known
}

// eachGates visits every setting of the deciding gates that this release lets a person choose.
func eachGates(visit func(map[string]bool)) {
	known := knownGates()
	var free []string
	for _, name := range deciding {
		if spec, ok := known[string(name)]; ok && !spec.Locked {
			free = append(free, string(name))
		}
	}
	for bits := 0; bits < 1<<len(free); bits++ {
		gates := map[string]bool{}
		for i, name := range free {
			gates[name] = bits>>i&1 == 1
		}
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
			fatal(err)
		}
		visit(gates)
	}
}
