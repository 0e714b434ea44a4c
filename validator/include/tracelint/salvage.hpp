// Salvage: from a broken trace to one without errors, by leaving records out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tracelint/check.hpp"

namespace tracelint {

// How a salvage ended. Only the first two wrote a trace.
enum class SalvageVerdict : uint8_t {
    clean,       // the input has no error: it was copied, with its container
    salvaged,    // what was written has no error; it is not in a container
    impossible,  // nothing can be trusted, or an error remains whatever is left out
    limited,     // a limit was reached, or memory ran out, so that it is not known whether an error remains
    unreadable,  // reading failed, or the input can be read only once
    unwritable,  // the caller's function returned false or threw
    options,     // the options are wrong; nothing was read
    internal,    // a fault of tracelint
};

// A place where what was written differs from the input.
struct SalvageChange {
    enum class Kind : uint8_t { left_out, set, inserted };

    Kind kind = Kind::left_out;
    uint64_t offset = 0;           // bytes from the start of the input, decompressed
    uint64_t length = 0;           // bytes that were left out or replaced; 0: some were inserted
    uint64_t new_offset = 0;       // where that is in what was written
    uint64_t records = 0;          // that were left out
    std::string_view rule{};       // the id of the rule that is broken; empty: other changes made this one necessary
    std::vector<uint8_t> bytes{};  // that took the place; empty if they were left out
};

struct Salvaged {
    SalvageVerdict verdict = SalvageVerdict::internal;
    std::string why{};             // why no trace was written, as a sentence without a full stop; empty if one was
    std::string_view format{};     // its id; empty: not recognised
    std::string_view container{};  // "gzip" or "zstd", or empty
    uint64_t size = 0;             // bytes of the input, decompressed
    uint64_t new_size = 0;         // bytes that were written
    // Records, where something was left out; otherwise both are 0.
    uint64_t records_kept = 0, records_left_out = 0;
    std::vector<SalvageChange> changes{};  // in the order of their offsets

    bool is_written() const noexcept { return verdict <= SalvageVerdict::salvaged; }
};

// Writes the part of the input that can be trusted: passes it on to `write`, piece by piece, until that returns false.
// `write` is not called before the result is known to have no error. Of the options, `format`, `file_name`, `limits`
// and `settings` count. The source must be at its start and be able to seek, as it is read several times. Memory is
// that of a check, and of the changes.
TRACELINT_API Salvaged salvage(Source& source, const Options& options,
                               const std::function<bool(Bytes)>& write) noexcept;

// The same for bytes in memory, which must not change until the call returns.
TRACELINT_API Salvaged salvage_memory(Bytes bytes, const Options& options,
                                      const std::function<bool(Bytes)>& write) noexcept;

// The same for a file. It must not be written to before the call returns, so `write` needs another one.
TRACELINT_API Salvaged salvage_file(const std::string& path, const Options& options,
                                    const std::function<bool(Bytes)>& write) noexcept;

}  // namespace tracelint
