// jitdump: an .eh_frame, entry by entry, with the instructions of each (section 3.7.2).
#include "grammars/jitdump/checks/eh_frame.hpp"

#include <array>

#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {

// The entries of an .eh_frame: CIEs and FDEs (section 3.7.2).

namespace {

constexpr uint64_t kSlotSize = 8;    // bytes of a frame
constexpr uint64_t kLengthSize = 4;  // of a length, and of an id
constexpr uint64_t kWideLength = 0xffffffff;
constexpr uint64_t kWideLengthSize = 12;  // with the mark before it

}  // namespace

bool FrameIndex::reserve(uint64_t frame_size) {
    const uint64_t slots = frame_size / kSlotSize;  // no entry begins in the last 7 bytes
    if (!budget_.take(slots * sizeof(Slot))) return false;
    slots_.resize(slots);
    return true;
}

void FrameIndex::add(uint64_t at, const IndexedEntry& entry) {
    Slot& slot = slots_[at / kSlotSize];
    slot.kind = static_cast<uint8_t>(entry.kind) & 3;
    slot.is_readable = entry.is_readable;
    slot.has_sized_data = entry.has_sized_data;
    slot.offset = at % kSlotSize & 7;
    slot.pointer_encoding = entry.pointer_encoding;
}

IndexedEntry FrameIndex::at(uint64_t at) const {
    if (at / kSlotSize >= slots_.size()) return {};
    const Slot& slot = slots_[at / kSlotSize];
    if (slot.offset != at % kSlotSize) return {};
    return {.kind = static_cast<IndexedEntry::Kind>(slot.kind),
            .is_readable = slot.is_readable != 0,
            .has_sized_data = slot.has_sized_data != 0,
            .pointer_encoding = slot.pointer_encoding};
}

namespace {

constexpr Rule kEhFrameLength{
    .id = "jitdump/eh-frame-length",
    .severity = Severity::warning,
    .statement = "the entries of the .eh_frame fill it exactly",
    .message = "no complete entry at byte {0} of the .eh_frame, where {1 byte is|bytes are} left",
    .why = "the unwinder runs into unrelated bytes",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0",
};

constexpr Rule kEhFrameCiePointer{
    .id = "jitdump/eh-frame-cie-pointer",
    .severity = Severity::warning,
    .statement = "an FDE refers to an earlier CIE of its .eh_frame",
    .message = "the FDE at byte {0} of the .eh_frame places its CIE {1 byte|bytes} back, but none begins there",
    .why = "the unwinder cannot interpret the entry, and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0",
};

constexpr Rule kEhFrameEntryOverrun{
    .id = "jitdump/eh-frame-entry-overrun",
    .severity = Severity::warning,
    .statement = "the fields of a CIE or FDE fit into it",
    .message = "the fields of the entry at byte {0} of the .eh_frame take more than its {1 byte|bytes}",
    .why = "unwinders reject the entry or read the next one as a part of it, and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
};

constexpr Rule kEhFrameCieVersion{
    .id = "jitdump/eh-frame-cie-version",
    .severity = Severity::warning,
    .statement = "the version of a CIE is 1 or 3",
    .message = "the CIE at byte {0} of the .eh_frame has version {1}; expected 1 or 3",
    .why =
        "libunwind and elfutils reject other versions or disagree about their fields, "
        "and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
};

constexpr Rule kEhFrameCieAugmentation{
    .id = "jitdump/eh-frame-cie-augmentation",
    .severity = Severity::warning,
    .statement = "the augmentation of a CIE is empty, or a z and then known letters",
    .message = "the augmentation of the CIE at byte {0} of the .eh_frame has the unknown letter {1x} at byte {2}",
    .why =
        "unwinders reject the CIE or miss how the pointers of its FDEs are encoded, and stacks end at this "
        "function",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
};

constexpr Rule kEhFramePointerEncoding{
    .id = "jitdump/eh-frame-pointer-encoding",
    .severity = Severity::warning,
    .statement = "a CIE names pointer encodings that unwinders can resolve",
    .message = "the CIE at byte {0} of the .eh_frame has the pointer encoding {1x}, which unwinders cannot resolve",
    .why = "libunwind and elfutils find no code for its FDEs, and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
};

// Whether unwinders find the code of an FDE whose pointers have this encoding.
bool is_resolvable(uint8_t encoding) {
    const uint8_t application = application_of(encoding);
    return encoding != kOmitted && is_known_encoding(encoding) &&
           (application == kAbsolute || application == kPcRelative);
}

// The address that a pointer at byte `at` of an .eh_frame before its header stands for.
UnwindingAddress address_of(uint64_t at, uint64_t value, uint8_t encoding) {
    if (application_of(encoding) == kAbsolute) return {value, true};
    return {at + value, false};
}

// Walks over the entries.
class FrameWalk {
  public:
    FrameWalk(const UnwindingData& data, FrameIndex& index)
        : data_(data), state_(data.state), frame_(data.frame()), index_(index) {}

