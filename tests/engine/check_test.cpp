// Checking one input from end to end: opening, recognising, walking, and what is said about the input as such. A small
// format of its own replaces the real ones.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "fuzz/oracles.hpp"
#include "tests/support/scratch.hpp"
#include "validator/input/foreign_formats.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// The stand-in: lines, each ended by '\n', none with a '!'.
constexpr Rule kLineCut{
    .id = "lines/cut",
    .severity = Severity::error,
    .statement = "a line ends with a newline",
    .message = "the last line is cut",
    .why = "",
    .spec = "",
    .since = "0.1.0",
    .about_end = true,
};
constexpr Rule kLineShouts{
    .id = "lines/shouts",
    .severity = Severity::warning,
    .statement = "no line shouts",
    .message = "byte {0} is a '!'",
    .why = "",
    .spec = "",
    .since = "0.1.0",
};

void validate_lines(Window& window, ValidationContext& context) {
    uint8_t last = '\n';
    uint64_t at = 0;
    for (Bytes seen = window.view(0, 1); !seen.empty(); seen = window.view(++at, 1)) {
        last = seen.front();
        if (last == '!') context.report.add(kLineShouts, {.offset = at, .length = 1}, {at});
    }
    if (last != '\n') context.report.add(kLineCut, {.offset = at});
}

// Looks at the first byte only, as a grammar does whose file begins wrongly.
void validate_nothing(Window& window, ValidationContext&) { window.view(0, 1); }

// Runs out of memory.
void validate_greedily(Window&, ValidationContext&) { throw std::bad_alloc(); }

Format format_with(std::string_view id, int (*recognise)(const Opening&),
                   void (*validate)(Window&, ValidationContext&)) {
    Format format{};
    format.id = id;
    format.recognise = recognise;
    format.validate = validate;
    return format;
}

int never(const Opening&) { return 0; }

const Format kLines = format_with("lines", never, validate_lines);
const Format kLazy = format_with("lazy", never, validate_nothing);
const Format kStrict = [] {
    Format format = format_with("strict", never, validate_lines);
    format.refuses_gzip_padding = true;
    return format;
}();
const Format kGreedy = format_with("greedy", never, validate_greedily);

// "rule offset+length (hint)" of every finding.
std::string findings(const Report& report) {
    std::string text;
    for (const Diagnostic& found : report.diagnostics()) {
        if (!text.empty()) text += ", ";
        text += std::string(found.rule->id) + ' ' + std::to_string(found.place.offset) + '+' +
                std::to_string(found.place.length);
        const std::string_view said = found.hint.empty() ? found.text : found.hint;
        if (!said.empty()) text += " (" + std::string(said) + ')';
    }
    return text;
}

CheckOptions against(const Format& format) {
    CheckOptions options;
    options.format = &format;
    return options;
}

TEST_CASE("an input is checked the same way from any source") {
    struct Case {
        std::string input;
        Container container;
    };
    const std::string text = "one\ntwo!\nthr";
    for (const auto& [input, container] : {Case{text, Container::none}, Case{gzip_member(text), Container::gzip}}) {
        const ScratchFile file(input);
        MemorySource memory(as_bytes(input));
        ChunkedSource pieces(as_bytes(input), {.sizes = {1, 2, 5}});
        ChunkedSource pipe(as_bytes(input), {.sizes = {1}, .seekable = false});
        const auto opened = open_file(file.path());
        const std::initializer_list<Source*> sources = {&memory, &pieces, &pipe, opened.get()};
        for (Source* source : sources) {
            const Outcome outcome = check(*source, against(kLines));
            CHECK(findings(outcome.report()) == "lines/shouts 7+1, lines/cut 12+0");
            CHECK(outcome.format == &kLines);
            CHECK(outcome.container == container);
            CHECK(outcome.size == text.size());
            CHECK(outcome.failure.empty());
        }
    }
}

TEST_CASE("the size is that of the whole input, unless only further reading would show it") {
    const std::string text(3 * kWindow + 5, 'x'), zipped = gzip_member(text);
    ChunkedSource file(as_bytes(text)), pipe(as_bytes(text), {.seekable = false}), container(as_bytes(zipped));
    CHECK(check(file, against(kLazy)).size == text.size());
    CHECK(check(pipe, against(kLazy)).size == std::nullopt);
    CHECK(check(container, against(kLazy)).size == text.size());
    constexpr size_t kMagic = 4;  // of a container
    CHECK(file.bytes_given() <= kMagic + kWindow);
    CHECK(pipe.bytes_given() <= kMagic + kWindow);
    ChunkedSource all(as_bytes(text), {.seekable = false});
    CHECK(check(all, against(kLines)).size == text.size());  // the walk itself reads to the end
}

