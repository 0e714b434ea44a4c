// Builds .eh_frame_hdr and .eh_frame sections in every encoding that the checks read.
#include "grammars/jitdump/generator/unwinding_sample.hpp"

#include <algorithm>

#include "grammars/jitdump/checks/unwinding.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint8_t kOmit = 0xff;
constexpr uint8_t kUleb = 1, kSleb = 9;
constexpr uint8_t kFormats[] = {0, kUleb, 2, 3, 4, kSleb, 0xa, 0xb, 0xc};
constexpr uint32_t kWideLength = 0xffffffff;   // a 64-bit length follows
constexpr uint64_t kSign = uint64_t{1} << 63;  // added to negative numbers, it orders them before the others

void append(std::string& to, unsigned width, ByteOrder order, uint64_t value) {
    uint8_t stored[8];
    store(stored, width, order, value);
    to.append(reinterpret_cast<const char*>(stored), width);
}

uint64_t load_at(const std::string& data, uint64_t at, unsigned width, ByteOrder order) {
    return load(as_bytes(data).data() + at, width, order);
}

// The size of a number with this encoding in bytes; 0 if it varies.
unsigned width_of(uint8_t encoding, unsigned pointer_width) {
    switch (encoding & 0x0f) {
        case 0: return pointer_width;
        case 2:
        case 0xa: return 2;
        case 3:
        case 0xb: return 4;
        case 4:
        case 0xc: return 8;
        default: return 0;
    }
}

uint8_t draw_encoding(Random& random) {
    if (one_in(random, 6)) return kOmit;
    const uint64_t application = 0x10 * below(random, 6);
    const uint64_t indirect = one_in(random, 8) ? 0x80 : 0;
    const auto encoding = static_cast<uint8_t>(pick_of(random, kFormats) | application | indirect);
    return encoding == kOmit ? uint8_t{0} : encoding;
}

// What an FDE covers, and where it begins.
struct Fde {
    uint64_t at = 0;     // in the .eh_frame
    uint64_t start = 0;  // of its code, from the start of the .eh_frame if that follows the code (modulo 2^64)
};

class Builder {
  public:
    Builder(Random& random, ByteOrder order, unsigned pointer_width, uint64_t code_size)
        : random_(random), order_(order), pointer_width_(pointer_width), code_size_(code_size) {}

    // A header in any encoding, which says nothing of the .eh_frame. Counts up to 3 are positive in every encoding, and
    // one byte in either LEB128.
    std::string any_header() {
        const bool usual = one_in(random_, 2);
        const uint8_t pointer = usual ? uint8_t{0x1b} : draw_encoding(random_);
        const uint8_t count = usual ? uint8_t{0x03} : draw_encoding(random_);
        const uint8_t table = usual ? uint8_t{0x3b} : draw_encoding(random_);
        std::string bytes{1, static_cast<char>(pointer), static_cast<char>(count), static_cast<char>(table)};
        encoded(bytes, pointer, random_());
        const uint64_t pairs = count == kOmit ? 0 : below(random_, 4);
        encoded(bytes, count, pairs);
        for (uint64_t i = 0; i < 2 * pairs; ++i) encoded(bytes, table, random_());
        return bytes + spare();
    }

    // A header that perf can search, for the .eh_frame before it.
    std::string matching_header(uint64_t frame_size) {
        const auto pointer = static_cast<uint8_t>(pick<unsigned>(random_, {0x1b, 0x1b, 0x1c, 0x14, 0x03, kOmit}));
        const auto count = static_cast<uint8_t>(pick<unsigned>(random_, {0x03, 0x03, 0x0b, 0x04, 0x0c}));
        const auto table = static_cast<uint8_t>(pick<unsigned>(random_, {0x3b, 0x3b, 0x33}));
        std::string bytes{1, static_cast<char>(pointer), static_cast<char>(count), static_cast<char>(table)};
        encoded(bytes, pointer, (pointer & 0x70) == 0 ? random_() : 0 - (frame_size + bytes.size()));
        encoded(bytes, count, fdes_.size());
        std::ranges::sort(fdes_, std::less{}, [](const Fde& fde) { return std::pair(fde.start + kSign, fde.at); });
        for (const Fde& fde : fdes_) {
            encoded(bytes, table, fde.start - frame_size);
            encoded(bytes, table, fde.at - frame_size);
        }
        return bytes + spare();
    }

