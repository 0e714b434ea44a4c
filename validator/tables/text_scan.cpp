// UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. UTF-16 as in RFC 2781.
#include "validator/tables/text_scan.hpp"

namespace tracelint {

std::string grouped(uint64_t number) {
    std::string digits = std::to_string(number);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

Utf8Sequence first_utf8_sequence(Bytes text) {
    struct Lead {
        uint8_t first, last, length, second_low, second_high;
    };
    // RFC 3629 section 4: the second byte has a narrower range after E0, ED, F0 and F4.
    static constexpr Lead kLeads[] = {
        {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
        {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
        {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
    };
    for (const Lead& lead : kLeads) {
        if (text[0] < lead.first || text[0] > lead.last) continue;
        size_t length = 1;
        char32_t code = text[0] & (lead.length == 1 ? 0x7f : 0x7f >> lead.length);
        while (length < lead.length && length < text.size()) {
            const uint8_t low = length == 1 ? lead.second_low : 0x80, high = length == 1 ? lead.second_high : 0xbf;
            if (text[length] < low || text[length] > high) break;
            code = code << 6 | (text[length] & 0x3f);
            ++length;
        }
        return {length == lead.length, length, code};
    }
    return {};
}

namespace {

uint64_t first_non_ascii(Bytes text) {
    size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        uint64_t eight;
        std::memcpy(&eight, text.data() + at, 8);
        if ((eight & 0x8080808080808080) != 0) break;
    }
    for (; at < text.size(); ++at)
        if (text[at] >= 0x80) return at;
    return kNone;
}

}  // namespace

TextScan scan_text(Bytes text) {
    TextScan scan;
    scan.non_ascii = first_non_ascii(text);
    if (scan.non_ascii == kNone) [[likely]]
        return scan;
    for (uint64_t at = scan.non_ascii; at < text.size();) {
        const Utf8Sequence sequence = first_utf8_sequence(text.subspan(at));
        if (!sequence.well_formed) {
            scan.ill_formed = at;
            scan.ill_formed_length = sequence.length;
            break;
        }
        at += sequence.length;
    }
    return scan;
}

uint64_t length_to_nul16(Bytes bytes) {
    for (size_t at = 0; at + 1 < bytes.size(); at += 2)
        if ((bytes[at] | bytes[at + 1]) == 0) return at;
    return kNone;
}

namespace {

constexpr uint32_t kHighSurrogates = 0xd800, kLowSurrogates = 0xdc00, kSurrogatesEnd = 0xe000;

struct Utf16Sequence {
    bool well_formed = true;
    size_t length = 2;  // bytes
    uint32_t code = 0;
};

// `text` has a unit at least.
Utf16Sequence first_utf16_sequence(Bytes text) {
    const auto unit = static_cast<uint32_t>(load(text.data(), 2, ByteOrder::little));
    if (unit < kHighSurrogates || unit >= kSurrogatesEnd) return {true, 2, unit};
    const auto low = text.size() < 4 ? 0 : static_cast<uint32_t>(load(text.data() + 2, 2, ByteOrder::little));
    const bool is_pair = unit < kLowSurrogates && low >= kLowSurrogates && low < kSurrogatesEnd;
    if (!is_pair) return {false, 2, 0xfffd};
    return {true, 4, 0x10000 + ((unit - kHighSurrogates) << 10) + (low - kLowSurrogates)};
}

}  // namespace

uint64_t lone_surrogate(Bytes text) {
    for (size_t at = 0; at + 1 < text.size();) {
        const Utf16Sequence sequence = first_utf16_sequence(text.subspan(at));
        if (!sequence.well_formed) return at;
        at += sequence.length;
    }
    return kNone;
}

std::string utf8_of_utf16(Bytes text) {
    std::string utf8;
    const auto add = [&](uint32_t byte) { utf8 += static_cast<char>(byte); };
    for (size_t at = 0; at + 1 < text.size();) {
        const Utf16Sequence sequence = first_utf16_sequence(text.subspan(at));
        const uint32_t code = sequence.code;
        if (code < 0x80) {
            add(code);
        } else {
            const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            constexpr uint32_t kLeads[] = {0, 0xc0, 0xe0, 0xf0};
            add(kLeads[more] | code >> 6 * more);
            for (unsigned left = more; left-- > 0;) add(0x80 | (code >> 6 * left & 0x3f));
        }
        at += sequence.length;
    }
    return utf8;
}

}  // namespace tracelint
