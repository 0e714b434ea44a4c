// xray, section 4: what the walk through a flight data recorder file remembers across its buffers.
#pragma once

#include "grammars/xray/calls.hpp"
#include "grammars/xray/header.hpp"
#include "grammars/xray/threads.hpp"

namespace tracelint::xray {

// Whether the bytes begin with a BufferExtents that can be believed where none is due (4.1 "plausible").
bool is_plausible_extents(Bytes bytes, ByteOrder order);
inline constexpr uint64_t kPlausibleExtents = kMetadataSize + 1;  // bytes that it takes to tell
inline constexpr uint64_t kLeastExtents = 48;                     // NewBuffer, WallClock, NewCPUId
inline constexpr uint64_t kMostExtents = 0xffffffff;              // LLVM keeps 32 bits

struct FdrFile {
    FdrFile(Window& from, ValidationContext& with, const HeaderFacts& facts, WalkMode how)
        : window(from),
          context(with),
          report(with.report),
          header(facts),
          mode(how),
          threads(with),
          open_calls(with.budget, with.work) {}
    FdrFile(const FdrFile&) = delete;
    FdrFile& operator=(const FdrFile&) = delete;
    ~FdrFile() { calls.clear(open_calls); }

    Window& window;
    ValidationContext& context;
    Report& report;
    const HeaderFacts header;
    const WalkMode mode;
    Threads threads;
    OpenCalls open_calls;
    CallStack<OpenCall> calls;  // of the buffer at hand
    bool calls_tracked = true;  // false once the budget is spent

    uint64_t index = 0;                         // of the record at hand
    std::array<uint64_t, 256> by_first_byte{};  // records, by their first byte
    uint64_t structural_errors = 0;
    std::array<uint8_t, kPlausibleExtents> front{};  // of an event too long to be kept in hand
    // said once in a file
    bool reserved_said = false;
    bool old_layout_said = false;
    bool other_pid_said = false;
    std::optional<int64_t> first_pid;
};

// Rule 45, once in a file.
void report_reserved(FdrFile& file, const Place& place, uint8_t byte);

// A buffer before the walk goes into it.
struct BufferFrame {
    enum class Bound : uint8_t {
        claimed,     // ends at `end`
        none,        // nothing tells its end: the file's end is as good as any
        overclaims,  // its count says nothing, and that was reported
    };
    Bound bound = Bound::none;
    uint64_t start = 0;
    uint64_t end = kNone;
    bool is_first = false;  // of the file
    Place extents{};        // the count that tells its end, where one does
};

// How the walk left it.
struct BufferResult {
    enum class How : uint8_t {
        ended,          // as it should
        ended_quietly,  // and its preamble was at fault
        met_extents,    // at the beginning of the next buffer
        left,           // at a record that cannot stand there
        left_at_once,   // and that is the first one of a buffer behind the first: version 1 only
        cut,            // by the end of the file
        file_ended,     // and nothing is to be said about it
    };
    How how;
    uint64_t at;  // of the record; behind the last one where it ended
};

// Walks the records of a buffer.
using WalkBuffer = BufferResult (*)(FdrFile& file, const BufferFrame& frame);
// For the version and byte order of a file.
WalkBuffer buffer_walk(const HeaderFacts& header);

}  // namespace tracelint::xray
