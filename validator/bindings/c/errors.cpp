// Errors, and the words for them; the library's version.
#include "validator/bindings/c/errors.hpp"

#include <array>
#include <exception>
#include <new>

namespace tracelint::c {
namespace {

constexpr size_t kLongestDetail = 255;
thread_local std::array<char, kLongestDetail + 1> last_detail{};

}  // namespace

tracelint_error fail(tracelint_error error, std::string_view detail) noexcept {
    const size_t length = std::min(detail.size(), kLongestDetail);
    std::copy_n(detail.begin(), length, last_detail.begin());
    last_detail[length] = '\0';
    return error;
}

tracelint_error fail_with_exception() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return fail(TRACELINT_ERROR_OUT_OF_MEMORY);
    } catch (const std::exception& exception) {
        return fail(TRACELINT_ERROR_INTERNAL, exception.what());
    } catch (...) {
        return fail(TRACELINT_ERROR_INTERNAL);
    }
}

}  // namespace tracelint::c

const char* tracelint_version() { return TRACELINT_VERSION; }
uint32_t tracelint_abi() { return TRACELINT_ABI; }

const char* tracelint_error_string(tracelint_error error) {
    switch (error) {
        case TRACELINT_OK: return "no error";
        case TRACELINT_ERROR_NULL_ARGUMENT: return "an argument is null that must not be";
        case TRACELINT_ERROR_STRUCT_SIZE: return "a struct has a size or members that this version does not know";
        case TRACELINT_ERROR_INVALID_OPTION: return "an option has an invalid value";
        case TRACELINT_ERROR_INVALID_HANDLE: return "a handle was freed or is of another kind";
        case TRACELINT_ERROR_WRONG_ORDER: return "the session is finished or in use";
        case TRACELINT_ERROR_OUT_OF_RANGE: return "there is no element of this index";
        case TRACELINT_ERROR_NOT_FOUND: return "there is no rule of this id";
        case TRACELINT_ERROR_OUT_OF_MEMORY: return "out of memory";
        case TRACELINT_ERROR_NO_THREAD: return "the system gives no thread";
        case TRACELINT_ERROR_INTERNAL: return "internal error";
        default: return "unknown error";
    }
}

const char* tracelint_error_detail() { return tracelint::c::last_detail.data(); }

const char* tracelint_severity_string(tracelint_severity severity) {
    switch (severity) {
        case TRACELINT_NOTE: return "note";
        case TRACELINT_WARNING: return "warning";
        case TRACELINT_ERROR: return "error";
        case TRACELINT_OFF: return "off";
        default: return "";
    }
}

const char* tracelint_verdict_string(tracelint_verdict verdict) {
    switch (verdict) {
        case TRACELINT_CLEAN: return "clean";
        case TRACELINT_HAS_NOTES: return "note";
        case TRACELINT_HAS_WARNINGS: return "warning";
        case TRACELINT_HAS_ERRORS: return "error";
        case TRACELINT_UNREADABLE: return "unreadable";
        default: return "";
    }
}
