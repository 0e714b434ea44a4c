// Bytes that no valid file has in certain places, whatever its format.
#pragma once

#include "validator/generator/random.hpp"

namespace tracelint {

// Text that is UTF-8 up to its first bad byte, whose offset is `bad_at`. Ends in a NUL.
struct BadText {
    std::string text;
    uint64_t bad_at;
};

inline BadText draw_bad_text(Random& random) {
    // A lone continuation, a byte that UTF-8 does not have, overlong forms, a surrogate, above U+10FFFF, cut.
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
    // Something is before or behind, since FF alone means something else in a DEBUG_INFO.
    const std::string behind = pick<std::string>(random, {"", "x", "/a.c", "\xc3\xbc"});
    // What follows a cut sequence must not complete it.
    const std::string_view bad = pick_of(random, kBad);
    return {before + std::string(bad) + behind + '\0', before.size()};
}

// Where up to 7 zero bytes may be padding: more of them, or others.
inline std::string draw_bad_padding(Random& random) {
    std::string bytes(one_in(random, 2) ? between(random, 8, 40) : between(random, 1, 7), '\0');
    if (bytes.size() < 8) bytes[below(random, bytes.size())] = static_cast<char>(between(random, 1, 255));
    return bytes;
}

}  // namespace tracelint
