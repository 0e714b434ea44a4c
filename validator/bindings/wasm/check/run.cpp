// The function that the host calls in tracelint.wasm: checks one file and prints the report of `--output json`. It
// knows the options that CheckOptions of npm/index.d.ts lists. All else is left to the whole command line,
// command.wasm.
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "validator/bindings/wasm/arguments.hpp"
#include "validator/input/source.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

namespace {

// The status of a run that did nothing: the host then runs command.wasm, which also has the error messages.
constexpr int kAskTheCommand = 64;

class StandardOutput final : public Sink {
  public:
    void write(std::string_view text) override {
        constexpr size_t kMostKept = size_t{64} << 10;
        kept_ += text;
        if (kept_.size() >= kMostKept) flush();
    }

    void flush() override {
        for (size_t done = 0; done < kept_.size();) {
            const ssize_t written = ::write(STDOUT_FILENO, kept_.data() + done, kept_.size() - done);
            if (written <= 0) break;
            done += static_cast<size_t>(written);
        }
        kept_.clear();
    }

  private:
    std::string kept_;
};

std::optional<Severity> severity_called(std::string_view word) {
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (word == to_string(severity)) return severity;
    return std::nullopt;
}

// What is to be checked, and how. The take_... functions return false for what is left to the command line.
class Request {
  public:
    bool take(std::span<char* const> words) {
        for (size_t i = 0; i < words.size(); ++i) {
            const std::string_view word = words[i];
            if (word == "--") return i + 2 == words.size() && take_path(words[i + 1]);
            const size_t equals = word.find('=');
            if (!word.starts_with("--") || equals == std::string_view::npos) return false;
            if (!take_option(word.substr(2, equals - 2), word.substr(equals + 1))) return false;
        }
        return false;
    }

    // Prints the report.
    void answer() {
        options_.report.filter = &filter_;
        options_.report.severities = &severities_;
        options_.file_name = path_;
        Outcome outcome(options_);
        const std::unique_ptr<Source> source = open_file(path_);
        outcome.failure = source->failure();
        if (outcome.failure.empty()) outcome = check(*source, options_);
        const Checked checked{path_, outcome};
        StandardOutput out;
        const std::unique_ptr<Writer> writer = make_json_writer(out, shown_);
        writer->begin();
        writer->file(checked);
        writer->finish(summary_of(checked));
    }

  private:
    bool take_path(std::string_view path) {
        path_ = path;
        return path != "-";
    }

    bool take_option(std::string_view name, std::string_view value) {
        if (name == "as") return (options_.format = find_format(value)) != nullptr;
        if (name == "select")
            return take_patterns(value, [this](std::string_view pattern) { filter_.select(pattern); });
        if (name == "ignore")
            return take_patterns(value, [this](std::string_view pattern) { filter_.ignore(pattern); });
        if (name == "max-per-rule") return take_number(value, options_.report.kept_per_rule);
        if (name == "max-memory") return parse_size(value, options_.limits.memory);
        if (name == "max-record") return parse_size(value, options_.limits.record);
        if (name == "min-severity") {
            const std::optional<Severity> least = severity_called(value);
            shown_.min_severity = least.value_or(Severity::note);
            return least.has_value();
        }
        const std::optional<Severity> severity = severity_called(name);
        if (!severity && name != "off") return take_setting(name, value);
        return take_patterns(value,
                             [this, severity](std::string_view pattern) { severities_.choose(pattern, severity); });
    }

    template <class Take>
    static bool take_patterns(std::string_view list, Take take) {
        for (size_t start = 0; start <= list.size();) {
            const size_t comma = std::min(list.find(',', start), list.size());
            const std::string_view pattern = list.substr(start, comma - start);
            if (!pattern_fault(pattern).empty()) return false;
            take(pattern);
            start = comma + 1;
        }
        return true;
    }

    static bool take_number(std::string_view word, size_t& number) {
        uint64_t value = 0;
        const bool is_one = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
        if (!is_one || !parse_size(word, value)) return false;
        number = static_cast<size_t>(std::min<uint64_t>(value, SIZE_MAX));
        return true;
    }

    // An option of a format.
    bool take_setting(std::string_view name, std::string_view value) {
        for (const Option* option : all_options()) {
            if (option->name != name) continue;
            const auto choice = std::ranges::find(option->choices, value);
            if (choice == option->choices.end()) return false;
            options_.settings.set(*option, static_cast<size_t>(choice - option->choices.begin()));
            return true;
        }
        return false;
    }

    static Summary summary_of(const Checked& checked) {
        const std::string_view verdict = verdict_of(checked);
        Summary summary;
        summary.files = 1;
        ++(verdict == "unreadable" ? summary.unreadable : verdict == "clean" ? summary.clean : summary.with_findings);
        return summary;
    }

    CheckOptions options_;
    RuleFilter filter_;
    SeverityChoices severities_;
    WriterOptions shown_;
    std::string path_;
};

}  // namespace
}  // namespace tracelint

// Returns 0, or kAskTheCommand.
extern "C" [[clang::export_name("run")]] int run_check() {
    tracelint::HostArguments arguments;
    tracelint::Request request;
    if (arguments.empty() || !request.take({arguments.begin() + 1, arguments.end()})) return tracelint::kAskTheCommand;
    request.answer();
    return 0;
}
