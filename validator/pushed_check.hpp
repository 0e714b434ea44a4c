// A check of an input that arrives in pieces. Walks pull, so an input that is larger than the queue is checked by a
// thread that waits for its bytes.
#pragma once

#include <thread>

#include "validator/byte_queue.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// The outcome is that of check() with a source that gives the same bytes and cannot seek, however they are split.
class PushedCheck {
  public:
    static constexpr size_t kQueue = size_t{256} << 10;

    // What the options point to must outlive this. An input of up to `queue` bytes needs no thread; a larger one is
    // handed over through a queue of that size.
    explicit PushedCheck(const CheckOptions& options, size_t queue = kQueue) : options_(options), queue_(queue) {}
    PushedCheck(const PushedCheck&) = delete;
    PushedCheck& operator=(const PushedCheck&) = delete;
    // Without finish(), the check ends soon, and has no outcome.
    ~PushedCheck();

    // Adds bytes, which are copied. Waits while the queue is full. False: further bytes change nothing, and are
    // ignored. Throws std::bad_alloc, or std::system_error if there is no thread; both times finish() is not to be
    // called.
    bool feed(Bytes bytes);
    // The input ends here. Call it once.
    Outcome finish();

  private:
    void run();

    CheckOptions options_;
    ByteQueue queue_;
    std::optional<Outcome> outcome_;  // of the thread
    std::thread thread_;
};

}  // namespace tracelint
