// The functions of the C interface that check what arrives in pieces.
#include "tracelint/session.hpp"

#include <optional>

#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/options.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

struct OpenSession {
    std::string name;
    Session session;
    std::optional<Result> result{};  // once it is finished
    bool is_handed_out = false;
};

Handles<tracelint_session, OpenSession>& sessions() {
    static auto& sessions = *new Handles<tracelint_session, OpenSession>;  // used until the last thread ends
    return sessions;
}

// Calls `use` with the session of a handle, unless its report was handed out.
template <class Use>
tracelint_error with_session(const tracelint_session* handle, Use use) {
    return guarded([&] {
        if (handle == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        OpenSession* const open = sessions().find(handle);
        if (open == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
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
        *session = sessions().add(
            std::make_unique<OpenSession>(OpenSession{tracelint::c::name_of(nullptr, with), tracelint::Session(with)}));
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
        const tracelint_error error = tracelint::c::hand_out(open.name, std::move(*open.result), report);
        open.is_handed_out = error == TRACELINT_OK;
        return error;
    });
}

tracelint_error tracelint_session_free(tracelint_session* session) {
    if (session == nullptr) return TRACELINT_OK;
    return guarded([&] {
        if (sessions().remove(session) == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{TRACELINT_OK};
    });
}
