package main

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// message is what reflection tells of one type that has a protobuf form.
type message struct {
	// Name as generated.proto has it, package included.
	Name   string  `json:"name"`
	Fields []field `json:"fields"`
}

type field struct {
	Number int `json:"number"`
	// Proto is the name in generated.proto, JSON the one in JSON; the latter is empty when the
	// members of the message stand among those of the one around it.
	Proto string `json:"proto"`
	JSON  string `json:"json"`
	Go    string `json:"go"`
	// Kind of container: "", "pointer", "list" or "map", whose keys are strings.
	Container string `json:"container"`
	// Type is a scalar of protobuf, one of the types with a form of their own, or a message's name.
	Type string `json:"type"`
	// Keep says that JSON holds the member also when its value is zero.
	Keep bool `json:"keep"`
}

// ownForms are types whose JSON is not that of their fields.
var ownForms = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():        "time",
	reflect.TypeFor[metav1.MicroTime]():   "microtime",
	reflect.TypeFor[resource.Quantity]():  "quantity",
	reflect.TypeFor[intstr.IntOrString](): "intstr",
	reflect.TypeFor[metav1.FieldsV1]():    "fieldsv1",
}

type describer struct {
	found map[string]message
}

// describe lists the messages that objects of these kinds are made of, by name.
func (c *kindCodecs) describe(kinds []schema.GroupVersionKind) (list []message, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	d := &describer{found: map[string]message{}}
	for _, kind := range kinds {
		object, err := c.scheme.New(kind)
		if err != nil {
			return nil, err
		}
		d.message(reflect.TypeOf(object).Elem())
	}
	for _, found := range d.found {
		list = append(list, found)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

func protoName(t reflect.Type) string {
	return strings.ReplaceAll(t.PkgPath(), "/", ".") + "." + t.Name()
}

func (d *describer) message(t reflect.Type) string {
	name := protoName(t)
	if _, ok := d.found[name]; ok {
		return name
	}
	d.found[name] = message{}
	made := message{Name: name}
	for i := range t.NumField() {
		if tag, ok := t.Field(i).Tag.Lookup("protobuf"); ok {
			made.Fields = append(made.Fields, d.field(t.Field(i), strings.Split(tag, ",")))
		}
	}
	sort.Slice(made.Fields, func(i, j int) bool { return made.Fields[i].Number < made.Fields[j].Number })
	d.found[name] = made
	return name
}

func (d *describer) field(f reflect.StructField, tag []string) field {
	number, err := strconv.Atoi(tag[1])
	if err != nil {
		panic(fmt.Sprintf("%s: %v", f.Name, err))
	}
	made := field{Number: number, Go: f.Name, Proto: strings.ToLower(f.Name[:1]) + f.Name[1:]}
	for _, part := range tag[2:] {
		if name, ok := strings.CutPrefix(part, "name="); ok {
			made.Proto = name
		}
	}
	options := strings.Split(f.Tag.Get("json"), ",")
	made.JSON = options[0]
	inner := f.Type
	switch {
	case inner.Kind() == reflect.Pointer:
		made.Container, inner = "pointer", inner.Elem()
	case inner.Kind() == reflect.Slice && inner.Elem().Kind() != reflect.Uint8:
		made.Container, inner = "list", inner.Elem()
	case inner.Kind() == reflect.Map && inner.Key().Kind() == reflect.String:
		made.Container, inner = "map", inner.Elem()
	}
	made.Type = d.scalarOrMessage(f, inner)
	made.Keep = keeps(f, options)
	return made
}

// keeps follows encoding/json: omitempty is without effect on structs, omitzero is not.
func keeps(f reflect.StructField, options []string) bool {
	isStruct := f.Type.Kind() == reflect.Struct
	for _, option := range options[1:] {
		if option == "omitzero" {
			if isStruct && ownForms[f.Type] == "" {
				panic(fmt.Sprintf("%s: omitzero of a struct is not provided for", f.Name))
			}
			return false
		}
		if option == "omitempty" && !isStruct {
			return false
		}
	}
	return true
}

func (d *describer) scalarOrMessage(f reflect.StructField, t reflect.Type) string {
	if form, ok := ownForms[t]; ok {
		return form
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
		return t.Kind().String()
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
	case reflect.Struct:
		return d.message(t)
	}
	panic(fmt.Sprintf("%s: no form for %v", f.Name, t))
}
