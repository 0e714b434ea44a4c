// The report: exact counts, capped keeping, order, paths and messages.
#include "validator/report/report.hpp"

#include <doctest/doctest.h>

#include "validator/input/input_rules.hpp"
#include "validator/tables/view.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr Rule kTooBig{
    .id = "demo/too-big",
    .severity = Severity::error,
    .statement = "",
    .message = "{0} is above {1x}, {0x}",
    .why = "",
    .spec = "",
    .since = "0.1.0",
};
constexpr Rule kOdd{
    .id = "demo/odd",
    .severity = Severity::warning,
    .statement = "",
    .message = "odd",
    .why = "",
    .spec = "",
    .since = "0.1.0",
};
constexpr Rule kCut{
    .id = "demo/cut",
    .severity = Severity::error,
    .statement = "",
    .message = "cut",
    .why = "",
    .spec = "",
    .since = "0.1.0",
    .about_end = true,
};

constexpr auto kHead = record("header", kNoTag, "", {u32("flags")}).not_numbered();
constexpr auto kElement = record("entry", kNoTag, "", {u32("line")});
constexpr auto kBody = record("body", 1, "", {u32("size"), list("entries", kElement)});

TEST_CASE("a path names the field") {
    CHECK(field_path(View<kHead>(nullptr, 0, ByteOrder::little, kNone).place<"flags">()) == "header.flags");
    CHECK(field_path(View<kHead>(nullptr, 0, ByteOrder::little, kNone).whole(4)) == "header");
    CHECK(field_path(View<kBody>(nullptr, 0, ByteOrder::little, 3).place<"size">()) == "records[3].size");
    CHECK(field_path(View<kBody>(nullptr, 0, ByteOrder::little, 3).whole(16)) == "records[3]");
    const Field& entries = View<kBody>::field<"entries">();
    CHECK(field_path(View<kElement>(nullptr, 0, ByteOrder::little, 3, entries, 12).place<"line">()) ==
          "records[3].entries[12].line");
    CHECK(field_path(View<kBody>(nullptr, 0, ByteOrder::little, kNone).place<"size">()) == "size");
    CHECK(field_path({.offset = 40}).empty());
}

TEST_CASE("a message has its numbers in decimal or hex") {
    CHECK(message_of({.rule = &kTooBig, .numbers = {300, 255}}) == "300 is above 0xff, 0x12c");
    CHECK(message_of({.rule = &kOdd}) == "odd");
}

TEST_CASE("the count of numbers that a message needs is known at compile time") {
    static_assert(numbers_of(kTooBig) == 2);
    static_assert(numbers_of(kOdd) == 0);
    static_assert(Message("{0 byte is|bytes are} left of {3x}").numbers == 4);
}

TEST_CASE("a finding with a severity override has the override's message") {
    constexpr Rule worded{
        .id = "demo/worded",
        .severity = Severity::error,
        .statement = "",
        .message = "{0} breaks",
        .why = "readers stop",
        .spec = "",
        .since = "0.1.0",
        .severity_override = SeverityOverride{Severity::note, "it is small", "{0} is odd", "readers go on"}};
    constexpr Rule silent{.id = "demo/silent",
                          .severity = Severity::error,
                          .statement = "",
                          .message = "{0} breaks",
                          .why = "readers stop",
                          .spec = "",
                          .since = "0.1.0",
                          .severity_override = SeverityOverride{Severity::note, "it is small", "", ""}};
    struct Case {
        const Rule& rule;
        bool milder;
        std::string message, why;
        Severity severity;
    };
    const Case cases[] = {
        {worded, false, "7 breaks", "readers stop", Severity::error},
        {worded, true, "7 is odd", "readers go on", Severity::note},
        {silent, true, "7 breaks", "readers stop", Severity::note},
    };
    for (const auto& [rule, milder, message, why, severity] : cases) {
        const Diagnostic found{.rule = &rule, .numbers = {7}, .is_overridden = milder};
        CHECK(message_of(found) == message);
        CHECK(why_of(found) == why);
        CHECK(severity_of(found) == severity);
    }
}

TEST_CASE("a message chooses between singular and plural") {
    constexpr Rule counting{.id = "demo/counting",
                            .severity = Severity::note,
                            .statement = "",
                            .message = "{0 byte is|bytes are} left",
                            .why = "",
                            .spec = "",
                            .since = "0.1.0"};
    CHECK(message_of({.rule = &counting, .numbers = {0}}) == "0 bytes are left");
    CHECK(message_of({.rule = &counting, .numbers = {1}}) == "1 byte is left");
    CHECK(message_of({.rule = &counting, .numbers = {2}}) == "2 bytes are left");
}

