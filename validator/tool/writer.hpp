// How results are written. A writer gets plain data and never judges: what is an error, what counts and
// what the exit status becomes is decided elsewhere.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "validator/tool/sink.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

struct WriterOptions {
    Severity min_severity = Severity::note;  // findings below are not shown, but counted
    bool colour = false;
    bool statistics = false;  // where they are not part of the output anyway
};

// One input after its check.
struct Checked {
    std::string path;  // as the user named it, any bytes; "-" is standard input
    const Outcome& outcome;
};

// Of all inputs.
struct Summary {
    uint64_t files = 0;  // the three below; what was skipped is not among them
    uint64_t clean = 0;  // without a finding of any severity
    uint64_t with_findings = 0;
    uint64_t unreadable = 0;
    uint64_t skipped = 0;                     // in walked folders: empty, or of no known format
    std::array<uint64_t, 3> with_worst_of{};  // those with findings, by their worst severity
};

class Writer {
  public:
    virtual ~Writer() = default;
    virtual void begin() {}
    virtual void file(const Checked& checked) = 0;
    virtual void finish(const Summary& summary) { (void)summary; }
};

// A new output is a source file with its class and its maker, and a line in writer_kinds().
struct WriterKind {
    std::string_view name;
    std::string_view doc;
    std::unique_ptr<Writer> (*make)(Sink& sink, const WriterOptions& options);
};
std::span<const WriterKind> writer_kinds();
const WriterKind* find_writer_kind(std::string_view name);

std::unique_ptr<Writer> make_text_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_concise_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_ndjson_writer(Sink& sink, const WriterOptions& options);

// What several writers say in the same words.
bool is_shown(const Diagnostic& diagnostic, const WriterOptions& options);
// Findings of each rule that were counted but are not shown, whatever hides them.
std::map<std::string_view, uint64_t> not_shown(const Report& report, const WriterOptions& options);
// "unreadable", the worst severity found, or "clean".
std::string_view verdict_of(const Outcome& outcome);
// The consequence, then the cause that the bytes suggest.
std::string help_of(const Diagnostic& diagnostic);
// The path as a terminal may see it.
std::string shown_path(std::string_view path);

}  // namespace tracelint
