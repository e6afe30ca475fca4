package main

import (
	"fmt"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	cachermetrics "k8s.io/apiserver/pkg/storage/cacher/metrics"
	etcd3metrics "k8s.io/apiserver/pkg/storage/etcd3/metrics"
	storagemetrics "k8s.io/apiserver/pkg/storage/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

// metricNames are those that a list moves. Of histograms only the count can be compared.
var metricNames = []string{
	"apiserver_cache_list_fetched_objects_total",
	"apiserver_cache_list_returned_objects_total",
	"apiserver_cache_list_total",
	"apiserver_storage_decode_errors_total",
	"apiserver_storage_list_duration_seconds",
	"apiserver_storage_list_evaluated_objects_total",
	"apiserver_storage_list_fetched_objects_total",
	"apiserver_storage_list_returned_objects_total",
	"apiserver_storage_list_total",
	"apiserver_watch_cache_consistent_read_total",
	"etcd_request_duration_seconds",
	"etcd_request_errors_total",
	"etcd_requests_total",
}

// registerMetrics puts upstream's metrics where they count; before that they swallow what they are told.
func registerMetrics() {
	storagemetrics.Register()
	cachermetrics.Register()
	etcd3metrics.Register()
	cachermetrics.Register()
}

func resetMetrics() {
	legacyregistry.Reset()
}

// listMetrics gives what was counted since the reset, as lines in order.
func listMetrics() ([]string, error) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, family := range families {
		if !slices.Contains(metricNames, family.GetName()) {
			continue
		}
		for _, metric := range family.GetMetric() {
			if line := metricLine(family.GetName(), metric); line != "" {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return lines, nil
}

func metricLine(name string, metric *dto.Metric) string {
	count := metric.GetCounter().GetValue()
	if histogram := metric.GetHistogram(); histogram != nil {
		name, count = name+"_count", float64(histogram.GetSampleCount())
	}
	if count == 0 {
		return ""
	}
	labels := []string{}
	for _, label := range metric.GetLabel() {
		labels = append(labels, label.GetName()+"="+label.GetValue())
	}
	slices.Sort(labels)
	return fmt.Sprintf("%s{%s} %v", name, strings.Join(labels, ","), count)
}
