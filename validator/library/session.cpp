// The public session: the engine's pushed check, with everything that could throw kept for the result.
#include <new>
#include <system_error>
#include <utility>

#include "validator/library/session_state.hpp"

namespace tracelint {

Session::Session(const Options& options) noexcept {
    try {
        state_ = std::make_unique<State>(options);
    } catch (const std::bad_alloc&) {
        failure_ = Failure::memory;
    } catch (...) {
        failure_ = Failure::internal;
    }
}

Session::Session(Session&& other) noexcept
    : state_(std::move(other.state_)), failure_(std::exchange(other.failure_, Failure::misuse)) {}

Session& Session::operator=(Session&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(failure_, other.failure_);
    const Session before(std::move(other));  // ends what this was
    return *this;
}

Session::~Session() = default;

bool Session::feed(Bytes bytes) noexcept {
    if (state_ == nullptr || state_->failed != Failure::none || state_->chosen->company == nullptr) return false;
    if (state_->check.is_on_its_thread()) return false;
    try {
        return state_->check.feed(bytes);
    } catch (const std::system_error& error) {
        state_->failed = Failure::thread;
    } catch (const std::bad_alloc&) {
        state_->failed = Failure::memory;
    } catch (...) {
        state_->failed = Failure::internal;
    }
    return false;
}

Result Session::finish() noexcept {
    if (state_ != nullptr && state_->check.is_on_its_thread()) return Result(Failure::misuse);
    const std::unique_ptr<State> state = std::move(state_);
    const Failure failure = std::exchange(failure_, Failure::misuse);
    if (state == nullptr) return Result(failure);
    if (state->failed != Failure::none) return Result(state->failed);
    return result_without_exception([&] {
        Session::State::Chosen& chosen = *state->chosen;
        if (chosen.company == nullptr) return failed_result(Failure::options, chosen.prepared.fault());
        return chosen.company->result(state->check.finish());
    });
}

}  // namespace tracelint
