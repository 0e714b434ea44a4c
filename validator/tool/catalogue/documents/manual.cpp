// The pages of the manual.
#include "validator/tool/catalogue/documents/manual.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/tool/catalogue/documents/mdoc.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kRuleArgument = R"(.Pp
.Ar RULES
are ids of rules, formats or prefixes that end in a slash or dash, such as
.Cm jitdump/
or
.Cm jitdump/load\- ,
separated by commas.
)";

constexpr std::string_view kOrderOfStatuses = R"(.Pp
If several apply, the status is the first of 2, 4, 3, 1, 0.
)";

constexpr std::string_view kFiles = R"(.Bl -tag -width .tracelint.json
.It Pa .tracelint.json
Options, severities, and overrides for some files, in the working directory
or the nearest folder above it; see
.Xr tracelint.json 5 .
.It Pa .tracelint-*.tmp
An output file that is not complete yet, in the folder of the output.
.El
)";

constexpr std::string_view kEnvironment = R"(.Bl -tag -width NO_COLOR
.It Ev NO_COLOR
If it is set and not empty, text output has no colours, unless
.Fl \-color Cm always
is given.
.It Ev SOURCE_DATE_EPOCH
A time in seconds since 1970 that replaces the current time when
.Nm
decides which entries of a baseline have expired, so that a run can be repeated.
.El
)";

constexpr std::string_view kConfigurationPage = R"(.Sh DESCRIPTION
.Xr tracelint 1
reads
.Pa .tracelint.json
in the working directory, or in the nearest folder above it.
.Fl \-config
names another file,
.Fl \-no\-config
ignores all files, and
.Fl \-show\-config
prints the configuration of the run.
.Pp
The file holds one JSON object and may have comments, from
.Ql //
to the end of the line or between
.Ql /*
and
.Ql */ .
An unknown key or a bad value is a usage error with line and column.
An option of the command line replaces that of the file.
.Pp
Only a file that
.Fl \-config
names may name output files: anyone who can write to a folder above could
choose what is overwritten.
.Sh KEYS
Options of the command line, with underscores in place of dashes.
A flag is true or false; an option that can be repeated also takes an array.
)";

constexpr std::string_view kOtherKeys = R"(.Pp
These keys have no option:
.Bl -tag -width severities
.It Cm severities
An object from rules or prefixes to
.Ql error ,
.Ql warning ,
.Ql note
or
.Ql off .
If several entries match a rule, the last one wins.
.It Cm expect
What every file must contain: the id of a format, or an object with the
members
.Cm format ,
.Cm statistics
.Pq an object from names, as Fl \-statistics No shows them, to the lowest number allowed
and
.Cm names
.Pq patterns, each of which must match the name of a function or method .
In a folder, empty files, Git LFS pointers and files named like traces must
then be traces, and the folder must contain a trace.
.It Cm overrides
An array of objects.
Each applies to the files that match a pattern in its
.Cm files ;
if several match a file, the last one wins.
An override may have
.Cm severities ,
a
.Cm format ,
the options of formats, and
.Cm expect ,
whose member
.Cm files
is the number of files that must match.
Without it, a folder that is searched must contain one such file.
.El
.Pp
A pattern is relative to the folder of the file, or to the working directory if
.Fl \-config
names the file.
.Ql *
matches a part of a name, and
.Ql **
any number of folders.
A pattern without a slash is compared with the file name.
A pattern that ends in a slash, or whose last part has no wildcard, also matches
a folder and then everything in it.
.Sh EXAMPLES
.Bd -literal
{
  "fail_on": "warning",
  "severities": {"jitdump/": "warning"},
  "overrides": [
    // written by a release that is no longer maintained
    {"files": "traces/1.x/**",
     "severities": {"jitdump/close-size": "note"}}
  ]
}
.Ed
)";

class PageWriter {
  public:
    PageWriter(std::string_view date, const std::string& name, unsigned section, std::string_view phrase)
        : name_(name), section_(section) {
        std::string upper = name;
        for (char& c : upper)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        text_ = fmt::format(".\\\" Generated from the tables of tracelint.\n.Dd {}\n.Dt {} {}\n.Os tracelint {}\n",
                            mdoc::date(date), upper, section, TRACELINT_VERSION);
        heading("NAME");
        text_ += fmt::format(".Nm {}\n.Nd {}\n", name, phrase);
    }

    PageWriter& heading(std::string_view title) {
        text_ += fmt::format(".Sh {}\n", title);
        return *this;
    }
    // mdoc, with or without its last newline.
    PageWriter& raw(std::string_view lines) {
        text_ += lines;
        if (!lines.ends_with('\n')) text_ += '\n';
        return *this;
    }
    PageWriter& words(std::string_view words) { return raw(mdoc::text(words)); }

