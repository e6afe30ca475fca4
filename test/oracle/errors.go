package main

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/storage"
)

// errorAnswer is an error by the shape it has in Go: an API status, a storage error or a plain one.
type errorAnswer struct {
	Kind       string               `json:"kind"`
	Message    string               `json:"message"`
	Code       int32                `json:"code,omitempty"`
	Reason     string               `json:"reason,omitempty"`
	Causes     []metav1.StatusCause `json:"causes,omitempty"`
	Continue   string               `json:"continue,omitempty"`
	RetryAfter int32                `json:"retryAfter,omitempty"`
}

func describe(err error) *errorAnswer {
	answer := &errorAnswer{Kind: "plain", Message: err.Error()}
	var status apierrors.APIStatus
	switch {
	case storage.IsInternalError(err):
		answer.Kind = "internal"
	case errors.As(err, &status):
		given := status.Status()
		answer.Kind, answer.Code, answer.Reason = "status", given.Code, string(given.Reason)
		answer.Continue = given.Continue
		if given.Details != nil {
			answer.Causes, answer.RetryAfter = given.Details.Causes, given.Details.RetryAfterSeconds
		}
	}
	return answer
}