// Never ends: gives its first bytes, then zeros.
class EndlessSource final : public Source {
  public:
    explicit EndlessSource(std::string first) : first_(std::move(first)) {}
    size_t read(uint8_t* to, size_t bytes) override {
        REQUIRE(given_ < 100 * kMiB);
        for (size_t i = 0; i < bytes; ++i)
            to[i] = given_ + i < first_.size() ? static_cast<uint8_t>(first_[given_ + i]) : 0;
        given_ += bytes;
        return bytes;
    }

  private:
    std::string first_;
    uint64_t given_ = 0;
};

TEST_CASE("an input without an end is read until there is nothing more to say") {
    const std::string member = gzip_member(std::string(2 * kFarDetectionBytes, '?'));
    const std::string name_it = " (if you know it, name it with --as)";
    struct Case {
        std::string first, as, expected;
    };
    const Case cases[] = {
        {"", "", "input/unknown-format 0+16" + name_it},
        {member, "", "input/unknown-format 0+16" + name_it},
        {gzip_member("short") + "junk", "", "input/unknown-format 0+5" + name_it + ", gzip/trailing-data 25+16"},
        {gzip_member("short"), "",
         "input/unknown-format 0+5" + name_it + ", gzip/trailing-data " + std::to_string(25 + kLargestPadding) + "+16"},
        {"", "jitdump", "jitdump/bad-magic 0+4"},
        {"", "mlpd", "mlpd/bad-magic 0+4"},
        {"", "xray", "xray/unsupported-version 0+2"},
    };
    for (const auto& [first, as, expected] : cases) {
        CAPTURE(expected);
        EndlessSource source(first);
        CheckOptions options;
        options.format = as.empty() ? nullptr : find_format(as);
        CHECK(findings(check(source, options).report()) == expected);
    }
    EndlessSource source("JiTD");
    const Outcome outcome = check(source, {});
    CHECK(outcome.format == find_format("jitdump"));
    CHECK(outcome.report().count(Severity::error) > 0);
    CHECK(outcome.size == std::nullopt);
}

TEST_CASE("the faults of a container are found, and explain a missing end") {
    const std::string text = "one\ntwo!\nthree\n", whole = gzip_member(text);
    std::string wrong_crc = whole;
    wrong_crc[whole.size() - 8] ^= 1;
    // The last line is cut in both. A wrong CRC-32 may be why, a wrong length is not.
    const std::string cut = gzip_member("cut");
    std::string cut_and_crc = cut, cut_and_length = cut;
    cut_and_crc[cut.size() - 8] ^= 1;
    cut_and_length[cut.size() - 4] ^= 1;
    const std::string wrong_length = "gzip/corrupt 19+4 (the stored length does not match the data)";
    struct Case {
        std::string file;
        const Format* format;
        std::string expected;
    };
    const std::string cut_at = std::to_string(whole.size() - 12);
    const std::string crc_at = std::to_string(whole.size() - 8), end = std::to_string(whole.size());
    const std::string wrong_crc_hint = " (the stored CRC-32 does not match the data)";
    const Case cases[] = {
        {whole, &kLines, "lines/shouts 7+1"},
        {whole + "xy", &kLines, "lines/shouts 7+1, gzip/trailing-data " + std::to_string(whole.size()) + "+2"},
        {whole + "xy", &kLazy, "gzip/trailing-data " + std::to_string(whole.size()) + "+2"},
        {cut + "xy", &kLines, "lines/cut 3+0, gzip/trailing-data 23+2"},
        {whole + std::string(20, '\0'), &kLines, "lines/shouts 7+1"},
        {whole + std::string(20, '\0') + "xy", &kStrict, "lines/shouts 7+1, gzip/trailing-data " + end + "+16"},
        {whole + std::string(1, '\0'), &kStrict, "lines/shouts 7+1, gzip/trailing-data " + end + "+1"},
        {whole + "xy", &kStrict, "lines/shouts 7+1, gzip/trailing-data " + end + "+2"},
        {whole, &kStrict, "lines/shouts 7+1"},
        {wrong_crc + "xy", &kStrict, "lines/shouts 7+1, gzip/corrupt " + crc_at + "+4" + wrong_crc_hint},
        {gzip_member("one\nt") + gzip_member("wo!\n"), &kStrict, "lines/shouts 7+1"},
        {gzip_member("one\nt") + gzip_member("wo!\n"), &kLines, "lines/shouts 7+1"},
        {cut_and_crc, &kLines, "gzip/corrupt 15+4 (the stored CRC-32 does not match the data)"},
        {cut_and_length, &kLines, "lines/cut 3+0, " + wrong_length},
        {cut_and_length + cut, &kLines, wrong_length},
        {whole.substr(0, whole.size() - 12), &kLines, "lines/shouts 7+1, gzip/truncated " + cut_at + "+0"},
        {whole.substr(0, whole.size() - 12), &kLazy, "gzip/truncated " + cut_at + "+0"},
        {wrong_crc, &kLazy, "gzip/corrupt " + crc_at + "+4 (the stored CRC-32 does not match the data)"},
    };
    for (const auto& [file, format, expected] : cases) {
        CAPTURE(expected);
        for (const bool seekable : {true, false}) {
            ChunkedSource source(as_bytes(file), {.sizes = {3}, .seekable = seekable});
            CHECK(findings(check(source, against(*format)).report()) == expected);
        }
    }
}

