// Binary files that went through a text filter: what counts as a trace of one, that sound files have none, and that
// input/text-mangled explains the findings of those that have.
#include "validator/input/text_filter.hpp"

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "grammars/formats.hpp"
#include "tests/support/guarded_page.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

struct Filtered {
    std::string_view what, hex;
    uint64_t count, offset, length;
};

// clang-format off
constexpr Filtered kFiltered[] = {
    {"no byte", "", 0, kNone, 0},
    {"U+FFFD four times", "44 00 ef bf bd 01 | ef bf bd ef bf bd 02 | 03 ef bf bd 04", 4, 2, 3},
    {"U+FFFD three times", "44 00 ef bf bd 01 | ef bf bd ef bf bd 02 | 03 04", 0, kNone, 0},
    {"U+FFFD, and what was UTF-8 by chance", "44 00 c3 a9 01 | ef bf bd ef bf bd 02 | ef bf bd 03 ef bf bd 04", 4, 5, 3},
    {"U+FFFD, and a byte that is not UTF-8", "44 00 ef bf bd 01 | ef bf bd ef bf bd 02 | 03 ef bf bd 80 04", 0, kNone, 0},
    {"U+FFFD, the last one cut", "44 00 ef bf bd 01 | ef bf bd ef bf bd 02 | 03 ef bf bd ef bf", 4, 2, 3},
    {"U+FFFD in a text without a NUL", "\"a\" ef bf bd | \"b\" ef bf bd | \"c\" ef bf bd | \"d\" ef bf bd", 0, kNone, 0},
    {"question marks for eight bytes", "00 3f 00 | 3f 3f 3f 55 00 00 | 01 3f 02 3f 03 3f | 04 3f | 05 3f 06 3f 07", 8, 1, 1},
    {"question marks for seven", "00 3f 00 | 3f 3f 3f 55 00 00 | 01 3f 02 3f 03 3f | 04 3f 06 07", 0, kNone, 0},
    {"question marks for six, and as the first and the last byte", "3f 00 3f 00 | 3f 3f 3f 55 00 00 | 01 3f 02 3f 03 3f | 04 3f 06 07 3f", 0, kNone, 0},
    {"question marks, and a byte above 7f", "00 3f 00 | 3f 3f 3f 55 00 00 | 01 3f 02 3f 03 3f | 04 3f | 05 3f 06 3f 80 07", 0, kNone, 0},
    {"question marks in names", "00 00 \"??0Foo@@QEAA@XZ ???????? what? why? who?\" 0a 00", 0, kNone, 0},
    {"a carriage return before each of four line feeds", "44 00 0d 0a 00 | 01 0d 0a ff | 00 0d 0a | 80 0d 0a", 4, 2, 2},
    {"before each of three", "44 00 0d 0a 00 | 01 0d 0a ff | 80 0d 0a", 0, kNone, 0},
    {"before each of four, the first one at the start", "0d 0a 00 | 01 0d 0a ff | 00 0d 0a | 80 0d 0a", 0, kNone, 0},
    {"not before one of five", "44 00 0d 0a 00 | 01 0d 0a ff | 00 0d 0a | 80 0d 0a 00 0a", 0, kNone, 0},
    {"a line feed first", "0a 00 0d 0a 00 | 01 0d 0a ff | 00 0d 0a | 80 0d 0a", 0, kNone, 0},
    {"line ends of Windows in a text", "00 ff \"a\" 0d 0a \"b\" 0d 0a 0d 0a \"c\" 0d 0a \"d\" 0d 0a", 0, kNone, 0},
};
// clang-format on

// The filters, byte by byte.
std::string with_fffd(std::string_view bytes) {
    std::string text;
    for (Bytes left = as_bytes(bytes); !left.empty();) {
        const Utf8Sequence sequence = first_utf8_sequence(left);
        text += sequence.well_formed ? as_text(left.first(sequence.length)) : "\xef\xbf\xbd";
        left = left.subspan(sequence.length);
    }
    return text;
}

std::string with_question_marks(std::string_view bytes) {
    std::string text(bytes);
    for (char& byte : text)
        if (static_cast<uint8_t>(byte) > 0x7f) byte = '?';
    return text;
}

std::string with_carriage_returns(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += byte == '\n' ? "\r\n" : std::string(1, byte);
    return text;
}

// What producers wrote, unpacked.
std::vector<NamedBytes> real_files() {
    std::vector<NamedBytes> files;
    for (const Format* format : formats())
        for (const auto& path : corpus_files(*format, "real")) {
            if (path.extension() == ".findings" || path.extension() == ".md") continue;
            const std::string bytes = *read_file(path);
            files.push_back({shown(path), path.extension() == ".gz" ? unpacked(bytes) : bytes});
        }
    REQUIRE(files.size() > 100);
    return files;
}

Bytes searched(std::string_view bytes) { return as_bytes(bytes.substr(0, kFilteredBytes)); }