    bool has_fdes() const { return !fdes_.empty(); }

    std::string frame() {
        std::string bytes;
        const uint64_t entries = below(random_, 5);
        std::vector<bool> is_cie;
        for (uint64_t i = 0; i < entries; ++i) is_cie.push_back(i == 0 || one_in(random_, 4));
        const auto fdes = static_cast<uint64_t>(std::ranges::count(is_cie, false));
        const std::vector<uint64_t> cuts = cut_code(fdes);
        for (uint64_t i = 0; i < entries; ++i) {
            if (is_cie[i])
                cie(bytes);
            else
                fde(bytes, cuts[fdes_.size()], cuts[fdes_.size() + 1]);
        }
        switch (below(random_, 4)) {
            case 0: return bytes;
            case 1: return bytes + std::string(between(random_, 1, 3), '\0');
            case 2: return bytes + std::string(4, '\0');
            default: return bytes + std::string(4, '\0') + random_bytes(random_, below(random_, 20));  // never read
        }
    }

  private:
    struct Cie {
        uint64_t at;
        uint8_t encoding;
    };

    std::string spare() { return std::string(one_in(random_, 3) ? below(random_, 9) : 0, '\0'); }

    void encoded(std::string& to, uint8_t encoding, uint64_t value) {
        if (encoding == kOmit) return;
        const uint8_t format = encoding & 0x0f;
        if (format == kUleb || format == kSleb)
            to.push_back(static_cast<char>(value & 0x3f));
        else
            append(to, width_of(encoding, pointer_width_), order_, value);
    }

    // The bounds of `parts` pieces of the code, in bytes. The last one may leave padding out.
    std::vector<uint64_t> cut_code(uint64_t parts) {
        const uint64_t padding = one_in(random_, 4) ? below(random_, std::min<uint64_t>(8, code_size_ + 1)) : 0;
        std::vector<uint64_t> cuts{0};
        for (uint64_t i = 1; i < parts; ++i) cuts.push_back(below(random_, code_size_ - padding + 1));
        cuts.push_back(code_size_ - padding);
        std::ranges::sort(cuts);
        return cuts;
    }

    void finish_entry(std::string& to, const std::string& body, uint64_t id, bool wide) {
        if (wide) append(to, 4, order_, kWideLength);
        append(to, wide ? 8 : 4, order_, body.size() + 4);
        append(to, 4, order_, id);
        to += body;
    }

    void cie(std::string& to) {
        // Absolute pointers would tie the FDEs to the address of the code.
        const auto encoding = static_cast<uint8_t>(pick<unsigned>(random_, {0x1b, 0x1b, 0x1b, 0x1c, 0x14}));
        const std::string_view letters = pick<std::string_view>(random_, {"zR", "zR", "zLR", "zRS", "zRB", "zRGP"});
        std::string data;
        for (const char letter : letters) {
            if (letter == 'L') data.push_back(static_cast<char>(kOmit));
            if (letter == 'R') data.push_back(static_cast<char>(encoding));
            if (letter == 'P') data += std::string("\x1b\0\0\0\0", 5);
        }
        std::string body(1, one_in(random_, 2) ? '\1' : '\3');
        body += std::string(letters) + '\0';
        body += std::string("\x01\x78\x10", 3);  // alignment of code and data, return address
        body.push_back(static_cast<char>(data.size()));
        body += data + instructions();
        cies_.push_back({to.size(), encoding});
        finish_entry(to, body, 0, one_in(random_, 8));
    }

