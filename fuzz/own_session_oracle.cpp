// Sessions that are used by their own on_finding.
#include "fuzz/own_session_oracle.hpp"

#include <thread>

#include "fuzz/c_interface_oracle.hpp"

namespace tracelint {

void OwnSession::complain(const std::string& complaint) {
    const std::scoped_lock lock(mutex_);
    if (!complaint_) complaint_ = complaint;
}

void OwnSession::expect(const char* call, tracelint_error got, tracelint_error deserved) {
    if (got == deserved) return;
    complain(std::string(call) + " of on_finding returned '" + tracelint_error_string(got) + "' instead of '" +
             tracelint_error_string(deserved) + "'");
}

void OwnSession::expect_outside(const char* call, tracelint_error got) {
    if (got == TRACELINT_OK || (got == TRACELINT_ERROR_INVALID_HANDLE && is_freed_)) return;
    complain(std::string(call) + " returned '" + tracelint_error_string(got) + "'");
}

void OwnSession::on_finding(void* user, const tracelint_finding*) {
    auto& self = *static_cast<OwnSession*>(user);
    self.is_inside_ = true;
    if (self.is_freed_) self.complain("on_finding is called after its session was freed");
    self.call(self.calls_[self.reported_++ % self.calls_.size()]);
    self.is_inside_ = false;
}

void OwnSession::call(OwnCall chosen) {
    tracelint_report* report = nullptr;
    tracelint_session* other = nullptr;
    int32_t more = 7;
    switch (chosen) {
        case OwnCall::feed:
            expect("session_feed", tracelint_session_feed(session_, "x", 1, &more), TRACELINT_ERROR_WRONG_ORDER);
            if (more != 7) complain("a refused call writes its result");
            break;
        case OwnCall::finish:
            expect("session_finish", tracelint_session_finish(session_, &report), TRACELINT_ERROR_WRONG_ORDER);
            break;
        case OwnCall::free:
            is_freed_ = true;  // before, as the thread that feeds may notice at once
            expect("session_free", tracelint_session_free(session_), TRACELINT_OK);
            expect("session_free", tracelint_session_free(session_), TRACELINT_ERROR_INVALID_HANDLE);
            expect("session_feed", tracelint_session_feed(session_, "x", 1, nullptr), TRACELINT_ERROR_INVALID_HANDLE);
            break;
        case OwnCall::check: expect("check", tracelint_check_memory("x", 1, nullptr, &report), TRACELINT_OK); break;
        case OwnCall::session:
            expect("session_open", tracelint_session_open(nullptr, &other), TRACELINT_OK);
            expect("session_feed", tracelint_session_feed(other, "x", 1, nullptr), TRACELINT_OK);
            expect("session_finish", tracelint_session_finish(other, &report), TRACELINT_OK);
            expect("session_free", tracelint_session_free(other), TRACELINT_OK);
            break;
    }
    if (report != nullptr) expect("report_free", tracelint_report_free(report), TRACELINT_OK);
}

Complaint OwnSession::run() {
    tracelint_options options{};
    options.size = sizeof options;
    options.on_finding = on_finding;
    options.user = this;
    if (tracelint_session_open(&options, &session_) != TRACELINT_OK) return "there is no session";
    for (Bytes rest = bytes_; !rest.empty(); rest = rest.subspan(std::min(piece_, rest.size())))
        expect_outside("session_feed",
                       tracelint_session_feed(session_, rest.data(), std::min(piece_, rest.size()), nullptr));
    tracelint_report* report = nullptr;
    expect_outside("session_finish", tracelint_session_finish(session_, &report));
    if (report != nullptr) {
        if (const Complaint complaint = CallSequence::agrees(report, bytes_, 0, false)) complain(*complaint);
        tracelint_report_free(report);
    }
    expect_outside("session_free", tracelint_session_free(session_));
    // No one else waits for a thread that freed its own session.
    while (is_inside_) std::this_thread::yield();
    const std::scoped_lock lock(mutex_);
    return complaint_;
}

}  // namespace tracelint