Outcome check_bytes(std::string_view bytes) {
    MemorySource source(as_bytes(bytes));
    return check(source, {});
}

constexpr std::string_view kCause = "probably a consequence of the text filter that damaged the file";

// "SEVERITY RULE OFFSET+LENGTH: MESSAGE (HINT)" for each finding, and its related place.
std::string listing(const Outcome& outcome) {
    std::string text;
    for (const Diagnostic& d : outcome.report().diagnostics()) {
        text += std::string(to_string(severity_of(d))) + ' ' + std::string(d.rule->id) + ' ' +
                std::to_string(d.place.offset) + '+' + std::to_string(d.place.length) + ": " + message_of(d) + " (" +
                (d.hint == kCause ? "CAUSE" : std::string(d.hint)) + ')';
        if (d.related_offset != kNone)
            text += ' ' + std::to_string(d.related_offset) + '+' + std::to_string(d.related_length);
        text += '\n';
    }
    return text;
}

struct Damaged {
    std::string_view what, hex, expected;
};

constexpr Damaged kDamaged[] = {
    // The code was 55 48 89 e5 90 5d c3 c3. The next record is read 8 bytes later, in the middle of it.
    {"a jitdump whose code was decoded and encoded again",
     R"(44 54 69 4a | 01 00 00 00 | 28 00 00 00 | 3e 00 00 00 | 00*4 | 07 00*3 | 01 00*7 | 00*8
        00 00 00 00 | 42 00 00 00 | 02 00*7 | 07 00*3 | 07 00*3 | 00 10 00*6 | 00 10 00*6 | 08 00*7 | 01 00*7 | "a" 00
        55 48 ef bf bd ef bf bd 5d ef bf bd ef bf bd
        03 00 00 00 | 10 00 00 00 | 03 00*7)",
     R"(note input/text-mangled 0+0: the file went through a text filter: 4 places in its first 129 bytes show it (EF BF BD is U+FFFD, which a decoder of UTF-8 puts in the place of a byte that it cannot decode) 100+3
error jitdump/truncated-record 106+23: total_size of the record is 62767087, but the file has only 23 bytes left (CAUSE)
)"},
    // Each 3f of its addresses was a byte above 7f.
    {"a profile in ASCII",
     R"(00*8 | 03 00*7 | 00*8 | 10 27 00*6 | 00*8
        01 00*7 | 04 00*7 | 3f 12 3f 01 3f 7f 00 00 | 3f 12 3f 01 3f 7f 00 00 | 3f 12 3f 01 3f 7f 00 00 | 3f 12 3f 01 3f 7f 00 00
        00*8 | 01 00*7 | 00*8 | "400000-401000 r-xp 00000000 00:00 1 /a" 0a)",
     R"(note input/text-mangled 0+0: the file went through a text filter: 12 places in its first 151 bytes show it (3F is a question mark, which a converter of text puts in the place of any byte above 7F) 56+1
warning gperftools/pc-unmapped-leaf 56+8: the sampled PC 0x7f3f013f123f is in no executable mapping; this affects 1 of 1 records (1 sample) (CAUSE)
note gperftools/pc-unmapped-caller 64+8: the return address 0x7f3f013f123f is in no executable mapping (1 address of this profile) (CAUSE)
)"},
    // The counts were 10, in a record of one PC each.
    {"a profile that was copied to Windows",
     R"(00*8 | 03 00*7 | 00*8 | 10 27 00*6 | 00*8
        0d 0a 00*7 | 01 00*7 | 10 00 40 00*5 | 0d 0a 00*7 | 01 00*7 | 10 00 40 00*5
        0d 0a 00*7 | 01 00*7 | 10 00 40 00*5 | 0d 0a 00*7 | 01 00*7 | 10 00 40 00*5
        00*8 | 01 00*7 | 00*8 | "400000-401000 r-xp 00000000 00:00 1 /a" 0d 0a)",
     R"(note input/text-mangled 0+0: the file went through a text filter: 4 places in its first 204 bytes show it (every 0A has a 0D before it, as the line ends of Windows have) 40+2
error gperftools/record-exceeds-file 48+8: num_pcs is 256, but only 18 slots follow in the file (CAUSE)
)"},
    {"the same profile, with the counts 13",
     R"(00*8 | 03 00*7 | 00*8 | 10 27 00*6 | 00*8
        0d 00*7 | 01 00*7 | 10 00 40 00*5 | 0d 00*7 | 01 00*7 | 10 00 40 00*5
        00*8 | 01 00*7 | 00*8 | "400000-401000 r-xp 00000000 00:00 1 /a" 0a)",
     ""},
    // Its function is number 2573: 0d 0a.
    {"a sound XRay log with what looks like line ends",
     R"(03 00 | 00 00 | 03 00 00 00 | 5d 6c 7b 8a 09 00 00 00 | 00*16
        00 00 01 00 | 0d 0a 00 00 | 10 11 12 13 14 15 16 17 | 01 02 03 04 | 05 06 07 08 | 00*8
        00 00 01 01 | 0d 0a 00 00 | 20 11 12 13 14 15 16 17 | 01 02 03 04 | 05 06 07 08 | 00*8
        00 00 01 00 | 0d 0a 00 00 | 30 11 12 13 14 15 16 17 | 01 02 03 04 | 05 06 07 08 | 00*8
        00 00 01 01 | 0d 0a 00 00 | 40 11 12 13 14 15 16 17 | 01 02 03 04 | 05 06 07 08 | 00*8)",
     ""},
};

