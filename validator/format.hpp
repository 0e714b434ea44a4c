// What the engine knows of a format: data and a few functions. grammars/formats.hpp lists them.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "validator/decode.hpp"
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

// One file under validation: what a walk writes to and is bounded by.
struct Inspection {
    Inspection(const ReportOptions& options, const Limits& with) : report(options), limits(with), budget(with.memory) {}

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

using Random = std::mt19937_64;

// The cross-record knowledge that a table cannot hold: produces meaningful files record by record.
// Everything that a model does not say is drawn from the tables.
class Model {
  public:
    virtual ~Model() = default;
    virtual const Layout& layout() const = 0;
    // The record to write now; null ends the file. `written`: bytes so far, `wanted`: bytes asked for.
    virtual const Record* next(uint64_t written, uint64_t wanted) = 0;
    // Gives the value its number or text, or leaves it to the table.
    virtual void fill(Value& value, const Draft& so_far) = 0;
    // How many elements a list has, how many bytes a field of bytes.
    virtual uint64_t size_of(const Field& field, const Draft& so_far) = 0;
    // The bytes between the last element of a list and the end that its size in bytes gives it.
    virtual std::string padding_of(const Field& list, const Draft& so_far) {
        (void)list, (void)so_far;
        return {};
    }
    // The finished record, sizes settled.
    virtual void written(Draft& draft) { (void)draft; }
    // The finished file: what earlier records say of later ones.
    virtual void finished(std::vector<Draft>& file) { (void)file; }
};

// Options of generated files that a test can pin down.
struct ModelOptions {
    std::optional<ByteOrder> byte_order;
};

// A way to break a valid file in one place.
struct PlantedFault {
    const Rule* rule;
    // Breaks `file` and says where the finding must be, and which other rules may come along as declared
    // consequences; nothing if this file offers no place for it.
    struct Planted {
        size_t record;             // number of the draft in the file, the header is 0
        std::string_view field;    // of the expected place; empty: from the record's start
        uint64_t element = kNone;  // of a list
        uint64_t offset = 0;       // added to the field's or record's
        uint64_t length = 0;       // 0: the field's
        std::vector<std::string_view> consequences;
    };
    std::optional<Planted> (*plant)(std::vector<Draft>& file, Random& random);
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
    std::span<const Rule* const> rules;
    std::span<const MachineTable> machines;
    std::span<const Option* const> options;
    std::span<const PlantedFault> (*faults)();
};

// A kind of file.
struct Format {
    std::string_view id;
    std::string_view title;
    std::span<const Grammar* const> grammars;  // its own, then those of its extensions
    bool both_byte_orders = true;              // files come in either order
    // How sure the format is that the file is its own: 0 (not at all) to 100.
    int (*recognise)(const Opening& opening);
    void (*validate)(Window& window, Inspection& inspection);
    std::unique_ptr<Framer> (*framer)(const Settings& settings);
    std::unique_ptr<Model> (*model)(Random& random, const ModelOptions& options);
};

// What all grammars of a format bring along, in their order.
std::vector<const Record*> records_of(const Format& format);
std::vector<const Rule*> rules_of(const Format& format);
std::vector<PlantedFault> faults_of(const Format& format);

}  // namespace tracelint
