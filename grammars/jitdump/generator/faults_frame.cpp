// Planted faults of the CIEs and FDEs in unwinding data, and of the table that leads to them.
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/generator/unwinding_sample.hpp"

namespace tracelint::jitdump::faults {
namespace {

// An UNWINDING_INFO with entries in its .eh_frame.
struct ChosenFrame {
    size_t record;
    std::string* data;
    UnwindingParts parts;
    std::vector<FrameEntry> entries;
    ByteOrder order;
    unsigned pointer_width;

    bool header_is_last() const { return parts.frame_at == 0; }
    uint64_t number(uint64_t at, unsigned width) const { return load(as_bytes(*data).data() + at, width, order); }
    void put(uint64_t at, unsigned width, uint64_t value) const {
        store(reinterpret_cast<uint8_t*>(data->data()) + at, width, order, value);
    }
    uint8_t byte(uint64_t at) const { return static_cast<uint8_t>((*data)[at]); }
    void put_byte(uint64_t at, uint64_t value) const { (*data)[at] = static_cast<char>(value); }
    // Nothing if the fault makes the data look as if their header were last.
    std::optional<Planted> planted(uint64_t at, uint64_t length) const {
        if (!header_is_last() && begins_like_header(*data, data->size() - parts.header_size)) return std::nullopt;
        return Planted{record, "data", kNone, at, length, {}};
    }

    std::vector<FrameEntry> of_kind(bool cies) const {
        std::vector<FrameEntry> found;
        for (const FrameEntry& entry : entries)
            if (entry.is_cie == cies) found.push_back(entry);
        return found;
    }
    std::optional<FdeFields> fde_fields(const FrameEntry& fde) const {
        return fields_of_fde(*data, entries, fde, order, pointer_width);
    }
};

std::optional<ChosenFrame> choose_frame(FileRecords& file, Random& random) {
    const auto at =
        choose(file, random, kUnwindingInfo, [&](size_t i) { return file[i].number("eh_frame_hdr_size") >= 4; });
    if (!at) return std::nullopt;
    std::string& data = file[*at].find("data")->text;
    const auto parts = parts_of(data, file[*at].number("eh_frame_hdr_size"));
    if (!parts) return std::nullopt;
    const ByteOrder order = layout_of(file).order;
    return ChosenFrame{
        *at, &data, *parts, entries_of(data, *parts, order), order, pointer_width_of(file.front().number("elf_mach"))};
}

struct ChosenCie {
    ChosenFrame frame;
    FrameEntry entry;
    CieFields fields;
};

std::optional<ChosenCie> choose_cie(FileRecords& file, Random& random) {
    const auto frame = choose_frame(file, random);
    if (!frame) return std::nullopt;
    const std::vector<FrameEntry> cies = frame->of_kind(true);
    if (cies.empty()) return std::nullopt;
    const FrameEntry entry = pick_of(random, cies);
    const auto fields = fields_of_cie(*frame->data, entry, frame->order, frame->pointer_width);
    if (!fields) return std::nullopt;
    return ChosenCie{*frame, entry, *fields};
}

// Data whose only FDE is compared with the code of a LOAD.
struct ChosenFde {
    ChosenFrame frame;
    FdeFields fields;
    uint64_t code_size;
};

std::optional<ChosenFde> choose_only_fde(FileRecords& file, Random& random) {
    const auto frame = choose_frame(file, random);
    if (!frame || !frame->header_is_last()) return std::nullopt;
    const std::vector<FrameEntry> fdes = frame->of_kind(false);
    const auto load = next_load(file, frame->record);
    if (fdes.size() != 1 || !load || file[*load].number("code_size") == 0) return std::nullopt;
    const auto fields = frame->fde_fields(fdes.front());
    if (!fields || fields->width < 4) return std::nullopt;
    return ChosenFde{*frame, *fields, file[*load].number("code_size")};
}

// A header that leads to FDEs by a table of 4-byte pairs.
struct ChosenTable {
    ChosenFrame frame;
    uint64_t pointer_at, pointer_width;  // 0: omitted
    uint64_t count_at, count_width;
    uint64_t pairs_at, pairs;

