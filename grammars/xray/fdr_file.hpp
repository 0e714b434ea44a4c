// XRay, section 4: what the walk through an FDR file shares with the walk through each of its buffers.
#pragma once

#include "grammars/xray/header.hpp"
#include "grammars/xray/open_calls.hpp"
#include "grammars/xray/threads.hpp"

namespace tracelint::xray {

inline constexpr uint64_t kPlausibleExtents = kMetadataSize + 1;  // bytes needed to recognise one
inline constexpr uint64_t kLeastExtents = 48;                     // bytes of NewBuffer, WallClock and NewCPUId
inline constexpr uint64_t kMostExtents = 0xffffffff;              // LLVM keeps 32 bits

// Whether the bytes begin with a plausible BufferExtents (section 4.1), which is believed where none is due.
bool is_plausible_extents(Bytes bytes, ByteOrder order);

// The open calls of a buffer, with room for more than most programs have open.
using BufferCalls = CallStack<OpenCall, 0, 1022>;

struct FdrFile {
    FdrFile(Window& from, ValidationContext& with, const HeaderFacts& facts, WalkMode how)
        : window(from),
          context(with),
          report(with.report),
          header(facts),
          mode(how),
          threads(with, how),
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
    BufferCalls calls;          // of the current buffer
    bool calls_tracked = true;  // false once the budget is spent

    uint64_t index = 0;                              // of the current record in the file
    std::array<uint64_t, 256> by_first_byte{};       // records, by their first byte
    uint64_t structural_errors = 0;                  // findings after which the walk may be out of step
    std::array<uint8_t, kPlausibleExtents> front{};  // of an event that is too long to be kept in the window
    // reported once per file
    bool reserved_reported = false;
    bool old_layout_reported = false;
    bool other_pid_reported = false;
    std::optional<int64_t> first_pid;
};

// Reports a reserved byte that is not zero, the first one of the file.
void report_reserved(FdrFile& file, const Place& place, uint8_t byte);

// Where the first reserved byte that is not zero stands in a metadata record, all 16 of which are in `bytes`; 16 if
// there is none.
template <class Record>
uint64_t nonzero_reserved(Bytes bytes) {
    uint64_t at = Record::template offset_of<"reserved">();
    while (at < kMetadataSize && bytes[at] == 0) ++at;
    return at;
}

// Checks the reserved bytes of a metadata record.
template <class Record>
void check_reserved(FdrFile& file, const Record& record, Bytes bytes) {
    if (file.reserved_reported) return;
    const uint64_t at = nonzero_reserved<Record>(bytes);
    if (at < kMetadataSize) report_reserved(file, record.template place<"reserved">(at, 1), bytes[at]);
}

// A buffer, as it is known before its records are read. Offsets are those of the file.
struct BufferFrame {
    enum class Bound : uint8_t {
        claimed,     // `end` is where its BufferExtents or the header's buffer_size says that it ends
        too_small,   // the same, but there is no room for a preamble: it is skipped
        none,        // only the end of the file bounds it
        overclaims,  // its count is beyond what can be believed, and was reported
    };
    Bound bound = Bound::none;
    uint64_t start = 0;
    uint64_t end = kNone;
    bool is_first = false;  // of the file; version 1 only
    Place extents{};        // the field that claims its end; no record where none does
};

// How the walk through a buffer ended.
struct BufferResult {
    enum class How : uint8_t {
        ended,                    // where it should
        ended_with_bad_preamble,  // the same, but its preamble was reported
        met_extents,              // at the BufferExtents of the next buffer
        left,                     // at a record that cannot stand there
        left_at_once,             // the same, at the first record of a buffer other than the first: version 1 only
        cut,                      // the file ends before the buffer does
        file_ended,               // with the file, which needs no further report
    };
    How how;
    uint64_t at;  // where it stopped
};

// Walks the records of one buffer.
BufferResult walk_buffer(FdrFile& file, const BufferFrame& frame);

extern const RuleList kBufferWalkRules, kBufferCallRules, kBufferFieldRules;

}  // namespace tracelint::xray