TEST_CASE("a container that decompresses to too much hits a limit") {
    const std::string bomb = gzip_member(std::string(kInflatedFreely + 1, '\0'));
    MemorySource source(as_bytes(bomb));
    const Outcome outcome = check(source, against(kLazy));
    CHECK(findings(outcome.report()) == "gzip/too-large 0+10");
    CHECK(outcome.context.limit_hit);
    CHECK(outcome.size == kInflatedFreely);
}

TEST_CASE("input/unknown-format, input/empty and input/git-lfs-pointer") {
    struct Case {
        std::string file, expected;
    };
    const std::string name_it = " (if you know it, name it with --as)";
    const std::string long_one = gzip_member(std::string(2 * kFarDetectionBytes, '?'));
    const Case cases[] = {
        {"", "input/empty 0+0"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n",
         "input/git-lfs-pointer 0+16 (git lfs pull fetches the file)"},
        {gzip_member("version https://git-lfs.github.com/spec/v1\n"),
         "input/git-lfs-pointer 0+16 (git lfs pull fetches the file)"},
        {"version https://git-lfs.github.com/spec", "input/unknown-format 0+16" + name_it},
        {"x", "input/unknown-format 0+1" + name_it},
        {"this is some text that is no trace", "input/unknown-format 0+16" + name_it},
        {"heap_v2/", "input/unknown-format 0+8 (" + std::string(foreign_format_hint(as_bytes("heap_v2/"))) + ")"},
        {gzip_member("what is this"), "input/unknown-format 0+12" + name_it},
        {gzip_member(""), "input/empty 0+0"},
        {gzip_member(gzip_member("DTiJ")),
         "input/unknown-format 0+16 (this is compressed with gzip twice; decompress it once)"},
        // The bytes that identify the format may be among those that are missing.
        {"\x1f\x8b", "gzip/truncated 2+0"},
        {gzip_member("what is this").substr(0, 15), "gzip/truncated 15+0"},
        // But not where more is there than any format asks for. Then the container is not read on.
        {long_one.substr(0, long_one.size() - 4), "input/unknown-format 0+16" + name_it},
        {gzip_member("hello") + gzip_member("hello"), "input/unknown-format 0+10" + name_it},
        {gzip_member("hello") + "xy", "input/unknown-format 0+5" + name_it + ", gzip/trailing-data 25+2"},
    };
    for (const auto& [file, expected] : cases) {
        for (const bool seekable : {true, false}) {
            ChunkedSource source(as_bytes(file), {.sizes = {1}, .seekable = seekable});
            const Outcome outcome = check(source, {});
            CHECK(findings(outcome.report()) == expected);
            CHECK(outcome.format == nullptr);
            CHECK(outcome.failure.empty());
        }
    }
}

TEST_CASE("a known format is recognised, in a container too") {
    const std::string header("DTiJ\1\0\0\0", 8);
    for (const std::string& file : {header, gzip_member(header), gzip_member("DT") + gzip_member(header.substr(2))}) {
        ChunkedSource source(as_bytes(file), {.sizes = {1}, .seekable = false});
        CHECK(check(source, {}).format == find_format("jitdump"));
    }
}

