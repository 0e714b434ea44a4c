// The public interface: what its functions return, and that nothing a caller does wrong gets past them.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "fuzz/findings.hpp"
#include "tests/support/oracle_files.hpp"
#include "tracelint/tracelint.hpp"
#include "validator/library/state.hpp"

namespace tracelint {
namespace {

std::string museum(const std::string& name) { return paths::root() + "/corpus/museum/" + name; }

Options all_findings() {
    Options options;
    options.kept_per_rule = 0;
    return options;
}

TEST_CASE("a result says what the command says of the file") {
    const Result result = check_file(museum("jitdump/cpython-macos-64-bit-tid.jitdump"));
    CHECK(result.failure() == Failure::none);
    CHECK(result.failure_text().empty());
    CHECK_FALSE(result.limit_hit());
    CHECK(result.verdict() == Verdict::error);
    CHECK(result.format() == "jitdump");
    CHECK(result.container().empty());
    CHECK(result.identity().format_version == 1);
    CHECK(result.identity().byte_order == ByteOrder::little);
    CHECK(result.count(Severity::error) == 1);
    REQUIRE_FALSE(result.statistics().empty());
    CHECK(result.statistics()[0].name == "records");

    std::optional<Finding> error;
    for (const Finding& finding : result.findings())
        if (finding.severity() == Severity::error) error = finding;
    REQUIRE(error.has_value());
    CHECK(error->rule() == "jitdump/load-code-exceeds-record");
    CHECK(error->place().offset == 0x50);
    CHECK(error->place().length == 8);
    CHECK(error->field() == "records[0].code_size");
    CHECK(error->message() == "code_size is 4362080256, but the record has only 37 bytes left for code");
    CHECK_FALSE(error->help().empty());
    CHECK_FALSE(error->is_about_container());
}

TEST_CASE("every finding of the corpus is that of the engine, and outlives its result") {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            const Outcome expected = check_all({as_bytes(bytes)});
            std::vector<Finding> findings;
            {
                const Result result = check_memory(as_bytes(bytes), all_findings());
                REQUIRE(result.state() != nullptr);
                REQUIRE(transcript(result.state()->outcome) == transcript(expected));
                for (const Finding& finding : result.findings()) findings.push_back(finding);
            }
            const std::vector<Diagnostic>& diagnostics = expected.report().diagnostics();
            REQUIRE(findings.size() == diagnostics.size());
            for (size_t i = 0; i < findings.size(); ++i) {
                const Finding& finding = findings[i];
                const Diagnostic& diagnostic = diagnostics[i];
                CHECK(finding.rule() == diagnostic.rule->id);
                CHECK(finding.severity() == severity_of(diagnostic));
                CHECK(finding.field() == field_path(diagnostic.place));
                CHECK(finding.message() == message_of(diagnostic));
                CHECK(finding.help() == help_of(diagnostic));
                CHECK(finding.related().has_value() == (diagnostic.related_offset != kNone));
            }
        }
}

TEST_CASE("counts are of all findings, also of those that are not kept") {
    const std::string bytes = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    Options options;
    options.kept_per_rule = 1;
    const Result few = check_memory(as_bytes(bytes), options), all = check_memory(as_bytes(bytes), all_findings());
    REQUIRE(few.counts().size() == all.counts().size());
    for (size_t i = 0; i < all.counts().size(); ++i) {
        CHECK(few.counts()[i].rule == all.counts()[i].rule);
        CHECK(few.counts()[i].found == all.counts()[i].found);
        CHECK(few.counts()[i].kept <= 1);
        CHECK(all.counts()[i].kept == all.counts()[i].found);
    }
    CHECK(few.findings().size() == few.counts().size());
    CHECK(few.verdict() == Verdict::note);
}

TEST_CASE("the options of a check are those of the command") {
    const std::string path = museum("jitdump/cpython-macos-64-bit-tid.jitdump");
    Options options;
    options.severities = {{"jitdump/", Severity::note}, {"jitdump/load-code-exceeds-record", std::nullopt}};
    CHECK(check_file(path, options).count(Severity::error) == 0);
    options = {};
    options.ignore = {"jitdump/load-code-exceeds-record"};
    CHECK(check_file(path, options).count(Severity::error) == 0);
    options = {};
    options.select = {"jitdump/load-code-exceeds-record"};
    const Result selected = check_file(path, options);
    CHECK(selected.findings().size() == 1);
    options = {};
    options.format = "mlpd";
    CHECK(check_file(path, options).format() == "mlpd");
}

TEST_CASE("options that are wrong are named, and nothing is read") {
    struct Wrong {
        Options options;
        std::string text;
    };
    Options format, select, ignore, severities, setting, choice;
    format.format = "jitdmp";
    select.select = {"jitdump/", "jitdump/nothing"};
    ignore.ignore = {"jitdump/loa"};
    severities.severities = {{"", Severity::note}};
    setting.settings = {{"nothing", "on"}};
    choice.settings = {{std::string(catalogue().options[0].name), "perhaps"}};
    const std::string expected_format = "no format is called 'jitdmp'; there are jitdump, ";
    for (const auto& [options, text] : {
             Wrong{format, "no format is called 'jitdmp'; there are "},
             Wrong{select,
                   "no rule matches 'jitdump/nothing'; expected an id, a format or a prefix that ends in a slash or "
                   "dash"},
             Wrong{ignore, "no rule matches 'jitdump/loa'; "},
             Wrong{severities, "no rule matches ''; "},
             Wrong{setting, "no format has an option 'nothing'"},
             Wrong{choice, "'perhaps' is no choice for "},
         }) {
        CAPTURE(text);
        ChunkedSource source(as_bytes("JiTD"));
        const Result result = check(source, options);
        CHECK(result.failure() == Failure::options);
        CHECK(result.failure_text().starts_with(text));
        CHECK(result.verdict() == Verdict::unreadable);
        CHECK(source.reads() == 0);
    }
}

TEST_CASE("a file that cannot be read is a failure of the input") {
    const Result missing = check_file("/nowhere/at/all");
    CHECK(missing.failure() == Failure::input);
    CHECK(missing.failure_text() == "cannot open: No such file or directory");
    CHECK(missing.verdict() == Verdict::unreadable);
    CHECK(check_file(paths::root()).failure_text() == "is a directory");
}

// Throws in one of its functions.
class ThrowingSource final : public Source {
  public:
    enum class In : uint8_t { read, second_read, seek, size, failure, is_cut, has_changed };
    ThrowingSource(Bytes bytes, In in) : inner_(bytes, {.sizes = {1000}}), in_(in) {}

