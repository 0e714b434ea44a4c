// Writers render results. They get plain data and decide nothing about severities, counts or the exit status.
#pragma once

#include <memory>

#include "validator/tool/json/checked.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

class Writer {
  public:
    virtual ~Writer() = default;
    virtual void begin() {}
    // With WriterOptions::is_live: a finding of a file whose check goes on, and which has no outcome so far. Writers of
    // lines write it at once, and do not repeat it with the file.
    virtual void found(const Checked& so_far, const Diagnostic& diagnostic) { (void)so_far, (void)diagnostic; }
    virtual void file(const Checked& checked) = 0;
    virtual void finish(const Summary& summary) { (void)summary; }
};

// A kind of output. To add one, write a source file with its class and factory, and add a row to kKinds in writer.cpp;
// what its readers demand goes into fuzz/tool/report_formats_oracle.cpp.
struct WriterKind {
    std::string_view name;
    std::string_view doc;
    std::unique_ptr<Writer> (*make)(Sink& sink, const WriterOptions& options);
    std::string_view endings{};     // of file names, separated by spaces, in addition to the name of the kind
    size_t most_findings = 0;       // of a run, the worst; 0: it has all, or a summary of all
    bool leaves_out_notes = false;  // unless they are asked for
};
std::span<const WriterKind> writer_kinds();
const WriterKind* find_writer_kind(std::string_view name);  // null if absent
// The kind of a file that ends in `.ending`; null if absent.
const WriterKind* writer_kind_of_ending(std::string_view ending);
// What help says of the kind.
std::string doc_of(const WriterKind& kind);

inline constexpr size_t kMostSarifFindings = 5'000;  // code scanning keeps no more of a run

std::unique_ptr<Writer> make_text_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_concise_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_ndjson_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_sarif_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_github_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_gitlab_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_junit_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_markdown_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_html_writer(Sink& sink, const WriterOptions& options);

// The output of `rules --output json`.
void write_rules_json(const std::vector<const Rule*>& rules, Sink& sink);

// Shared by several writers.
// "3 known findings in known.json"; empty if absent.
std::string known_text(const Summary& summary);
// "2 bytes at offset 0x2f, records[2].action"; for outputs whose own places are lines. `container` is that of the file.
std::string place_text(const Diagnostic& diagnostic, Container container);
// "8 bytes at 0x20 of jit-1.dump", "jit-1.dump" for the other file as a whole; empty if the finding is about one place.
std::string related_text(const Diagnostic& diagnostic);
// "2 files: 1 with errors, ..."
std::string totals_of(const Summary& summary);
// "interrupted by SIGINT; 2 inputs not checked"; only if the summary is incomplete.
std::string not_checked_text(const Summary& summary);
// "incomplete: ", and the same; only if the summary is incomplete.
std::string incomplete_text(const Summary& summary);

}  // namespace tracelint
