// A progress line on the terminal, shown only if the work takes more than half a second.
#pragma once

#include <algorithm>
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
    // Shows nothing unless standard error is a terminal. `total` adds up the sizes of the files, in bytes; it is called
    // by another thread, and only if the line is shown. Empty: the total is not known.
    Progress(size_t files, std::function<uint64_t()> total);
    // Shows `text()`, which another thread calls, instead of numbers of files and bytes.
    explicit Progress(std::function<std::string()> text);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    void read_bytes(uint64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
    uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
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
    void add_up();
    std::string files_and_bytes() const;
    void draw();
    void erase();

    size_t files_ = 0;
    std::function<std::string()> text_;  // empty: files and bytes
    std::function<uint64_t()> add_up_sizes_;
    uint64_t total_ = 0;  // bytes; 0: not known
    std::atomic<uint64_t> bytes_{0};
    std::atomic<uint64_t> done_{0};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    bool drawn_ = false;
    std::thread thread_;
};

// Counts the bytes that are read from another source, and those that are skipped.
class CountedSource final : public ForwardingSource {
  public:
    CountedSource(Source& inner, Progress& progress) : ForwardingSource(inner), progress_(progress) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        count_up_to(at_ + got);
        return got;
    }
    bool seek(uint64_t offset) override {
        if (!ForwardingSource::seek(offset)) return false;
        count_up_to(offset);
        return true;
    }

  private:
    // A second reading counts no byte again, and a position beyond the end none that is not there.
    void count_up_to(uint64_t offset) {
        at_ = offset;
        const uint64_t reached = std::min(offset, size());
        if (reached <= counted_) return;
        progress_.read_bytes(reached - counted_);
        counted_ = reached;
    }

    Progress& progress_;
    uint64_t at_ = 0, counted_ = 0;  // offsets
};

}  // namespace tracelint
