// What the engine knows of a format: data and a few functions. grammars/formats.hpp lists them.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "validator/describe.hpp"
#include "validator/machine.hpp"
#include "validator/report.hpp"
#include "validator/settings.hpp"
#include "validator/window.hpp"

namespace tracelint {

// What a file says of itself. Empty where the format has no such thing or the walk did not get there.
struct Identity {
    std::optional<uint64_t> format_version;
    std::optional<ByteOrder> byte_order;
    std::optional<unsigned> word_size;  // bytes
};

// One file under validation: what a walk writes to, and the limits that bound it.
struct ValidationContext {
    ValidationContext(const ReportOptions& options, const Limits& with)
        : report(options), limits(with), budget(with.memory) {}

    Report report;
    Settings settings;  // what the user chose for the options of the grammars
    Limits limits;
    Budget budget;
    WorkCounter work;
    bool limit_hit = false;  // a limit left something unchecked, whatever rules take part
    Identity identity;
    std::string file_name;                                          // as given by the user; empty when there is none
    std::vector<std::pair<std::string_view, uint64_t>> statistics;  // "records", then the format's own words
};

// How records are read. The findings are the same.
enum class WalkMode : uint8_t {
    fast,   // the most frequent kinds are taken in bulk as long as there is nothing to report
    plain,  // every record is read through its table and machine
};

// The start of a file, for recognising it.
struct Opening {
    Bytes bytes;                 // kDetectionBytes, or the whole file
    std::string_view file_name;  // base name; may be empty
};

// Finds the records of a file, one after the other, without judging them: the frame of dump, mutator
// and round trips.
class Framer {
  public:
    struct Frame {
        const Record* record = nullptr;  // null: nothing of the format can be recognised here
        uint64_t length = 0;             // of the whole record; may exceed the input
        uint64_t needs = 0;              // not 0: how many bytes it must see to know the length
    };
    virtual ~Framer() = default;
    // `bytes` start where the previous record ended (the file's start at first) and hold at least
    // kDetectionBytes unless the input ends before. One that needs more is asked again with as many, or
    // with all there are, and until then stays where it is.
    virtual Frame next(Bytes bytes) = 0;
    // With all there are.
    Frame next_of_all(Bytes bytes) {
        const Frame frame = next(bytes);
        return frame.needs == 0 ? frame : next(bytes);
    }
    // The layout of the record that next() returned last.
    const Layout& layout() const { return layout_; }

  protected:
    Layout layout_;
};

// A state machine for docs and generic tests.
struct MachineTable {
    std::string_view about;  // what it follows; a heading in the docs
    std::span<const MachineRow> rows;
};

// A folder of grammars/: what one specification says, as data. A rule's id begins with the grammar's.
struct Grammar {
    std::string_view id;
    std::string_view title;
    std::string_view spec;  // name of the document that the rules quote
    std::span<const Record* const> records;
    std::span<const RuleList* const> rules;  // a list for each file that states rules
    std::span<const MachineTable> machines;
    std::span<const Option* const> options;
};

// A kind of file.
struct Format {
    std::string_view id;
    std::string_view title;
    std::span<const Grammar* const> grammars;  // its own, then those of its extensions
    bool both_byte_orders = true;              // files come in either order
    // How sure the format is that the file is its own: 0 (not at all) to 100.
    int (*recognise)(const Opening& opening);
    void (*validate)(Window& window, ValidationContext& context);
    std::unique_ptr<Framer> (*framer)(const Settings& settings);
};

// What a grammar, or all grammars of a format, bring along, in their order.
std::vector<const Rule*> rules_of(const Grammar& grammar);
std::vector<const Record*> records_of(const Format& format);
std::vector<const Rule*> rules_of(const Format& format);

}  // namespace tracelint
