// The C interface: what it returns, what misuse returns, and that its JSON is the command's.
#include <doctest/doctest.h>
#include <unistd.h>

#include <sys/types.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

#include "fuzz/containers.hpp"
#include "tests/tool/bindings/c_interface.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tool/json/json_report.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

TEST_CASE("version, ABI and the words for numbers") {
    CHECK(std::string(tracelint_version()) == TRACELINT_VERSION);
    CHECK(tracelint_abi() == TRACELINT_ABI);
    CHECK(std::string(tracelint_severity_string(TRACELINT_WARNING)) == "warning");
    CHECK(std::string(tracelint_severity_string(0)).empty());
    CHECK(std::string(tracelint_verdict_string(TRACELINT_HAS_ERRORS)) == "error");
    CHECK(std::string(tracelint_verdict_string(-1)).empty());
    CHECK(std::string(tracelint_error_string(12345)) == "unknown error");
}

TEST_CASE("the header's version is the library's") {
    const std::string version = std::to_string(TRACELINT_VERSION_MAJOR) + '.' +
                                std::to_string(TRACELINT_VERSION_MINOR) + '.' + std::to_string(TRACELINT_VERSION_PATCH);
    CHECK(version == TRACELINT_VERSION);
}

TEST_CASE("a report says what the command says") {
    Held held;
    REQUIRE(tracelint_check_file(kTrace.c_str(), nullptr, &held.report) == TRACELINT_OK);

    auto summary = sized<tracelint_summary>();
    REQUIRE(tracelint_report_summary(held.report, &summary) == TRACELINT_OK);
    CHECK(summary.verdict == TRACELINT_HAS_ERRORS);
    CHECK(std::string(summary.format) == "jitdump");
    CHECK(summary.container == nullptr);
    CHECK(summary.failure == nullptr);
    CHECK(summary.input_size == 918);
    CHECK(summary.format_version == 1);
    CHECK(summary.byte_order == 1);
    CHECK(summary.errors == 1);
    CHECK(summary.warnings == 3);
    CHECK(summary.notes == 4);
    CHECK(summary.finding_count == 8);

    auto finding = sized<tracelint_finding>();
    REQUIRE(tracelint_report_finding(held.report, 1, &finding) == TRACELINT_OK);
    CHECK(std::string(finding.rule) == "jitdump/header-unknown-flags");
    CHECK(finding.severity == TRACELINT_ERROR);
    CHECK(finding.offset == 0x20);
    CHECK(finding.length == 8);
    CHECK(std::string(finding.field) == "header.flags");
    CHECK(std::string(finding.message) == "flags is 0x5a375961772e0103; only bit 0 is defined");
    CHECK(std::string(finding.help).starts_with("perf rejects the whole file"));
    CHECK(finding.has_related == 0);

    auto count = sized<tracelint_count>();
    REQUIRE(tracelint_report_statistic(held.report, 0, &count) == TRACELINT_OK);
    CHECK(std::string(count.name) == "records");
    CHECK(count.number == 8);
    REQUIRE(tracelint_report_rule(held.report, 2, &count) == TRACELINT_OK);
    CHECK(std::string(count.name) == "jitdump/debug-not-adjacent");
    CHECK(count.number == 3);
}

TEST_CASE("JSON is that of the command for every real file, from a file, memory and a session") {
    for (const std::string& path : real_files()) {
        CAPTURE(path);
        CheckOptions options;
        options.file_name = path;
        const Outcome outcome = check(*open_file(path), options);
        StringSink expected;
        write_file_json(expected, {path, outcome}, {});

        Held from_file, from_memory, fed;
        REQUIRE(tracelint_check_file(path.c_str(), nullptr, &from_file.report) == TRACELINT_OK);
        CHECK(json_of(from_file.report) == expected.text);

        const std::string bytes = read_file(path).value_or("");
        auto with_name = sized<tracelint_options>();
        with_name.file_name = path.c_str();
        REQUIRE(tracelint_check_memory(bytes.data(), bytes.size(), &with_name, &from_memory.report) == TRACELINT_OK);
        CHECK(json_of(from_memory.report) == expected.text);

        tracelint_session* session = nullptr;
        REQUIRE(tracelint_session_open(&with_name, &session) == TRACELINT_OK);
        for (size_t at = 0; at < bytes.size(); at += 1000)
            CHECK(tracelint_session_feed(session, &bytes[at], std::min<size_t>(1000, bytes.size() - at), nullptr) ==
                  TRACELINT_OK);
        REQUIRE(tracelint_session_finish(session, &fed.report) == TRACELINT_OK);
        CHECK(tracelint_session_free(session) == TRACELINT_OK);
        CHECK(json_of(fed.report) == expected.text);
    }
}