    PageWriter& list(std::string_view width) { return raw(fmt::format(".Bl -tag -width {}", width)); }
    PageWriter& end_list() { return raw(".El"); }
    PageWriter& item(std::string_view macros, std::string_view doc) {
        return raw(fmt::format(".It {}", macros)).words(doc);
    }

    PageWriter& see_also(std::string_view lines) { return heading("SEE ALSO").raw(lines); }

    ManualPage page() { return {name_, section_, std::move(text_)}; }

  private:
    std::string name_;
    unsigned section_;
    std::string text_;
};

// "Fl j Ar N , Fl \-jobs Ar N".
std::string option_macros(const OptionRow& row) {
    std::string macros;
    for (const std::string& name : row.names) {
        macros += fmt::format("{}Fl {}", macros.empty() ? "" : " , ", mdoc::argument(name.substr(1)));
        if (!row.value.empty()) macros += fmt::format(" Ar {}", mdoc::argument(row.value));
    }
    return macros;
}

// A phrase of the help as a sentence. It keeps its first letter if it begins with words to choose from.
std::string sentence(std::string phrase) {
    const std::string first = phrase.substr(0, phrase.find_first_of(" ,;:"));
    const bool is_word = std::ranges::all_of(first, [](char c) { return c >= 'a' && c <= 'z'; });
    if (is_word && !first.empty()) phrase[0] = static_cast<char>(phrase[0] - 'a' + 'A');
    if (!phrase.ends_with('.')) phrase += '.';
    return phrase;
}

// A list of options for each group, as in help.
void write_options(PageWriter& page, const OptionTable& table) {
    for (const auto& [group, title] : kOptionGroups) {
        const auto is_here = [&, wanted = group](const OptionRow& row) { return table.group_of(row) == wanted; };
        if (std::ranges::none_of(table.options, is_here)) continue;
        if (!std::ranges::all_of(table.options, is_here)) page.raw(fmt::format(".Ss {}", title));
        page.list("Ds");
        for (const OptionRow& row : table.options)
            if (is_here(row)) page.item(option_macros(row), sentence(row.doc));
        page.end_list();
    }
}

// What follows the command. The first word of a baseline's arguments is not like the others.
std::string argument_macros(const OptionTable& table) {
    std::string text;
    for (const OptionRow& row : table.positionals) {
        const size_t space = row.value.find(' ');
        if (space != row.value.npos) text += fmt::format(".Ar {}\n", mdoc::argument(row.value.substr(0, space)));
        const std::string last = mdoc::argument(space == row.value.npos ? row.value : row.value.substr(space + 1));
        text += row.is_many ? fmt::format(".Op Ar {} ...\n", last) : fmt::format(".Ar {}\n", last);
    }
    return text;
}

// The command with what it takes, a macro for each part; once for each subcommand.
std::string usage(const CommandEntry& command, bool names_command) {
    std::vector<std::string> names = {names_command ? std::string(command.name) : ""};
    if (!command.table.subcommands.empty()) names.clear();
    for (const std::string& word : command.table.subcommands) names.push_back(fmt::format("{} {}", command.name, word));
    std::string text;
    for (const std::string& name : names) {
        text += ".Nm tracelint\n";
        if (!name.empty()) text += fmt::format(".Cm {}\n", name);
        text += ".Op Ar option ...\n" + argument_macros(command.table);
    }
    return text;
}

void write_commands(PageWriter& page, const std::vector<CommandEntry>& commands) {
    page.heading("COMMANDS").list("Ds");
    for (const CommandEntry& command : commands) {
        std::string macros = fmt::format("Cm {}", command.name);
        for (const std::string& word : command.table.subcommands)
            macros += fmt::format("{} {}", &word == command.table.subcommands.data() ? "" : " | Cm", word);
        for (const OptionRow& row : command.table.positionals)
            macros += fmt::format(" Ar {}{}", row.value, row.is_many ? " ..." : "");
        page.item(macros, sentence(std::string(command.phrase)));
        const bool is_check = command.name == commands.front().name;
        page.raw(is_check ? "This page describes it." : fmt::format("See\n.Xr tracelint\\-{} 1 .", command.name));
    }
    page.item("Cm help", "Print the options and commands.").end_list();
}

void write_kinds(PageWriter& page) {
    page.list("concise");
    for (const WriterKind& kind : writer_kinds()) page.item(fmt::format("Cm {}", kind.name), sentence(doc_of(kind)));
    page.end_list().raw(".Pp\nAn output file replaces an earlier one only when it is complete.");
}

// Whether the command reports findings in all kinds of output.
bool has_reports(const CommandEntry& command) {
    return std::ranges::any_of(command.table.options, [](const OptionRow& row) {
        return argument_kind(row) == ArgumentKind::output && row.choices.size() == writer_kinds().size();
    });
}

