// JUnit XML as Jenkins reads it (junit-10.xsd of its xUnit plugin): a suite for each file, a test for each section of
// the specification that has rules. A test fails if a finding at or above --fail-on breaks one of them; others are
// output. With --for, each reader is a test, which fails if what it does is as severe.
#include <fmt/core.h>

#include "validator/group.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// The longest text of one element: libxml2 refuses texts of more than 10 MB, and Jenkins shows them as a whole.
constexpr size_t kMostLines = 1000;

// Rules that are one test: those of the same section of a specification.
struct Family {
    std::string_view grammar;
    std::string_view section;
    bool operator==(const Family&) const = default;
};

Family family_of(const Rule& rule) {
    const std::vector<SpecSection> sections = spec_sections_of(rule);
    const std::string_view grammar = rule.id.substr(0, rule.id.find('/'));
    return {grammar, sections.empty() ? grammar : sections.front().heading};
}

// A test and its findings.
struct Test {
    Family family;
    std::vector<const Diagnostic*> failing{}, others{};  // those that are shown
    uint64_t failures = 0;                               // findings that fail it, shown or not
    uint64_t not_shown = 0;
    uint64_t known = 0;  // findings that the baseline allows
};

// The tests of a file, in the order of the rules.
struct Tests {
    Test& of(const Rule& rule) {
        const auto [known, is_new] = indices.emplace(&rule, 0);
        if (is_new) {
            const Family family = family_of(rule);
            known->second = static_cast<size_t>(std::ranges::find(all, family, &Test::family) - all.begin());
            if (known->second == all.size()) all.push_back(Test{family});
        }
        return all[known->second];
    }

    std::vector<Test> all;
    std::unordered_map<const Rule*, size_t> indices;  // of the rule's test
};

