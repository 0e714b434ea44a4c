// The oracle for on_finding of a session that calls the library for this very session: each call returns what
// tracelint.h says, the report is that of the same bytes without such calls, and nothing is called once the session is
// freed.
#pragma once

#include <atomic>
#include <mutex>
#include <span>

#include "fuzz/oracles.hpp"
#include "validator/bindings/c/tracelint.h"

namespace tracelint {

// What on_finding does.
enum class OwnCall : uint8_t { feed, finish, free, check, session };
inline constexpr OwnCall kOwnCalls[] = {OwnCall::feed, OwnCall::finish, OwnCall::free, OwnCall::check,
                                        OwnCall::session};

// One session over `bytes`, in pieces of one size. on_finding makes its calls in turn, one for each finding.
class OwnSession {
  public:
    OwnSession(Bytes bytes, size_t piece, std::span<const OwnCall> calls)
        : bytes_(bytes), piece_(piece), calls_(calls) {}

    Complaint run();
    // Calls of on_finding.
    uint64_t reported() const { return reported_; }

  private:
    static void on_finding(void* user, const tracelint_finding* finding);
    void call(OwnCall chosen);
    void expect(const char* call, tracelint_error got, tracelint_error deserved);
    // The same for a call of the thread that feeds: the session may be freed by then.
    void expect_outside(const char* call, tracelint_error got);
    void complain(const std::string& complaint);

    Bytes bytes_;
    size_t piece_;
    std::span<const OwnCall> calls_;
    tracelint_session* session_ = nullptr;
    std::atomic<uint64_t> reported_ = 0;
    std::atomic<bool> is_freed_ = false, is_inside_ = false;
    std::mutex mutex_{};
    Complaint complaint_{};  // the first one, of any thread
};

}  // namespace tracelint
