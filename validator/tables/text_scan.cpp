// UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
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

}  // namespace tracelint