void write_statuses(PageWriter& page, const CommandEntry& command) {
    page.heading("EXIT STATUS").list("Ds").raw(command.statuses).end_list().raw(kOrderOfStatuses);
}

ManualPage main_page(std::string_view date, const std::vector<CommandEntry>& commands) {
    const CommandEntry& check = commands.front();
    PageWriter page(date, "tracelint", 1, check.phrase);
    page.heading("SYNOPSIS").raw(usage(check, false)).raw(".Nm tracelint\n.Ar command ...");
    page.heading("DESCRIPTION").raw(".Nm").raw(check.prose);
    write_commands(page, commands);
    page.heading("OPTIONS");
    write_options(page, check.table);
    page.raw(kRuleArgument);
    page.heading("OUTPUTS");
    write_kinds(page);
    page.heading("FORMATS").list("gperftools");
    for (const Format* format : formats())
        page.item(fmt::format("Cm {}", format->id), fmt::format("{}.", format->title));
    page.end_list();
    page.heading("ENVIRONMENT").raw(kEnvironment);
    page.heading("FILES").raw(kFiles);
    write_statuses(page, check);
    page.heading("EXAMPLES").raw(check.examples);
    std::vector<std::string> others;
    for (const CommandEntry& command : commands)
        if (&command != &check) others.push_back(fmt::format(".Xr tracelint\\-{} 1 ,\n", command.name));
    std::ranges::sort(others);
    std::string references;
    for (const std::string& other : others) references += other;
    page.see_also(references + ".Xr tracelint.json 5 ,\n.Xr tracelint\\-rules 7");
    return page.page();
}

ManualPage command_page(std::string_view date, const CommandEntry& command) {
    PageWriter page(date, fmt::format("tracelint-{}", command.name), 1, command.phrase);
    page.heading("SYNOPSIS").raw(usage(command, true));
    page.heading("DESCRIPTION").raw(fmt::format(".Nm tracelint Cm {}", command.name)).raw(command.prose);
    page.raw(".Pp\nThe options are:");
    write_options(page, command.table);
    if (has_reports(command)) write_kinds(page.heading("OUTPUTS"));
    write_statuses(page, command);
    page.heading("EXAMPLES").raw(command.examples);
    page.see_also(".Xr tracelint 1 ,\n.Xr tracelint\\-rules 7");
    return page.page();
}

ManualPage configuration_page(std::string_view date, const CommandEntry& check) {
    PageWriter page(date, "tracelint.json", 5, "configuration of tracelint");
    page.raw(kConfigurationPage).list("Ds");
    for (const OptionRow& row : check.table.options) {
        if (is_configuration_key(row))
            page.item(fmt::format("Cm {}", configuration_key(std::string(row.name()))), sentence(row.doc));
    }
    page.end_list().raw(kOtherKeys).see_also(".Xr tracelint 1");
    return page.page();
}

std::string_view a_finding_of(Severity severity) {
    switch (severity) {
        case Severity::error: return "An error";
        case Severity::warning: return "A warning";
        case Severity::note: return "A note";
    }
    return "";
}

ManualPage rules_page(std::string_view date) {
    PageWriter page(date, "tracelint-rules", 7, "rules of binary trace formats");
    page.heading("DESCRIPTION").raw(R"(These are the rules that
.Xr tracelint 1
checks, by format and in the order of the specifications: what each rule
requires, and what a violation does to the tools that read the file.
This command shows an example of a violation:
.Pp
.Dl $ tracelint explain RULE)");
    for (const RuleGroup& group : rule_groups()) {
        page.heading(fmt::format("{}", mdoc::argument(group.title)));
        page.list("Ds");
        for (const Rule* rule : group.rules) {
            std::string severity(to_string(rule->severity));
            if (const auto& other = rule->severity_override)
                severity += fmt::format(" or {}", to_string(other->severity));
            page.item(fmt::format("Sy {} Pq {}", mdoc::argument(rule->id), severity),
                      fmt::format("Required: {}.", rule->statement));
            if (const auto& other = rule->severity_override)
                page.words(fmt::format("{} when {}.", a_finding_of(other->severity), other->when));
            page.words(fmt::format("Otherwise {}.", rule->why));
        }
        page.end_list();
    }
    page.see_also(".Xr tracelint 1 ,\n.Xr tracelint\\-explain 1");
    return page.page();
}

}  // namespace

std::vector<ManualPage> manual_pages(std::string_view date) {
    const std::vector<CommandEntry> commands = command_table();
    std::vector<ManualPage> pages = {main_page(date, commands)};
    for (const CommandEntry& command : commands) {
        if (command.name != commands.front().name)
            pages.push_back(command_page(date, command));
        else
            pages.push_back({fmt::format("tracelint-{}", command.name), 1, "", "tracelint"});
    }
    pages.push_back(configuration_page(date, commands.front()));
    pages.push_back(rules_page(date));
    return pages;
}

}  // namespace tracelint