    size_t read(uint8_t* to, size_t bytes) override {
        throw_in(reads_++ == 0 ? In::read : In::second_read);
        return inner_.read(to, bytes);
    }
    bool seek(uint64_t offset) override {
        throw_in(In::seek);
        return inner_.seek(offset);
    }
    uint64_t size() const override {
        throw_in(In::size);
        return inner_.size();
    }
    std::string failure() const override {
        throw_in(In::failure);
        return inner_.failure();
    }
    bool is_cut() const override {
        throw_in(In::is_cut);
        return false;
    }
    bool has_changed() const override {
        throw_in(In::has_changed);
        return false;
    }

  private:
    void throw_in(In function) const {
        if (function == in_) throw std::runtime_error("no more");
    }

    ChunkedSource inner_;
    In in_;
    int reads_ = 0;
};

TEST_CASE("a source that throws is one whose reading fails") {
    using In = ThrowingSource::In;
    const std::string bytes = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    for (const In in : {In::read, In::second_read, In::seek, In::size, In::failure, In::is_cut}) {
        CAPTURE(static_cast<int>(in));
        ThrowingSource source(as_bytes(bytes), in);
        const Result result = check(source, {.kept_per_rule = 0});
        CHECK(result.failure() == Failure::input);
        CHECK(result.failure_text() == "the source threw: no more");
        CHECK(result.verdict() == Verdict::unreadable);
        CHECK(result.count(Severity::error) == 0);
    }
    // Asked when all was read.
    ThrowingSource source(as_bytes(bytes), In::has_changed);
    const Result result = check(source, {.kept_per_rule = 0});
    CHECK(result.failure() == Failure::none);
    CHECK(result.verdict() == Verdict::note);
}

class StrangeSource final : public Source {
  public:
    size_t read(uint8_t* to, size_t bytes) override {
        if (kind_ == Kind::throws_number) throw 17;
        *to = 'J';
        return bytes + 1;
    }
    enum class Kind : uint8_t { throws_number, returns_too_much };
    explicit StrangeSource(Kind kind) : kind_(kind) {}

  private:
    Kind kind_;
};

TEST_CASE("a source may throw anything, and claim to have read too much") {
    StrangeSource number(StrangeSource::Kind::throws_number), too_much(StrangeSource::Kind::returns_too_much);
    CHECK(check(number, Options()).failure_text() == "the source threw: something that is no std::exception");
    const Result result = check(too_much, Options());
    CHECK(result.failure() == Failure::input);
    CHECK(result.failure_text() == "the source returned more bytes than it was asked for");
}

// Rule, offset and message of each finding that is announced, sorted.
std::multiset<std::tuple<std::string_view, uint64_t, std::string>> announced(Bytes bytes, Options options) {
    std::multiset<std::tuple<std::string_view, uint64_t, std::string>> seen;
    options.on_finding = [&](const Finding& finding) {
        seen.emplace(finding.rule(), finding.place().offset, finding.message());
    };
    CHECK(check_memory(bytes, options).failure() == Failure::none);
    return seen;
}

TEST_CASE("the callback gets every finding, however few are kept") {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            std::multiset<std::tuple<std::string_view, uint64_t, std::string>> all;
            const Result result = check_memory(as_bytes(bytes), all_findings());
            for (const Finding& finding : result.findings())
                all.emplace(finding.rule(), finding.place().offset, finding.message());
            REQUIRE(announced(as_bytes(bytes), all_findings()) == all);
        }
    const std::string node = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    Options few;
    few.kept_per_rule = 1;
    CHECK(announced(as_bytes(node), few) == announced(as_bytes(node), all_findings()));
}

