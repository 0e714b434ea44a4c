// The writers' oracle over the corpus and over fixed seeds.
#include "fuzz/tool/writers_oracle.hpp"
#include "fuzz/tool/run_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/skip.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// In UTF-8. For any code point but a surrogate.
std::string utf8(char32_t code) {
    const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
    if (code < 0x80) return {byte(code)};
    if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
    if (code < 0x10000) return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
    return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)),
            byte(0x80 | (code & 0x3f))};
}

// What perl, which has Unicode's tables, prints for the code points of a property: their numbers, line by line.
std::vector<char32_t> code_points(const std::string& properties) {
    const std::string program =
        "for (0 .. 0xd7ff, 0xe000 .. 0x10ffff) { print \"$_\\n\" if chr =~ /[" + properties + "]/ }";
    std::FILE* pipe = popen(("perl -e '" + program + "' 2>/dev/null").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::vector<char32_t> codes;
    for (unsigned code; std::fscanf(pipe, "%u", &code) == 1;) codes.push_back(code);
    pclose(pipe);
    return codes;
}

TEST_CASE("no output has a character raw that Unicode calls a control, a format, a separator of lines or ignorable") {
    const std::vector<char32_t> codes = code_points("\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}");
    if (codes.empty()) return skip("perl is not installed");
    CHECK(codes.size() > 4000);
    std::string all;
    for (const char32_t code : codes) {
        CAPTURE(static_cast<uint32_t>(code));
        CHECK(is_unprintable(code));
        all += utf8(code);
    }
    hold(writers({as_bytes("no trace"), nullptr}, all));
    // Letters, marks, numbers, punctuation and symbols stay as they are, but for some marks and letters without a
    // glyph.
    size_t escaped = 0;
    for (const char32_t code : code_points("\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}")) escaped += is_unprintable(code);
    CHECK(escaped < 300);
}

TEST_CASE("every output of every writer parses") {
    const std::vector<std::string> paths = {
        "a.dump",
        "-",
        "a\n\x1b[31m\xff\"\\.dump",
        std::string("\0", 1),
        "",
        "\x7f\u009b2J\u00ad\u061c\u200b\u2028\u202e\u2069\ufeff\U000e0041",
        "gr\u00fc\u00df \u4e2d \U0001f600",
    };
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            if (bytes.size() > 20'000) continue;
            CAPTURE(name);
            hold(writers({as_bytes(bytes), nullptr}, paths[number++ % paths.size()]));
            if (number % 4 != 0) continue;  // to save time
            for (const WriterKind& kind : writer_kinds())
                hold(run_of(kind, {as_bytes(bytes), nullptr}, paths[number / 4 % paths.size()]));
        }
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            hold(writers({as_bytes(mutated(generator_of(*format), as_bytes(bytes), seed)), format},
                         paths[seed % paths.size()]));
        }
    }
}

}  // namespace
}  // namespace tracelint
