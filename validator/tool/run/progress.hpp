// A progress line on the terminal, shown only if the work takes more than half a second.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "validator/input/source.hpp"

namespace tracelint {

class Progress {
  public:
    // Shows nothing unless standard error is a terminal.
    explicit Progress(size_t files);
    // Shows `text()`, which another thread calls, instead of numbers of files and bytes.
    explicit Progress(std::function<std::string()> text);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    void read_bytes(uint64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
    void file_done() { done_.fetch_add(1, std::memory_order_relaxed); }

    // Hides the line while others write to the terminal.
    class Hidden {
      public:
        explicit Hidden(Progress& progress);

      private:
        std::unique_lock<std::mutex> lock_;
    };

  private:
    void start();
    void show();
    void draw();
    void erase();

    size_t files_ = 0;
    std::function<std::string()> text_;  // empty: files and bytes
    std::atomic<uint64_t> bytes_{0};
    std::atomic<uint64_t> done_{0};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    bool drawn_ = false;
    std::thread thread_;
};

// Counts the bytes that are read from another source.
class CountedSource final : public ForwardingSource {
  public:
    CountedSource(Source& inner, Progress& progress) : ForwardingSource(inner), progress_(progress) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        progress_.read_bytes(got);
        return got;
    }

  private:
    Progress& progress_;
};

}  // namespace tracelint
