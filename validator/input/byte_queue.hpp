// Bytes on their way from the thread that has them to the one that checks them. Never more than a fixed number.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// For one thread that puts and one that takes.
class ByteQueue {
  public:
    // Holds up to `capacity` bytes, at least one. Takes memory as it fills.
    explicit ByteQueue(size_t capacity) : capacity_(capacity == 0 ? 1 : capacity) {}

    // Adds the bytes if all of them have room. Only before another thread takes.
    bool collect(Bytes bytes);
    // Takes the memory for the whole queue. Call it once, before another thread takes and before put().
    void become_shared();

    // Adds the bytes, and waits while there is no room. False: nobody takes any more, and the rest is dropped.
    bool put(Bytes bytes);
    // Nothing follows.
    void close();
    // As close(), but what is in the queue is lost. Readers see that in is_abandoned().
    void abandon();

    // Takes up to `bytes` bytes, at least one, and waits for them; 0 when nothing follows.
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

}  // namespace tracelint
