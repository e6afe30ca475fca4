// The oracle answers questions of the tests with Kubernetes' own code: one JSON line in, one out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

// request is one question. Op says which of the other parts is filled.
type request struct {
	Op       string   `json:"op"`
	Endpoint string   `json:"endpoint"`
	Entries  []change `json:"entries"`
	// Revision to compact at; zero is the latest.
	Revision int64    `json:"revision,string"`
	List     *listAsk `json:"list"`
	Text     string   `json:"text"`
	Prefix   []byte   `json:"prefix"`
	// Sets that a selector is held against.
	Sets  [][][2]string `json:"sets"`
	Kinds *kindAsk      `json:"kinds"`
	Bench *benchAsk     `json:"bench"`
}

// answer is the one line that a question gets. Failure is a fault of the oracle itself, never an
// outcome of the question.
type answer struct {
	Failure  string       `json:"failure,omitempty"`
	Versions []string     `json:"versions,omitempty"`
	Revision int64        `json:"revision,string"`
	List     *listAnswer  `json:"list,omitempty"`
	Parsed   *parsed      `json:"parsed,omitempty"`
	Messages []message    `json:"messages,omitempty"`
	Shown    []shown      `json:"shown,omitempty"`
	Text     string       `json:"text,omitempty"`
	Bench    *benchAnswer `json:"bench,omitempty"`
}

func main() {
	registerMetrics()
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	o := newOracle()
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		if err != nil {
			fatal(err)
		}
		var ask request
		if err := json.Unmarshal(line, &ask); err != nil {
			fatal(err)
		}
		reply, err := o.answer(&ask)
		if err != nil {
			reply = &answer{Failure: err.Error()}
		}
		if err := encoder.Encode(reply); err != nil {
			fatal(err)
		}
		if err := output.Flush(); err != nil {
			fatal(err)
		}
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "oracle:", err)
	os.Exit(1)
}

func (o *oracle) answer(ask *request) (*answer, error) {
	switch ask.Op {
	case "versions":
		return &answer{Versions: moduleVersions()}, nil
	case "connect":
		return &answer{}, o.connect(ask.Endpoint)
	case "apply":
		revision, err := o.apply(ask.Entries)
		return &answer{Revision: revision}, err
	case "revision":
		revision, err := o.revision()
		return &answer{Revision: revision}, err
	case "compact":
		revision, err := o.compact(ask.Revision)
		return &answer{Revision: revision}, err
	case "erase":
		return &answer{}, o.erase(ask.Text)
	case "list":
		list, err := o.list(ask.List)
		return &answer{List: list}, err
	case "scrape":
		text, err := scrape()
		return &answer{Text: text}, err
	case "uncache":
		o.stopCaches()
		return &answer{}, nil
	case "bench":
		timed, err := o.bench(ask.Bench)
		return &answer{Bench: timed}, err
	case "labels", "fields", "token", "quantity":
		return &answer{Parsed: parse(ask)}, nil
	case "describe":
		messages, err := o.kinds.describeAll(ask.Kinds.Kinds)
		return &answer{Messages: messages}, err
	case "sample":
		made, err := o.kinds.sample(ask.Kinds)
		return &answer{Shown: made}, err
	case "open":
		reply := &answer{}
		for _, value := range ask.Kinds.Values {
			reply.Shown = append(reply.Shown, o.kinds.open(value, ask.Kinds.ResourceVersion))
		}
		return reply, nil
	case "yaml":
		text, err := readYAML(ask.Text)
		return &answer{Text: text}, err
	default:
		return nil, fmt.Errorf("no such op: %q", ask.Op)
	}
}
