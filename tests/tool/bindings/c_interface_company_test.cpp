// Readers and files that belong together, asked of the C interface: the command's JSON, whatever the way of the bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "tests/support/scratch.hpp"
#include "tests/tool/bindings/c_interface.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

struct Content {
    std::string name, bytes;
};

Content content_of_file(const fs::path& path) { return {path.string(), read_file(path).value()}; }

// A check and its options.
struct Request {
    Content input;
    std::vector<Content> companions;
    std::vector<std::string> readers;
};

std::string document_of(const tracelint_report* report) {
    const char* json = nullptr;
    size_t length = 0;
    REQUIRE(tracelint_report_document(report, nullptr, &json, &length) == TRACELINT_OK);
    CHECK(std::strlen(json) == length);
    return json;
}

// The page, for which the caller gives the bytes of the input, or none.
std::string page_of(const tracelint_report* report, const std::string& bytes) {
    const char* html = nullptr;
    size_t length = 0;
    REQUIRE(tracelint_report_html(report, bytes.data(), bytes.size(), &html, &length) == TRACELINT_OK);
    CHECK(std::strlen(html) == length);
    return html;
}

std::string output_of_command(const Request& request, const std::string& kind) {
    const ScratchFolder scratch;
    const std::string output = (scratch.path() / "report").string();
    std::vector<std::string> words = {"--quiet", "--no-config", "--no-pair", "--output=" + kind + '=' + output};
    for (const Content& companion : request.companions) words.push_back("--with=" + companion.name);
    for (const std::string& reader : request.readers) words.push_back("--for=" + reader);
    words.push_back(request.input.name);
    const Parsed parsed = parse_command_line(words);
    REQUIRE_MESSAGE(parsed.error.empty(), parsed.error);
    run_check(std::get<CheckLine>(parsed.command_line));
    return read_file(output).value();
}

// The options for it, which point into this.
class Given {
  public:
    Given(const Request& request, bool by_name) {
        for (const Content& companion : request.companions)
            companions_.push_back({companion.name.c_str(), by_name ? nullptr : companion.bytes.data(),
                                   by_name ? 0 : companion.bytes.size()});
        for (const std::string& reader : request.readers) readers_.push_back(reader.c_str());
        options = sized<tracelint_options>();
        options.file_name = request.input.name.c_str();
        options.companions = companions_.data();
        options.companion_count = companions_.size();
        options.readers = readers_.data();
        options.reader_count = readers_.size();
    }

    tracelint_options options;

  private:
    std::vector<tracelint_companion> companions_;
    std::vector<const char*> readers_;
};

// Bytes that are read in order, seven at a time.
struct Piped {
    const std::string& bytes;
    size_t at = 0;

    static int64_t read(void* user, void* to, size_t wanted) {
        auto& piped = *static_cast<Piped*>(user);
        const size_t got = std::min({wanted, piped.bytes.size() - piped.at, size_t{7}});
        std::memcpy(to, piped.bytes.data() + piped.at, got);
        piped.at += got;
        return static_cast<int64_t>(got);
    }
};

tracelint_error check_by_callback(const Request& request, const tracelint_options& options, tracelint_report** report) {
    Piped piped{request.input.bytes};
    const tracelint_source source{sizeof source, &piped, Piped::read, nullptr, TRACELINT_UNKNOWN};
    return tracelint_check_callback(&source, &options, report);
}

tracelint_error check_by_session(const Request& request, const tracelint_options& options, tracelint_report** report) {
    tracelint_session* session = nullptr;
    REQUIRE(tracelint_session_open(&options, &session) == TRACELINT_OK);
    const std::string& bytes = request.input.bytes;
    constexpr size_t kPiece = 10'007;
    for (size_t at = 0; at < bytes.size(); at += kPiece)
        tracelint_session_feed(session, bytes.data() + at, std::min(kPiece, bytes.size() - at), nullptr);
    const tracelint_error error = tracelint_session_finish(session, report);
    tracelint_session_free(session);
    return error;
}

void expect_the_commands_document(const Request& request) {
    CAPTURE(request.input.name);
    const std::string expected = output_of_command(request, "json"), page = output_of_command(request, "html");
    using Check = tracelint_error (*)(const Request&, const tracelint_options&, tracelint_report**);
    const struct {
        const char* name;
        Check check;
        bool by_name;
    } kWays[] = {
        {"file",
         [](const Request& of, const tracelint_options& options, tracelint_report** report) {
             return tracelint_check_file(of.input.name.c_str(), &options, report);
         },
         true},
        {"memory",
         [](const Request& of, const tracelint_options& options, tracelint_report** report) {
             return tracelint_check_memory(of.input.bytes.data(), of.input.bytes.size(), &options, report);
         },
         false},
        {"callback", check_by_callback, false},
        {"session", check_by_session, true},
    };
    for (const auto& way : kWays) {
        CAPTURE(way.name);
        const Given given(request, way.by_name);
        Held held;
        REQUIRE(way.check(request, given.options, &held.report) == TRACELINT_OK);
        CHECK(document_of(held.report) == expected);
        // Of companions that are not files, the library has no bytes any more.
        if (way.by_name || request.companions.empty())
            CHECK_MESSAGE((page_of(held.report, request.input.bytes) == page), "the pages differ");
    }
}

