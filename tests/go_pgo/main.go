// go_pgo FILE...: reads profiles as `go build -pgo` does, with the parser of the Go that is installed (internal/profile),
// and says of each what came of it:
//
//	FILE ok SAMPLES LOCATIONS   the samples, and the locations in their stacks, with a line each
//	FILE refused MESSAGE
//	FILE crashed MESSAGE        it panicked
//
// The build copies the parser to profile_of_go, as programs may not import what is internal.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	profile "profile_of_go"
)

// The compiler takes one of two sample types, and its values are the weights of calls.
func weightIndex(parsed *profile.Profile) int {
	for i, kind := range parsed.SampleType {
		if kind.Type == "samples" && kind.Unit == "count" || kind.Type == "cpu" && kind.Unit == "nanoseconds" {
			return i
		}
	}
	return -1
}

func read(path string) (text string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			text, err = fmt.Sprintf("crashed %v", fault), nil
		}
	}()
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	parsed, err := profile.Parse(file)
	if err != nil {
		return "", err
	}
	index := weightIndex(parsed)
	if index < 0 {
		return "", errors.New("neither samples/count nor cpu/nanoseconds")
	}
	var weight, frames int64
	for _, sample := range parsed.Sample {
		weight += sample.Value[index]
		for _, location := range sample.Location {
			frames++
			for _, line := range location.Line {
				_ = line.Function.Name
			}
		}
	}
	if weight == 0 {
		return "", errors.New("the sum of the values is 0")
	}
	return fmt.Sprintf("ok %d %d", len(parsed.Sample), frames), nil
}

func main() {
	for _, path := range os.Args[1:] {
		text, err := read(path)
		if err != nil {
			text = "refused " + err.Error()
		}
		fmt.Println(path, strings.ReplaceAll(text, "\n", " "))
	}
}