TEST_CASE("a file without a byte is recognised by its name, folders aside") {
    struct Case {
        std::string name, format;
    };
    const Case cases[] = {
        {"a.prof", "gperftools"}, {"folder/a.prof", "gperftools"}, {"folder/.prof", "gperftools"}, {"a.prof/b", "none"},
        {"a.data", "none"},
    };
    for (const auto& [name, format] : cases) {
        CAPTURE(name);
        MemorySource source{{}};
        CheckOptions options;
        options.file_name = name;
        const Outcome outcome = check(source, options);
        CHECK((outcome.format == nullptr ? "none" : outcome.format->id) == format);
    }
}

TEST_CASE("a damaged container hides its format only where less is there than a format asks for") {
    for (const size_t size : {kFarDetectionBytes - 1, kFarDetectionBytes, 2 * kFarDetectionBytes}) {
        CAPTURE(size);
        std::string file = gzip_member(std::string(size, '?'));
        const std::string crc_at = std::to_string(file.size() - 8);
        file[file.size() - 8] ^= 1;
        ChunkedSource source(as_bytes(file));
        const std::string damage = "gzip/corrupt " + crc_at + "+4 (the stored CRC-32 does not match the data)";
        CHECK(findings(check(source, {}).report()) ==
              (size < kFarDetectionBytes ? damage : "input/unknown-format 0+16 (if you know it, name it with --as)"));
    }
}

TEST_CASE("the surest format wins, and the first of several that are equally sure") {
    const Format none = format_with("none", never, validate_nothing);
    const Format some = format_with("some", [](const Opening&) { return 50; }, validate_nothing);
    const Format also = format_with("also", [](const Opening&) { return 50; }, validate_nothing);
    const Format name = format_with(
        "name", [](const Opening& opening) { return opening.file_name == "a.trace" ? 60 : 0; }, validate_nothing);
    const Format* const all[] = {&none, &some, &also, &name};
    const Format faint = format_with("faint", [](const Opening&) { return 1; }, validate_nothing);
    const Format* const few[] = {&none, &faint};
    CHECK(recognise(few, {}) == &faint);
    CHECK(recognise(all, {}) == &some);
    CHECK(recognise(all, {{}, "a.trace"}) == &name);
    CHECK(recognise(std::span(all).first(1), {}) == nullptr);
}

TEST_CASE("an input that cannot be read is no trace with a fault") {
    const ScratchFile file;
    for (const std::string& path : {std::string("/"), file.path() + "/x"}) {
        const auto source = open_file(path);
        const Outcome outcome = check(*source, {});
        CHECK(outcome.failure == source->failure());
        CHECK_FALSE(outcome.failure.empty());
        CHECK(findings(outcome.report()).empty());
    }
    for (const bool seekable : {true, false}) {
        ChunkedSource source(as_bytes("one!\ntwo"), {.seekable = seekable, .fails_at = 7});
        const Outcome outcome = check(source, against(kLines));
        CHECK(outcome.failure == "the source is set to fail here");
        CHECK(findings(outcome.report()) == "lines/shouts 3+1");
    }
}

TEST_CASE("no memory is a failure, not an exception") {
    MemorySource source(as_bytes("text"));
    CHECK(check(source, against(kGreedy)).failure == "out of memory");
}

// Shouts of more lines than are kept without a budget, in a container that does not match its checksum.
std::string shouts_in_corrupt_gzip(size_t count) {
    std::string file = gzip_member(std::string(count, '!') + '\n');
    file[file.size() - 8] ^= 1;
    return file;
}

