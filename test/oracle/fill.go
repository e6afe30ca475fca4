package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// filler fills objects with values of chance, dull and hostile ones.
type filler struct {
	*rand.Rand
	// density is the share of fields that are set, left what may still be filled.
	density float64
	left    int
}

func (f *filler) object(object runtime.Object) {
	f.density = []float64{0.03, 0.1, 0.3, 0.6, 0.95}[f.Intn(5)]
	f.left = 20 + f.Intn(600)
	value := reflect.ValueOf(object).Elem()
	for i := range value.NumField() {
		if value.Type().Field(i).Name != "TypeMeta" {
			f.fill(value.Field(i))
		}
	}
}

func (f *filler) chance(share float64) bool { return f.Float64() < share }

func (f *filler) fill(value reflect.Value) {
	if f.left--; f.left < 0 {
		return
	}
	if made, ok := f.ownForm(value.Type()); ok {
		value.Set(reflect.ValueOf(made))
		return
	}
	switch value.Kind() {
	case reflect.Struct:
		for _, i := range f.Perm(value.NumField()) {
			if field := value.Field(i); field.CanSet() && f.chance(f.density) {
				f.fill(field)
			}
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		if f.chance(0.9) {
			f.fill(value.Elem())
		}
	case reflect.Slice:
		f.fillSlice(value)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for range f.Intn(5) {
			key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
			key.SetString(f.text())
			f.fill(element)
			value.SetMapIndex(key, element)
		}
	case reflect.String:
		value.SetString(f.text())
	case reflect.Bool:
		value.SetBool(f.chance(0.7))
	case reflect.Int32:
		value.SetInt(int64(int32(f.integer())))
	case reflect.Int64:
		value.SetInt(f.integer())
	default:
		panic(fmt.Sprintf("cannot fill %v", value.Type()))
	}
}

func (f *filler) fillSlice(value reflect.Value) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		made := make([]byte, f.Intn(40))
		f.Read(made)
		value.SetBytes(made)
		return
	}
	length := f.Intn(4)
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := range length {
		f.fill(value.Index(i))
	}
}

func (f *filler) ownForm(t reflect.Type) (any, bool) {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return metav1.Time{Time: f.time()}, true
	case reflect.TypeFor[metav1.MicroTime]():
		return metav1.MicroTime{Time: f.time()}, true
	case reflect.TypeFor[resource.Quantity]():
		return f.quantity(), true
	case reflect.TypeFor[intstr.IntOrString]():
		if f.chance(0.5) {
			return intstr.FromString(f.text()), true
		}
		return intstr.FromInt32(int32(f.integer())), true
	case reflect.TypeFor[metav1.FieldsV1]():
		made := metav1.FieldsV1{}
		if f.chance(0.9) {
			text, err := json.Marshal(f.tree(3))
			if err != nil {
				panic(err)
			}
			made.SetRawBytes(text)
		}
		return made, true
	}
	return nil, false
}

func (f *filler) tree(depth int) map[string]any {
	made := map[string]any{}
	for range f.Intn(4) {
		switch key := "f:" + f.text(); {
		case depth > 0 && f.chance(0.6):
			made[key] = f.tree(depth - 1)
		case f.chance(0.2):
			made[key] = []any{f.integer(), f.Float64() * 1e3, f.text(), nil, true}
		default:
			made[key] = map[string]any{}
		}
	}
	return made
}

func (f *filler) time() time.Time {
	switch f.Intn(8) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(f.Int63n(16e12)-8e12, f.Int63n(1e9))
	case 2:
		return time.Unix(0, 0)
	default:
		return time.Unix(f.Int63n(4e9), f.Int63n(1e9)/1000*f.Int63n(2)*1000)
	}
}

var suffixes = []string{"", "", "m", "u", "n", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-4", "e9", "e+20", "e-12"}

func (f *filler) quantity() resource.Quantity {
	format := []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent, ""}[f.Intn(4)]
	switch f.Intn(4) {
	case 0:
		return *resource.NewQuantity(f.integer(), format)
	case 1:
		return *resource.NewMilliQuantity(f.integer(), format)
	default:
		made, err := resource.ParseQuantity(f.number() + suffixes[f.Intn(len(suffixes))])
		if err != nil {
			return resource.Quantity{}
		}
		return made
	}
}

// number is a decimal number as quantities may hold it, often with zeros in odd places.
func (f *filler) number() string {
	digits := func(most int) string {
		var made strings.Builder
		for range f.Intn(most) {
			made.WriteByte("0001234567899500"[f.Intn(16)])
		}
		return made.String()
	}
	made := []string{"", "", "", "-", "+"}[f.Intn(5)] + digits([]int{4, 8, 25}[f.Intn(3)])
	if f.chance(0.3) {
		made += "." + digits([]int{4, 12, 22}[f.Intn(3)])
	}
	return made
}

func (f *filler) integer() int64 {
	switch f.Intn(8) {
	case 0:
		return int64(f.Uint64())
	case 1:
		return []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 1, -(1<<53 + 1), math.MaxInt32}[f.Intn(9)]
	case 2:
		return f.Int63n(1 << 40)
	default:
		return f.Int63n(70000)
	}
}

var texts = []string{
	"__proto__", "constructor", "toString", "hasOwnProperty", "yes", "on", "y", "null", "~", "0x10", "0755", "1_000", "12e4",
	"1.0", ".5", "-", "--- a", "# not", " lead", "trail ", "a: b", "- x", "{}", "[]", "&a", "*a", "!t", "|", ">", "%", "@", "`",
	"2001-01-01", "12:30:45", "=", "<<", "true", "False", "10", "9", "a10", "a9", "x-undecoded", "\"q\"", "'s'", "\\", "/",
	"<a&b>", "two\nlines", "end\n", "\n", "end\n\n", " \n x\n", "tab\there", "\r\n", "\u0000", "\u001b[31m", "\u0085", "\u2028",
	"\u200b", "\ufeff", "é", "漢字", "😀", "\U000e0041", "long " + strings.Repeat("words and words ", 12),
}

var letters = []rune("ab10Z_-./ é漢😀:#'\"\\\n<")

func (f *filler) text() string {
	switch f.Intn(6) {
	case 0:
		return texts[f.Intn(len(texts))]
	case 1:
		made := make([]rune, f.Intn(6))
		for i := range made {
			made[i] = letters[f.Intn(len(letters))]
		}
		return string(made)
	default:
		const plain = "abcdefghijklmnopqrstuvwxyz0123456789-."
		made := make([]byte, 1+f.Intn(12))
		for i := range made {
			made[i] = plain[f.Intn(len(plain))]
		}
		return string(made)
	}
}
