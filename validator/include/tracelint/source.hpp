// Where the bytes of an input come from. Derive from Source to check what is neither in memory nor in a file.
#pragma once

#include <string>

#include "tracelint/basics.hpp"

namespace tracelint {

// A check calls one function at a time, on the thread that runs the check. If a function throws, the check ends as
// after a failed read, and the result says what was thrown.
class Source {
  public:
    virtual ~Source() = default;

    // Reads up to `bytes` bytes to `to` and returns how many; 0 at the end and after a failure. May return fewer even
    // if more follow. `bytes` is at least 1.
    virtual size_t read(uint8_t* to, size_t bytes) = 0;

    // Moves to `offset`, in bytes from the start, in either direction; it may be beyond the end. False: this source
    // can only be read in order.
    virtual bool seek(uint64_t offset) {
        (void)offset;
        return false;
    }

    // The total size in bytes, as known now; kNone if only reading shows it. A source that knows it can seek.
    virtual uint64_t size() const { return kNone; }

    // Why reading failed, as a sentence without a full stop; empty if it did not.
    virtual std::string failure() const { return {}; }

    // Whether the container is truncated or corrupt, so that these bytes end before the data that was written does.
    virtual bool is_cut() const { return false; }

    // Whether another process changed the file since it was opened.
    virtual bool has_changed() const { return false; }

    // From now on, a read that waits for input fails as soon as `descriptor` is readable, which must outlive the
    // source. -1: reads wait without a limit, as they do at first. Sources that never wait ignore it.
    virtual void end_waiting_at(int descriptor) { (void)descriptor; }
};

}  // namespace tracelint