TEST_CASE("the callback gets the severity that was chosen, and no rule that is off") {
    const std::string node = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    Options options;
    options.severities = {{"jitdump/", Severity::warning}, {"jitdump/debug-entry-elf-bias", std::nullopt}};
    options.on_finding = [](const Finding& finding) {
        CHECK(finding.severity() == Severity::warning);
        CHECK(finding.rule() != "jitdump/debug-entry-elf-bias");
    };
    CHECK(check_memory(as_bytes(node), options).verdict() == Verdict::warning);
}

TEST_CASE("findings that a truncated container explains are not announced") {
    const std::string whole = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    const std::string cut = whole.substr(0, whole.size() - 3);
    const std::string member = gzip_member(cut);
    const auto without = announced(as_bytes(cut), all_findings());
    const auto with = announced(as_bytes(member).first(member.size() - 4), all_findings());
    const auto about = [](const auto& seen, std::string_view rule) {
        return std::ranges::any_of(seen, [&](const auto& finding) { return std::get<0>(finding) == rule; });
    };
    CHECK(about(without, "jitdump/truncated-record"));
    CHECK_FALSE(about(with, "jitdump/truncated-record"));
    CHECK(about(with, "gzip/truncated"));
}

TEST_CASE("a callback that throws is not called again, and the result is complete") {
    const std::string node = *read_file(paths::root() + "/corpus/jitdump/real/node-18.dump");
    Options options;
    int calls = 0;
    options.on_finding = [&](const Finding&) {
        ++calls;
        throw std::runtime_error("enough");
    };
    const Result result = check_memory(as_bytes(node), options);
    CHECK(calls == 1);
    CHECK(result.failure() == Failure::callback);
    CHECK(result.failure_text() == "on_finding threw: enough");
    CHECK(result.verdict() == Verdict::note);
    const Result without = check_memory(as_bytes(node));
    CHECK(result.findings().size() == without.findings().size());
    options.on_finding = [](const Finding&) { throw 17; };
    CHECK(check_memory(as_bytes(node), options).failure_text() == "on_finding threw");
}

TEST_CASE("the catalogue has every rule, format and option") {
    const Catalogue all = catalogue();
    const std::vector<const Rule*> rules = all_rules();
    REQUIRE(all.rules.size() == rules.size());
    for (size_t i = 0; i < rules.size(); ++i) {
        CHECK(all.rules[i].id == rules[i]->id);
        CHECK(all.rules[i].severity == rules[i]->severity);
        CHECK(rule_info(rules[i]->id) == &all.rules[i]);
    }
    CHECK(all.formats.size() == formats().size());
    CHECK(all.options.size() == all_options().size());
    CHECK(rule_info("jitdump/nothing") == nullptr);
    CHECK(rule_info("samply/id-conflict")->format == "jitdump");
    CHECK(rule_info("input/unknown-format")->format.empty());
    CHECK(version() == TRACELINT_VERSION);
}

TEST_CASE("checks and sessions of several threads do not meet") {
    std::vector<std::string> files;
    for (const Format* format : formats())
        for (const auto& path : corpus_files(*format, "real"))
            if (path.extension() != ".findings" && path.extension() != ".md") files.push_back(*read_file(path));
    std::vector<std::string> expected;
    for (const std::string& file : files) expected.push_back(transcript(check_all({as_bytes(file)})));
    std::atomic<int> differ = 0;
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            for (size_t i = thread; i < files.size(); i += 2) {
                const Result result = check_memory(as_bytes(files[i]), all_findings());
                differ += transcript(result.state()->outcome) != expected[i];
                Session session(all_findings());
                session.feed(as_bytes(files[i]));
                differ += session.finish().count(Severity::note) != result.count(Severity::note);
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(files.size() > 50);
    CHECK(differ == 0);
}

TEST_CASE("a result that was moved from has nothing to say") {
    Result result = check_memory(as_bytes("JiTD"));
    const Result moved = std::move(result);
    CHECK(moved.verdict() == Verdict::error);
    CHECK(result.findings().empty());  // NOLINT: that is the test
    CHECK(result.counts().empty());
    CHECK(result.statistics().empty());
    CHECK(result.verdict() == Verdict::unreadable);
    CHECK(result.format().empty());
}

}  // namespace
}  // namespace tracelint
