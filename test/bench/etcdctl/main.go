// Command etcdctl is etcd's own client. Asked by BENCH_USAGE=1, it ends with a line on file
// descriptor 3 that says what it cost: milliseconds, microseconds of CPU, bytes of peak memory.
package main

import (
	"bytes"
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
	elapsed := time.Since(started)
	if err := report(elapsed); err != nil {
		fmt.Fprintln(os.Stderr, "etcdctl:", err)
		os.Exit(1)
	}
}

func report(elapsed time.Duration) error {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return err
	}
	peak, err := peakMemory()
	if err != nil {
		return err
	}
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	_, err = fmt.Fprintf(os.NewFile(3, "usage"), "%.3f %d %d\n",
		float64(elapsed.Microseconds())/1000, cpu.Microseconds(), peak)
	return err
}

// peakMemory is this program's alone: Maxrss is no less than what the process that started it had.
func peakMemory() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for _, line := range bytes.Split(status, []byte("\n")) {
		var kilobytes int64
		if _, err := fmt.Sscanf(string(line), "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes * 1024, nil
		}
	}
	return 0, fmt.Errorf("no VmHWM in /proc/self/status")
}
