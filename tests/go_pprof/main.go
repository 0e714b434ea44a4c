// go_pprof [FILE...] reads gperftools CPU profiles as `go tool pprof` does, and says of each what came of it. Without
// arguments it takes the names from standard input, one a line. A line for each file, in their order:
//
//	FILE ok RECORDS SAMPLES   the records up to the trailer, and the sum of their counts modulo 2^64
//	FILE refused MESSAGE
//	FILE crashed MESSAGE      the reader panicked
//
// Of several profiles in one file the reader takes the first. A name with a line feed cannot be given.
//
// Debian's golang-github-google-pprof-dev has the reader, without a module; no network is needed:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS= go build -o go_pprof tests/go_pprof/main.go
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/google/pprof/profile"
)

func verdict(path string) (text string) {
	defer func() {
		if fault := recover(); fault != nil {
			text = fmt.Sprintf("crashed %v", fault)
		}
	}()
	bytes, err := os.ReadFile(path)
	if err != nil {
		return fmt.Sprintf("refused %v", err)
	}
	parsed, err := profile.ParseData(bytes)
	if err != nil {
		return fmt.Sprintf("refused %v", err)
	}
	// The reader knows other formats too.
	if parsed.PeriodType == nil || parsed.PeriodType.Type != "cpu" || len(parsed.SampleType) == 0 ||
		parsed.SampleType[0].Type != "samples" {
		return "refused not a CPU profile"
	}
	// It keeps one sample for each record: nothing is merged before a report is made.
	var samples uint64
	for _, sample := range parsed.Sample {
		samples += uint64(sample.Value[0])
	}
	return fmt.Sprintf("ok %d %d", len(parsed.Sample), samples)
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	tell := func(path string) {
		fmt.Fprintln(out, path, strings.ReplaceAll(verdict(path), "\n", " "))
	}
	if len(os.Args) > 1 {
		for _, path := range os.Args[1:] {
			tell(path)
		}
		return
	}
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		tell(names.Text())
	}
	if err := names.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "go_pprof:", err)
		out.Flush()
		os.Exit(1)
	}
}
