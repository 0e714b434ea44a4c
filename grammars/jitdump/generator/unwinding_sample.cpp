// Builds .eh_frame_hdr and .eh_frame sections in every encoding that the checks read.
#include "grammars/jitdump/generator/unwinding_sample.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint8_t kOmit = 0xff;
constexpr uint8_t kUleb = 1, kSleb = 9;
constexpr uint8_t kFormats[] = {0, kUleb, 2, 3, 4, kSleb, 0xa, 0xb, 0xc};
constexpr uint32_t kWideLength = 0xffffffff;  // a 64-bit length follows

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

bool is_known_encoding(uint8_t encoding) {
    if (encoding == kOmit) return true;
    const uint8_t format = encoding & 0x0f;
    const bool known = format <= 4 || (format >= kSleb && format <= 0xc);
    return known && (encoding & 0x70) <= 0x50;
}

class Builder {
  public:
    Builder(Random& random, ByteOrder order, unsigned pointer_width)
        : random_(random), order_(order), pointer_width_(pointer_width) {}

    // Counts up to 3 are positive in every encoding, and one byte in either LEB128.
    std::string header() {
        const bool usual = one_in(random_, 2);
        const uint8_t pointer = usual ? uint8_t{0x1b} : draw_encoding(random_);
        const uint8_t count = usual ? uint8_t{0x03} : draw_encoding(random_);
        const uint8_t table = usual ? uint8_t{0x3b} : draw_encoding(random_);
        std::string bytes{1, static_cast<char>(pointer), static_cast<char>(count), static_cast<char>(table)};
        encoded(bytes, pointer, random_());
        const uint64_t pairs = count == kOmit ? 0 : below(random_, 4);
        encoded(bytes, count, pairs);
        for (uint64_t i = 0; i < 2 * pairs; ++i) encoded(bytes, table, random_());
        return bytes + std::string(one_in(random_, 3) ? below(random_, 9) : 0, '\0');
    }

    std::string frame() {
        std::string bytes;
        std::vector<uint64_t> cies;
        for (uint64_t left = below(random_, 5); left > 0; --left) {
            const bool is_cie = cies.empty() || one_in(random_, 4);
            const uint64_t start = bytes.size();
            entry(bytes, is_cie ? kNone : pick_of(random_, cies));
            if (is_cie) cies.push_back(start);
        }
        switch (below(random_, 4)) {
            case 0: return bytes;
            case 1: return bytes + std::string(between(random_, 1, 3), '\0');
            case 2: return bytes + std::string(4, '\0');
            default: return bytes + std::string(4, '\0') + random_bytes(random_, below(random_, 20));  // never read
        }
    }

  private:
    void encoded(std::string& to, uint8_t encoding, uint64_t value) {
        if (encoding == kOmit) return;
        const uint8_t format = encoding & 0x0f;
        if (format == kUleb || format == kSleb)
            to.push_back(static_cast<char>(value & 0x3f));
        else
            append(to, width_of(encoding, pointer_width_), order_, value);
    }

    // A CIE, or an FDE of the CIE that starts at `cie`.
    void entry(std::string& to, uint64_t cie) {
        const std::string body =
            random_bytes(random_, 4 * below(random_, 8) + (one_in(random_, 4) ? below(random_, 4) : 0));
        const bool wide = one_in(random_, 8);
        if (wide) append(to, 4, order_, kWideLength);
        append(to, wide ? 8 : 4, order_, body.size() + 4);
        append(to, 4, order_, cie == kNone ? 0 : to.size() - cie);
        to += body;
    }

    Random& random_;
    ByteOrder order_;
    unsigned pointer_width_;
};

}  // namespace

UnwindingSample make_unwinding(Random& random, ByteOrder order, unsigned pointer_width) {
    // As V8 writes it for functions without unwinding data.
    if (one_in(random, 6)) return {std::string("\x01\x1b\x03\x3b", 4) + std::string(16, '\0'), 20};
    if (one_in(random, 16)) return {};
    // The mirrored file must be built from the same draws.
    Random same_draws = random;
    Builder builder(random, order, pointer_width), mirrored(same_draws, opposite(order), pointer_width);
    const std::string header = builder.header(), other_header = mirrored.header();
    const std::string frame = builder.frame(), other_frame = mirrored.frame();
    const bool misread = begins_like_header(header + frame, frame.size()) ||
                         begins_like_header(other_header + other_frame, frame.size());
    if (one_in(random, 3) && !misread) return {header + frame, header.size()};
    return {frame + header, header.size()};
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
        entries.push_back({at, id_at, load_at(data, id_at, 4, order) == 0});
        at = id_at + length;
    }
    return entries;
}

}  // namespace tracelint::jitdump
