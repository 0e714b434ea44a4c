package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
)

// Reads all files of the folder INPUTS: its coverage is what is measured.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob(os.Getenv("INPUTS") + "/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no inputs")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { recover() }()
			profile.ParseData(data)
		}()
	}
}
