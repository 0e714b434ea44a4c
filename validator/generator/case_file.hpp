// The two text notations of the corpus: annotated bytes (.hex), and the cases of a rule (.case), which are edits of
// such bytes with the expected findings. Tests, fuzz seeds and `explain` read both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validator/tracelint.hpp"

namespace tracelint {

// Errors in a text, as "file:line: message".
using Errors = std::vector<std::string>;

// The value of a field as stated in a .hex file: `name=value` in a comment.
struct Assertion {
    std::string field;
    std::string value;  // in the spelling of text_of()
    size_t line = 0;
};

// The spelling in which stated and decoded values are compared.
std::string text_of(uint64_t number);
std::string text_of(std::string_view string);

struct HexFile {
    std::string bytes;
    std::vector<Assertion> assertions;  // in file order
};

HexFile read_hex(std::string_view text, const std::string& path, Errors& errors);

// Two parts with a run of zeros between them, which may be many GiB long and is never in memory.
struct SparseBytes {
    std::string head;
    uint64_t zeros = 0;
    std::string tail;

    uint64_t size() const { return head.size() + zeros + tail.size(); }
    // The bytes in [offset, offset + size); fewer at the end.
    std::string part(uint64_t offset, size_t size) const;
};

// Reads SparseBytes, which must outlive the source, in pieces of at most `chunk` bytes.
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

// The texts of a finding, from the lines below its `expect` line: `says "message"`, and where they apply `hint "text"`,
// `related OFFSET+LENGTH` and `about-end`. Every rule has it once for each of its severities.
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
    std::optional<std::string> field;  // a path as from field_path(); not compared if absent
    std::optional<Wording> wording{};  // not compared by matches()
    size_t line = 0;                   // in the case file

    bool matches(const Expectation& found) const;
};

Expectation expectation_of(const Diagnostic& diagnostic);
// In the case notation: "expect error jitdump/bad-magic 0x00+4 header.magic".
std::string line_of(const Expectation& expectation);
// Sorts by offset and rule, as reports are sorted.
void sort(std::vector<Expectation>& expectations);
// The findings of a check, sorted.
std::vector<Expectation> expectations_of(const Outcome& outcome);
// Whether the findings match the expectations; both must be sorted.
bool all_match(const std::vector<Expectation>& expected, const std::vector<Expectation>& found);

struct CaseBlock {
    bool is_violation = false;  // or an exhibit of the museum; otherwise a near miss
    std::string title;
    size_t line = 0;                     // of the title in the case file
    std::string base;                    // name of the base file, or "empty"
    SparseBytes bytes;                   // the base file after all edits
    std::string file_name;               // given to the check; may be empty
    std::string format;                  // forced in the check; empty: recognise it
    std::vector<std::string> readers{};  // whose findings matter, as --for takes them; empty: all findings do
    bool is_foreign = false;             // owned by neither the user nor root
    Limits limits;
    Settings settings;
    std::vector<Expectation> expected;  // sorted
    std::vector<std::string> lines;     // everything below the title, as written

    bool has_limits() const { return limits.memory != Limits{}.memory || limits.record != Limits{}.record; }
};

struct CaseFile {
    std::string path;
    std::string rule;          // id, from the path: <format>/rules/<slug>.case
    std::string description;   // the comment at the top
    std::string spec;          // the "spec:" line
    std::string report, cost;  // in the museum: where the fault was reported, and whom it affected
    std::vector<CaseBlock> blocks;
};

// The rule as a part of file names: "<format>-<slug>".
std::string slug_of(const CaseFile& file);

// Returns the text of corpus/<folder>/base/<file>, or nothing if there is no such file. The folder is that of the case,
// unless the line is `base FOLDER/FILE`.
using BaseReader = std::function<std::optional<std::string>(std::string_view folder, std::string_view file)>;

CaseFile read_case(std::string_view text, const std::string& path, const BaseReader& base, Errors& errors);

// Options for checking the file of a block. All findings are kept.
CheckOptions options_of(const CaseBlock& block);

}  // namespace tracelint