TEST_CASE("caps change what is kept, never what is counted") {
    Report report({.kept_per_rule = 2});
    for (uint64_t i = 0; i < 5; ++i) report.add(kTooBig, {.offset = 100 - i, .length = 1});
    report.add(kOdd, {.offset = 97, .length = 1});
    report.finish();
    CHECK(report.count(Severity::error) == 5);
    CHECK(report.count(Severity::warning) == 1);
    CHECK(report.count(kTooBig) == 5);
    CHECK(report.count(kCut) == 0);
    CHECK(report.not_kept() == std::map<std::string_view, uint64_t>{{"demo/too-big", 3}});
    REQUIRE(report.diagnostics().size() == 3);
    CHECK(report.diagnostics()[0].place.offset == 97);
    CHECK(report.diagnostics()[2].place.offset == 100);
}

TEST_CASE("the last choice of a severity that covers a rule counts") {
    constexpr Rule milder{.id = "demo/milder",
                          .severity = Severity::error,
                          .statement = "",
                          .message = "milder",
                          .why = "",
                          .spec = "",
                          .since = "0.1.0",
                          .severity_override = SeverityOverride{Severity::note, "", "", ""}};
    using enum Severity;
    const auto off = std::nullopt;
    struct Counts {
        uint64_t errors, warnings, notes;
    };
    const struct {
        std::string_view what;
        std::vector<SeverityChoices::Choice> choices;
        Counts counts;  // of an error, a warning, an error that is a note here, and an error about the end
    } cases[] = {
        {"none", {}, {2, 1, 1}},
        {"a rule", {{"demo/odd", error}}, {3, 0, 1}},
        {"a prefix", {{"demo/", warning}}, {0, 4, 0}},
        {"a grammar, then a rule", {{"demo", note}, {"demo/too-big", error}}, {1, 0, 3}},
        {"a rule, then its grammar", {{"demo/too-big", error}, {"demo", note}}, {0, 0, 4}},
        {"off", {{"demo/milder", off}}, {2, 1, 0}},
        {"off, then on again", {{"demo/", off}, {"demo/odd", note}}, {0, 0, 1}},
        {"a rule with an override has one severity", {{"demo/milder", error}}, {3, 1, 0}},
        {"another grammar", {{"other/", error}}, {2, 1, 1}},
    };
    for (const auto& [what, choices, counts] : cases) {
        CAPTURE(what);
        SeverityChoices severities;
        for (const auto& [pattern, severity] : choices) severities.choose(pattern, severity);
        Report report({.severities = &severities});
        report.add(kTooBig, {}, {1, 1});
        report.add(kOdd, {});
        report.add_overridden(milder, {});
        report.add(kCut, {});
        const auto check_counts = [&](const Counts& expected) {
            CHECK(report.count(error) == expected.errors);
            CHECK(report.count(warning) == expected.warnings);
            CHECK(report.count(note) == expected.notes);
        };
        check_counts(counts);
        std::array<uint64_t, 3> shown{};
        for (const Diagnostic& d : report.diagnostics()) ++shown[static_cast<size_t>(severity_of(d))];
        CHECK(shown == std::array{counts.notes, counts.warnings, counts.errors});
    }
}

TEST_CASE("findings about a truncated end are dropped with the severity that was chosen for them") {
    SeverityChoices severities;
    severities.choose("demo/cut", Severity::warning);
    Report report({.severities = &severities});
    report.add(kCut, {});
    report.add(kOdd, {});
    report.withdraw_findings_about_end();
    report.finish();
    CHECK(report.count(Severity::error) == 0);
    CHECK(report.count(Severity::warning) == 1);
    CHECK(report.diagnostics().size() == 1);
}

TEST_CASE("a fault stays one, whatever severity is chosen for it") {
    SeverityChoices severities;
    severities.choose("demo/", Severity::note);
    Report report({.severities = &severities});
    CHECK_FALSE(report.has_faults());
    report.add(kOdd, {});
    CHECK(report.has_faults());
    CHECK(report.count(Severity::note) == 1);
}