TEST_CASE("traces of a text filter") {
    GuardedPage page;
    for (const Filtered& row : kFiltered) {
        Errors errors;
        const std::string bytes = read_hex(row.hex, "kFiltered", errors).bytes;
        CAPTURE(row.what);
        REQUIRE(errors.empty());
        uint8_t* const place = page.last(bytes.size());
        std::copy(bytes.begin(), bytes.end(), place);
        const TextDamage damage = text_damage({place, bytes.size()});
        CHECK(damage.count == row.count);
        CHECK(damage.first_offset == row.offset);
        CHECK(damage.first_length == row.length);
        CHECK(damage.trace.empty() == (row.count == 0));
    }
}

TEST_CASE("damage by a text filter is reported for a damaged file, not for a sound one that looks damaged") {
    for (const Damaged& row : kDamaged) {
        Errors errors;
        const std::string bytes = read_hex(row.hex, "kDamaged", errors).bytes;
        CAPTURE(row.what);
        REQUIRE(errors.empty());
        CHECK(listing(check_bytes(bytes)) == row.expected);
        CHECK(listing(check_bytes(gzip_member(bytes))) == row.expected);
    }
}

TEST_CASE("input/text-mangled can be ignored; then findings keep their own hints") {
    Errors errors;
    const std::string bytes = read_hex(kDamaged[0].hex, "kDamaged", errors).bytes;
    RuleFilter filter;
    filter.ignore("input/text-mangled");
    CheckOptions options;
    options.report.filter = &filter;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    REQUIRE(outcome.report().diagnostics().size() == 1);
    CHECK(outcome.report().diagnostics()[0].hint != kCause);
}

TEST_CASE("a pipe of a given format is searched although its walk ends in the header") {
    Errors errors;
    std::string bytes = read_hex(kDamaged[0].hex, "kDamaged", errors).bytes;
    bytes[0] = 'x';  // of the magic
    CheckOptions options;
    options.format = &kJitdump;
    ChunkedSource source(as_bytes(bytes), {.sizes = {7}, .seekable = false});
    const Outcome outcome = check(source, options);
    CHECK_FALSE(outcome.size);
    CHECK(outcome.report().count(kTextMangled) == 1);
}

TEST_CASE("only the first 64 KiB are searched") {
    Errors errors;
    std::string bytes = read_hex(kDamaged[2].hex, "kDamaged", errors).bytes;
    bytes.resize(kFilteredBytes, 'x');
    CHECK(check_bytes(bytes + '\n').report().count(kTextMangled) == 1);
    bytes.back() = '\n';  // without a carriage return
    CHECK(check_bytes(bytes).report().count(kTextMangled) == 0);
}

TEST_CASE("real and generated files show no traces of a text filter") {
    for (const NamedBytes& file : real_files()) CHECK_MESSAGE(text_damage(searched(file.bytes)).count == 0, file.name);
    for (const Format* format : formats())
        for (uint64_t seed = 1; seed <= seeds(400); ++seed) {
            CAPTURE(format->id);
            CAPTURE(seed);
            CHECK(text_damage(searched(generated_bytes(*format, seed))).count == 0);
        }
}

TEST_CASE("input/text-mangled comes first, and its cause is the hint of what follows") {
    struct Filter {
        std::string (*apply)(std::string_view);
        size_t least;  // real files that must be noticed
    };
    const std::vector<NamedBytes> files = real_files();
    for (const auto& [apply, least] :
         {Filter{with_fffd, 100}, Filter{with_question_marks, 100}, Filter{with_carriage_returns, 20}}) {
        size_t noticed = 0;
        for (const NamedBytes& file : files) {
            const Outcome outcome = check_bytes(apply(file.bytes));
            if (outcome.report().count(kTextMangled) == 0) continue;
            ++noticed;
            CAPTURE(file.name);
            CHECK(outcome.report().count(kTextMangled) == 1);
            CHECK(outcome.report().diagnostics()[0].rule == &kTextMangled);
            for (const Diagnostic& finding : outcome.report().diagnostics())
                if (!finding.rule->of_input) CHECK(finding.hint == kCause);
        }
        CHECK(noticed >= least);
    }
}

}  // namespace
}  // namespace tracelint