class JunitWriter final : public Writer {
  public:
    JunitWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void begin() override {
        sink_.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracelint\">\n");
    }

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const std::string path = repository_text(checked.path, PathEscapes::unprintable);
        if (!outcome.failure.empty()) {
            suite_with_error(path, "readable", outcome.failure);
            return sink_.flush();
        }
        const std::vector<Test> tests = tests_of(checked);
        auto failures = std::ranges::count_if(tests, [](const Test& test) { return test.failures != 0; });
        failures += std::ranges::count_if(checked.readers, [&](const auto& verdict) { return fails_for(verdict); });
        sink_.write(fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n", xml_text(path),
                                tests.size() + checked.readers.size(), failures));
        for (const ReaderVerdict& verdict : checked.readers) write_verdict(verdict);
        for (const Test& test : tests) write_test(test, outcome.container);
        sink_.write("</testsuite>\n");
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (!summary.incomplete.empty()) suite_with_error("tracelint", "complete", incomplete_text(summary));
        sink_.write("</testsuites>\n");
        sink_.flush();
    }

  private:
    bool fails(Severity severity) const { return options_.fail_on && severity >= *options_.fail_on; }

    bool fails_for(const ReaderVerdict& verdict) const {
        const std::optional<Severity> severity = severity_of(verdict.outcome);
        return severity && fails(*severity);
    }

    void write_verdict(const ReaderVerdict& verdict) {
        const std::string sentence = xml_text(sentence_of(verdict));
        sink_.write(fmt::format("<testcase classname=\"reader\" name=\"{}\">\n", xml_text(title_of(*verdict.reader))));
        if (fails_for(verdict))
            sink_.write(fmt::format("<failure type=\"{}\" message=\"{}\"/>\n", to_string(verdict.outcome), sentence));
        else
            sink_.write(fmt::format("<system-out>{}\n</system-out>\n", sentence));
        sink_.write("</testcase>\n");
    }

    // A test for each section of the format, whether it has findings or not.
    std::vector<Test> tests_of(const Checked& checked) const {
        const Outcome& outcome = checked.outcome;
        Tests tests;
        for (const Rule* rule : input_rules()) tests.of(*rule);
        if (outcome.format != nullptr)
            for (const Rule* rule : rules_of(*outcome.format)) tests.of(*rule);
        // Of files that belong together, each section of what is asked of them.
        if (!outcome.pairings.empty())
            for (const GroupGrammar* one : group_grammars())
                for (const Rule* rule : rules_of(*one->grammar)) tests.of(*rule);

        const Report& report = outcome.report();
        for (const Diagnostic& diagnostic : report.diagnostics()) {
            Test& test = tests.of(*diagnostic.rule);
            const bool is_known = checked.entry_of(diagnostic) != nullptr;
            const bool is_failing = fails(severity_of(diagnostic)) && !is_known;
            test.failures += is_failing;
            if (is_known) continue;
            if (is_shown(diagnostic, options_)) (is_failing ? test.failing : test.others).push_back(&diagnostic);
        }
        for (const auto& [id, count] : new_not_shown(checked, options_))
            if (const Rule* rule = rule_of(outcome, id)) tests.of(*rule).not_shown += count;
        if (checked.known != nullptr)
            for (const auto& [id, entry] : checked.known->known)
                tests.of(*entry->rule).known += report.count(*entry->rule);
        add_hidden_failures(checked, tests.all);
        return std::move(tests.all);
    }

    static const Rule* rule_of(const Outcome& outcome, std::string_view id) {
        if (const Rule* rule = find_rule(id)) return rule;
        if (outcome.format == nullptr) return nullptr;
        const std::vector<const Rule*> rules = rules_of(*outcome.format);
        const auto found = std::ranges::find(rules, id, &Rule::id);
        return found == rules.end() ? nullptr : *found;
    }

    // Memory may not have sufficed to keep even one finding of a rule, but the report counts all.
    void add_hidden_failures(const Checked& checked, std::vector<Test>& tests) const {
        uint64_t failing = 0, known = 0;
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
            if (fails(severity)) failing += checked.count_new(severity);
        for (const Test& test : tests) known += test.failures;
        if (failing == 0 || known != 0) return;
        Test& test = tests.emplace_back(Test{{"tracelint", "findings that are not listed"}});
        test.failures = test.not_shown = failing;
    }

    void write_test(const Test& test, Container container) {
        const std::string start = fmt::format("<testcase classname=\"{}\" name=\"{}\"", xml_text(test.family.grammar),
                                              xml_text(test.family.section));
        if (test.failures == 0 && test.others.empty() && test.not_shown == 0 && test.known == 0)
            return sink_.write(start + "/>\n");
        sink_.write(start + ">\n");
        if (test.failures != 0) write_failure(test, container);
        if (!test.others.empty() || test.known != 0 || (test.not_shown != 0 && test.failures == 0)) {
            sink_.write("<system-out>");
            if (test.known != 0) sink_.write(counted(test.known, "finding") + " allowed by the baseline\n");
            write_lines(test.others, container, test.failures == 0 ? test.not_shown : 0);
            sink_.write("</system-out>\n");
        }
        sink_.write("</testcase>\n");
    }

    void write_failure(const Test& test, Container container) {
        const std::string_view severity =
            test.failing.empty() ? std::string_view("findings") : to_string(severity_of(*test.failing.front()));
        const std::string message =
            test.failing.empty() ? counted(test.failures, "finding") + " not shown" : message_of(*test.failing.front());
        sink_.write(fmt::format("<failure type=\"{}\" message=\"{}\">", severity, xml_text(message)));
        write_lines(test.failing, container, test.not_shown);
        sink_.write("</failure>\n");
    }

    // The first findings, and the number of the others.
    void write_lines(std::span<const Diagnostic* const> findings, Container container, uint64_t not_shown) {
        const size_t shown = std::min(findings.size(), kMostLines);
        for (const Diagnostic* diagnostic : findings.first(shown))
            sink_.write(xml_text(line_of(*diagnostic, container)) + '\n');
        not_shown += findings.size() - shown;
        if (not_shown != 0) sink_.write(counted(not_shown, "finding") + " not shown\n");
    }

    static std::string line_of(const Diagnostic& diagnostic, Container container) {
        std::string line = fmt::format("{}: {}: {} [{}]", place_text(diagnostic, container),
                                       to_string(severity_of(diagnostic)), message_of(diagnostic), diagnostic.rule->id);
        if (const std::string help = help_of(diagnostic); !help.empty()) line += "; " + help;
        return line;
    }

    void suite_with_error(std::string_view suite, std::string_view test, std::string_view message) {
        sink_.write(
            fmt::format("<testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
                        "<testcase classname=\"tracelint\" name=\"{1}\">\n<error message=\"{2}\"/>\n"
                        "</testcase>\n</testsuite>\n",
                        xml_text(suite), xml_text(test), xml_text(message)));
    }

    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_junit_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<JunitWriter>(sink, options);
}

}  // namespace tracelint