    uint64_t pair_at(uint64_t pair) const { return pairs_at + 8 * pair; }
};

unsigned width_of_number(uint8_t encoding) {
    switch (encoding & 0x0f) {
        case 0x03:
        case 0x0b: return 4;
        case 0x04:
        case 0x0c: return 8;
        default: return 0;
    }
}

std::optional<ChosenTable> choose_table(FileRecords& file, Random& random) {
    const auto frame = choose_frame(file, random);
    if (!frame || !frame->header_is_last()) return std::nullopt;
    const uint64_t start = frame->parts.header_at, pairs = frame->of_kind(false).size();
    const uint8_t pointer = frame->byte(start + 1), count = frame->byte(start + 2), table = frame->byte(start + 3);
    const unsigned pointer_width = pointer == 0xff ? 0 : width_of_number(pointer), count_width = width_of_number(count);
    if (pairs == 0 || (pointer != 0xff && pointer_width == 0) || count_width == 0) return std::nullopt;
    if (count == 0xff || (table != 0x3b && table != 0x33)) return std::nullopt;
    const uint64_t pointer_at = start + 4, count_at = pointer_at + pointer_width;
    return ChosenTable{*frame, pointer_at, pointer_width, count_at, count_width, count_at + count_width, pairs};
}

constexpr FaultRow kFrameRows[] = {
    {"jitdump/eh-frame-cie-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto cie = choose_cie(file, random);
         if (!cie) return std::nullopt;
         cie->frame.put_byte(cie->fields.version_at, pick<uint64_t>(random, {0, 2, 4, 5, 255}));
         return cie->frame.planted(cie->fields.version_at, 1);
     }},
    {"jitdump/eh-frame-cie-augmentation",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto cie = choose_cie(file, random);
         if (!cie || cie->fields.letters.empty()) return std::nullopt;
         const uint64_t at = cie->fields.letters_at + below(random, cie->fields.letters.size());
         cie->frame.put_byte(at, pick<uint64_t>(random, {'e', 'Q', 'r', 0x80}));
         return cie->frame.planted(at, 1);
     }},
    {"jitdump/eh-frame-pointer-encoding",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto cie = choose_cie(file, random);
         if (!cie || cie->fields.pointer_encoding_at == 0) return std::nullopt;
         cie->frame.put_byte(cie->fields.pointer_encoding_at,
                             pick<uint64_t>(random, {0x05, 0x2b, 0x3b, 0x4b, 0x50, 0x9b, 0xff}));
         return cie->frame.planted(cie->fields.pointer_encoding_at, 1);
     }},
    {"jitdump/eh-frame-entry-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto cie = choose_cie(file, random);
         if (!cie || cie->fields.data_size_at == 0) return std::nullopt;
         const uint64_t left = cie->entry.end - cie->fields.data_size_at - 1;
         if (left >= 0x7f) return std::nullopt;
         cie->frame.put_byte(cie->fields.data_size_at, between(random, left + 1, 0x7f));
         return cie->frame.planted(cie->entry.at, cie->entry.end - cie->entry.at);
     }},
    {"jitdump/eh-frame-instruction",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto cie = choose_cie(file, random);
         if (!cie || cie->fields.instructions_at == cie->entry.end) return std::nullopt;
         cie->frame.put_byte(cie->fields.instructions_at, pick<uint64_t>(random, {0x17, 0x1c, 0x1e, 0x2b, 0x30, 0x3f}));
         return cie->frame.planted(cie->fields.instructions_at, 1);
     }},
    // The last byte, which is a nop, begins an instruction with operands.
    {"jitdump/eh-frame-instruction-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto frame = choose_frame(file, random);
         if (!frame || frame->entries.empty()) return std::nullopt;
         const FrameEntry& entry = pick_of(random, frame->entries);
         const uint64_t last = entry.end - 1;
         if (frame->byte(last) != 0 || frame->byte(last - 1) != 0) return std::nullopt;
         frame->put_byte(last, pick<uint64_t>(random, {0x02, 0x04, 0x0c, 0x0e, 0x0f, 0x16, 0x80, 0xbf}));
         return frame->planted(last, 1);
     }},
    // The last nop becomes the instruction. The instructions before it remember nothing or restore it again.
    {"jitdump/eh-frame-restore-state",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto frame = choose_frame(file, random);
         if (!frame || frame->entries.empty()) return std::nullopt;
         const uint64_t last = pick_of(random, frame->entries).end - 1;
         if (frame->byte(last) != 0 || frame->byte(last - 1) != 0) return std::nullopt;
         frame->put_byte(last, 0x0b);
         return frame->planted(last, 1);
     }},
    {"jitdump/eh-frame-fde-location",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto fde = choose_only_fde(file, random);
         if (!fde) return std::nullopt;
         const auto [start_at, length_at, width, encoding] = fde->fields;
         const uint64_t by = pick<uint64_t>(random, {1, 8, 0x40, 0 - uint64_t{1}, 0 - uint64_t{8}});
         fde->frame.put(start_at, width, fde->frame.number(start_at, width) + by);
         return fde->frame.planted(start_at, width);
     }},
    {"jitdump/eh-frame-fde-length",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto fde = choose_only_fde(file, random);
         if (!fde) return std::nullopt;
         const bool short_one = fde->code_size >= 8 && one_in(random, 2);
         const uint64_t length =
             short_one ? below(random, fde->code_size - 7) : fde->code_size + between(random, 8, 99);
         fde->frame.put(fde->fields.length_at, fde->fields.width, length);
         return fde->frame.planted(fde->fields.length_at, fde->fields.width);
     }},
    {"jitdump/eh-frame-hdr-unread",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         if (!table) return std::nullopt;
         const uint64_t at = table->frame.parts.header_at + 3;
         table->frame.put_byte(at, pick<uint64_t>(random, {0x03, 0x0b, 0x13, 0x1b, 0xbb}));
         return table->frame.planted(at, 1);
     }},
    {"jitdump/eh-frame-hdr-count",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         if (!table) return std::nullopt;
         table->frame.put(table->count_at, static_cast<unsigned>(table->count_width), below(random, table->pairs));
         return table->frame.planted(table->count_at, table->count_width);
     }},
    {"jitdump/eh-frame-hdr-frame-pointer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         if (!table || table->pointer_width == 0) return std::nullopt;
         if ((table->frame.byte(table->frame.parts.header_at + 1) & 0x70) != 0x10) return std::nullopt;
         const auto width = static_cast<unsigned>(table->pointer_width);
         const uint64_t by = pick<uint64_t>(random, {1, 4, 0 - uint64_t{1}});
         table->frame.put(table->pointer_at, width, table->frame.number(table->pointer_at, width) + by);
         return table->frame.planted(table->pointer_at, width);
     }},
    {"jitdump/eh-frame-hdr-fde-pointer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         if (!table) return std::nullopt;
         const uint64_t at = table->pair_at(below(random, table->pairs)) + 4;
         table->frame.put(at, 4, table->frame.number(at, 4) + pick<uint64_t>(random, {1, 4, 1000, 0 - uint64_t{1}}));
         return table->frame.planted(at, 4);
     }},
    {"jitdump/eh-frame-hdr-location",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         const auto load = table ? next_load(file, table->frame.record) : std::nullopt;
         if (!load || file[*load].number("code_size") == 0) return std::nullopt;
         for (const FrameEntry& fde : table->frame.of_kind(false)) {
             const auto fields = table->frame.fde_fields(fde);
             if (!fields || (fields->encoding & 0x70) != 0x10) return std::nullopt;
         }
         const uint64_t at = table->pair_at(below(random, table->pairs));
         table->frame.put(at, 4, table->frame.number(at, 4) + pick<uint64_t>(random, {1, 8, 0 - uint64_t{8}}));
         return table->frame.planted(at, 4);
     }},
    // Two pairs change places.
    {"jitdump/eh-frame-hdr-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto table = choose_table(file, random);
         if (!table || table->pairs < 2) return std::nullopt;
         const uint64_t at = table->pair_at(below(random, table->pairs - 1));
         const ChosenFrame& frame = table->frame;
         const uint64_t first = frame.number(at, 4), second = frame.number(at + 8, 4);
         if (first == second) return std::nullopt;
         const uint64_t fde = frame.number(at + 4, 4);
         frame.put(at, 4, second), frame.put(at + 8, 4, first);
         frame.put(at + 4, 4, frame.number(at + 12, 4)), frame.put(at + 12, 4, fde);
         // The first of them may also come before a pair with the address of the second.
         const bool is_first = at == table->pairs_at || frame.number(at - 8, 4) <= second;
         return frame.planted(is_first ? at + 8 : at, 4);
     }},
};

}  // namespace

constinit const FaultList kFrameFaults{kFrameRows};

}  // namespace tracelint::jitdump::faults
