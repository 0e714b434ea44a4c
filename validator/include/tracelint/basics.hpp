// The types that every other header of tracelint uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Marks what the shared library exports.
#if defined(__GNUC__)
#define TRACELINT_API __attribute__((visibility("default")))
#else
#define TRACELINT_API
#endif

namespace tracelint {

using std::size_t;
using std::uint64_t;
using std::uint8_t;

using Bytes = std::span<const uint8_t>;

// Means "unknown", "absent" or "no limit", as each use says.
inline constexpr uint64_t kNone = ~uint64_t{0};

enum class ByteOrder : uint8_t { little, big };

// error: a requirement of the format is violated, or a real reader fails on the file or misreads it.
// warning: today's readers cope, but the writer is at fault or the file is at risk.
// note: worth knowing; files from healthy producers have them.
enum class Severity : uint8_t { note, warning, error };

// "note", "warning" or "error".
TRACELINT_API std::string_view to_string(Severity severity) noexcept;

// What a file states about itself. Empty if the format does not have it or the check did not reach it.
struct Identity {
    std::optional<uint64_t> format_version{};
    std::optional<ByteOrder> byte_order{};
    std::optional<unsigned> word_size{};  // bytes
};

// What a check may use.
struct Limits {
    // Bytes of the largest record that is read as a whole. Only the structure of a larger one is checked. More than
    // 64 MiB is rarely useful.
    uint64_t record = uint64_t{64} << 20;
    // Bytes of everything that grows with a file; up to 4 MiB are allocated in addition. A limit that is hit leaves
    // findings out, and a */tracking-limit note says so.
    uint64_t memory = uint64_t{512} << 20;
};

// The version of the library, "0.2.0".
TRACELINT_API std::string_view version() noexcept;

}  // namespace tracelint