TEST_CASE("options decide what is found") {
    const char* const ignored[] = {"jitdump/header-"};
    const tracelint_choice choices[] = {{"jitdump/debug-not-adjacent", TRACELINT_OFF},
                                        {"jitdump/unwinding-hdr-first", TRACELINT_WARNING}};
    auto options = sized<tracelint_options>();
    options.ignore = ignored;
    options.ignore_count = 1;
    options.severities = choices;
    options.severity_count = 2;
    Held held;
    REQUIRE(tracelint_check_file(kTrace.c_str(), &options, &held.report) == TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    tracelint_report_summary(held.report, &summary);
    CHECK(summary.errors == 0);
    CHECK(summary.warnings == 1);
    CHECK(summary.notes == 2);
}

TEST_CASE("a wrong option is named") {
    auto options = sized<tracelint_options>();
    options.format = "nonsense";
    tracelint_report* report = nullptr;
    CHECK(tracelint_check_memory(nullptr, 0, &options, &report) == TRACELINT_ERROR_INVALID_OPTION);
    CHECK(report == nullptr);
    CHECK(std::string(tracelint_error_detail()).find("'nonsense'") != std::string::npos);
    tracelint_session* session = nullptr;
    CHECK(tracelint_session_open(&options, &session) == TRACELINT_ERROR_INVALID_OPTION);
    CHECK(session == nullptr);
}

TEST_CASE("an input that cannot be read has a report") {
    Held held;
    REQUIRE(tracelint_check_file("/no/such/file", nullptr, &held.report) == TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    tracelint_report_summary(held.report, &summary);
    CHECK(summary.verdict == TRACELINT_UNREADABLE);
    CHECK(std::string(summary.failure) == "cannot open: No such file or directory");
}

TEST_CASE("a source that breaks its promises has failed") {
    struct Way {
        const char* what;
        int64_t (*read)(void*, void*, size_t);
        int32_t (*seek)(void*, uint64_t);
        uint64_t total;
        const char* failure;
    };
    const auto end = [](void*, void*, size_t) -> int64_t { return 0; };
    const auto stay = [](void*, uint64_t) -> int32_t { return 1; };
    const Way ways[] = {
        {"fails", [](void*, void*, size_t) -> int64_t { return -5; }, nullptr, TRACELINT_UNKNOWN,
         "cannot read: the caller's function failed"},
        {"gives too much", [](void*, void*, size_t bytes) { return static_cast<int64_t>(bytes) + 1; }, nullptr,
         TRACELINT_UNKNOWN, "the source returned more bytes than it was asked for"},
        {"ends before its size", end, stay, 1000, "cannot read: the input ends before its size"},
        {"throws", [](void*, void*, size_t) -> int64_t { throw std::runtime_error("no"); }, nullptr, TRACELINT_UNKNOWN,
         "the source threw: no"},
    };
    for (const Way& way : ways) {
        CAPTURE(way.what);
        auto source = sized<tracelint_source>();
        source.read = way.read;
        source.seek = way.seek;
        source.total = way.total;
        Held held;
        REQUIRE(tracelint_check_callback(&source, nullptr, &held.report) == TRACELINT_OK);
        auto summary = sized<tracelint_summary>();
        tracelint_report_summary(held.report, &summary);
        CHECK(summary.verdict == TRACELINT_UNREADABLE);
        CHECK(std::string(summary.failure == nullptr ? "" : summary.failure) == way.failure);
    }
}

// A file as a C program reads it: its functions take signed offsets.
struct CFile {
    explicit CFile(const std::string& bytes) : file(std::tmpfile()), size(bytes.size()) {
        REQUIRE(file != nullptr);
        CHECK(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
        CHECK(std::fseek(file, 0, SEEK_SET) == 0);
    }
    CFile(const CFile&) = delete;
    CFile& operator=(const CFile&) = delete;
    ~CFile() { std::fclose(file); }

    static int64_t read(void* user, void* to, size_t bytes) {
        std::FILE* const file = static_cast<CFile*>(user)->file;
        const size_t got = std::fread(to, 1, bytes, file);
        return std::ferror(file) != 0 ? -1 : static_cast<int64_t>(got);
    }
    static int32_t seek(void* user, uint64_t offset) {
        auto& self = *static_cast<CFile*>(user);
        self.furthest = std::max(self.furthest, offset);
        return fseeko(self.file, static_cast<off_t>(offset), SEEK_SET) == 0 ? 1 : 0;
    }
    std::FILE* file;
    uint64_t size, furthest = 0;
};

TEST_CASE("a source over fseeko() is read like memory, and asked for no offset that it cannot have") {
    std::string damaged = read_file(kTrace).value_or("");
    damaged.at(4) = '\x7f';  // the version: the walk ends there
    for (const std::string& bytes : {std::string(4096, 'n'),
                                     "\x7f"
                                     "ELF" +
                                         std::string(1 << 20, '\0'),
                                     std::string(), damaged, read_file(kTrace).value_or("")})
        for (const bool is_total_known : {true, false}) {
            CAPTURE(bytes.size());
            CAPTURE(is_total_known);
            CFile file(bytes);
            auto source = sized<tracelint_source>();
            source.user = &file;
            source.read = CFile::read;
            source.seek = CFile::seek;
            source.total = is_total_known ? file.size : TRACELINT_UNKNOWN;
            Held held, expected;
            REQUIRE(tracelint_check_callback(&source, nullptr, &held.report) == TRACELINT_OK);
            REQUIRE(tracelint_check_memory(bytes.data(), bytes.size(), nullptr, &expected.report) == TRACELINT_OK);
            auto summary = sized<tracelint_summary>();
            tracelint_report_summary(held.report, &summary);
            CHECK(summary.failure == nullptr);
            if (is_total_known) CHECK(json_of(held.report) == json_of(expected.report));
            if (is_total_known) CHECK(file.furthest <= file.size);
            CHECK(file.furthest <= uint64_t{1} << 62);
        }
}

TEST_CASE("misuse returns an error") {
    tracelint_report* report = nullptr;
    tracelint_session* session = nullptr;
    auto summary = sized<tracelint_summary>();
    auto rule = sized<tracelint_rule>();
    const char* text = nullptr;
    const auto memory = [&](const void* bytes, size_t length) {
        return tracelint_check_memory(bytes, length, nullptr, &report);
    };
    CHECK(memory(nullptr, 1) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_check_memory("x", 1, nullptr, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_check_file(nullptr, nullptr, &report) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_check_callback(nullptr, nullptr, &report) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_report_summary(nullptr, &summary) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_rule_find(nullptr, &rule) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_rule_find("jitdump/no-such", &rule) == TRACELINT_ERROR_NOT_FOUND);
    CHECK(tracelint_rule_at(tracelint_rule_count(), &rule) == TRACELINT_ERROR_OUT_OF_RANGE);
    CHECK(tracelint_report_free(nullptr) == TRACELINT_OK);

    REQUIRE(memory("x", 1) == TRACELINT_OK);
    CHECK(tracelint_report_summary(report, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_report_html(report, nullptr, 0, nullptr, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_report_html(report, nullptr, 1, &text, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    auto finding = sized<tracelint_finding>();
    CHECK(tracelint_report_finding(report, 1, &finding) == TRACELINT_ERROR_OUT_OF_RANGE);
    CHECK(tracelint_session_feed(reinterpret_cast<tracelint_session*>(report), nullptr, 0, nullptr) ==
          TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_report_free(report) == TRACELINT_OK);
    CHECK(tracelint_report_free(report) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_report_summary(report, &summary) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_report_html(report, nullptr, 0, &text, nullptr) == TRACELINT_ERROR_INVALID_HANDLE);

    REQUIRE(tracelint_session_open(nullptr, &session) == TRACELINT_OK);
    REQUIRE(tracelint_session_finish(session, &report) == TRACELINT_OK);
    CHECK(tracelint_session_feed(session, "x", 1, nullptr) == TRACELINT_ERROR_WRONG_ORDER);
    CHECK(tracelint_session_finish(session, &report) == TRACELINT_ERROR_WRONG_ORDER);
    CHECK(tracelint_session_free(session) == TRACELINT_OK);
    CHECK(tracelint_session_free(session) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_report_free(report) == TRACELINT_OK);
}

TEST_CASE("structs whose size is no version's") {
    Held held;
    auto options = sized<tracelint_options>();
    for (const size_t wrong : {size_t{0}, sizeof options - 1, size_t{8}, size_t{1} << 40}) {
        options.size = wrong;
        CHECK(tracelint_check_memory("x", 1, &options, &held.report) == TRACELINT_ERROR_STRUCT_SIZE);
    }
    REQUIRE(tracelint_check_memory("x", 1, nullptr, &held.report) == TRACELINT_OK);
    auto finding = sized<tracelint_finding>();
    finding.size = offsetof(tracelint_finding, related_length);  // shorter than the first version
    finding.offset = 77;
    CHECK(tracelint_report_finding(held.report, 0, &finding) == TRACELINT_ERROR_STRUCT_SIZE);
    CHECK(finding.offset == 77);
}

TEST_CASE("structs of a later version, with a member that this one does not know") {
    struct Later {
        tracelint_options known;
        uint64_t unknown;
    } later{};
    Held held;
    later.known.size = sizeof later;
    REQUIRE(tracelint_check_memory("x", 1, &later.known, &held.report) == TRACELINT_OK);
    later.unknown = 1;
    tracelint_report* other = nullptr;
    CHECK(tracelint_check_memory("x", 1, &later.known, &other) == TRACELINT_ERROR_STRUCT_SIZE);

    struct LaterSummary {
        tracelint_summary known;
        uint64_t unknown;
    } summary{};
    summary.known.size = sizeof summary;
    summary.unknown = 7;
    REQUIRE(tracelint_report_summary(held.report, &summary.known) == TRACELINT_OK);
    CHECK(summary.known.size == sizeof summary);
    CHECK(summary.known.errors == 1);
    CHECK(summary.unknown == 0);
}

// As programs have them that were compiled with the first header.
struct FirstOptions {
    size_t size;
    const char *format, *file_name;
    const char* const* select;
    size_t select_count;
    const char* const* ignore;
    size_t ignore_count;
    const tracelint_choice* severities;
    size_t severity_count;
    const tracelint_setting* settings;
    size_t setting_count;
    uint64_t max_memory, max_record, max_per_rule;
};

struct FirstFinding {
    size_t size;
    const char* rule;
    tracelint_severity severity;
    uint32_t has_related;
    uint64_t offset, length;
    const char *field, *message, *help;
    uint64_t related_offset, related_length;
};

TEST_CASE("structs of an earlier version, with memory that is not theirs behind them") {
    static_assert(sizeof(FirstOptions) < sizeof(tracelint_options));
    static_assert(sizeof(FirstFinding) < sizeof(tracelint_finding));
    const char* const ignored[] = {"jitdump/header-"};
    struct {
        FirstOptions own;
        uint64_t behind[8];
    } options{};
    options.own.size = sizeof options.own;
    options.own.ignore = ignored;
    options.own.ignore_count = 1;
    options.own.max_per_rule = 1;
    for (uint64_t& word : options.behind) word = ~uint64_t{0};  // where a later version has its callback
    Held held;
    REQUIRE(tracelint_check_file(kTrace.c_str(), reinterpret_cast<tracelint_options*>(&options), &held.report) ==
            TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    tracelint_report_summary(held.report, &summary);
    CHECK(summary.errors == 0);
    CHECK(summary.warnings == 3);

    struct {
        FirstFinding own;
        uint64_t behind = 7;
    } finding{};
    finding.own.size = sizeof finding.own;
    REQUIRE(tracelint_report_finding(held.report, 0, reinterpret_cast<tracelint_finding*>(&finding)) == TRACELINT_OK);
    CHECK(finding.own.size == sizeof finding.own);
    CHECK(finding.behind == 7);
    auto whole = sized<tracelint_finding>();
    REQUIRE(tracelint_report_finding(held.report, 0, &whole) == TRACELINT_OK);
    CHECK(finding.own.offset == whole.offset);
    CHECK(finding.own.message == whole.message);
}

TEST_CASE("a finding says whether its offset counts in the container") {
    std::string packed = gzip_member(read_file(kTrace).value_or(""));
    packed.at(packed.size() - 8) ^= 1;  // the checksum
    Held held;
    REQUIRE(tracelint_check_memory(packed.data(), packed.size(), nullptr, &held.report) == TRACELINT_OK);
    auto finding = sized<tracelint_finding>();
    size_t about_container = 0, others = 0;
    for (size_t i = 0; tracelint_report_finding(held.report, i, &finding) == TRACELINT_OK; ++i) {
        CAPTURE(finding.rule);
        CHECK((finding.about_container != 0) == std::string(finding.rule).starts_with("gzip/"));
        if (finding.about_container != 0) CHECK(finding.offset < packed.size());
        ++(finding.about_container != 0 ? about_container : others);
    }
    CHECK(about_container == 1);
    CHECK(others == 8);
}

// What a callback was given, as one line per finding.
struct Reported {
    static void on_finding(void* user, const tracelint_finding* finding) {
        auto& reported = *static_cast<Reported*>(user);
        CHECK(finding->size == sizeof *finding);
        reported.lines.push_back(line_of(*finding));
        reported.threads.insert(std::this_thread::get_id());
    }
    static std::string line_of(const tracelint_finding& finding) {
        return std::to_string(finding.offset) + '+' + std::to_string(finding.length) + ' ' + finding.rule + ' ' +
               tracelint_severity_string(finding.severity) + ' ' + (finding.field == nullptr ? "-" : finding.field) +
               ": " + finding.message + "; " + finding.help;
    }
    std::vector<std::string> lines{};
    std::set<std::thread::id> threads{};
};

TEST_CASE("a callback gets each finding, kept or not, on the thread of the check") {
    Reported reported;
    auto options = sized<tracelint_options>();
    options.on_finding = Reported::on_finding;
    options.user = &reported;
    Held held;
    REQUIRE(tracelint_check_file(kTrace.c_str(), &options, &held.report) == TRACELINT_OK);
    std::vector<std::string> listed;
    auto finding = sized<tracelint_finding>();
    for (size_t i = 0; tracelint_report_finding(held.report, i, &finding) == TRACELINT_OK; ++i)
        listed.push_back(Reported::line_of(finding));
    std::ranges::sort(listed);
    const std::vector<std::string> in_order = reported.lines;
    std::ranges::sort(reported.lines);
    CHECK(reported.lines == listed);
    CHECK(reported.threads == std::set{std::this_thread::get_id()});

    reported = {};
    options.max_per_rule = 1;
    Held fewer;
    REQUIRE(tracelint_check_file(kTrace.c_str(), &options, &fewer.report) == TRACELINT_OK);
    CHECK(reported.lines == in_order);

    const std::string bytes = read_file(kTrace).value_or("");
    for (const size_t padding : {size_t{0}, size_t{300'000}}) {
        CAPTURE(padding);
        reported = {};
        const std::string fed = bytes + std::string(padding, '\0');
        tracelint_session* session = nullptr;
        Held of_session;
        REQUIRE(tracelint_session_open(&options, &session) == TRACELINT_OK);
        CHECK(tracelint_session_feed(session, fed.data(), fed.size(), nullptr) == TRACELINT_OK);
        REQUIRE(tracelint_session_finish(session, &of_session.report) == TRACELINT_OK);
        CHECK(tracelint_session_free(session) == TRACELINT_OK);
        CHECK(reported.lines.size() >= in_order.size());
        CHECK(reported.threads.size() == 1);
        CHECK(reported.threads.contains(std::this_thread::get_id()) == (padding == 0));
    }
}

TEST_CASE("a callback that throws is not called again, and the report is whole") {
    uint64_t calls = 0;
    auto options = sized<tracelint_options>();
    options.on_finding = [](void* user, const tracelint_finding*) {
        ++*static_cast<uint64_t*>(user);
        throw std::runtime_error("no");
    };
    options.user = &calls;
    Held held, expected;
    REQUIRE(tracelint_check_file(kTrace.c_str(), &options, &held.report) == TRACELINT_OK);
    REQUIRE(tracelint_check_file(kTrace.c_str(), nullptr, &expected.report) == TRACELINT_OK);
    CHECK(calls == 1);
    CHECK(json_of(held.report) == json_of(expected.report));
}

TEST_CASE("the catalogue") {
    std::vector<std::string> ids;
    auto rule = sized<tracelint_rule>();
    for (size_t i = 0; tracelint_rule_at(i, &rule) == TRACELINT_OK; ++i) {
        ids.emplace_back(rule.id);
        CHECK((rule.milder_severity == 0) == (rule.milder_when == nullptr));
    }
    std::vector<std::string> expected;
    for (const Rule* known : all_rules()) expected.emplace_back(known->id);
    CHECK(ids == expected);

    REQUIRE(tracelint_rule_find("jitdump/bad-magic", &rule) == TRACELINT_OK);
    CHECK(std::string(rule.format) == "jitdump");
    CHECK(rule.severity == TRACELINT_ERROR);
    CHECK(tracelint_format_count() == formats().size());
    auto format = sized<tracelint_format>();
    REQUIRE(tracelint_format_at(0, &format) == TRACELINT_OK);
    CHECK(format.id == formats()[0]->id);

    const char* json = nullptr;
    size_t length = 0;
    REQUIRE(tracelint_rules_json(&json, &length) == TRACELINT_OK);
    StringSink sink;
    write_rules_json(all_rules(), sink);
    CHECK(std::string(json, length) == sink.text);
}

TEST_CASE("threads use the library at the same time") {
    std::vector<std::thread> threads;
    std::array<std::string, 4> texts;
    for (std::string& text : texts)
        threads.emplace_back([&text] {
            for (int i = 0; i < 20; ++i) {
                tracelint_report* report = nullptr;
                if (tracelint_check_file(kTrace.c_str(), nullptr, &report) != TRACELINT_OK) return;
                const char* json = nullptr;
                if (tracelint_report_json(report, nullptr, &json, nullptr) == TRACELINT_OK) text = json;
                tracelint_report_free(report);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : texts) CHECK(text == texts[0]);
    CHECK(!texts[0].empty());
}

TEST_CASE("any sequence of calls. TRACELINT_SEEDS=N asks for more") {
    const std::vector<std::string> files = real_files();
    for (uint64_t seed = 0; seed < seeds(300); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        std::string input = below(random, 2) == 0 ? "" : read_file(pick_of(random, files)).value_or("");
        input.resize(std::min<size_t>(input.size(), 4000));
        for (size_t i = 0; i < 2 * CallSequence::kCalls; ++i) input += static_cast<char>(below(random, 256));
        hold(c_interface(as_bytes(input)));
    }
}

}  // namespace
}  // namespace tracelint
