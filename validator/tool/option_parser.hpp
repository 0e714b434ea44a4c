// A thin layer over CLI11, in a file of its own because that header takes seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tracelint {

// A wrong command line. Thrown while it is parsed, and caught in parse_command_line().
struct UsageError {
    std::string message;
};

[[noreturn]] void refuse(std::string message);

// The options and positional arguments of one command, and what to do with each.
class OptionParser {
  public:
    using Take = std::function<void(const std::string& word)>;

    OptionParser(std::string description, const std::string& program);
    ~OptionParser();
    OptionParser(const OptionParser&) = delete;
    OptionParser& operator=(const OptionParser&) = delete;

    // `names`: "-o" or "--output". `value`: how help names its argument. `take` receives each argument given.
    void option(const std::string& names, const std::string& value, const std::string& doc, Take take);
    void flag(const std::string& names, bool& value, const std::string& doc);
    // One required argument; any number of arguments.
    void positional(const std::string& value, const std::string& doc, Take take);
    void positionals(const std::string& value, const std::string& doc, Take take);
    void footer(const std::string& text);

    // Throws UsageError. Returns the help text if it was asked for, else nothing.
    std::string parse(std::vector<std::string> arguments);

  private:
    [[noreturn]] void refuse_extra(const std::string& extra) const;

    std::unique_ptr<CLI::App> app_;
};

}  // namespace tracelint
