// Takes every profile that Go's runtime has, and the deltas that net/http/pprof makes of two of them.
package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

//go:noinline
func spin(until time.Time) (sum int) {
	for time.Now().Before(until) {
		for i := 0; i < 1000; i++ {
			sum += i * i
		}
	}
	return sum
}

//go:noinline
func allocate(count int) {
	for i := 0; i < count; i++ {
		block := make([]byte, 64<<(i%5))
		if i%3 == 0 {
			kept = append(kept, block)
		}
	}
}

func contend() {
	var lock sync.Mutex
	var wait sync.WaitGroup
	for i := 0; i < 3; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := 0; j < 20; j++ {
				lock.Lock()
				time.Sleep(time.Millisecond)
				lock.Unlock()
			}
		}()
	}
	wait.Wait()
}

func write(name string, take func(io.Writer) error) {
	file, err := os.Create(name)
	if err == nil {
		err = take(file)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(err)
	}
}

func takeCPU(file io.Writer) error {
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	var wait sync.WaitGroup
	for _, worker := range []string{"first", "second"} {
		wait.Add(1)
		go pprof.Do(context.Background(), pprof.Labels("worker", worker), func(context.Context) {
			defer wait.Done()
			spin(time.Now().Add(400 * time.Millisecond))
		})
	}
	wait.Wait()
	pprof.StopCPUProfile()
	return nil
}

func takeIdle(file io.Writer) error {
	err := pprof.StartCPUProfile(file)
	pprof.StopCPUProfile()
	return err
}

func takeDelta(name string) func(io.Writer) error {
	return func(file io.Writer) error {
		server := httptest.NewServer(http.DefaultServeMux)
		defer server.Close()
		go func() {
			time.Sleep(300 * time.Millisecond)
			contend()
		}()
		answer, err := http.Get(server.URL + "/debug/pprof/" + name + "?seconds=1")
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		_, err = io.Copy(file, answer.Body)
		return err
	}
}

func main() {
	runtime.MemProfileRate = 512
	write("mutex-empty.pprof", func(file io.Writer) error { return pprof.Lookup("mutex").WriteTo(file, 0) })
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	write("cpu-idle.pprof", takeIdle)
	write("cpu.pprof", takeCPU)
	allocate(400)
	contend()
	runtime.GC()
	for _, name := range []string{"heap", "allocs", "goroutine", "mutex", "block", "threadcreate"} {
		profile := pprof.Lookup(name)
		write(name+".pprof", func(file io.Writer) error { return profile.WriteTo(file, 0) })
	}
	write("mutex-delta.pprof", takeDelta("mutex"))
	write("goroutine-delta.pprof", takeDelta("goroutine"))
}
