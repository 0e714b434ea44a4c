// Planted faults of UNWINDING_INFO and its data.
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/generator/unwinding_sample.hpp"

namespace tracelint::jitdump::faults {
namespace {

Planted at_data(size_t record, uint64_t offset, uint64_t length) { return {record, "data", kNone, offset, length, {}}; }

uint64_t data_size(const RecordValues& unwinding) { return unwinding.number("unwind_data_size"); }
uint64_t header_size(const RecordValues& unwinding) { return unwinding.number("eh_frame_hdr_size"); }

// An UNWINDING_INFO with an .eh_frame_hdr in its data, and the places of the parts.
struct Chosen {
    size_t record;
    std::string* data;
    UnwindingParts parts;
};
std::optional<Chosen> choose_with_header(FileRecords& file, Random& random) {
    const auto at = choose(file, random, kUnwindingInfo, [&](size_t i) { return header_size(file[i]) >= 4; });
    if (!at) return std::nullopt;
    std::string& data = file[*at].find("data")->text;
    const auto parts = parts_of(data, header_size(file[*at]));
    if (!parts) return std::nullopt;
    return Chosen{*at, &data, *parts};
}

// Whether the other place where the header may be looks like the start of one.
bool other_begins_with_one(const Chosen& chosen) {
    const uint64_t last = chosen.data->size() - chosen.parts.header_size;
    const uint64_t other = chosen.parts.header_at == 0 ? last : 0;
    return other != chosen.parts.header_at && (*chosen.data)[other] == 1;
}

uint8_t byte_of(const Chosen& chosen, uint64_t at) { return static_cast<uint8_t>((*chosen.data)[at]); }

void put(const Chosen& chosen, uint64_t at, unsigned width, ByteOrder order, uint64_t number) {
    store(reinterpret_cast<uint8_t*>(chosen.data->data()) + at, width, order, number);
}

// The size in bytes of a number with this encoding; 0 if it is LEB128 or omitted.
unsigned fixed_width(uint8_t encoding, unsigned pointer_width) {
    if (encoding == 0xff) return 0;
    static constexpr unsigned kWidths[16] = {0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
    return (encoding & 0x0f) == 0 ? pointer_width : kWidths[encoding & 0x0f];
}

constexpr FaultRow kUnwindingRows[] = {
    {"jitdump/unwinding-size-exceeds-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, any);
         if (!at) return std::nullopt;
         const uint64_t room = data_size(file[*at]) + file[*at].find("padding")->text.size();
         file[*at].set("unwind_data_size", std::max(room + 1, one_in(random, 2) ? room + 1 : edge_number(random, 64)));
         return at_field(*at, "unwind_data_size");
     }},
    {"jitdump/unwinding-hdr-exceeds-data",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, any);
         if (!at) return std::nullopt;
         const uint64_t most = data_size(file[*at]);
         file[*at].set("eh_frame_hdr_size", std::max(most + 1, one_in(random, 2) ? most + 1 : edge_number(random, 64)));
         return at_field(*at, "eh_frame_hdr_size");
     }},
    {"jitdump/unwinding-hdr-missing",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, [&](size_t i) { return data_size(file[i]) > 0; });
         if (!at) return std::nullopt;
         file[*at].set("eh_frame_hdr_size", 0);
         return at_field(*at, "eh_frame_hdr_size");
     }},
    {"jitdump/unwinding-mapped-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, any);
         if (!at) return std::nullopt;
         const uint64_t size = data_size(file[*at]);
         const uint64_t mapped = one_in(random, 2) ? size + 2 * below(random, 2) - 1 : edge_number(random, 64);
         if (mapped == 0 || mapped == size || mapped == (size + 15) / 16 * 16) return std::nullopt;
         file[*at].set("mapped_size", mapped);
         return at_field(*at, "mapped_size");
     }},
    {"jitdump/unwinding-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, any);
         if (!at) return std::nullopt;
         file[*at].find("padding")->text = draw_bad_padding(random);
         update_sizes(file[*at]);
         return at_field(*at, "padding");
     }},
    // Reported where perf looks for the header, wherever it is.
    {"jitdump/eh-frame-hdr-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_with_header(file, random);
         if (!chosen || other_begins_with_one(*chosen)) return std::nullopt;
         (*chosen->data)[chosen->parts.header_at] = static_cast<char>(one_in(random, 2) ? 0 : between(random, 2, 255));
         // The new version must not look like a header at the other place.
         if (other_begins_with_one(*chosen)) return std::nullopt;
         return at_data(chosen->record, chosen->data->size() - chosen->parts.header_size, 1);
     }},
    {"jitdump/eh-frame-hdr-encoding",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_with_header(file, random);
         if (!chosen) return std::nullopt;
         const uint64_t at = chosen->parts.header_at + between(random, 1, 3);
         const auto encoding = static_cast<uint8_t>(pick<unsigned>(random, {0x05, 0x0d, 0x0f, 0x60, 0x7b, 0x8e, 0xf3}));
         (*chosen->data)[at] = static_cast<char>(encoding);
         // The data must not look better at the other place. The place where perf looks is tried first.
         const bool first_asked = chosen->parts.header_at + chosen->parts.header_size == chosen->data->size();
         const bool misread = first_asked ? begins_like_header(*chosen->data, 0) : other_begins_with_one(*chosen);
         if (misread) return std::nullopt;
         return at_data(chosen->record, at, 1);
     }},
    // The header has fewer than four bytes, or its table claims more entries than there are.
    {"jitdump/eh-frame-hdr-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (one_in(random, 2)) {
             const auto at = choose(file, random, kUnwindingInfo, [&](size_t i) { return data_size(file[i]) >= 4; });
             if (!at) return std::nullopt;
             const uint64_t left = between(random, 1, 3);
             file[*at].set("eh_frame_hdr_size", left);
             return at_data(*at, data_size(file[*at]) - left, left);
         }
         const auto chosen = choose_with_header(file, random);
         if (!chosen) return std::nullopt;
         const uint64_t start = chosen->parts.header_at;
         const unsigned pointer_width = pointer_width_of(file.front().number("elf_mach"));
         const uint8_t pointer = byte_of(*chosen, start + 1), count = byte_of(*chosen, start + 2),
                       table = byte_of(*chosen, start + 3);
         const unsigned before = pointer == 0xff ? 0 : fixed_width(pointer, pointer_width),
                        width = fixed_width(count, pointer_width);
         if ((before == 0 && pointer != 0xff) || width == 0 || table == 0xff) return std::nullopt;
         // Positive in every encoding of that width.
         put(*chosen, start + 4 + before, width, layout_of(file).order, (uint64_t{1} << (8 * width - 1)) - 1);
         return at_data(chosen->record, start, chosen->parts.header_size);
     }},
    {"jitdump/eh-frame-length",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_with_header(file, random);
         if (!chosen) return std::nullopt;
         const auto entries = entries_of(*chosen->data, chosen->parts, layout_of(file).order);
         if (entries.empty()) return std::nullopt;
         const uint64_t at = pick_of(random, entries).at;
         const uint64_t left = chosen->parts.frame_at + chosen->parts.frame_size - at - 4;
         const uint64_t too_long = one_in(random, 2) ? left + 1 : between(random, left + 1, 0xfffffffe);
         put(*chosen, at, 4, layout_of(file).order, one_in(random, 3) ? between(random, 1, 3) : too_long);
         const auto seen = parts_of(*chosen->data, chosen->parts.header_size);
         if (!seen || seen->header_at != chosen->parts.header_at) return std::nullopt;
         return at_data(chosen->record, at, 4);
     }},
    {"jitdump/eh-frame-cie-pointer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_with_header(file, random);
         if (!chosen) return std::nullopt;
         std::vector<uint64_t> ids;
         for (const FrameEntry& entry : entries_of(*chosen->data, chosen->parts, layout_of(file).order))
             if (!entry.is_cie) ids.push_back(entry.id_at);
         if (ids.empty()) return std::nullopt;
         const uint64_t at = pick_of(random, ids);
         // Into its own length field, before the .eh_frame, or far after it.
         put(*chosen, at, 4, layout_of(file).order,
             pick<uint64_t>(random, {1, chosen->data->size() + 1, 0x7fffffff, 0xffffffff}));
         const auto seen = parts_of(*chosen->data, chosen->parts.header_size);
         if (!seen || seen->header_at != chosen->parts.header_at) return std::nullopt;
         return at_data(chosen->record, at, 4);
     }},
    {"jitdump/unwinding-superseded",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kUnwindingInfo, any);
         if (!at) return std::nullopt;
         const RecordValues copy = file[*at];
         insert(file, *at, copy);
         return at_field(*at, "id");
     }},
    {"jitdump/unwinding-orphan",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto from = choose(file, random, kUnwindingInfo, any);
         if (!from) return std::nullopt;
         RecordValues copy = file[*from];
         const size_t at = end_before_close(file);
         copy.set("timestamp", timestamp_before(file, at));
         insert(file, at, std::move(copy));
         return at_field(at, "id");
     }},
};

}  // namespace

constinit const FaultList kUnwindingFaults{kUnwindingRows};

}  // namespace tracelint::jitdump::faults