TEST_CASE("input/tracking-limit: findings that the memory does not allow for are counted, and said to be missing") {
    constexpr uint64_t kShouts = 3 * kFreeFindings, kSpare = 32;
    const std::string file = shouts_in_corrupt_gzip(kShouts);
    struct Case {
        uint64_t memory;
        size_t kept_per_rule;
        uint64_t listed;  // shouts
        bool is_short;
    };
    constexpr uint64_t kDoubled = 2 * kFreeFindings * sizeof(Diagnostic);
    const Case cases[] = {
        {0, 0, kFreeFindings - kSpare, true},
        {kDoubled - 1, 0, kFreeFindings - kSpare, true},
        {kDoubled, 0, 2 * kFreeFindings - kSpare, true},
        {3 * kDoubled - 1, 0, 2 * kFreeFindings - kSpare, true},
        {3 * kDoubled, 0, kShouts, false},
        {0, kFreeFindings, kFreeFindings - kSpare, true},
        {0, kFreeFindings - kSpare, kFreeFindings - kSpare, false},
        {0, kShownPerRule, kShownPerRule, false},
    };
    for (const Case& c : cases) {
        CAPTURE(c.memory);
        CAPTURE(c.kept_per_rule);
        CheckOptions options = against(kLines);
        options.limits.memory = c.memory;
        options.report.kept_per_rule = c.kept_per_rule;
        MemorySource source(as_bytes(file));
        const Outcome outcome = check(source, options);
        const Report& report = outcome.report();
        CHECK(report.count(kLineShouts) == kShouts);
        CHECK(report.diagnostics().size() == c.listed + 1 + c.is_short);
        CHECK(report.count(kGzipCorrupt) == 1);
        CHECK_FALSE(report.not_kept().contains(kGzipCorrupt.id));
        CHECK(outcome.context.limit_hit == c.is_short);
        CHECK(report.count(kInputTrackingLimit) == (c.is_short ? 1 : 0));
        CHECK(outcome.context.budget.is_whole());
        const Diagnostic& first = report.diagnostics().front();
        if (c.is_short)
            CHECK(message_of(first) == "the limit of " + std::to_string(c.memory) +
                                           " bytes is reached: all findings are counted, but some of them are not "
                                           "listed");
    }
}

TEST_CASE("input/tracking-limit does not count findings about an end that is missing") {
    // The cut line is found last, and is all that there is no place for.
    std::string member = gzip_member(std::string(kFreeFindings - 32, '!'));
    const auto outcome_of = [](const std::string& file) {
        CheckOptions options = against(kLines);
        options.limits.memory = 0;
        options.report.kept_per_rule = 0;
        MemorySource source(as_bytes(file));
        return check(source, options);
    };
    const Outcome whole = outcome_of(member);
    CHECK(whole.report().count(kLineCut) == 1);
    CHECK(whole.report().not_kept() == std::map<std::string_view, uint64_t>{{kLineCut.id, 1}});
    CHECK(whole.context.limit_hit);
    member.resize(member.size() - 1);
    const Outcome truncated = outcome_of(member);
    CHECK(truncated.report().count(kLineCut) == 0);
    CHECK(truncated.report().count(kGzipTruncated) == 1);
    CHECK(truncated.report().count(kInputTrackingLimit) == 0);
    CHECK_FALSE(truncated.context.limit_hit);
}

TEST_CASE("findings that do not fit are reported within any limits") {
    const std::string file = shouts_in_corrupt_gzip(2 * kFreeFindings);
    for (uint64_t seed = 0; seed < 5; ++seed) CHECK(within_limits({as_bytes(file), &kLines}, seed) == std::nullopt);
}

TEST_CASE("input/changed") {
    static const ScratchFile* changing = nullptr;
    const ScratchFile file("one\n");
    changing = &file;
    const Format busy = format_with("busy", never, [](Window& window, ValidationContext& context) {
        validate_lines(window, context);
        changing->append("two\n");
    });
    const auto source = open_file(file.path());
    const Outcome outcome = check(*source, against(busy));
    CHECK(findings(outcome.report()) == "input/changed 0+0");
    CHECK(outcome.report().count(Severity::note) == 1);
    CHECK(outcome.size == 4);
}

TEST_CASE("every rule can be found, has its texts, and an id of its own") {
    std::set<std::string_view> ids;
    for (const Rule* rule : all_rules()) {
        CAPTURE(rule->id);
        CHECK(ids.insert(rule->id).second);
        CHECK(find_rule(rule->id) == rule);
        CHECK_FALSE(rule->statement.empty());
        CHECK_FALSE(rule->message.empty());
        CHECK_FALSE(rule->why.empty());
        CHECK_FALSE(rule->spec.empty());
    }
    CHECK(ids.size() >= input_rules().size());
    CHECK(find_rule("no/rule") == nullptr);
    CHECK(find_format("no-format") == nullptr);
    for (const Format* format : formats()) CHECK(find_format(format->id) == format);
}

}  // namespace
}  // namespace tracelint