TEST_CASE("findings with and without the severity override are counted together and capped separately") {
    constexpr Rule mixed{.id = "demo/mixed",
                         .severity = Severity::error,
                         .statement = "",
                         .message = "",
                         .why = "",
                         .spec = "",
                         .since = "0.1.0",
                         .severity_override = SeverityOverride{Severity::note, "", "", ""}};
    Report report({.kept_per_rule = 2});
    for (uint64_t i = 0; i < 5; ++i) report.add_overridden(mixed, {.offset = i, .length = 1});
    for (uint64_t i = 5; i < 8; ++i) report.add(mixed, {.offset = i, .length = 1});
    report.finish();
    CHECK(report.count(mixed) == 8);
    CHECK(report.count(Severity::note) == 5);
    CHECK(report.count(Severity::error) == 3);
    CHECK(report.not_kept() == std::map<std::string_view, uint64_t>{{"demo/mixed", 4}});
    std::vector<uint64_t> milder, own;
    for (const Diagnostic& kept : report.diagnostics())
        (kept.is_overridden ? milder : own).push_back(kept.place.offset);
    CHECK(milder == std::vector<uint64_t>{0, 1});
    CHECK(own == std::vector<uint64_t>{5, 6});
}

TEST_CASE("the findings kept are limited, whatever is requested") {
    Report report({.kept_per_rule = 0});
    for (uint64_t i = 0; i <= kKeptFindings; ++i) report.add(kTooBig, {.offset = i, .length = 1});
    CHECK(report.diagnostics().size() == kKeptFindings);
    CHECK(report.count(kTooBig) == kKeptFindings + 1);
    CHECK(report.not_kept() == std::map<std::string_view, uint64_t>{{"demo/too-big", 1}});
}

TEST_CASE("findings are ordered by offset, then rule") {
    Report report({.kept_per_rule = 0});
    report.add(kTooBig, {.offset = 8, .length = 1});
    report.add(kOdd, {.offset = 8, .length = 1});
    report.add(kTooBig, {.offset = 0, .length = 1});
    report.finish();
    CHECK(report.diagnostics()[0].place.offset == 0);
    CHECK(report.diagnostics()[1].rule == &kOdd);
    CHECK(report.diagnostics()[2].rule == &kTooBig);
}

TEST_CASE("identical findings can be sorted") {
    Report report({.kept_per_rule = 0});
    for (size_t i = 0; i < 100; ++i) report.add(kOdd, {.offset = 8, .length = 1});
    report.finish();
    CHECK(report.diagnostics().size() == 100);
    for (const Diagnostic& found : report.diagnostics()) CHECK(found.place.offset == 8);
}

TEST_CASE("findings about the end are dropped if the container is truncated") {
    Report report;
    report.add(kCut, {.offset = 9});
    report.add(kTooBig, {});
    report.add({.rule = &kTooBig, .place = {.offset = 7}, .about_end = true});
    CHECK(report.count(kCut) == 1);
    const std::optional<Diagnostic> first = report.withdraw_findings_about_end();
    REQUIRE(first);
    CHECK(first->rule == &kTooBig);
    CHECK(first->place.offset == 7);
    CHECK(report.withdraw_findings_about_end() == std::nullopt);
    report.finish();
    CHECK(report.count(kCut) == 0);
    CHECK(report.count(kTooBig) == 1);
    CHECK(report.diagnostics().size() == 1);
    CHECK(report.count(severity_of(report.diagnostics()[0])) == 1);
}

TEST_CASE("a filter takes rules or prefixes") {
    RuleFilter filter;
    CHECK(filter.admits(kOdd));
    filter.select("demo/");
    filter.ignore("demo/too-big");
    CHECK(filter.admits(kOdd));
    CHECK_FALSE(filter.admits(kTooBig));
    Report report({.filter = &filter});
    report.add(kTooBig, {});
    CHECK(report.count(Severity::error) == 0);
    CHECK(report.counts().empty());
    CHECK(report.diagnostics().empty());
    report.add(kOdd, {});
    CHECK(report.counts() == std::map<std::string_view, uint64_t>{{"demo/odd", 1}});
    CHECK(report.diagnostics().size() == 1);
    RuleFilter other;
    other.select("xray/");
    CHECK_FALSE(other.admits(kOdd));
    CHECK(other.admits(kUnknownFormat));  // a file that cannot be read is always reported
    other.ignore("input/");
    CHECK_FALSE(other.admits(kUnknownFormat));
}

TEST_CASE("a prefix ends at a word of the id") {
    CHECK(RuleFilter::covers("demo/too-big", kTooBig));
    CHECK(RuleFilter::covers("demo/too-", kTooBig));
    CHECK(RuleFilter::covers("demo/", kTooBig));
    CHECK(RuleFilter::covers("demo", kTooBig));
    CHECK_FALSE(RuleFilter::covers("demo/too", kTooBig));
    CHECK_FALSE(RuleFilter::covers("dem", kTooBig));
    CHECK_FALSE(RuleFilter::covers("", kTooBig));
}

}  // namespace
}  // namespace tracelint