    FrameFacts run() {
        while (next()) {
        }
        return facts_;
    }

  private:
    // Checks one entry. Whether another one may follow.
    bool next() {
        const uint64_t left = frame_.size() - cursor_;
        if (left < kLengthSize) {
            if (!all_zero(frame_.subspan(cursor_))) bad_length(left, "they are neither a length nor padding");
            return false;
        }
        uint64_t length = load(&frame_[cursor_], 4, state_.order);
        if (length == 0) return false;  // the terminator
        uint64_t id_at = cursor_ + kLengthSize;
        if (length == kWideLength) {
            if (left < kWideLengthSize) return bad_length(4, "ffffffff announces a 64-bit length, which is missing");
            length = load(&frame_[id_at], 8, state_.order);
            id_at = cursor_ + kWideLengthSize;
        }
        if (length < kLengthSize) return bad_length(4, "the length includes the 4-byte id, so it is at least 4");
        if (length > frame_.size() - id_at)
            return bad_length(4, "the entry would extend past the end of the .eh_frame");
        state_.context.work.add(1);
        check_entry(id_at, id_at + length);
        cursor_ = id_at + length;
        return true;
    }

    // The length of the entry at the cursor, or what is left instead, is `bytes` long.
    bool bad_length(uint64_t bytes, std::string_view cause) {
        facts_.is_readable = false;
        state_.report.add({.rule = &kEhFrameLength,
                           .place = data_.frame_place(cursor_, bytes),
                           .numbers = {cursor_, frame_.size() - cursor_},
                           .hint = cause});
        return false;
    }

    void check_entry(uint64_t id_at, uint64_t end) {
        const uint64_t id = load(&frame_[id_at], 4, state_.order);
        body_at_ = id_at + kLengthSize;
        end_ = end;
        UnwindingReader reader(frame_.subspan(body_at_, end - body_at_), state_);
        if (id != 0) return check_fde(reader, id_at, id);
        if (index_.is_empty() && has_memory_) {
            has_memory_ = index_.reserve(frame_.size());
            if (!has_memory_) state_.leave_unchecked(data_.info.whole(fixed_size(kPrefix)));
        }
        IndexedEntry cie{.kind = IndexedEntry::Kind::cie};
        cie.is_readable = read_cie(reader, cie);
        if (has_memory_) index_.add(cursor_, cie);
        facts_.is_readable &= cie.is_readable && has_memory_;
    }

    // Without memory for the CIEs, the FDEs are not checked.
    void check_fde(UnwindingReader& reader, uint64_t id_at, uint64_t id) {
        ++facts_.fdes;
        const IndexedEntry cie = index_.at(id_at - id);  // wraps around if it points before the .eh_frame
        if (has_memory_ && cie.kind != IndexedEntry::Kind::cie)
            state_.report.add<kEhFrameCiePointer>(data_.frame_place(id_at, 4), {cursor_, id});
        IndexedEntry fde{.kind = IndexedEntry::Kind::fde, .pointer_encoding = cie.pointer_encoding};
        if (cie.kind == IndexedEntry::Kind::cie && cie.is_readable) fde.is_readable = read_fde(reader, cie);
        if (!index_.is_empty()) index_.add(cursor_, fde);
        facts_.is_readable &= fde.is_readable;
    }

