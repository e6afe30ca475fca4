package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/yaml"
)

// kindCodecs holds upstream's serializers for objects of several groups, in their versions.
type kindCodecs struct {
	scheme   *runtime.Scheme
	factory  serializer.CodecFactory
	protobuf runtime.Serializer
	json     runtime.Serializer
}

func newKindCodecs() *kindCodecs {
	scheme := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(scheme))
	utilruntime.Must(appsv1.AddToScheme(scheme))
	utilruntime.Must(eventsv1.AddToScheme(scheme))
	factory := serializer.NewCodecFactory(scheme)
	return &kindCodecs{
		scheme: scheme, factory: factory,
		protobuf: serializerOf(factory, runtime.ContentTypeProtobuf),
		json:     serializerOf(factory, runtime.ContentTypeJSON),
	}
}

// kindAsk is about objects: random ones of a kind, or stored ones given as bytes.
type kindAsk struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Kinds      []string `json:"kinds"`
	Seed       int64    `json:"seed"`
	Count      int      `json:"count"`
	Values     [][]byte `json:"values"`
	// ResourceVersion is set on every object, as the store does after reading.
	ResourceVersion string `json:"resourceVersion"`
}

// shown is one stored object, and how `kubectl get -o json|yaml` shows it.
type shown struct {
	Value []byte `json:"value"`
	// JSON on one line, without the escaping of HTML.
	JSON string `json:"json"`
	// YAML is empty where kubectl cannot make any: it reads the JSON as YAML on the way, which some
	// characters do not survive.
	YAML  string `json:"yaml"`
	Error string `json:"error"`
}

func splitKind(text string) (schema.GroupVersionKind, error) {
	at := strings.LastIndex(text, "/")
	if at < 0 {
		return schema.GroupVersionKind{}, fmt.Errorf("no kind: %q", text)
	}
	version, err := schema.ParseGroupVersion(text[:at])
	return version.WithKind(text[at+1:]), err
}

func (c *kindCodecs) describeAll(kinds []string) ([]message, error) {
	var asked []schema.GroupVersionKind
	for _, text := range kinds {
		kind, err := splitKind(text)
		if err != nil {
			return nil, err
		}
		asked = append(asked, kind)
	}
	return c.describe(asked)
}

// sample makes random objects of a kind and writes them as the API server stores them.
func (c *kindCodecs) sample(ask *kindAsk) ([]shown, error) {
	kind := schema.FromAPIVersionAndKind(ask.APIVersion, ask.Kind)
	random := &filler{Rand: rand.New(rand.NewSource(ask.Seed))}
	var made []shown
	for range ask.Count {
		object, err := c.scheme.New(kind)
		if err != nil {
			return nil, err
		}
		random.object(object)
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		value, err := runtime.Encode(c.factory.EncoderForVersion(c.protobuf, kind.GroupVersion()), object)
		if err != nil {
			return nil, err
		}
		made = append(made, c.open(value, ask.ResourceVersion))
	}
	return made, nil
}

// open decodes a stored object and prints it by the way it takes to a screen: typed in the API
// server, then untyped in kubectl.
func (c *kindCodecs) open(value []byte, resourceVersion string) shown {
	made := shown{Value: value}
	if err := c.print(&made, resourceVersion); err != nil {
		made.Error = err.Error()
	}
	return made
}

func (c *kindCodecs) print(made *shown, resourceVersion string) error {
	object, kind, err := c.factory.UniversalDeserializer().Decode(made.Value, nil, nil)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	accessor.SetResourceVersion(resourceVersion)
	answered, err := runtime.Encode(c.factory.EncoderForVersion(c.json, kind.GroupVersion()), object)
	if err != nil {
		return err
	}
	untyped, _, err := unstructured.UnstructuredJSONScheme.Decode(answered, nil, nil)
	if err != nil {
		return err
	}
	content := untyped.(*unstructured.Unstructured).Object
	if made.JSON, err = plainJSON(content); err != nil {
		return err
	}
	if text, err := yaml.Marshal(content); err == nil {
		made.YAML = string(text)
	}
	return nil
}

func plainJSON(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// readYAML reads a text as kubectl would and gives it back as JSON.
func readYAML(text string) (string, error) {
	converted, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return "", err
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return "", err
	}
	return plainJSON(value)
}
