// The functions of the C interface that check what arrives in pieces.
#include "tracelint/session.hpp"

#include <atomic>
#include <optional>
#include <thread>

#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/options.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

// Knows when the session calls on_finding, which may do anything.
class CallbackScope {
  public:
    // Lets `options` call on_finding through this.
    static std::shared_ptr<CallbackScope> of(Options& options) {
        auto callbacks = std::make_shared<CallbackScope>();
        if (options.on_finding)
            options.on_finding = [callbacks, function = std::move(options.on_finding)](const Finding& finding) {
                callbacks->call(function, finding);
            };
        return callbacks;
    }
    // Whether on_finding is the caller.
    bool is_caller() const { return thread_ == std::this_thread::get_id(); }
    // Calls it no more: what it works with may be gone.
    void end() { is_over_ = true; }

  private:
    void call(const std::function<void(const Finding&)>& function, const Finding& finding) {
        if (is_over_) return;
        struct Call {
            explicit Call(std::atomic<std::thread::id>& of) : thread(of) { thread = std::this_thread::get_id(); }
            ~Call() { thread = std::thread::id(); }  // also if it throws
            std::atomic<std::thread::id>& thread;
        };
        const Call call(thread_);
        function(finding);
    }

    std::atomic<std::thread::id> thread_{};
    std::atomic<bool> is_over_ = false;
};

struct OpenSession {
    explicit OpenSession(Options& options)
        : name(name_of(nullptr, options)), callbacks(CallbackScope::of(options)), session(options) {}

    std::string name;
    std::shared_ptr<CallbackScope> callbacks;
    Session session;
    std::optional<Result> result{};  // once it is finished
    bool is_handed_out = false;
    std::atomic<bool> is_in_use = false;
};

// One call for a session at a time.
class Turn {
  public:
    explicit Turn(OpenSession& open) : open_(open), is_mine_(!open.is_in_use.exchange(true)) {}
    ~Turn() {
        if (is_mine_) open_.is_in_use = false;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    bool is_mine() const { return is_mine_; }

  private:
    OpenSession& open_;
    bool is_mine_;
};

Handles<tracelint_session, OpenSession>& sessions() {
    static auto& sessions = *new Handles<tracelint_session, OpenSession>;  // used until the last thread ends
    return sessions;
}

// Calls `use` with the session of a handle, unless its report was handed out, or it is in the middle of something. If
// it is freed meanwhile, by on_finding, it ends here.
template <class Use>
tracelint_error with_session(const tracelint_session* handle, Use use) {
    return guarded([&] {
        if (handle == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const std::shared_ptr<OpenSession> open = sessions().find(handle);
        if (open == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        if (open->callbacks->is_caller()) return fail(TRACELINT_ERROR_WRONG_ORDER, "called by its own on_finding");
        const Turn turn(*open);
        if (!turn.is_mine()) return fail(TRACELINT_ERROR_WRONG_ORDER, "another call for it has not returned");
        if (open->is_handed_out) return fail(TRACELINT_ERROR_WRONG_ORDER);
        return tracelint_error{use(*open)};
    });
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::fail;
using tracelint::c::guarded;
using tracelint::c::OpenSession;
using tracelint::c::sessions;
using tracelint::c::with_session;

tracelint_error tracelint_session_open(const tracelint_options* options, tracelint_session** session) {
    return guarded([&] {
        if (session == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        tracelint::Options with;
        if (const tracelint_error error = tracelint::c::take_options(options, with); error != TRACELINT_OK)
            return error;
        // The session itself says only in the end what is wrong with its options.
        if (const tracelint::PreparedOptions prepared(with); !prepared.fault().empty())
            return fail(TRACELINT_ERROR_INVALID_OPTION, prepared.fault());
        *session = sessions().add(std::make_unique<OpenSession>(with));
        return tracelint_error{TRACELINT_OK};
    });
}

tracelint_error tracelint_session_feed(tracelint_session* session, const void* bytes, size_t length, int32_t* more) {
    return with_session(session, [&](OpenSession& open) {
        if (open.result) return fail(TRACELINT_ERROR_WRONG_ORDER);
        if (bytes == nullptr && length != 0) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const bool is_wanted = open.session.feed({static_cast<const uint8_t*>(bytes), length});
        if (more != nullptr) *more = is_wanted ? 1 : 0;
        return tracelint_error{TRACELINT_OK};
    });
}

tracelint_error tracelint_session_finish(tracelint_session* session, tracelint_report** report) {
    return with_session(session, [&](OpenSession& open) {
        if (report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        if (!open.result) open.result = open.session.finish();
        // Where this fails for want of memory, the result stays for another call.
        const tracelint_error error = tracelint::c::hand_out(open.name, false, std::move(*open.result), report);
        open.is_handed_out = error == TRACELINT_OK;
        return error;
    });
}

tracelint_error tracelint_session_free(tracelint_session* session) {
    if (session == nullptr) return TRACELINT_OK;
    return guarded([&] {
        const std::shared_ptr<OpenSession> open = sessions().remove(session);
        if (open == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        open->callbacks->end();
        return tracelint_error{TRACELINT_OK};
    });
}
