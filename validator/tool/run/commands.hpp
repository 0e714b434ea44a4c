// The commands, one function each. They return the exit status.
#pragma once

#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/status.hpp"

namespace tracelint {

// Parses the command line and runs the command. Never throws. `arguments` without the program's name.
ExitStatus run(std::span<char* const> arguments);

ExitStatus run_check(const CheckLine& line);
ExitStatus run_rules(const RulesLine& line);
ExitStatus run_explain(const ExplainLine& line);
ExitStatus run_dump(const DumpLine& line);
ExitStatus run_generate(const GenerateLine& line);
ExitStatus run_merge(const MergeLine& line);
ExitStatus run_salvage(const SalvageLine& line);
ExitStatus run_shrink(const ShrinkLine& line);
ExitStatus run_report(const ReportLine& line);
ExitStatus run_mutate(const MutateLine& line);
ExitStatus run_dictionary(const DictionaryLine& line);
ExitStatus run_conform(const ConformLine& line);
ExitStatus run_describe(const DescribeLine& line);

// Adds the names in the lists of --files-from to `names`. Reports a list that cannot be read or is not a list.
ExitStatus add_listed(const FileLists& lists, std::vector<std::string>& names);

// Whether a file can be read several times, as `command` must. Reports one that is empty or can be read only once.
bool can_read_again(Source& file, const std::string& path, std::string_view command);

// Prints "tracelint: message" on standard error.
void complain(std::string_view message);

// The output `name` (empty: standard output) could not be written; `failure` is an errno.
void complain_unwritable(const std::string& name, int failure);

// Closes the sink and returns the exit status. A closed pipe (EPIPE) does not change it; any other failure is reported
// and makes it at least kInternal.
ExitStatus finish_output(FileSink& sink, const std::string& name, ExitStatus status);

}  // namespace tracelint
