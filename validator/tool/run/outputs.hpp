// The outputs of a run: its writers, and the files that they write to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "validator/tool/options/check_options.hpp"
#include "validator/tool/run/status.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// Whether text on standard output is coloured.
bool wants_colour(Colour colour);

// The columns of the terminal that is standard output, or what COLUMNS says they are; 0 if it is no terminal.
size_t terminal_width();

class Outputs {
  public:
    using Make =
        std::function<std::unique_ptr<Writer>(const WriterKind& kind, Sink& sink, const WriterOptions& options)>;

    enum class Use : uint8_t {
        files,
        shard,   // files of ndjson are parts of a fleet's results
        follow,  // findings are written when they are made
    };

    // Reports a file that cannot be created, or that two outputs share. `make`: creates the writers; by default those
    // of the kinds.
    ExitStatus open(const Reporting& reporting, Use use, const Make& make = {});

    void begin();
    // A finding of a file that is followed, as soon as it is made.
    void found(const Checked& so_far, const Diagnostic& diagnostic);
    void file(const Checked& checked);
    // Whether no output can be written any more.
    bool all_failed() const;
    // Puts the files in place; but no part of an incomplete run, since it would look complete.
    ExitStatus finish(const Summary& summary, ExitStatus status);
    // After finish(): prints what was found and which files were written, if all reports are in files: a pipe or a
    // device may be where standard output goes. If that is closed, nobody wants to know.
    void print_written(const Summary& summary) const;

  private:
    struct Opened {
        std::string name;
        bool is_part;  // of a fleet's results
        std::unique_ptr<FileSink> sink;
        std::unique_ptr<Writer> writer;
        bool replaces_file = false;  // once it is finished
    };

    template <class Action>
    void each(Action action) {
        for (Opened& output : opened_)
            if (output.sink->failure() == 0) action(*output.writer);
    }

    std::vector<Opened> opened_;
};

// Adds one result to the summary and returns the exit status that it demands.
ExitStatus tally(const Checked& checked, std::optional<Severity> fail_on, Summary& summary);

// The exit status of a run with --exit-zero: findings are no failure, all else is.
inline ExitStatus without_findings(ExitStatus status) { return status == kFindings ? kClean : status; }

}  // namespace tracelint