    bool overrun() {
        state_.report.add<kEhFrameEntryOverrun>(data_.frame_place(cursor_, end_ - cursor_), {cursor_, end_ - cursor_});
        return false;
    }

    // False if the FDEs of the CIE cannot be read. A fault is reported.
    bool read_cie(UnwindingReader& reader, IndexedEntry& cie) {
        const std::optional<uint8_t> version = reader.byte();
        if (!version) return overrun();
        if (*version != 1 && *version != 3) {
            state_.report.add<kEhFrameCieVersion>(data_.frame_place(body_at_, 1), {cursor_, *version});
            return false;
        }
        const std::optional<Bytes> augmentation = reader.text();
        if (!augmentation) return overrun();
        const bool has_fields = reader.leb128(false) && reader.leb128(true) &&  // alignment of code and data
                                (*version == 1 ? reader.skip(1) : reader.leb128(false).has_value());  // return address
        if (!has_fields) return overrun();
        if (!augmentation->empty() && !read_augmentation(reader, *augmentation, cie)) return false;
        if (!data_.knows_width_of(cie.pointer_encoding)) return false;
        check_instructions(data_, body_at_ + reader.at(), reader.left(), cie.pointer_encoding);
        return true;
    }

    // Reads the augmentation data. False if they cannot be read, which is reported.
    bool read_augmentation(UnwindingReader& reader, Bytes letters, IndexedEntry& cie) {
        if (letters[0] != 'z') return unknown_letter(letters, 0);
        cie.has_sized_data = true;
        const std::optional<EncodedNumber> size = reader.leb128(false);
        if (!size || size->is_overlong || size->value > reader.left()) return overrun();
        const uint64_t data_at = body_at_ + reader.at();
        UnwindingReader fields(frame_.subspan(data_at, size->value), state_);
        reader.skip(size->value);
        for (uint64_t i = 1; i < letters.size(); ++i) {
            if (letters[i] == 'S' || letters[i] == 'B' || letters[i] == 'G') continue;  // without data
            if (letters[i] != 'L' && letters[i] != 'P' && letters[i] != 'R') return unknown_letter(letters, i);
            const std::optional<uint8_t> encoding = fields.byte();
            if (!encoding) return overrun();
            if (letters[i] == 'R' ? !is_resolvable(*encoding) : !is_known_encoding(*encoding)) {
                state_.report.add<kEhFramePointerEncoding>(data_.frame_place(data_at + fields.at() - 1, 1),
                                                           {cursor_, *encoding});
                return false;
            }
            if (letters[i] == 'R') cie.pointer_encoding = *encoding;
            if (letters[i] != 'P' || *encoding == kOmitted) continue;
            if (!data_.knows_width_of(*encoding)) return false;
            if (!fields.number(*encoding)) return overrun();
        }
        return true;
    }

    bool unknown_letter(Bytes letters, uint64_t number) {
        state_.report.add<kEhFrameCieAugmentation>(data_.frame_place(body_at_ + 1 + number, 1),
                                                   {cursor_, letters[number], number});
        return false;
    }

    // False if the FDE cannot be read, which is reported.
    bool read_fde(UnwindingReader& reader, const IndexedEntry& cie) {
        const uint64_t start_at = body_at_;
        const std::optional<EncodedNumber> start = reader.number(cie.pointer_encoding);
        const uint64_t length_at = body_at_ + reader.at();
        const std::optional<EncodedNumber> length = reader.number(format_of(cie.pointer_encoding));
        const uint64_t length_end = body_at_ + reader.at();
        if (!start || !length || start->is_overlong || length->is_overlong) return overrun();
        if (cie.has_sized_data) {
            const std::optional<EncodedNumber> size = reader.leb128(false);
            if (!size || size->is_overlong || !reader.skip(size->value)) return overrun();
        }
        if (data_.is_laid_out_for_perf())
            facts_.range.add_fde(cursor_, address_of(start_at, start->value, cie.pointer_encoding), length->value,
                                 data_.frame_place(start_at, length_at - start_at),
                                 data_.frame_place(length_at, length_end - length_at));
        check_instructions(data_, body_at_ + reader.at(), reader.left(), cie.pointer_encoding);
        return true;
    }

