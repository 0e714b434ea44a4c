// Bytes that are invalid in certain places whatever the format.
#pragma once

#include "validator/generator/random.hpp"

namespace tracelint {

// Text that is valid UTF-8 up to offset `bad_at`, and ends in a NUL.
struct BadText {
    std::string text;
    uint64_t bad_at;
};

inline BadText draw_bad_text(Random& random) {
    // A lone continuation byte, a byte that UTF-8 never uses, overlong forms, a surrogate, code points above U+10FFFF,
    // and truncated sequences.
    static constexpr std::string_view kBad[] = {
        "\x80",
        "\xfe",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xc3",
        "\xe2\x82",
        "\xf0\x9f\x8e",
        "\xc3(",
        "\xff\xff",
    };
    const std::string before = pick<std::string>(random, {"", "f", "jit_add", "\xc3\xbc", "\xf0\x9f\x8e\x89 "});
    // None of these completes a truncated sequence.
    const std::string after = pick<std::string>(random, {"", "x", "/a.c", "\xc3\xbc"});
    const std::string_view bad = pick_of(random, kBad);
    return {before + std::string(bad) + after + '\0', before.size()};
}

// Invalid padding, where up to 7 zero bytes are valid: more than 7 bytes, or bytes that are not all zero.
inline std::string draw_bad_padding(Random& random) {
    std::string bytes(one_in(random, 2) ? between(random, 8, 40) : between(random, 1, 7), '\0');
    if (bytes.size() < 8) bytes[below(random, bytes.size())] = static_cast<char>(between(random, 1, 255));
    return bytes;
}

}  // namespace tracelint
