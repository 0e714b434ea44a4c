// The library's interface: check one file, get plain data back. No function here throws. All offsets and lengths are
// 64-bit and count bytes.
#pragma once

#include <functional>

#include "validator/facts.hpp"
#include "validator/format.hpp"
#include "validator/input/container.hpp"

namespace tracelint {

struct Outcome;

// What the user expects of one file beyond what its format demands.
class FileExpectations {
  public:
    virtual ~FileExpectations() = default;
    // Hears the names in the file; null if they do not matter.
    virtual NameListener* names() = 0;
    // The format that is expected; null: any. If it is not known what the file is, expect/format is the only finding.
    virtual const Format* format() const { return nullptr; }
    // Reports what is missing, by the rules in expectation_rules(). Called once, when the walk is over, unless reading
    // the input failed.
    virtual void judge(Outcome& outcome) = 0;
};

struct CheckOptions {
    const Format* format = nullptr;  // null: recognise it by its first bytes
    std::string file_name;           // for recognition and for rules about file names; may be empty
    Settings settings;               // the user's choices for the grammars' options
    Limits limits;
    ReportOptions report;
    FileExpectations* expectations = nullptr;  // of this file; must outlive the check. Null: nothing is expected
    // Whether the input is still being written, so that its end is where the writer has come to. Asked when the format
    // is not recognised, and at the end. Null: it is not.
    std::function<bool()> is_growing{};
    // What opens containers: another one may do so with more threads.
    OpenContainer* open_container = tracelint::open_container;
    Facts* facts = nullptr;  // to be filled for the checks between files; must outlive the check. Null: none
};

struct Outcome {
    explicit Outcome(const CheckOptions& options) : context(options.report, options.limits) {}

    const Format* format = nullptr;  // null: not recognised
    Container container = Container::none;
    // Bytes of the input, decompressed if there is a container. Unknown if reading stopped before the end, since no
    // further byte could change the report.
    std::optional<uint64_t> size;
    std::string failure;         // why reading the input failed; empty if it did not
    bool out_of_memory = false;  // an allocation failed, not reading
    ValidationContext context;
    std::vector<Pairing> pairings;  // of the functions in this file with the recordings of its group

    const Report& report() const { return context.report; }
};

// All formats, in the order of grammars/formats.hpp.
std::span<const Format* const> formats();
const Format* find_format(std::string_view id);  // null if absent

// The options of all grammars, in the order of the formats.
std::vector<const Option*> all_options();

// All rules: the engine's own, those about expectations, those of each format, then those of groups.
std::vector<const Rule*> all_rules();
const Rule* find_rule(std::string_view id);  // null if absent

// Whether a pattern (see RuleFilter) covers some rule.
bool covers_any(std::string_view pattern);

// Validates `source`, which is at its start, to the last byte that can matter: an endless input of unknown format, or
// after a walk that stopped, is not read further. A read error or lack of memory is not thrown; it is in
// Outcome::failure.
Outcome check(Source& source, const CheckOptions& options);

}  // namespace tracelint
