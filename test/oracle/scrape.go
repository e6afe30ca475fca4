package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"k8s.io/component-base/metrics/legacyregistry"
)

// scrape is what an API server with these counts serves at /metrics.
func scrape() (string, error) {
	served := httptest.NewRecorder()
	legacyregistry.Handler().ServeHTTP(served, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if served.Code != http.StatusOK {
		return "", fmt.Errorf("/metrics answers %d", served.Code)
	}
	return served.Body.String(), nil
}
