// jitdump: UNWINDING_INFO records, and the code that their data cover.
#pragma once

#include <optional>

#include "grammars/jitdump/checks/state.hpp"

namespace tracelint::jitdump {

// The addresses that unwinding data cover, compared with the code that they are for (sections 3.7.2, 3.7.4 and 5.5).

// An address in unwinding data: absolute, or in bytes from the start of the data (modulo 2^64). Where the data stand
// is known with the LOAD only.
struct UnwindingAddress {
    uint64_t value = 0;
    bool is_absolute = false;
};

// What is remembered of an UNWINDING_INFO until its LOAD arrives. It does not grow with the data.
class UnwindingRange {
  public:
    // An FDE starts at byte `fde` of the .eh_frame, and covers `length` bytes from `start` on.
    void add_fde(uint64_t fde, UnwindingAddress start, uint64_t length, const Place& start_place,
                 const Place& length_place);
    // The FDE at byte `fde` of the .eh_frame starts at `start`, but the table says `table_start`. Neither is absolute.
    void add_mismatch(uint64_t fde, uint64_t start, uint64_t table_start, const Place& place);
    // Compares with the code of the LOAD.
    void check(State& state, uint64_t code_addr, uint64_t code_size) const;

  private:
    // The lowest start and the highest end. A bound that is not absolute has 2^63 added, so that bounds can be
    // compared.
    struct Bounds {
        uint64_t start = kNone, end = 0;
        uint64_t first_fde = 0;
        Place start_place, length_place;
    };
    struct Mismatch {
        uint64_t fde = 0, start = 0, table_start = 0;
        Place place;
    };
    Bounds bounds_;
    bool has_absolute_ = false, has_relative_ = false;
    Mismatch mismatch_;
    bool has_mismatch_ = false;
};

extern const RuleList kUnwindingRules;

// The bytes of unwinding data, and the numbers and pointers in them (sections 3.7.1 and 3.7.2).

// A pointer encoding: 0xff, or a format (bits 0 to 3) with an application (bits 4 to 6) and "indirect" (bit 7).
inline constexpr uint8_t kOmitted = 0xff;
inline constexpr uint8_t kAbsolute = 0x00, kPcRelative = 0x10;  // applications

bool is_known_encoding(uint8_t encoding);
constexpr uint8_t format_of(uint8_t encoding) { return encoding & 0x0f; }
// The application, with the bit for "indirect".
constexpr uint8_t application_of(uint8_t encoding) { return encoding & 0xf0; }

struct EncodedNumber {
    uint64_t value = 0;  // sign-extended if the format is signed
    bool is_negative = false;
    bool is_overlong = false;  // a LEB128 number of more than ten bytes or 64 bits; its value is unknown
};

// Reads one value after the other. What does not fit into the bytes left is an empty result.
class UnwindingReader {
  public:
    // `pointer_width`: bytes of an absolute pointer.
    UnwindingReader(Bytes bytes, ByteOrder order, unsigned pointer_width)
        : bytes_(bytes), order_(order), pointer_width_(pointer_width) {}
    UnwindingReader(Bytes bytes, const State& state) : UnwindingReader(bytes, state.order, state.pointer_width) {}

    uint64_t at() const { return at_; }  // bytes read so far
    uint64_t left() const { return bytes_.size() - at_; }

    std::optional<uint8_t> byte();
    std::optional<EncodedNumber> leb128(bool is_signed);
    // A value with this encoding, which is known and not kOmitted. It is read by its format and not applied.
    std::optional<EncodedNumber> number(uint8_t encoding);
    // The bytes before the next NUL, which is passed over.
    std::optional<Bytes> text();
    bool skip(uint64_t count);
    // Whether `count` values fit into the bytes left.
    bool holds(uint64_t count, uint8_t encoding);

  private:
    // In bytes; 0 for LEB128.
    unsigned width_of(uint8_t encoding) const;

    Bytes bytes_;
    uint64_t at_ = 0;
    ByteOrder order_;
    unsigned pointer_width_;
};

// The data of one record and the places of its parts, in bytes from the start of the data.
struct UnwindingData {
    State& state;
    const View<kUnwindingInfo>& info;
    Bytes bytes;
    uint64_t header_at, header_size;  // of the .eh_frame_hdr
    uint64_t frame_at, frame_size;    // of the .eh_frame

    Bytes header() const { return bytes.subspan(header_at, header_size); }
    Bytes frame() const { return bytes.subspan(frame_at, frame_size); }
    // perf puts the image of the function together so that the .eh_frame follows the code. Only then do addresses that
    // are relative to the data mean anything.
    bool is_laid_out_for_perf() const { return frame_at == 0; }
    // Whether values of this encoding have a size that is known: a machine may exist in two widths (section 3.1.1).
    bool knows_width_of(uint8_t encoding) const {
        return encoding == kOmitted || format_of(encoding) != 0 || state.pointer_width == 8;
    }

    Place header_place(uint64_t at, uint64_t length) const { return place(header_at + at, length); }
    Place frame_place(uint64_t at, uint64_t length) const { return place(frame_at + at, length); }

  private:
    Place place(uint64_t at, uint64_t length) const {
        return info.place<"data">(View<kUnwindingInfo>::offset_of<"data">() + at, length);
    }
};

// UNWINDING_INFO and the LOAD that it waits for (sections 3.7, 4.5 and 5.5).

// The UNWINDING_INFO that waits for a LOAD. There is at most one.
class PendingUnwinding {
  public:
    // A record arrives. `mapped`: its mapped_size in bytes, or 0 if that is not plausible. `range`: of its FDEs.
    void replace(State& state, const View<kUnwindingInfo>& record, uint64_t mapped, const UnwindingRange& range);
    // Compares code and mapped data with other live code. Call it when the LOAD has entered its own range.
    void check_extent(State& state, const View<kLoad>& load, uint32_t pid, uint64_t address, uint64_t size) const;
    // Compares the FDEs with the code of the LOAD.
    void check_range(State& state, uint64_t address, uint64_t size) const;
    bool waits() const { return waits_; }
    // Its LOAD has arrived.
    void drop() { waits_ = false; }
    // At CLOSE and at the end of the file: reports the record that still waits.
    void end(State& state);

  private:
    Place place_;
    uint64_t mapped_ = 0;
    UnwindingRange range_;
    bool waits_ = false;
};

// `record`: the whole record, or its first bytes if it exceeds the record limit.
void check_unwinding(State& state, Bytes record, uint64_t offset, uint64_t index, uint64_t total_size,
                     PendingUnwinding& pending);

}  // namespace tracelint::jitdump
