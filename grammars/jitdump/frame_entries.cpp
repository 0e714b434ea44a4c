// The entries of an .eh_frame: CIEs and FDEs (section 3.7.2).
#include "grammars/jitdump/frame_entries.hpp"

#include "grammars/jitdump/frame_instructions.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {
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

namespace {}  // namespace
constinit const RuleList kFrameEntryRules =
    rules<&kEhFrameLength, &kEhFrameCiePointer, &kEhFrameEntryOverrun, &kEhFrameCieVersion, &kEhFrameCieAugmentation,
          &kEhFramePointerEncoding>;

}  // namespace tracelint::jitdump
