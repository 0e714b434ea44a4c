// The options that several commands share, each set of them added to a parser by one function.
#pragma once

#include <string>

#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/option_parser.hpp"

namespace tracelint {

// All that check takes, and that the configuration may give as well.
void add_check_options(OptionParser& parser, CommandLine& line);

// Parts of these, for other commands.
void add_reporting(OptionParser& parser, CommandLine& line);
void add_rule_filters(OptionParser& parser, CommandLine& line);
void add_as(OptionParser& parser, CommandLine& line);
void add_file_lists(OptionParser& parser, CommandLine& line, const std::string& doc);
void add_memory_limit(OptionParser& parser, CommandLine& line, const std::string& doc);
void add_record_limit(OptionParser& parser, CommandLine& line);
// The grammars' own options.
void add_settings(OptionParser& parser, CommandLine& line);

// One of --output: "KIND" or "KIND=FILE".
void add_output(std::vector<Output>& outputs, const std::string& word);
// The kinds of output, for the end of the help text.
std::string kinds_help();

}  // namespace tracelint