    void fde(std::string& to, uint64_t from, uint64_t end) {
        const Cie cie = pick_of(random_, cies_);
        const bool wide = one_in(random_, 8);
        const uint64_t id_at = to.size() + (wide ? 12 : 4), start_at = id_at + 4;
        const uint64_t start = from - (code_size_ + 7) / 8 * 8;
        fdes_.push_back({to.size(), start});
        std::string body;
        encoded(body, cie.encoding, start - start_at);
        encoded(body, cie.encoding & 0x0f, end - from);
        const uint64_t data_size = one_in(random_, 4) ? below(random_, 5) : 0;
        body.push_back(static_cast<char>(data_size));
        body += random_bytes(random_, data_size);  // drawn before the instructions, by every compiler
        body += instructions();
        finish_entry(to, body, id_at - cie.at, wide);
    }

    // Ends in at least one nop.
    std::string instructions() {
        static constexpr std::string_view kInstructions[] = {
            std::string_view("\x0c\x07\x08", 3),          // def_cfa
            std::string_view("\x90\x01", 2),              // offset
            std::string_view("\x41", 1),                  // advance_loc
            std::string_view("\x0e\x10", 2),              // def_cfa_offset
            std::string_view("\x0d\x06", 2),              // def_cfa_register
            std::string_view("\x0a\x0b", 2),              // remember_state, restore_state
            std::string_view("\xc6", 1),                  // restore
            std::string_view("\x02\x20", 2),              // advance_loc1
            std::string_view("\x03\x20\x00", 3),          // advance_loc2
            std::string_view("\x04\x20\x00\x00\x20", 5),  // advance_loc4
            std::string_view("\x05\x81\x01\x02", 4),      // offset_extended
            std::string_view("\x11\x06\x7e", 3),          // offset_extended_sf
            std::string_view("\x10\x06\x02\x77\x08", 5),  // expression
            std::string_view("\x0f\x02\x77\x08", 4),      // def_cfa_expression
            std::string_view("\x16\x06\x00", 3),          // val_expression
            std::string_view("\x2e\x10", 2),              // GNU_args_size
        };
        std::string bytes;
        for (uint64_t left = below(random_, 5); left > 0; --left) bytes += pick_of(random_, kInstructions);
        return bytes + std::string(between(random_, 1, 4), '\0');
    }

    Random& random_;
    ByteOrder order_;
    unsigned pointer_width_;
    uint64_t code_size_;
    std::vector<Cie> cies_;
    std::vector<Fde> fdes_;
};

// The parts of the data, in the order of perf's image or with the header first.
struct Parts {
    std::string frame, header;
    bool header_first;
};

Parts make_parts(Random& random, ByteOrder order, unsigned pointer_width, uint64_t code_size) {
    Builder builder(random, order, pointer_width, code_size);
    std::string frame = builder.frame();
    const bool header_first = one_in(random, 3);
    const bool searched = builder.has_fdes() && !header_first;
    std::string header = searched ? builder.matching_header(frame.size()) : builder.any_header();
    return {std::move(frame), std::move(header), header_first};
}

bool is_misread(const Parts& parts) {
    return parts.header_first && begins_like_header(parts.header + parts.frame, parts.frame.size());
}

}  // namespace

UnwindingSample make_unwinding(Random& random, ByteOrder order, unsigned pointer_width, uint64_t code_size) {
    // As V8 writes it for functions without unwinding data.
    if (one_in(random, 6)) return {std::string("\x01\x1b\x03\x3b", 4) + std::string(16, '\0'), 20};
    if (one_in(random, 16)) return {};
    // The mirrored file must be built from the same draws.
    Random same_draws = random;
    const Parts parts = make_parts(random, order, pointer_width, code_size);
    if (is_misread(parts) || is_misread(make_parts(same_draws, opposite(order), pointer_width, code_size))) return {};
    const uint64_t header_size = parts.header.size();
    return {parts.header_first ? parts.header + parts.frame : parts.frame + parts.header, header_size};
}

