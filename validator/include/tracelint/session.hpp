// Checks an input that arrives in pieces.
#pragma once

#include "tracelint/check.hpp"

namespace tracelint {

// A check that is fed:
//
//     Session session(options);
//     while (receive(bytes)) session.feed(bytes);
//     const Result result = session.finish();
//
// The result is that of check() with a source that gives the same bytes and cannot seek, however they were split. Only
// Result::size() may be empty or not where the check needed no further bytes: whether it had met the end by then
// depends on how they came. check_file() and check_memory() always know the size.
//
// An input of up to kCollected bytes is collected, and finish() checks it. A larger one is checked by a thread of the
// session, which takes the bytes over through a queue of that size; Options::on_finding is called on that thread. The
// memory is that of check() and kCollected bytes more. finish() reads the companions and then calls on_finding, on its
// own thread, for mismatches between the files; with readers, for all findings.
//
// Several sessions may be used at a time, each by one thread at a time. No function throws.
//
// on_finding of a session may destroy the session, unless another thread is in a call for it. Then on_finding is not
// called again, and the check ends without a result; if finish() is the caller, it still returns its result. on_finding
// must not feed or finish its own session: feed() then returns false, and finish() a result with Failure::misuse.
class TRACELINT_API Session {
  public:
    static constexpr size_t kCollected = size_t{256} << 10;

    explicit Session(const Options& options = {}) noexcept;
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    // A session that was not finished is ended: what was fed is not checked further, and there is no result.
    ~Session();

    // Gives the next bytes; any number, also none. They are copied before it returns. It waits while the queue is full.
    // False: further bytes change nothing, and feeding may stop. They are ignored, as are those fed after finish() or
    // by the session's own on_finding.
    bool feed(Bytes bytes) noexcept;

    // Says that the input ends here, and returns the result. A second call, one for a session that was moved from, and
    // one by the session's own on_finding give a result with Failure::misuse.
    Result finish() noexcept;

    struct State;  // of the implementation

  private:
    std::unique_ptr<State> state_;
    Failure failure_ = Failure::none;  // where there is no state
};

}  // namespace tracelint
