// The corpus's two text notations: annotated bytes (.hex), and the cases of a rule (.case), which are
// edits of such bytes with the findings that they must give. Tests, fuzz seeds and `explain` read both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validator/tracelint.hpp"

namespace tracelint {

// Every fault of a text, as "file:line: message".
using Errors = std::vector<std::string>;

// What the author of a .hex file says that a field holds: `name=value` in a comment.
struct Assertion {
    std::string field;
    std::string value;  // as text_of() below writes it
    size_t line = 0;
};

// The one spelling of a value in which assertions and decoded fields are compared.
std::string text_of(uint64_t number);
std::string text_of(std::string_view string);

struct HexFile {
    std::string bytes;
    std::vector<Assertion> assertions;  // in file order
};

HexFile read_hex(std::string_view text, const std::string& path, Errors& errors);

// Bytes with a run of zeros between two parts, which may be many GiB long and is never in memory.
struct SparseBytes {
    std::string head;
    uint64_t zeros = 0;
    std::string tail;

    uint64_t size() const { return head.size() + zeros + tail.size(); }
    // The bytes that lie in [offset, offset + size), fewer at the end.
    std::string part(uint64_t offset, size_t size) const;
};

// Gives SparseBytes, which must outlive it, in pieces of at most `chunk` bytes.
class SparseSource final : public Source {
  public:
    SparseSource(const SparseBytes& bytes, bool seekable, size_t chunk = static_cast<size_t>(-1))
        : bytes_(bytes), chunk_(chunk), seekable_(seekable) {}
    size_t read(uint8_t* to, size_t bytes) override;
    bool seek(uint64_t offset) override;
    uint64_t size() const override { return seekable_ ? bytes_.size() : kNone; }

  private:
    const SparseBytes& bytes_;
    size_t chunk_;
    uint64_t at_ = 0;
    bool seekable_;
};

// What a finding tells the user, from the lines below its `expect` line: `says "message"`, and where they apply
// `hint "text"`, `related OFFSET+LENGTH` and `about-end`. Every rule has it once for each of its severities.
struct Wording {
    std::string message;
    std::string hint;
    uint64_t related_offset = kNone, related_length = 0;
    bool about_end = false;  // not reported where the container of the file is truncated

    bool operator==(const Wording&) const = default;
};

// As the case notation has it: one or more lines, each with its line feed.
std::string lines_of(const Wording& wording);

// One `expect` line.
struct Expectation {
    Severity severity = Severity::error;
    std::string rule;
    uint64_t offset = 0;
    uint64_t length = 0;
    std::optional<std::string> field;  // a path as field_path() gives it; not compared when there is none
    std::optional<Wording> wording{};  // not compared by matches()
    size_t line = 0;                   // in the case file

    bool matches(const Expectation& found) const;
};

Expectation expectation_of(const Diagnostic& diagnostic);
// As the case notation has it: "expect error jitdump/bad-magic 0x00+4 header.magic".
std::string line_of(const Expectation& expectation);
// By offset, then rule, as reports are.
void sort(std::vector<Expectation>& expectations);
// What a check found, sorted.
std::vector<Expectation> expectations_of(const Outcome& outcome);
// Whether what was found is what is expected, both sorted.
bool all_match(const std::vector<Expectation>& expected, const std::vector<Expectation>& found);

struct CaseBlock {
    bool is_violation = false;  // or a museum's exhibit; else a near miss
    std::string title;
    size_t line = 0;        // of the title in the case file
    std::string base;       // name of the base file, or "empty"
    SparseBytes bytes;      // the base file after all edits
    std::string file_name;  // what the file is said to be called; may be empty
    std::string format;     // that the user insists on; empty: to be recognised
    Limits limits;
    Settings settings;
    std::vector<Expectation> expected;  // sorted
    std::vector<std::string> lines;     // everything below the title as it was typed

    bool has_limits() const { return limits.memory != Limits{}.memory || limits.record != Limits{}.record; }
};

struct CaseFile {
    std::string path;
    std::string rule;          // id, from the path: <format>/rules/<slug>.case
    std::string description;   // the comment at the top
    std::string spec;          // its "spec:" line
    std::string report, cost;  // those lines of a museum's case: where the fault was reported, and whom it hit
    std::vector<CaseBlock> blocks;
};

// The rule as a part of file names: "<format>-<slug>".
std::string slug_of(const CaseFile& file);

// The text of corpus/<folder>/base/<file>; nothing when there is no such file. The folder is that of the
// case, unless its line says `base FOLDER/FILE`.
using BaseReader = std::function<std::optional<std::string>(std::string_view folder, std::string_view file)>;

CaseFile read_case(std::string_view text, const std::string& path, const BaseReader& base, Errors& errors);

// How the file of a block is to be checked: everything is kept.
CheckOptions options_of(const CaseBlock& block);

}  // namespace tracelint