    const UnwindingData& data_;
    State& state_;
    Bytes frame_;
    FrameIndex& index_;
    FrameFacts facts_;
    uint64_t cursor_ = 0;             // start of the current entry
    uint64_t body_at_ = 0, end_ = 0;  // of the current entry: after its id, and its end
    bool has_memory_ = true;
};

}  // namespace

FrameFacts check_entries(const UnwindingData& data, FrameIndex& index) { return FrameWalk(data, index).run(); }

UnwindingAddress start_of(const UnwindingData& data, uint64_t at, const IndexedEntry& fde) {
    const Bytes frame = data.frame();
    const bool is_wide = load(&frame[at], 4, data.state.order) == kWideLength;
    const uint64_t start_at = at + (is_wide ? kWideLengthSize : kLengthSize) + kLengthSize;
    UnwindingReader reader(frame.subspan(start_at), data.state);
    const std::optional<EncodedNumber> start = reader.number(fde.pointer_encoding);
    return address_of(start_at, start ? start->value : 0, fde.pointer_encoding);
}

// The call frame instructions of a CIE or FDE (section 3.7.3).

namespace {

enum class Operand : uint8_t { none, byte, two_bytes, four_bytes, eight_bytes, leb128, block, address };

struct Instruction {
    bool is_known = false;
    Operand first = Operand::none, second = Operand::none;
};

// The instructions by opcode, where its two high bits are 0. Signed and unsigned LEB128 numbers end alike.
constexpr std::array<Instruction, 64> kInstructions = [] {
    using enum Operand;
    std::array<Instruction, 64> table{};
    table[0x00] = {true};                  // nop
    table[0x01] = {true, address};         // set_loc
    table[0x02] = {true, byte};            // advance_loc1
    table[0x03] = {true, two_bytes};       // advance_loc2
    table[0x04] = {true, four_bytes};      // advance_loc4
    table[0x05] = {true, leb128, leb128};  // offset_extended
    table[0x06] = {true, leb128};          // restore_extended
    table[0x07] = {true, leb128};          // undefined
    table[0x08] = {true, leb128};          // same_value
    table[0x09] = {true, leb128, leb128};  // register
    table[0x0a] = {true};                  // remember_state
    table[0x0b] = {true};                  // restore_state
    table[0x0c] = {true, leb128, leb128};  // def_cfa
    table[0x0d] = {true, leb128};          // def_cfa_register
    table[0x0e] = {true, leb128};          // def_cfa_offset
    table[0x0f] = {true, block};           // def_cfa_expression
    table[0x10] = {true, leb128, block};   // expression
    table[0x11] = {true, leb128, leb128};  // offset_extended_sf
    table[0x12] = {true, leb128, leb128};  // def_cfa_sf
    table[0x13] = {true, leb128};          // def_cfa_offset_sf
    table[0x14] = {true, leb128, leb128};  // val_offset
    table[0x15] = {true, leb128, leb128};  // val_offset_sf
    table[0x16] = {true, leb128, block};   // val_expression
    table[0x1d] = {true, eight_bytes};     // MIPS_advance_loc8
    table[0x2c] = {true};                  // AARCH64_negate_ra_state_with_pc
    table[0x2d] = {true};                  // GNU_window_save, AARCH64_negate_ra_state
    table[0x2e] = {true, leb128};          // GNU_args_size
    table[0x2f] = {true, leb128, leb128};  // GNU_negative_offset_extended
    return table;
}();

// The two high bits of an opcode may select one of three instructions with an operand in the other six.
Instruction instruction_of(uint8_t opcode) {
    switch (opcode >> 6) {
        case 0: return kInstructions[opcode];
        case 2: return {true, Operand::leb128};  // offset
        default: return {true};                  // advance_loc, restore
    }
}

// Whether the operand ends in the entry.
bool pass_over(UnwindingReader& reader, Operand operand, uint8_t pointer_encoding) {
    switch (operand) {
        case Operand::none: return true;
        case Operand::byte: return reader.skip(1);
        case Operand::two_bytes: return reader.skip(2);
        case Operand::four_bytes: return reader.skip(4);
        case Operand::eight_bytes: return reader.skip(8);
        case Operand::leb128: return reader.leb128(false).has_value();
        case Operand::address: return reader.number(pointer_encoding).has_value();
        case Operand::block: break;
    }
    const std::optional<EncodedNumber> length = reader.leb128(false);
    return length && !length->is_overlong && reader.skip(length->value);
}

constexpr Rule kEhFrameInstruction{
    .id = "jitdump/eh-frame-instruction",
    .severity = Severity::warning,
    .statement = "CIEs and FDEs consist of known call frame instructions",
    .message = "opcode {1x} at byte {0} of the .eh_frame is not a known call frame instruction",
    .why = "elfutils and libunwind reject the FDE, so stacks end at this function",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

constexpr Rule kEhFrameInstructionOverrun{
    .id = "jitdump/eh-frame-instruction-overrun",
    .severity = Severity::warning,
    .statement = "the operands of a call frame instruction end in its CIE or FDE",
    .message = "the operands of opcode {1x} at byte {0} of the .eh_frame reach beyond the end of the entry",
    .why = "unwinders read the next entry as operands, or reject the FDE, so stacks through this function are wrong",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

constexpr Rule kEhFrameRestoreState{
    .id = "jitdump/eh-frame-restore-state",
    .severity = Severity::warning,
    .statement = "each restore_state has its own remember_state before it in the same CIE or FDE",
    .message = "restore_state at byte {0} of the .eh_frame has no remember_state left to restore",
    .why = "elfutils and libunwind reject the FDE when they reach it, so stacks end at this function",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

// The states that were remembered and not restored yet.
class RememberedStates {
  public:
    // False: the instruction restores a state, but none is remembered.
    bool follow(uint8_t opcode) {
        if (opcode == kRememberState) ++states_;
        if (opcode != kRestoreState) return true;
        return states_ != 0 && states_-- != 0;
    }

  private:
    static constexpr uint8_t kRememberState = 0x0a, kRestoreState = 0x0b;
    uint64_t states_ = 0;
};

}  // namespace

void check_instructions(const UnwindingData& data, uint64_t at, uint64_t size, uint8_t pointer_encoding) {
    UnwindingReader reader(data.frame().subspan(at, size), data.state);
    data.state.context.work.add(size);
    RememberedStates remembered;
    while (reader.left() > 0) {
        const uint64_t start = reader.at();
        const uint8_t opcode = *reader.byte();
        const Instruction instruction = instruction_of(opcode);
        if (!instruction.is_known)
            return data.state.report.add<kEhFrameInstruction>(data.frame_place(at + start, 1), {at + start, opcode});
        if (!pass_over(reader, instruction.first, pointer_encoding) ||
            !pass_over(reader, instruction.second, pointer_encoding))
            return data.state.report.add<kEhFrameInstructionOverrun>(data.frame_place(at + start, size - start),
                                                                     {at + start, opcode});
        if (!remembered.follow(opcode))
            return data.state.report.add<kEhFrameRestoreState>(data.frame_place(at + start, 1), {at + start});
    }
}

// Finds .eh_frame_hdr and .eh_frame in unwinding data and checks them (sections 3.7 and 3.7.1).

namespace {

constexpr uint64_t kEncodings = 4;  // bytes: the version and three encodings

// Bytes that may be the start of the header.
struct Candidate {
    bool has_version = false;       // 1
    uint64_t unknown_encoding = 0;  // offset of the first one; 0: all are known
    bool valid() const { return has_version && unknown_encoding == 0; }
};

Candidate candidate_at(Bytes header) {
    Candidate candidate;
    candidate.has_version = header[0] == 1;
    for (uint64_t i = kEncodings - 1; i > 0; --i)
        if (!is_known_encoding(header[i])) candidate.unknown_encoding = i;
    return candidate;
}

// Whether version, encodings, pointer, count and table fit into the header.
bool header_fits(const UnwindingData& data) {
    const Bytes header = data.header();
    UnwindingReader reader(header, data.state);
    reader.skip(kEncodings);
    const uint8_t pointer = header[1], count = header[2], table = header[3];
    if (pointer != kOmitted && !reader.number(pointer)) return false;
    if (count == kOmitted) return true;
    const std::optional<EncodedNumber> entries = reader.number(count);
    if (!entries || entries->is_negative || entries->is_overlong) return false;
    if (table == kOmitted) return true;
    return entries->value <= kNone / 2 && reader.holds(entries->value * 2, table);
}

}  // namespace

constexpr Rule kUnwindingHdrFirst{
    .id = "jitdump/unwinding-hdr-first",
    .severity = Severity::note,
    .statement = "the .eh_frame comes first and the .eh_frame_hdr last",
    .message = "the .eh_frame_hdr precedes the .eh_frame",
    .why =
        "the specification puts the header first, but perf expects it last, where V8 and CPython write it, and builds "
        "a bogus FDE",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrVersion{
    .id = "jitdump/eh-frame-hdr-version",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr begins with its version, 1",
    .message =
        "no .eh_frame_hdr where perf expects it, {0 byte|bytes} before the end of the data: it begins with {1x} "
        "instead of version 1",
    .why = "the unwinder finds no table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrEncoding{
    .id = "jitdump/eh-frame-hdr-encoding",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr uses known encodings",
    .message = "byte {0} of the .eh_frame_hdr is {1x}, which is not a known pointer encoding",
    .why = "the unwinder cannot read the table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrOverrun{
    .id = "jitdump/eh-frame-hdr-overrun",
    .severity = Severity::warning,
    .statement = "the fields and the table of the .eh_frame_hdr fit into it",
    .message = "the .eh_frame_hdr has {0 byte|bytes}, too few for its fields and table",
    .why = "the unwinder reads unrelated bytes as table entries",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

namespace {

// Checks the header and the frame, whose places are known.
UnwindingRange check_parts(const UnwindingData& data) {
    const bool fits = header_fits(data);
    if (!fits) data.state.report.add<kEhFrameHdrOverrun>(data.header_place(0, data.header_size), {data.header_size});
    FrameIndex index(data.state.context.budget);
    FrameFacts facts = check_entries(data, index);
    if (!facts.is_readable || facts.fdes == 0 || !data.is_laid_out_for_perf()) return {};
    if (fits) check_table(data, index, facts);
    return facts.range;
}

}  // namespace

UnwindingRange check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size) {
    const uint64_t last_at = data.size() - header_size;  // where perf expects the header
    const UnwindingData header_last{state, info, data, last_at, header_size, 0, last_at};
    const UnwindingData header_first{state, info, data, 0, header_size, header_size, last_at};
    if (header_size < kEncodings) {
        state.report.add<kEhFrameHdrOverrun>(header_last.header_place(0, header_size), {header_size});
        return {};
    }
    const Candidate last = candidate_at(header_last.header());
    const Candidate first = candidate_at(header_first.header());
    if (last.valid()) return check_parts(header_last);
    if (first.valid()) {
        state.report.add<kUnwindingHdrFirst>(header_first.header_place(0, 4));
        return check_parts(header_first);
    }
    if (!last.has_version && !first.has_version) {
        state.report.add<kEhFrameHdrVersion>(header_last.header_place(0, 1), {header_size, data[last_at]});
        return {};
    }
    const Candidate& meant = last.has_version ? last : first;
    const UnwindingData& layout = last.has_version ? header_last : header_first;
    state.report.add<kEhFrameHdrEncoding>(layout.header_place(meant.unknown_encoding, 1),
                                          {meant.unknown_encoding, layout.header()[meant.unknown_encoding]});
    return {};
}

constinit const RuleList kEhFrameRules =
    rules<&kEhFrameLength, &kEhFrameCiePointer, &kEhFrameEntryOverrun, &kEhFrameCieVersion, &kEhFrameCieAugmentation,
          &kEhFramePointerEncoding, &kEhFrameInstruction, &kEhFrameInstructionOverrun, &kEhFrameRestoreState,
          &kUnwindingHdrFirst, &kEhFrameHdrVersion, &kEhFrameHdrEncoding, &kEhFrameHdrOverrun>;

}  // namespace tracelint::jitdump
