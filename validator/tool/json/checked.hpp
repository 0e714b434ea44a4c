// A file, the outcome of its check, and all that outputs say of it beyond its findings, as plain data. The command's
// writers, the parts of a fleet's results and the bindings are given the same.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/readers/reader_check.hpp"
#include "validator/tool/json/known_findings.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

class KeptInput;
struct PartSummary;

// One file of a manifest.
struct ManifestEntry {
    uint64_t number = 0;  // of the line, or of the name that ends in a NUL; counted from 1
    std::string path;
    std::optional<uint64_t> size;    // bytes, as stored
    std::string etag;                // may be empty
    const Format* format = nullptr;  // null: recognise it
};

struct WriterOptions {
    Severity min_severity = Severity::note;  // less severe findings are counted but not shown
    bool colour = false;
    std::optional<Severity> fail_on =
        Severity::error;          // findings from this severity on fail a test (junit); empty: none
    bool statistics = false;      // show counts of records in text output; other outputs always have them
    bool fold_notes = false;      // one line for all notes of a rule in text output
    bool summary = false;         // one line for each file in text output
    size_t shown_per_rule = 3;    // errors and warnings of a rule in text output; 0: all that are kept
    bool is_live = false;         // each finding was passed to Writer::found() before the file
    WorkCounter* work = nullptr;  // of reading files a second time for html reports; null if not counted
};

// An input and the outcome of its check.
struct Checked {
    std::string path;  // as the user named it, any bytes; "-" is standard input
    const Outcome& outcome;
    const KeptInput* kept = nullptr;           // the first bytes of a pipe, which cannot be read again; null if absent
    const KnownFindings* known = nullptr;      // null: there is no baseline
    const ManifestEntry* entry = nullptr;      // null: there is no manifest
    std::span<const ReaderVerdict> readers{};  // what the readers that the user named do with it
    // Set if the findings were read from a part of a fleet's results: the file is elsewhere, or may have changed.
    std::string_view lines{};                     // its lines in the part
    std::shared_ptr<const void> texts = nullptr;  // what its findings refer to
    std::string artifact{};   // where the path is a pattern: the file that has it, for outputs that need one
    bool is_partner = false;  // nobody named the file: it was found for the recording before it

    const std::string& artifact_path() const { return artifact.empty() ? path : artifact; }
    // Whether the file is not to be read again.
    bool is_elsewhere() const { return !lines.empty(); }
    // The entry of the baseline that the finding is known by; null: it is new.
    const BaselineEntry* entry_of(const Diagnostic& diagnostic) const;
    // How many findings of a severity are new.
    uint64_t count_new(Severity severity) const;
};

// Totals of all inputs, without the findings that the baseline knows.
struct Summary {
    uint64_t files = 0;  // the sum of the next three
    uint64_t clean = 0;  // without a finding of any severity
    uint64_t with_findings = 0;
    uint64_t unreadable = 0;
    uint64_t skipped = 0;                       // in walked folders: empty, or of no known format
    std::array<uint64_t, 3> with_worst_of{};    // files with findings, by their worst severity
    std::string configuration{};                // the file that was read; empty if absent
    std::string incomplete{};                   // why not all inputs were checked; empty: they were
    uint64_t not_checked = 0;                   // inputs that are left out for this reason
    uint64_t cut = 0;                           // inputs that were being checked then, among the unreadable
    const BaselineSummary* baseline = nullptr;  // null if absent
    const PartSummary* part = nullptr;          // null: there is no manifest
};

bool is_shown(const Diagnostic& diagnostic, const WriterOptions& options);
// Whether the finding is shown by a writer that omits known findings.
bool is_shown_as_new(const Checked& checked, const Diagnostic& diagnostic, const WriterOptions& options);
// By rule id: findings that are counted but not shown, for whatever reason.
std::map<std::string_view, uint64_t> not_shown(const Report& report, const WriterOptions& options);
// The new ones among them.
std::map<std::string_view, uint64_t> new_not_shown(const Checked& checked, const WriterOptions& options);
// By rule id: new findings that the report counts but does not keep.
std::map<std::string_view, uint64_t> new_not_kept(const Checked& checked);
// "unreadable", the worst severity of a new finding, or "clean".
std::string_view verdict_of(const Checked& checked);
// "jit-1.dump with perf.data: 9 functions of pid 1, ...", and the next step.
std::string pairing_text(const Checked& checked, const Pairing& pairing);
// What a recording shows: "perf.data: 60 samples, ..."; empty for other files, or if there is nothing to say.
std::string recording_text(const Checked& checked);
// The worst verdict of a reader; null without --for.
const ReaderVerdict* worst_reader(const Checked& checked);

}  // namespace tracelint
