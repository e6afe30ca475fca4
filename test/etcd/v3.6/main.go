// Command etcd is the etcd server itself: etcd's own modules carry replace
// directives, which `go install` refuses.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
