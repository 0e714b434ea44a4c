// Go's profile package as a target of libFuzzer.
package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"os"
	"unsafe"

	"github.com/google/pprof/profile"
)

// A panic is reported, but does not end the fuzzer.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	defer func() {
		if fault := recover(); fault != nil {
			os.Stderr.WriteString("panic\n")
		}
	}()
	profile.ParseData(unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size)))
	return 0
}

func main() {}
