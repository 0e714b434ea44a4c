// How functions of the C interface fail, and how they read and write the caller's structs.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "validator/bindings/c/tracelint.h"

namespace tracelint::c {

// Keeps the detail for tracelint_error_detail() and returns the error.
tracelint_error fail(tracelint_error error, std::string_view detail = {}) noexcept;

// Fails with what is being thrown. Call in a handler.
tracelint_error fail_with_exception() noexcept;

// The boundary: no exception leaves `body`, which returns an error.
template <class Body>
tracelint_error guarded(Body body) noexcept {
    try {
        return body();
    } catch (...) {
        return fail_with_exception();
    }
}

// The sizes that a struct of the caller may have. More than the largest is taken for a size that was never set.
inline constexpr size_t kLargestStruct = 4096;

template <class Struct>
bool has_size(const Struct& of_caller) {
    return of_caller.size >= sizeof(Struct) && of_caller.size <= kLargestStruct;
}

// Whether the caller's struct, which may be of a later version, sets only members that this version knows.
template <class Struct>
bool is_known(const Struct& of_caller) {
    if (!has_size(of_caller)) return false;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&of_caller);
    return std::all_of(bytes + sizeof(Struct), bytes + of_caller.size, [](unsigned char byte) { return byte == 0; });
}

// Fills the caller's struct. Members of a later version become zero.
template <class Struct>
tracelint_error fill(Struct* of_caller, Struct value) {
    if (!has_size(*of_caller)) return fail(TRACELINT_ERROR_STRUCT_SIZE);
    value.size = of_caller->size;
    std::memset(reinterpret_cast<char*>(of_caller) + sizeof value, 0, of_caller->size - sizeof value);
    std::memcpy(of_caller, &value, sizeof value);
    return TRACELINT_OK;
}

}  // namespace tracelint::c
