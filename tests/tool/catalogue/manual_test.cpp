// The manual and the completions say what the tables of options, outputs, formats and rules hold.
#include "validator/tool/catalogue/documents/manual.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/tool/catalogue/documents/mdoc.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"

namespace tracelint {
namespace {

bool has_text(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string page_of(const std::string& name, unsigned section) {
    for (const ManualPage& page : manual_pages("2026-11-23"))
        if (page.name == name && page.section == section) return page.text;
    FAIL("no page " << name);
    return "";
}

// The page of a command; check is described with the program.
std::string page_of(const CommandEntry& command) {
    return page_of(command.name == "check" ? "tracelint" : "tracelint-" + std::string(command.name), 1);
}

}  // namespace

TEST_CASE("text of a manual page has nothing that mdoc takes for its own") {
    const struct {
        std::string_view text, mdoc;
    } kTexts[] = {
        {"a file", "a file\n"},
        {"", ""},
        {".Sh", "\\&.Sh\n"},
        {"'x' is", "\\&'x' is\n"},
        {"a \\ b", "a \\e b\n"},
        {"--fail-on", "\\-\\-fail\\-on\n"},
        {"say \"no\"", "say \\(dqno\\(dq\n"},
        {"One. Two. 3 is.", "One.\nTwo. 3 is.\n"},
        {"See .tracelint.json. .hidden is", "See .tracelint.json. .hidden is\n"},
    };
    for (const auto& [text, mdoc] : kTexts) CHECK(mdoc::text(text) == mdoc);
    const std::string long_text = mdoc::text(std::string(70, 'a') + " b ccccccccc .d");
    CHECK(long_text == std::string(70, 'a') + " b\nccccccccc .d\n");
    CHECK(mdoc::text(std::string(77, 'a') + " .d") == std::string(77, 'a') + "\n\\&.d\n");
}

TEST_CASE("arguments of macros are no macros, and dates are those of mdoc") {
    CHECK(mdoc::argument("Ar") == "\\&Ar");
    CHECK(mdoc::argument("N") == "N");
    CHECK(mdoc::argument("|") == "\\&|");
    CHECK(mdoc::argument("-output") == "\\-output");
    CHECK(mdoc::argument("two words") == "two\\ words");
    CHECK(mdoc::date("2026-11-03") == "November 3, 2026");
    CHECK(mdoc::date("2026-13-03").empty());
    CHECK(mdoc::date("").empty());
}

TEST_CASE("the page of each command lists its options with their arguments") {
    for (const CommandEntry& command : command_table()) {
        const std::string page = page_of(command);
        CHECK_MESSAGE(command.table.options.size() >= 1, command.name);
        for (const OptionRow& row : command.table.options)
            for (const std::string& name : row.names) {
                std::string macro = "Fl " + mdoc::argument(name.substr(1));
                if (!row.value.empty()) macro += " Ar " + mdoc::argument(row.value);
                CHECK_MESSAGE((has_text(page, macro + '\n') || has_text(page, macro + " , ")),
                              command.name << ' ' << name);
            }
    }
}

TEST_CASE("tracelint(1) lists the commands, outputs and formats; tracelint-rules(7) lists the rules") {
    const std::string page = page_of("tracelint", 1);
    for (const std::string_view command : command_names())
        CHECK_MESSAGE(has_text(page, ".It Cm " + std::string(command)), command);
    for (const WriterKind& kind : writer_kinds())
        CHECK_MESSAGE(has_text(page, ".It Cm " + std::string(kind.name) + '\n'), kind.name);
    for (const Format* format : formats())
        CHECK_MESSAGE(has_text(page, ".It Cm " + std::string(format->id) + '\n'), format->id);
    const std::string rules = page_of("tracelint-rules", 7);
    for (const Rule* rule : all_rules())
        CHECK_MESSAGE(
            has_text(rules, ".It Sy " + mdoc::argument(rule->id) + " Pq " + std::string(to_string(rule->severity))),
            rule->id);
}

TEST_CASE("the page of each command has its usage and exit statuses") {
    const struct {
        std::string_view command, usage, statuses;
        std::vector<std::vector<std::string>> understood;  // command lines of the usage
    } kPages[] = {
        {"check",
         ".Nm tracelint\n.Op Ar option ...\n.Op Ar FILE ...\n.Nm tracelint\n.Ar command ...\n",
         "0 1 2 3 4",
         {{"a"}, {"check", "a", "b"}}},
        {"rules",
         ".Nm tracelint\n.Cm rules\n.Op Ar option ...\n.Op Ar RULE ...\n",
         "0 2 4",
         {{"rules"}, {"rules", "jitdump/", "gzip/"}}},
        {"explain",
         ".Nm tracelint\n.Cm explain\n.Op Ar option ...\n.Ar RULE\n",
         "0 2 4",
         {{"explain", "input/unknown-format"}}},
        {"dump", ".Nm tracelint\n.Cm dump\n.Op Ar option ...\n.Ar FILE\n", "0 1 2 3 4", {{"dump", "a"}}},
        {"salvage",
         ".Nm tracelint\n.Cm salvage\n.Op Ar option ...\n.Ar FILE\n",
         "0 1 2 3 4",
         {{"salvage", "a", "-o", "b"}}},
        {"shrink",
         ".Nm tracelint\n.Cm shrink\n.Op Ar option ...\n.Ar FILE\n",
         "0 1 2 3 4",
         {{"shrink", "a", "--keep", "jitdump/truncated-record@0x10", "-o", "b"}}},
        {"report",
         ".Nm tracelint\n.Cm report\n.Op Ar option ...\n.Ar FILE\n.Ar RULE\n",
         "0 1 2 3 4",
         {{"report", "a", "jitdump/truncated-record"}}},
        {"generate",
         ".Nm tracelint\n.Cm generate\n.Op Ar option ...\n.Ar FORMAT\n",
         "0 2 4",
         {{"generate", "jitdump"}}},
        {"mutate",
         ".Nm tracelint\n.Cm mutate\n.Op Ar option ...\n.Ar FILE|FORMAT\n",
         "0 1 2 3 4",
         {{"mutate", "a", "-o", "b"}, {"mutate", "xray", "-o", "b"}}},
        {"describe", ".Nm tracelint\n.Cm describe\n.Op Ar option ...\n.Ar FORMAT\n", "0 2 4", {{"describe", "xray"}}},
        {"conform",
         ".Nm tracelint\n.Cm conform\n.Op Ar option ...\n.Ar READER\n.Op Ar FORMAT ...\n",
         "0 1 2 3 4",
         {{"conform", "a {}"}, {"conform", "a {}", "xray"}}},
        {"dictionary",
         ".Nm tracelint\n.Cm dictionary\n.Op Ar option ...\n.Ar FORMAT\n",
         "0 2 4",
         {{"dictionary", "xray"}}},
        {"baseline",
         ".Nm tracelint\n.Cm baseline update\n.Op Ar option ...\n.Ar BASELINE\n.Op Ar FILE ...\n"
         ".Nm tracelint\n.Cm baseline check\n.Op Ar option ...\n.Ar BASELINE\n.Op Ar FILE ...\n",
         "0 1 2 3 4",
         {{"baseline", "update", "a", "b"}, {"baseline", "check", "a", "b", "c"}}},
        {"merge", ".Nm tracelint\n.Cm merge\n.Op Ar option ...\n.Op Ar PART ...\n", "0 1 2 3 4", {{"merge", "a", "b"}}},
    };
    const std::vector<CommandEntry> commands = command_table();
    REQUIRE(commands.size() == std::size(kPages));
    for (const auto& [command, usage, statuses, understood] : kPages) {
        const auto entry = std::ranges::find(commands, command, &CommandEntry::name);
        REQUIRE_MESSAGE(entry != commands.end(), command);
        const std::string page = page_of(*entry);
        CHECK_MESSAGE(has_text(page, ".Sh SYNOPSIS\n" + std::string(usage) + ".Sh DESCRIPTION\n"), command << page);
        const std::string list = page.substr(page.find(".Sh EXIT STATUS\n"));
        std::string found;
        for (size_t at = list.find(".It "); at < list.find(".El"); at = list.find(".It ", at + 1))
            found += std::string(found.empty() ? "" : " ") + list[at + 4];
        CHECK_MESSAGE(found == statuses, command);
        for (const std::vector<std::string>& words : understood)
            CHECK_MESSAGE(parse_command_line(words, nullptr).error.empty(), command);
        // An option that names kinds of output sends the reader to a list of them.
        if (has_text(page, "see below")) CHECK_MESSAGE(has_text(page, ".Sh OUTPUTS\n"), command);
    }
    CHECK(has_text(page_of("tracelint", 1), ".It Cm baseline update | Cm check Ar BASELINE FILE ...\n"));
    const std::string page = page_of("tracelint-baseline", 1);
    for (const std::string_view word : {"\n.Cm baseline update\n", "\n.Cm baseline check\n", "\n.Fl \\-accept\\-new\n"})
        CHECK_MESSAGE(has_text(page.substr(page.find(".Sh DESCRIPTION")), word), word);
}

TEST_CASE("tracelint.json(5) lists the keys that a configuration may have") {
    const std::string page = page_of("tracelint.json", 5);
    CHECK(has_text(page, ".It Cm fail_on\n"));
    CHECK(has_text(page, ".It Cm severities\n"));
    CHECK(!has_text(page, ".It Cm help\n"));
    CHECK(!has_text(page, ".It Cm version\n"));
    CHECK(!has_text(page, ".It Cm show_config\n"));
}

TEST_CASE("completions have every option, word and rule") {
    for (const std::string& script : {bash_completion(), zsh_completion(), fish_completion()}) {
        for (const Rule* rule : all_rules()) CHECK_MESSAGE(has_text(script, rule->id), rule->id);
        for (const CommandEntry& command : command_table())
            for (const OptionRow& row : command.table.options) {
                const std::string& name = row.names.back();
                CHECK_MESSAGE(has_text(script, name.substr(name.starts_with("--") ? 2 : 1)), name);
                for (const std::string& word : row.choices) CHECK_MESSAGE(has_text(script, word), name << ' ' << word);
            }
    }
}

}  // namespace tracelint
