// A check that is given its bytes piece by piece.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "validator/tables/bytes.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// Bytes on their way from the thread that has them to the one that checks them. Never more than a fixed number.

// For one thread that puts and one that takes.
class ByteQueue {
  public:
    // Holds up to `capacity` bytes, at least one. Takes memory as it fills.
    explicit ByteQueue(size_t capacity) : capacity_(capacity == 0 ? 1 : capacity) {}

    // Adds the bytes if all of them have room. Only before another thread takes.
    bool collect(Bytes bytes);
    // Reserves the memory of the whole queue. Call it once, before another thread takes and before put().
    void become_shared();

    // Adds the bytes, and waits while there is no room. False: the check has ended, and the rest is dropped.
    bool put(Bytes bytes);
    // Nothing follows.
    void close();
    // As close(), but what is in the queue is lost. Readers see that in is_abandoned().
    void abandon();

    // Reads up to `bytes` bytes, at least one, and waits for them; 0 when nothing follows.
    size_t take(uint8_t* to, size_t bytes);
    // Nothing is taken any more.
    void stop_taking();
    bool is_abandoned() const;

  private:
    size_t held() const { return static_cast<size_t>(put_ - taken_); }
    size_t room() const { return capacity_ - held(); }
    // A thread that has to wait is woken for no less, so that the two do not wake each other for every few bytes.
    size_t worth_waking() const { return capacity_ < 2 ? 1 : capacity_ / 2; }

    const size_t capacity_;
    std::vector<uint8_t> bytes_;  // a ring, once it is shared
    mutable std::mutex mutex_;    // for what follows; bytes_ is divided between the threads by it
    std::condition_variable has_room_, has_bytes_;
    uint64_t put_ = 0, taken_ = 0;  // bytes, in all
    size_t wanted_room_ = 0;        // what a waiting put() waits for; 0: none waits
    bool take_waits_ = false;
    bool closed_ = false, abandoned_ = false, stopped_ = false;
};

// A check of an input that arrives in pieces. Walks pull, so an input that is larger than the queue is checked by a
// thread that waits for its bytes.

// The outcome is that of check() with a source that gives the same bytes and cannot seek, however they are split.
class PushedCheck {
  public:
    static constexpr size_t kQueue = size_t{256} << 10;

    // What the options point to must outlive this. An input of up to `queue` bytes needs no thread; a larger one is
    // handed over through a queue of that size.
    explicit PushedCheck(const CheckOptions& options, size_t queue = kQueue)
        : PushedCheck([options](Source& source) { return check(source, options); }, queue, nullptr) {}
    // The same for a check that is `run`, which throws nothing. What it points to is owned by `kept`.
    using Run = std::function<Outcome(Source&)>;
    PushedCheck(Run run, size_t queue, std::shared_ptr<const void> kept)
        : work_(std::make_shared<Work>(std::move(run), queue, std::move(kept))) {}
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
        Work(Run check, size_t bytes, std::shared_ptr<const void> owner)
            : kept(std::move(owner)), run_check(std::move(check)), queue(bytes) {}
        void run();

        std::shared_ptr<const void> kept;
        Run run_check;
        ByteQueue queue;
        std::optional<Outcome> outcome{};  // of the thread
        std::atomic<std::thread::id> thread{};
    };

    std::shared_ptr<Work> work_;
    std::thread thread_;
};

}  // namespace tracelint
