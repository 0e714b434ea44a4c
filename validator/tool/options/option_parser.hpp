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
                const OptionFacts& facts = {});
    void flag(const std::string& names, bool& value, const std::string& doc, const OptionFacts& facts = {});
    // One required argument; any number of arguments.
    void positional(const std::string& value, const std::string& doc, Take take);
    void positionals(const std::string& value, const std::string& doc, Take take);
    void footer(const std::string& text);

    // read() and apply(). Throws UsageError. Returns the help text if it was asked for, else nothing; some text if the
    // arguments ask for a table.
    std::string parse(Arguments arguments);

    // parse() in two steps, for whoever gives options by other means before those of the command line are applied.
    // Reads the arguments and sets the flags. Throws and returns as parse() does.
    std::string read(Arguments arguments);
    // Passes what was read to the options' `take`, in the order of the command line.
    void apply();

    // The long names of the options, without dashes, in their order.
    std::vector<std::string> names() const;
    bool is_known(const std::string& name) const { return find(name) != nullptr; }
    bool is_flag(const std::string& name) const { return find(name)->flag != nullptr; }
    // What is known of an option; null: it is none of these.
    const OptionRow* row(const std::string& name) const;
    // What the command line gave the option; a flag has one empty word.
    std::vector<std::string> given(const std::string& name) const;
    // Gives an option by other means. Throws what its `take` throws. `word` means nothing for a flag.
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
    std::string guess_output(const std::string& word) const;
    [[noreturn]] void refuse_extra(const std::string& extra) const;

    std::unique_ptr<CLI::App> app_;
    std::vector<Known> known_;
    OptionTable table_;
};

}  // namespace tracelint
