// A thin layer over CLI11, in a file of its own because that header takes seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "validator/tool/inputs/usage_error.hpp"
#include "validator/tool/options/option_table.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tracelint {

// The options and positional arguments of one command, and what to do with each.
class OptionParser {
  public:
    using Take = std::function<void(const std::string& word)>;

    OptionParser(std::string description, const std::string& program);
    ~OptionParser();
    OptionParser(const OptionParser&) = delete;
    OptionParser& operator=(const OptionParser&) = delete;

    // `names`: "-o", "--output" or "-j,--jobs". `take` receives each argument given.
    void option(const std::string& names, const OptionValue& value, const std::string& doc, Take take,
                const OptionFacts& facts = {}, OptionGroup group = OptionGroup::command);
    void flag(const std::string& names, bool& value, const std::string& doc, const OptionFacts& facts = {},
              OptionGroup group = OptionGroup::command);
    // One required argument; any number of arguments.
    void positional(const std::string& value, const std::string& doc, Take take);
    void positionals(const std::string& value, const std::string& doc, Take take);
    // Text of the help before and after the options. Either ends in a newline.
    void introduction(const std::string& text) { introduction_ = text; }
    void footer(const std::string& text) { footer_ = text; }

    // read() and apply(). Throws UsageError. Returns the help text if it was asked for, else nothing; some text if the
    // arguments ask for a table.
    std::string parse(Arguments arguments);

    // parse() in two steps, so that options of a configuration can be applied before those of the command line.
    // Reads the arguments and sets the flags. Throws and returns as parse() does.
    std::string read(Arguments arguments);
    // Passes what was read to the options' `take`, in the order of the command line.
    void apply();

    // The long names of the options, without dashes, in the order of the table.
    std::vector<std::string> names() const;
    bool is_known(const std::string& name) const { return find(name) != nullptr; }
    bool is_flag(const std::string& name) const { return find(name)->flag != nullptr; }
    // The row of an option; null if there is no such option.
    const OptionRow* row(const std::string& name) const;
    // The words that the command line gave the option; a flag has one empty word.
    std::vector<std::string> given(const std::string& name) const;
    // Sets an option as the command line would. Throws what its `take` throws. `word` is ignored for a flag.
    void set(const std::string& name, const std::string& word);

  private:
    struct Known {
        std::string name;  // long, without dashes; empty if it has none
        CLI::Option* option;
        bool* flag;  // null if it takes a word
        Take take;
    };
    void add(CLI::Option* option, bool* flag, Take take);
    const Known* find(const std::string& name) const;
    std::string help() const;
    std::string guess_output(const std::string& word) const;
    [[noreturn]] void refuse_extra(const std::string& extra) const;

    std::unique_ptr<CLI::App> app_;
    std::vector<Known> known_;
    OptionTable table_;
    std::string introduction_, footer_;
};

}  // namespace tracelint