bool begins_like_header(const std::string& data, uint64_t at) {
    if (at + 4 > data.size() || data[at] != 1) return false;
    for (uint64_t i = at + 1; i < at + 4; ++i)
        if (!is_known_encoding(static_cast<uint8_t>(data[i]))) return false;
    return true;
}

std::optional<UnwindingParts> parts_of(const std::string& data, uint64_t header_size) {
    if (header_size < 4 || header_size > data.size()) return std::nullopt;
    const uint64_t frame_size = data.size() - header_size;
    if (begins_like_header(data, frame_size)) return UnwindingParts{frame_size, header_size, 0, frame_size};
    if (begins_like_header(data, 0)) return UnwindingParts{0, header_size, header_size, frame_size};
    return std::nullopt;
}

std::vector<FrameEntry> entries_of(const std::string& data, const UnwindingParts& parts, ByteOrder order) {
    std::vector<FrameEntry> entries;
    const uint64_t end = parts.frame_at + parts.frame_size;
    for (uint64_t at = parts.frame_at; at + 4 <= end;) {
        uint64_t length = load_at(data, at, 4, order);
        if (length == 0) break;
        const bool wide = length == kWideLength;
        const uint64_t id_at = at + (wide ? 12 : 4);
        if (wide) length = load_at(data, at + 4, 8, order);
        entries.push_back({at, id_at, id_at + length, load_at(data, id_at, 4, order) == 0});
        at = id_at + length;
    }
    return entries;
}

std::optional<CieFields> fields_of_cie(const std::string& data, const FrameEntry& cie, ByteOrder order,
                                       unsigned pointer_width) {
    CieFields fields;
    fields.version_at = cie.id_at + 4;
    UnwindingReader reader(as_bytes(data).subspan(fields.version_at, cie.end - fields.version_at), order,
                           pointer_width);
    const std::optional<uint8_t> version = reader.byte();
    fields.letters_at = fields.version_at + reader.at();
    const std::optional<Bytes> letters = reader.text();
    if (!version || !letters) return std::nullopt;
    fields.letters = as_text(*letters);
    if (!reader.leb128(false) || !reader.leb128(true) || !reader.leb128(false)) return std::nullopt;
    if (fields.letters.starts_with('z')) {
        fields.data_size_at = fields.version_at + reader.at();
        const std::optional<EncodedNumber> size = reader.leb128(false);
        if (!size) return std::nullopt;
        for (const char letter : fields.letters.substr(1)) {
            const uint64_t at = fields.version_at + reader.at();
            if (letter != 'L' && letter != 'P' && letter != 'R') continue;
            const std::optional<uint8_t> encoding = reader.byte();
            if (!encoding) return std::nullopt;
            if (letter == 'R') fields.pointer_encoding = *encoding, fields.pointer_encoding_at = at;
            if (letter == 'P' && *encoding != kOmit && !reader.number(*encoding)) return std::nullopt;
        }
    }
    fields.instructions_at = fields.version_at + reader.at();
    return fields;
}

std::optional<FdeFields> fields_of_fde(const std::string& data, const std::vector<FrameEntry>& entries,
                                       const FrameEntry& fde, ByteOrder order, unsigned pointer_width) {
    const uint64_t cie_at = fde.id_at - load_at(data, fde.id_at, 4, order);
    const auto cie = std::ranges::find(entries, cie_at, &FrameEntry::at);
    if (cie == entries.end()) return std::nullopt;
    const std::optional<CieFields> common = fields_of_cie(data, *cie, order, pointer_width);
    if (!common) return std::nullopt;
    const unsigned width = width_of(common->pointer_encoding, pointer_width);
    if (width == 0) return std::nullopt;
    return FdeFields{fde.id_at + 4, fde.id_at + 4 + width, width, common->pointer_encoding};
}

}  // namespace tracelint::jitdump
