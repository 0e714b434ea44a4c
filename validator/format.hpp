// A format as the engine sees it: data and a few functions. grammars/formats.hpp lists all formats.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "validator/facts.hpp"
#include "validator/input/inflation.hpp"
#include "validator/input/window.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/describe.hpp"
#include "validator/tables/machine.hpp"
#include "validator/tables/settings.hpp"

namespace tracelint {

// Receives the names of functions and methods, byte for byte and in file order. With a listener, a walk reads record by
// record, without its fast lane. Names that are longer than a walk may keep in memory, and names that come when the
// memory is spent, are left out.
class NameListener {
  public:
    virtual ~NameListener() = default;
    virtual void on_name(Bytes name) = 0;
};

// The state of one validation: what a walk writes to, and the limits that bound it.
// Statistics that a format need not have: what was not checked after a fault. As records where their number
// is known, else as bytes, if possible with the most records that they may be.
inline constexpr std::string_view kSkippedRecords = "skipped records", kSkippedBytes = "skipped bytes",
                                  kMostSkippedRecords = "most skipped records";

struct ValidationContext {
    ValidationContext(const ReportOptions& options, const Limits& with)
        : report(options), limits(with), budget(with.memory) {}

    Report report;
    Settings settings;  // the user's choices for the grammars' options
    Limits limits;
    Budget budget;
    WorkCounter work;
    uint64_t inflated = 0;     // bytes that compressed records in the data were decompressed to
    bool limit_hit = false;    // a limit left something unchecked, whatever rules are enabled
    uint64_t left_at = kNone;  // where a fault ended the walk; check() counts the bytes from there on as skipped
    Identity identity;
    const Inflation* inflation = nullptr;                           // null: the file is in no container
    NameListener* names = nullptr;                                  // null if the names in the file are not wanted
    Facts* facts = nullptr;                                         // null if facts about the file are not wanted
    std::string file_name;                                          // as given by the user; empty if absent
    std::optional<RecordingSummary> recording;                      // of a recording of samples
    std::vector<std::pair<std::string_view, uint64_t>> statistics;  // "records", then the format's own counts
};

// How records are read. Both modes give the same findings.
enum class WalkMode : uint8_t {
    fast,   // the most frequent records are processed in bulk while there is nothing to report
    plain,  // every record goes through its table and machine
};

// The start of a file, by which it is recognised.
struct Opening {
    Bytes bytes;                 // the first kDetectionBytes, or the whole file if it is shorter
    std::string_view file_name;  // without folders; may be empty
};

// Finds the records of a file one after the other, without validating them. Used by dump, the mutator and round trips.
class Framer {
  public:
    struct Frame {
        const Record* record = nullptr;  // null: no record can be recognised here
        uint64_t length = 0;             // bytes of the whole record; may exceed the input; 0: unknown
        uint64_t needs = 0;              // not 0: bytes that must be in view to determine the length
    };
    virtual ~Framer() = default;
    // `bytes` begin where the previous record ended, at first at the start of the file, and are at least
    // kDetectionBytes unless the input ends before. If the frame says that it needs more, the call is repeated with
    // that many bytes, or with all that are left; until then the framer does not move on.
    virtual Frame next(Bytes bytes) = 0;
    // Like the other one, for `bytes` at the end of the input.
    Frame next_of_all(Bytes bytes) {
        const Frame frame = next(bytes);
        return frame.needs == 0 ? frame : next(bytes);
    }
    // The layout of the record last returned by next().
    const Layout& layout() const { return layout_; }

    // A moment on the clock of the traced system.
    struct Moment {
        uint64_t number = 0;
        Quantity quantity = Quantity::time;  // or ticks
    };
    // When the record last returned by next() was written, if it says so by itself: its first field that is a moment.
    // `bytes` are those of the record, perhaps not all of them.
    virtual std::optional<Moment> moment_of(const Record& record, Bytes bytes) const {
        for (const Field& field : record.fields()) {
            if (!is_moment(field.quantity) || !field.is_fixed() || !field.exists_in(layout_.version)) continue;
            const uint64_t at = fixed_offset(record, field.name, layout_);
            if (at == kNone || bytes.size() < at + width_of(field, layout_)) return std::nullopt;
            return Moment{read_fixed(field, layout_, bytes.data() + at), field.quantity};
        }
        return std::nullopt;
    }

  protected:
    Layout layout_;
};

// A state machine, for the reference and generic tests.
struct MachineTable {
    std::string_view about;             // what it follows; its heading in the reference
    std::vector<MachineRow> (*rows)();  // listed on demand: as data, they would be relocated at each start
};

// One folder of grammars/: one specification as data. The ids of its rules begin with its id.
struct Grammar {
    std::string_view id;
    std::string_view title;
    std::string_view spec;  // the document that spec.md is based on
    std::span<const Record* const> records;
    std::span<const RuleList* const> rules;  // one list for each source file that states rules
    std::span<const MachineTable> machines;
    std::span<const Option* const> options;
};

// A file format.
struct Format {
    std::string_view id;
    std::string_view title;
    std::span<const Grammar* const> grammars;  // its own, then its extensions'
    std::span<const std::string_view>
        file_names;                // usual ones, as patterns: "*.dump"; '*', '?' and [0-9] as in a shell
    bool both_byte_orders = true;  // whether files of either byte order exist
    // How likely a file is of this format: 0 (not at all) to 100 (certain).
    int (*recognise)(const Opening& opening);
    void (*validate)(Window& window, ValidationContext& context);
    std::unique_ptr<Framer> (*framer)(const Settings& settings);
    // The names that ValidationContext::statistics may have after a walk.
    std::vector<std::string_view> (*statistics)();
    bool has_names = false;  // whether files name functions or methods; see NameListener
    // Whether its readers refuse a gzip file with any byte after the last member, also zeros that pad it.
    bool refuses_gzip_padding = false;
};

// The rules and records of a grammar, or of all grammars of a format, in the order of the lists.
std::vector<const Rule*> rules_of(const Grammar& grammar);
std::vector<const Record*> records_of(const Format& format);
std::vector<const Rule*> rules_of(const Format& format);

}  // namespace tracelint
