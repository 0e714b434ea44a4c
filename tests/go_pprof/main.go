// go_pprof [-samples] [FILE...] reads gperftools CPU profiles as `go tool pprof` does, and says of each what came of it. Without
// arguments it takes the names from standard input, one a line. A line for each file, in their order:
//
//	FILE ok RECORDS SAMPLES   the records up to the trailer, and the sum of their counts modulo 2^64
//	FILE refused MESSAGE
//	FILE crashed MESSAGE      the reader panicked
//
// With -samples in front, it reads profiles of any kind, and prints a line for each sample after the first:
//
//	FILE ok SAMPLES
//	sample VALUES LOCATIONS MAPPED LINES LABELS   values, and how many there are of the others
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

// What the reader shows of the samples.
func samples(parsed *profile.Profile) string {
	var text strings.Builder
	for _, sample := range parsed.Sample {
		mapped, lines, labels := 0, 0, 0
		for _, location := range sample.Location {
			// The reader gives an empty mapping to a profile without any.
			if at := location.Mapping; at != nil && (at.Start != 0 || at.Limit != 0 || at.File != "") {
				mapped++
			}
			lines += len(location.Line)
		}
		for _, values := range sample.Label {
			labels += len(values)
		}
		for _, values := range sample.NumLabel {
			labels += len(values)
		}
		values := strings.Trim(strings.ReplaceAll(fmt.Sprint(sample.Value), " ", ","), "[]")
		fmt.Fprintf(&text, "\nsample %s %d %d %d %d", values, len(sample.Location), mapped, lines, labels)
	}
	return text.String()
}

func verdict(path string, withSamples bool) (text string) {
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
	if withSamples {
		return fmt.Sprintf("ok %d%s", len(parsed.Sample), samples(parsed))
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
	paths := os.Args[1:]
	withSamples := len(paths) > 0 && paths[0] == "-samples"
	if withSamples {
		paths = paths[1:]
	}
	tell := func(path string) {
		text := verdict(path, withSamples)
		if !strings.HasPrefix(text, "ok") {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		fmt.Fprintln(out, path, text)
	}
	if len(paths) > 0 {
		for _, path := range paths {
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