std::vector<Content> contents_of(const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<Content> contents;
    for (const fs::path& path : paths) contents.push_back(content_of_file(path));
    return contents;
}

const fs::path kPairs = kRoot / "corpus" / "siblings" / "real";

TEST_CASE("files that belong together have the command's document, whichever is the input") {
    for (const char* pair : {"c-writer", "c-writer-system", "c-writer-untimed", "node-20-map", "php-8.2", "mono-6.8"}) {
        const std::vector<Content> files = contents_of(kPairs / pair);
        for (size_t input = 0; input < files.size(); ++input) {
            Request request{files[input], files, {}};
            request.companions.erase(request.companions.begin() + static_cast<std::ptrdiff_t>(input));
            expect_the_commands_document(request);
        }
    }
}

TEST_CASE("readers of an input have the command's document, with and without a companion") {
    const fs::path corpus = kRoot / "corpus";
    const fs::path museum = corpus / "museum" / "jitdump" / "cpython-macos-64-bit-tid.jitdump";
    const Content recording = content_of_file(kPairs / "php-8.2" / "perf.data");
    const Content dump = content_of_file(kPairs / "php-8.2" / "jit-4.dump");
    for (const std::vector<std::string>& readers : std::vector<std::vector<std::string>>{
             {"perf"}, {"perf@6.1"}, {"any"}, {"perf", "samply"}, {"perf", "perf"}, {"llvm-xray"}}) {
        expect_the_commands_document({content_of_file(museum), {}, readers});
        expect_the_commands_document({recording, {}, readers});
        expect_the_commands_document({recording, {dump}, readers});
    }
}

