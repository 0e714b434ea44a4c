// The parsers of the commands that make files and test readers, and what they share with the others. Each returns the
// text that answers --help, if it was given, and throws UsageError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/option_parser.hpp"

namespace tracelint {

// Where no output was named, text goes to standard output.
void add_standard_output(std::vector<Output>& outputs);
// --output of a command that writes one text.
void add_single_output(OptionParser& parser, std::vector<Output>& outputs, const std::string& doc,
                       const std::vector<std::string_view>& kinds = {"text", "json"});
// The output that was given, or standard output.
Output single_output(std::vector<Output>& outputs, std::string_view command,
                     const std::vector<std::string_view>& kinds = {"text", "json"});

std::string parse_salvage(Arguments arguments, SalvageLine& line);
std::string parse_shrink(Arguments arguments, ShrinkLine& line);
std::string parse_report(Arguments arguments, ReportLine& line);
std::string parse_generate(Arguments arguments, GenerateLine& line);
std::string parse_mutate(Arguments arguments, MutateLine& line);
std::string parse_dictionary(Arguments arguments, DictionaryLine& line);
std::string parse_describe(Arguments arguments, DescribeLine& line);
std::string parse_conform(Arguments arguments, ConformLine& line);

}  // namespace tracelint
