// Lines of a dump: trees are indented, and indexes are shown with their meaning.
#include "validator/tool/dump/renderer.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "fuzz/oracles.hpp"
#include "tests/support/corpus.hpp"
#include "validator/recognise.hpp"

namespace tracelint {
namespace {

// The dump of a base file, and what it says of itself in `context`.
std::string dump_of(const std::string& folder, const std::string& file, DumpContext& context) {
    Errors errors;
    const std::string text = read_file(kRoot / "corpus" / folder / "base" / file).value_or("");
    const std::string bytes = read_hex(text, file, errors).bytes;
    REQUIRE(errors.empty());
    MemorySource source(as_bytes(bytes));
    Window window(source, nullptr, &context.budget);
    const Format* format = recognise(formats(), {as_bytes(bytes).first(std::min(bytes.size(), kDetectionBytes)), {}});
    REQUIRE(format != nullptr);
    StringSink sink;
    dump(window, format->framer({}), context, sink);
    return sink.text;
}

// The lines of the base file's dump that hold `part`, from their fourth column on.
std::vector<std::string> dumped(const std::string& folder, const std::string& file, const std::string& part,
                                uint64_t memory = kNone) {
    Limits limits;
    limits.memory = memory;
    DumpContext context(limits);
    std::vector<std::string> lines;
    std::istringstream all(dump_of(folder, file, context));
    for (std::string line; std::getline(all, line);)
        if (line.find(part) != line.npos) lines.push_back(line.substr(line.rfind("| ") + 2));
    CHECK(context.left_out.empty() == (memory == kNone));
    CHECK(context.budget.is_whole());
    return lines;
}

}  // namespace

TEST_CASE("inlined calls are indented by depth, with their ranges and functions") {
    const std::vector<std::string> wanted = {
        "depth 0, range_count 1 (range_list[0]), function_index 1 (parse), call_line_number 105, call_column_number 11",
        "  depth 1, range_count 1 (range_list[1]), function_index 2 (next), call_line_number 207, call_column_number "
        "12",
        "    depth 2, range_count 1 (range_list[2]), function_index 3 (peek), call_line_number 233, call_column_number "
        "13",
        "    depth 2, range_count 1 (range_list[3]), function_index 3 (peek), call_line_number 234, call_column_number "
        "14",
        "  depth 1, range_count 1 (range_list[4]), function_index 4 (emit), call_line_number 211, call_column_number "
        "15",
        "depth 0, range_count 2 (range_list[5..6]), function_index 2 (next), call_line_number 108, call_column_number "
        "16",
        "  depth 1, range_count 1 (range_list[7]), function_index 3 (peek), call_line_number 235, call_column_number "
        "17",
    };
    CHECK(dumped("samply", "tree-nested.hex", "  inline_call_list[") == wanted);
}

TEST_CASE("bytes that are text are shown as text") {
    using Lines = std::vector<std::string>;
    CHECK(dumped("nettrace", "session-v6.hex", "| provider ") == Lines{"\"My-Source\"", "\"linux\""});
    CHECK(dumped("nettrace", "session-v6.hex", "fields[1].name ") == Lines{"\"bytes\"", "\"text\""});
    CHECK(dumped("nettrace", "session-v6.hex", "optional[2].value ") == Lines{"\"v\""});
}

TEST_CASE("flags of one number are shown in one line, by the names of those that are set") {
    DumpContext context({});
    const std::string text = dump_of("nettrace", "session.hex", context);
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);)
        if (line.find("| flags   ") != line.npos && line.find(" | 0x") != line.npos) lines.push_back(line);
    REQUIRE(lines.size() > 3);
    CHECK(lines[0].find("| 0x82   ") != text.npos);
    CHECK(lines[0].ends_with("| has_number | has_payload_size"));
    CHECK(text.find("| has_number    ") == text.npos);
}

TEST_CASE("without memory for the texts that indexes refer to, only the indexes are shown") {
    CHECK(dumped("samply", "positions.hex", "code_offsets[2]", 100) ==
          std::vector<std::string>{"code_offset 20, source_position 4"});
}

TEST_CASE("a record above a limit is shown in part, and the dump says so") {
    for (const bool of_record : {true, false}) {
        Limits limits;
        if (of_record) limits.record = 60;
        DumpContext context(limits);
        const std::string text = dump_of("jitdump", "debug-info.hex", context);
        CHECK((text.find("  ... 20 bytes not shown\n") != text.npos) == of_record);
        CHECK(context.left_out == (of_record ? "not all of a record is shown: --max-record" : ""));
    }
}

namespace {

// EndlessZeros without an end, or so it seems: they are more than a dump may read.
class EndlessZeros final : public Source {
  public:
    static constexpr uint64_t kAll = 64 * kMiB;

    size_t read(uint8_t* to, size_t bytes) override {
        const auto got = static_cast<size_t>(std::min<uint64_t>(bytes, kAll - given_));
        std::fill_n(to, got, uint8_t{0});
        given_ += got;
        return got;
    }
    uint64_t given() const { return given_; }

  private:
    uint64_t given_ = 0;
};

// The text of a dump of a perf map.
std::string dump_of_map(Source& source, DumpContext& context) {
    Window window(source, nullptr, &context.budget);
    StringSink sink;
    dump(window, find_format("perfmap")->framer({}), context, sink);
    return sink.text;
}

}  // namespace

TEST_CASE("a line that has no end, as far as a limit lets see, ends the dump") {
    const struct {
        Limits limits;
        std::string_view why;
    } kRows[] = {
        {{.record = 1 * kMiB, .memory = kNone}, "the end of a record is not found: --max-record"},
        {{.record = kNone, .memory = 4 * kMiB}, "the end of a record is not found: --max-memory"},
    };
    for (const auto& [limits, why] : kRows) {
        CAPTURE(why);
        DumpContext context(limits);
        EndlessZeros zeros;
        const std::string text = dump_of_map(zeros, context);
        CHECK(zeros.given() < EndlessZeros::kAll / 2);
        CHECK(context.left_out == why);
        CHECK(text.find("records[0] line at 0x0, ") != text.npos);
        CHECK(text.find("records[1]") == text.npos);
    }
}

TEST_CASE("a last line without a line end is shown whole, whatever its length") {
    const std::string line = "a000 20 " + std::string(3 * kDetectionBytes, 'x');
    MemorySource source(as_bytes(line));
    DumpContext context(Limits{});
    const std::string text = dump_of_map(source, context);
    CHECK(context.left_out.empty());
    CHECK(text.find("records[0] line at 0x0, " + std::to_string(line.size()) + " bytes") != text.npos);
}

TEST_CASE("an index is shown with the text that it refers to") {
    CHECK(dumped("samply", "positions.hex", "code_offsets[2]") ==
          std::vector<std::string>{"code_offset 20, source_position 4 (max)"});
    CHECK(dumped("samply", "positions.hex", "source_positions[0]") ==
          std::vector<std::string>{"caller_index -1 (none), function_name 0 (main), file 1 (main.js), "
                                   "function_start_line 10, function_start_column 1, line 11, column 1"});
    CHECK(dumped("samply", "tree.hex", "line_record_list[1]") ==
          std::vector<std::string>{"code_offset 16, file_index 1 (util.js), line_number 20, column_number 2"});
}

}  // namespace tracelint
