// Command etcdctl is etcd's own client. Asked by BENCH_USAGE=1, it ends with a line on file
// descriptor 3 that says what it cost: milliseconds, microseconds of CPU, bytes of peak memory.
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"go.etcd.io/etcd/etcdctl/v3/ctlv3"
)

func main() {
	started := time.Now()
	ctlv3.MustStart()
	if os.Getenv("BENCH_USAGE") != "1" {
		return
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fmt.Fprintln(os.Stderr, "etcdctl:", err)
		os.Exit(1)
	}
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	report := os.NewFile(3, "usage")
	fmt.Fprintf(report, "%.3f %d %d\n",
		float64(time.Since(started).Microseconds())/1000, cpu.Microseconds(), usage.Maxrss*1024)
}