TEST_CASE("what a reader does is predicted, and findings are those that matter to it") {
    const Request request{
        content_of_file(kRoot / "corpus/museum/jitdump/cpython-macos-64-bit-tid.jitdump"), {}, {"perf"}};
    const Given given(request, false);
    Held held;
    REQUIRE(check_by_callback(request, given.options, &held.report) == TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    REQUIRE(tracelint_report_summary(held.report, &summary) == TRACELINT_OK);
    CHECK(summary.reader_count >= 1);
    CHECK(summary.companion_count == 0);
    auto reader = sized<tracelint_reader>();
    REQUIRE(tracelint_report_reader(held.report, 0, &reader) == TRACELINT_OK);
    CHECK(std::string(reader.name).starts_with("perf"));
    CHECK(*reader.version != 0);
    CHECK(std::string(reader.unit) == "function");
    CHECK(std::string(reader.sentence).find(reader.version) != std::string::npos);
    CHECK(document_of(held.report).find('"' + std::string(reader.outcome) + '"') != std::string::npos);
    CHECK(tracelint_report_reader(held.report, summary.reader_count, &reader) == TRACELINT_ERROR_OUT_OF_RANGE);
    CHECK(tracelint_report_reader(held.report, 0, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    reader.size = 8;
    CHECK(tracelint_report_reader(held.report, 0, &reader) == TRACELINT_ERROR_STRUCT_SIZE);
}

// A pair whose recording uses a clock that a dump cannot have.
Request broken_pair() {
    Request request{
        content_of_file(kPairs / "c-writer" / "perf.data"), {content_of_file(kPairs / "c-writer" / "jit-4.dump")}, {}};
    request.input.bytes[0xa3] = 0x61;
    return request;
}

TEST_CASE("a finding about two files names the other, in the report of either, and outlives that of the input") {
    const Request request = broken_pair();
    const Given given(request, false);
    Held held, companion;
    REQUIRE(tracelint_check_memory(request.input.bytes.data(), request.input.bytes.size(), &given.options,
                                   &held.report) == TRACELINT_OK);
    REQUIRE(tracelint_report_companion(held.report, 0, &companion.report) == TRACELINT_OK);
    CHECK(tracelint_report_companion(held.report, 1, &companion.report) == TRACELINT_ERROR_OUT_OF_RANGE);
    auto finding = sized<tracelint_finding>();
    size_t found = 0;
    for (size_t i = 0; tracelint_report_finding(held.report, i, &finding) == TRACELINT_OK; ++i)
        if (std::string(finding.rule) == "siblings/clock-not-monotonic") {
            ++found;
            CHECK(finding.offset == 0xa0);
            CHECK(finding.has_related != 0);
            CHECK(finding.related_offset == 32);
            REQUIRE(finding.related_file != nullptr);
            CHECK(finding.related_file == request.companions[0].name);
        } else if (!std::string(finding.rule).starts_with("siblings/")) {
            CHECK(finding.related_file == nullptr);
        }
    CHECK(found == 1);
    tracelint_report_free(held.report);
    held.report = nullptr;
    auto summary = sized<tracelint_summary>();
    REQUIRE(tracelint_report_summary(companion.report, &summary) == TRACELINT_OK);
    CHECK(std::string(summary.format) == "jitdump");
    CHECK(summary.companion_count == 0);
    CHECK(json_of(companion.report).find(request.companions[0].name) != std::string::npos);
}

TEST_CASE("on_finding gets each mismatch between files once, and no findings of companions") {
    struct Reported {
        std::vector<std::string> rules{};
        static void on_finding(void* user, const tracelint_finding* finding) {
            static_cast<Reported*>(user)->rules.emplace_back(finding->rule);
        }
    };
    Request request = broken_pair();
    for (const bool with_reader : {false, true}) {
        if (with_reader) request.readers = {"perf"};
        Reported reported;
        Given given(request, false);
        given.options.on_finding = Reported::on_finding;
        given.options.user = &reported;
        Held held;
        REQUIRE(check_by_session(request, given.options, &held.report) == TRACELINT_OK);
        std::vector<std::string> listed;
        auto finding = sized<tracelint_finding>();
        for (size_t i = 0; tracelint_report_finding(held.report, i, &finding) == TRACELINT_OK; ++i)
            listed.emplace_back(finding.rule);
        CHECK(std::ranges::count(listed, "siblings/clock-not-monotonic") == 1);
        std::ranges::sort(listed);
        std::ranges::sort(reported.rules);
        CHECK(reported.rules == listed);
    }
}

TEST_CASE("readers and companions that are wrong are errors, and a companion that cannot be read has a report") {
    const char* const unknown[] = {"no-reader"};
    const char* const no_version[] = {"perf@0.1"};
    const char* const null_reader[] = {nullptr};
    const tracelint_companion no_name{nullptr, "x", 1}, no_bytes{"a.dump", nullptr, 1};
    auto options = sized<tracelint_options>();
    tracelint_report* report = nullptr;
    const auto check = [&] { return tracelint_check_memory("x", 1, &options, &report); };
    options.reader_count = 1;
    CHECK(check() == TRACELINT_ERROR_NULL_ARGUMENT);
    options.readers = null_reader;
    CHECK(check() == TRACELINT_ERROR_NULL_ARGUMENT);
    options.readers = unknown;
    CHECK(check() == TRACELINT_ERROR_INVALID_OPTION);
    CHECK(std::string(tracelint_error_detail()).starts_with("no reader is called 'no-reader'; there are any, perf"));
    options.readers = no_version;
    CHECK(check() == TRACELINT_ERROR_INVALID_OPTION);
    CHECK(std::string(tracelint_error_detail()).starts_with("there is no 'perf@0.1'; its versions are "));
    options.reader_count = 0;
    options.companion_count = 1;
    CHECK(check() == TRACELINT_ERROR_NULL_ARGUMENT);
    options.companions = &no_name;
    CHECK(check() == TRACELINT_ERROR_NULL_ARGUMENT);
    options.companions = &no_bytes;
    CHECK(check() == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(report == nullptr);

    const tracelint_companion missing{"/nowhere/jit-4.dump", nullptr, 0};
    options.companions = &missing;
    Held held, companion;
    REQUIRE(tracelint_check_file(kTrace.c_str(), &options, &held.report) == TRACELINT_OK);
    REQUIRE(tracelint_report_companion(held.report, 0, &companion.report) == TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    tracelint_report_summary(held.report, &summary);
    CHECK(summary.verdict == TRACELINT_HAS_ERRORS);
    tracelint_report_summary(companion.report, &summary);
    CHECK(summary.verdict == TRACELINT_UNREADABLE);
    CHECK(std::string(summary.failure).starts_with("cannot open"));
}

TEST_CASE("without memory for facts, files are judged by what is left, and a limit is named") {
    const std::vector<Content> files = contents_of(kPairs / "php-8.2");
    const Request request{files.back(), {files[0], files[1]}, {"any"}};
    for (const uint64_t memory : std::to_array<uint64_t>({1, 1'000, 100'000})) {
        CAPTURE(memory);
        Given given(request, false);
        given.options.max_memory = memory;
        Held held;
        REQUIRE(tracelint_check_memory(request.input.bytes.data(), request.input.bytes.size(), &given.options,
                                       &held.report) == TRACELINT_OK);
        auto summary = sized<tracelint_summary>();
        REQUIRE(tracelint_report_summary(held.report, &summary) == TRACELINT_OK);
        CHECK(summary.companion_count == 2);
        CHECK((summary.limit_hit != 0) == (memory < 100'000));
    }
}

}  // namespace
}  // namespace tracelint
