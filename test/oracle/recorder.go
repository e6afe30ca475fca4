package main

import (
	"context"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"k8s.io/apiserver/pkg/storage"
)

// oracle holds the connection that upstream's stores read through and one of its own to write.
type oracle struct {
	codecs   *codecs
	kinds    *kindCodecs
	client   *kubernetes.Client
	plain    clientv3.KV
	recorder *recorder
	witness  witness
	stores   map[storeKey]storage.Interface
	caches   map[storeKey]*cachedStore
}

func newOracle() *oracle {
	return &oracle{
		codecs: newCodecs(),
		kinds:  newKindCodecs(),
		stores: map[storeKey]storage.Interface{},
		caches: map[storeKey]*cachedStore{},
	}
}

// connect reads and writes that etcd (`host:port`) from now on.
func (o *oracle) connect(endpoint string) error {
	if o.client != nil {
		o.stopCaches()
		_ = o.client.Close()
		o.stores = map[storeKey]storage.Interface{}
	}
	client, err := kubernetes.New(clientv3.Config{
		Endpoints:   []string{endpoint},
		DialTimeout: 20 * time.Second,
		DialOptions: []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())},
	})
	if err != nil {
		return err
	}
	o.plain = client.KV
	o.recorder = &recorder{KVClient: clientv3.RetryKVClient(client.Client)}
	client.KV = clientv3.NewKVFromKVClient(o.recorder, client.Client)
	o.client = client
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, err = o.plain.Get(ctx, "\x00", clientv3.WithCountOnly())
	return err
}

// sent is one read as it left for etcd, the message in its wire form.
type sent struct {
	Method  string `json:"method"`
	Message []byte `json:"message"`
}

// recorder notes every read of the store below the client's KV interface.
type recorder struct {
	pb.KVClient
	lock      sync.Mutex
	noted     []sent
	fault     error
	disturbAt int
	disturb   func() error
}

func (r *recorder) start(disturbAt int, disturb func() error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.noted, r.fault, r.disturbAt, r.disturb = []sent{}, nil, disturbAt, disturb
}

func (r *recorder) stop() ([]sent, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.noted, r.fault
}

func (r *recorder) note(method string, in *pb.RangeRequest) {
	r.lock.Lock()
	defer r.lock.Unlock()
	message, err := proto.Marshal(in)
	if err == nil && len(r.noted)+1 == r.disturbAt {
		err = r.disturb()
	}
	if err != nil && r.fault == nil {
		r.fault = err
	}
	r.noted = append(r.noted, sent{method, message})
}

func (r *recorder) Range(ctx context.Context, in *pb.RangeRequest, opts ...grpc.CallOption) (*pb.RangeResponse, error) {
	r.note("Range", in)
	return r.KVClient.Range(ctx, in, opts...)
}

func (r *recorder) RangeStream(ctx context.Context, in *pb.RangeRequest, opts ...grpc.CallOption) (pb.KV_RangeStreamClient, error) {
	r.note("RangeStream", in)
	return r.KVClient.RangeStream(ctx, in, opts...)
}
