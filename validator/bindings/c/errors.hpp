// How functions of the C interface fail, and how they read and write the caller's structs.
#pragma once

#include <algorithm>
#include <cstddef>
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

// The size of a struct in the first release that had it: what the oldest programs pass. It never changes, whatever
// members are added.
template <class Struct>
inline constexpr size_t kFirstSize = 0;
template <>
inline constexpr size_t kFirstSize<tracelint_options> = offsetof(tracelint_options, max_per_rule) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstSize<tracelint_source> = offsetof(tracelint_source, total) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstSize<tracelint_summary> = offsetof(tracelint_summary, rule_count) + sizeof(size_t);
template <>
inline constexpr size_t kFirstSize<tracelint_finding> = offsetof(tracelint_finding, related_length) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstSize<tracelint_count> = offsetof(tracelint_count, number) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstSize<tracelint_rule> = offsetof(tracelint_rule, milder_when) + sizeof(const char*);
template <>
inline constexpr size_t kFirstSize<tracelint_reader> = offsetof(tracelint_reader, sentence) + sizeof(const char*);
template <>
inline constexpr size_t kFirstSize<tracelint_sink> = offsetof(tracelint_sink, write) + sizeof(void*);
template <>
inline constexpr size_t kFirstSize<tracelint_salvage_summary> =
    offsetof(tracelint_salvage_summary, change_count) + sizeof(size_t);
template <>
inline constexpr size_t kFirstSize<tracelint_change> = offsetof(tracelint_change, bytes) + sizeof(const void*);
template <>
inline constexpr size_t kFirstSize<tracelint_format> = offsetof(tracelint_format, title) + sizeof(const char*);

// A larger size is treated as one that was never set.
inline constexpr size_t kLargestStruct = 4096;

// The size that the caller's struct says it has, which may be that of an earlier or a later version; 0: no version's.
template <class Struct>
size_t size_of(const Struct* of_caller) {
    static_assert(kFirstSize<Struct> > 0 && kFirstSize<Struct> <= sizeof(Struct));
    static_assert(offsetof(Struct, size) == 0);
    size_t size = 0;
    std::memcpy(&size, of_caller, sizeof size);
    const bool is_possible = size >= kFirstSize<Struct> && size <= kLargestStruct && size % alignof(Struct) == 0;
    return is_possible ? size : 0;
}

// Copies the caller's struct. Members that an earlier version does not have are zero in `own`; one of a later version
// must be zero, since this one does not know what it asks for.
template <class Struct>
bool take(const Struct* of_caller, Struct& own) {
    const size_t size = size_of(of_caller), known = std::min(size, sizeof own);
    if (size == 0) return false;
    const auto* bytes = reinterpret_cast<const unsigned char*>(of_caller);
    if (!std::all_of(bytes + known, bytes + size, [](unsigned char byte) { return byte == 0; })) return false;
    own = {};
    std::memcpy(&own, of_caller, known);
    own.size = sizeof own;
    return true;
}

// Fills the caller's struct, as far as its version knows the members. Those of a later version become zero.
template <class Struct>
tracelint_error fill(Struct* of_caller, Struct value) {
    const size_t size = size_of(of_caller), known = std::min(size, sizeof value);
    if (size == 0) return fail(TRACELINT_ERROR_STRUCT_SIZE);
    value.size = size;
    std::memcpy(of_caller, &value, known);
    std::memset(reinterpret_cast<char*>(of_caller) + known, 0, size - known);
    return TRACELINT_OK;
}

}  // namespace tracelint::c
