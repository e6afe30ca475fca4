package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/etcd3"
	"k8s.io/apiserver/pkg/storage/value/encrypt/identity"
)

// benchPatience is how long one measured run may take.
const benchPatience = 10 * time.Minute

// benchAsk is one run to time. Mode says of what:
//   - `store`: upstream's store answers List and follows its tokens to the end;
//   - `client`: etcd's client sends Requests, decodes the replies as it always does and drops them;
//   - `raw`: the same, the replies dropped as bytes;
//   - `labels`, `match`, `token`, `decode`: Text is parsed, held against Labels, checked; Value is
//     decoded; as often as Seconds allow.
type benchAsk struct {
	Mode     string      `json:"mode"`
	List     *listAsk    `json:"list"`
	Requests []sent      `json:"requests"`
	Text     string      `json:"text"`
	Labels   [][2]string `json:"labels"`
	Prefix   string      `json:"prefix"`
	Value    []byte      `json:"value"`
	Seconds  float64     `json:"seconds"`
}

// anySize is what etcd's client allows as well.
var anySize = grpc.MaxCallRecvMsgSize(math.MaxInt32)

type benchAnswer struct {
	Milliseconds float64 `json:"ms"`
	Items        int     `json:"items"`
	Requests     []sent  `json:"requests"`
	PerSecond    float64 `json:"perSecond"`
}

func (o *oracle) bench(ask *benchAsk) (*benchAnswer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), benchPatience)
	defer cancel()
	switch ask.Mode {
	case "store":
		return o.benchStore(ctx, ask.List)
	case "client", "raw":
		return o.benchFloor(ctx, ask)
	default:
		return o.benchRate(ask)
	}
}

func (o *oracle) benchStore(ctx context.Context, ask *listAsk) (*benchAnswer, error) {
	if err := setGates(ask); err != nil {
		return nil, err
	}
	// Nothing watches what is timed.
	store, err := o.newStore(ask, identity.NewEncryptCheckTransformer(),
		etcd3.NewDefaultDecoder(o.codecs.stored, storage.APIObjectVersioner{}))
	if err != nil {
		return nil, err
	}
	options, err := ask.options()
	if err != nil {
		return nil, err
	}
	o.recorder.start(0, nil)
	answer := &benchAnswer{}
	started := time.Now()
	for {
		found := &corev1.PodList{}
		if err := store.GetList(ctx, ask.Key, options, found); err != nil {
			return nil, err
		}
		answer.Items += len(found.Items)
		if found.Continue == "" {
			break
		}
		options.Predicate.Continue = found.Continue
	}
	answer.Milliseconds = milliseconds(started)
	answer.Requests, err = o.recorder.stop()
	return answer, err
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}

// bytesCodec hands messages on as the bytes they are.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(message any) ([]byte, error) { return *message.(*[]byte), nil }

func (bytesCodec) Unmarshal(data []byte, message any) error {
	*message.(*[]byte) = data
	return nil
}

func (o *oracle) benchFloor(ctx context.Context, ask *benchAsk) (*benchAnswer, error) {
	var run func(sent) (int, error)
	if ask.Mode == "raw" {
		run = func(one sent) (int, error) { return o.sendRaw(ctx, one) }
	} else {
		client := clientv3.RetryKVClient(o.client.Client)
		run = func(one sent) (int, error) { return send(ctx, client, one) }
	}
	answer := &benchAnswer{}
	started := time.Now()
	for _, one := range ask.Requests {
		count, err := run(one)
		if err != nil {
			return nil, err
		}
		answer.Items += count
	}
	answer.Milliseconds = milliseconds(started)
	return answer, nil
}

func send(ctx context.Context, client pb.KVClient, one sent) (int, error) {
	request := &pb.RangeRequest{}
	if err := proto.Unmarshal(one.Message, request); err != nil {
		return 0, err
	}
	if one.Method == "Range" {
		reply, err := client.Range(ctx, request, anySize)
		if err != nil {
			return 0, err
		}
		return len(reply.Kvs), nil
	}
	stream, err := client.RangeStream(ctx, request, anySize)
	if err != nil {
		return 0, err
	}
	count := 0
	for {
		reply, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return 0, err
		}
		count += len(reply.GetRangeResponse().GetKvs())
	}
}

func (o *oracle) sendRaw(ctx context.Context, one sent) (int, error) {
	connection := o.client.ActiveConnection()
	options := []grpc.CallOption{grpc.ForceCodec(bytesCodec{}), anySize}
	method := "/etcdserverpb.KV/" + one.Method
	var reply []byte
	if one.Method == "Range" {
		return 0, connection.Invoke(ctx, method, &one.Message, &reply, options...)
	}
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, options...)
	if err != nil {
		return 0, err
	}
	if err := stream.SendMsg(&one.Message); err != nil {
		return 0, err
	}
	if err := stream.CloseSend(); err != nil {
		return 0, err
	}
	for {
		if err := stream.RecvMsg(&reply); errors.Is(err, io.EOF) {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// benchRate repeats one small piece of work for the time given.
func (o *oracle) benchRate(ask *benchAsk) (*benchAnswer, error) {
	work, err := o.rateWork(ask)
	if err != nil {
		return nil, err
	}
	const batch = 200
	limit := time.Duration(ask.Seconds * float64(time.Second))
	started, count := time.Now(), 0
	for time.Since(started) < limit {
		for range batch {
			if err := work(); err != nil {
				return nil, err
			}
		}
		count += batch
	}
	return &benchAnswer{PerSecond: float64(count) / time.Since(started).Seconds()}, nil
}

func (o *oracle) rateWork(ask *benchAsk) (func() error, error) {
	switch ask.Mode {
	case "labels":
		return func() error { _, err := labels.Parse(ask.Text); return err }, nil
	case "match":
		selector, err := labels.Parse(ask.Text)
		if err != nil {
			return nil, err
		}
		set := labels.Set(toMap(ask.Labels))
		return func() error {
			if !selector.Matches(set) {
				return fmt.Errorf("%q does not match", ask.Text)
			}
			return nil
		}, nil
	case "token":
		return func() error { _, _, err := storage.DecodeContinue(ask.Text, ask.Prefix); return err }, nil
	case "decode":
		return func() error { return runtime.DecodeInto(o.codecs.stored, ask.Value, &corev1.Pod{}) }, nil
	default:
		return nil, fmt.Errorf("no such mode: %q", ask.Mode)
	}
}
