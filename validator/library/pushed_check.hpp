// A check of an input that arrives in pieces. Walks pull, so an input that is larger than the queue is checked by a
// thread that waits for its bytes.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "validator/input/byte_queue.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// The outcome is that of check() with a source that gives the same bytes and cannot seek, however they are split.
class PushedCheck {
  public:
    static constexpr size_t kQueue = size_t{256} << 10;

    // What the options point to must outlive this, or be owned by `kept`. An input of up to `queue` bytes needs no
    // thread; a larger one is handed over through a queue of that size.
    explicit PushedCheck(const CheckOptions& options, size_t queue = kQueue, std::shared_ptr<const void> kept = nullptr)
        : work_(std::make_shared<Work>(options, queue, std::move(kept))) {}
    PushedCheck(const PushedCheck&) = delete;
    PushedCheck& operator=(const PushedCheck&) = delete;
    // Without finish(), the check ends soon, and has no outcome. The thread is waited for, unless this runs on it, as
    // the observer of the findings destroys this: then the thread outlives this, and needs `kept`.
    ~PushedCheck();

    // Adds bytes, which are copied. Waits while the queue is full. False: further bytes change nothing, and are
    // ignored. Throws std::bad_alloc, or std::system_error if there is no thread; both times finish() is not to be
    // called.
    bool feed(Bytes bytes);
    // The input ends here. Call it once.
    Outcome finish();

    // Whether the caller is the observer of the findings, on the thread that checks. It must neither feed nor finish:
    // either would wait for itself.
    bool is_on_its_thread() const { return work_->thread == std::this_thread::get_id(); }

  private:
    // Shared with the thread; the last one to leave destroys it.
    struct Work {
        Work(const CheckOptions& with, size_t bytes, std::shared_ptr<const void> owner)
            : kept(std::move(owner)), options(with), queue(bytes) {}
        void run();

        std::shared_ptr<const void> kept;
        CheckOptions options;
        ByteQueue queue;
        std::optional<Outcome> outcome{};  // of the thread
        std::atomic<std::thread::id> thread{};
    };

    std::shared_ptr<Work> work_;
    std::thread thread_;
};

}  // namespace tracelint
