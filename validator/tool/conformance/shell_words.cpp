#include "validator/tool/conformance/shell_words.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kBlanks = " \t\n";
constexpr std::string_view kOfShells = "|&;<>()$`*?[#~";  // outside quotes
constexpr std::string_view kEscapedInQuotes = "\"\\$`";   // by a backslash, in double quotes
constexpr std::string_view kOfShellsInQuotes = "$`";

class Splitter {
  public:
    explicit Splitter(std::string_view text) : rest_(text) {}

    std::vector<std::string> words() {
        while (!rest_.empty()) step();
        if (is_inside_) words_.push_back(word_);
        if (words_.empty()) throw ShellFault{"the command is empty"};
        return words_;
    }

  private:
    char take() {
        if (rest_.empty()) throw ShellFault{"a quote or a backslash at the end of the command is not closed"};
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    [[noreturn]] static void refuse(char c) {
        throw ShellFault{std::string("no shell runs the command, which would be needed for ") + c +
                         "; quote it, or write sh -c 'COMMAND'"};
    }

    void step() {
        const char c = take();
        if (kBlanks.find(c) != kBlanks.npos) {
            if (is_inside_) words_.push_back(word_);
            word_.clear();
            is_inside_ = false;
            return;
        }
        is_inside_ = true;
        if (c == '\'')
            for (char quoted = take(); quoted != '\''; quoted = take()) word_ += quoted;
        else if (c == '"')
            take_double_quoted();
        else if (c == '\\')
            word_ += take();
        else if (kOfShells.find(c) != kOfShells.npos)
            refuse(c);
        else
            word_ += c;
    }

    void take_double_quoted() {
        for (char c = take(); c != '"'; c = take()) {
            if (kOfShellsInQuotes.find(c) != kOfShellsInQuotes.npos) refuse(c);
            if (c == '\\' && !rest_.empty() && kEscapedInQuotes.find(rest_.front()) != kEscapedInQuotes.npos)
                c = take();
            word_ += c;
        }
    }

    std::string_view rest_;
    std::string word_;
    bool is_inside_ = false;
    std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> shell_words(std::string_view command) { return Splitter(command).words(); }

}  // namespace tracelint
