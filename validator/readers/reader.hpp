// Readers: the programs that people look at traces with, and what each of them does with files that break a rule. The
// grammars have a table of each reader as data; nothing here runs one.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "validator/input/container.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {

struct Format;
struct Record;
class FollowContext;

// What a reader does with a file, from the mildest to the worst.
enum class ReaderOutcome : uint8_t {
    loads,         // shows all that is in it
    ignores,       // the same, though a rule is broken
    untried,       // not known
    drops_record,  // silently leaves out the faulty record
    misreads,      // shows something else
    drops_rest,    // silently leaves out everything after the fault
    out_of_step,   // reads what follows in the wrong place, so any of the others may come of it
    refuses,
    may_crash,  // loses step, and was seen to crash or hang afterwards
    hangs,
    crashes,
};
std::string_view to_string(ReaderOutcome outcome);
// The same in one word, as reports have it: "drops" for both ways.
std::string_view word_of(ReaderOutcome outcome);

// How bad the outcome is for a user of the reader; empty if harmless.
std::optional<Severity> severity_of(ReaderOutcome outcome);

// What a row may ask of a finding.
struct FindingTraits {
    std::optional<uint8_t> kind{};  // the first byte of the record that it is in; empty: not known, or in a header
    uint64_t largest = 0;           // of the numbers of its message
    bool at_end = false;            // it reaches the end of the input
    uint64_t size = 0;              // of the input
    std::string_view record{};      // the name of the record that it is in
};

// What a reader does with files that break one rule. Rows with conditions follow the row without, and apply only to
// findings that meet the conditions. If several rows apply, the last one wins.
struct ReaderRow {
    std::string_view rule;
    ReaderOutcome outcome;
    std::string_view measured{};  // over the conformance files of the rule: "refuses 3, ignores 1"; empty: not measured
    std::optional<uint8_t> kind{};
    uint64_t from = 0;  // the least that the largest number must be
    bool at_end = false;
    uint8_t mask = 0xff;  // for the first byte: mlpd has a type in the lower four bits
    uint8_t uneven = 0;   // the size of the input must be no multiple of it: it ends inside of a record
    // What is misread, by how much, and what is still right, as a part of a sentence; may be empty.
    std::string_view says{};
    std::string_view record{};  // the name of the record

    bool is_general() const { return !kind && from == 0 && !at_end && uneven == 0 && record.empty(); }
    bool fits(const FindingTraits& finding) const {
        return (!kind || (finding.kind && *kind == (*finding.kind & mask))) && finding.largest >= from &&
               (!at_end || finding.at_end) && (uneven == 0 || finding.size % uneven != 0) &&
               (record.empty() || record == finding.record);
    }
};

// What a reader did with files that break only one rule: a column of grammars/<g>/readers/measured.tsv. The build
// makes the object, which is named after the reader: kPerf6_1 (scripts/embed-measured.cmake).
struct Measurement {
    std::string_view date;  // "2026-11-24"
    std::span<const ReaderRow> rows;
};

// "records of 0x66", "numbers from 65537", "at the end of the file": the conditions of a row, as the documents have
// them; empty if absent.
std::string conditions_of(const ReaderRow& row);

// What the conditions of a hazard may ask for.
struct ReaderFile {
    Identity identity;
    Container container = Container::none;
    std::string_view file_name;  // without folders; may be empty
    uint64_t size = kNone;       // kNone: not known
    bool is_foreign = false;     // owned by neither the user nor root
};

// What several hazards ask for.
inline bool is_compressed(const ReaderFile& file) { return file.container != Container::none; }
inline bool is_foreign(const ReaderFile& file) { return file.is_foreign; }
inline bool is_big_endian(const ReaderFile& file) { return file.identity.byte_order == ByteOrder::big; }
// Met by no file: a model of the reader finds the hazard (TraceReader::model).
inline bool is_found_by_model(const ReaderFile&) { return false; }

// Legal files that a reader fails on: those that meet all conditions. Without a record, the file as a whole does.
struct Hazard {
    const Rule* rule;
    ReaderOutcome outcome;
    bool (*of_file)(const ReaderFile& file) = nullptr;  // null: any file
    std::string_view record{};                          // a record of this name
    std::string_view field{};                           // one of its fields, or of its elements' fields
    bool (*of_value)(uint64_t number) = nullptr;        // what the field holds; null: anything
    bool (*of_bytes)(Bytes record) = nullptr;           // the record, as far as it is in view; null: any
    bool after_reading = false;  // it comes once the whole file was read: not to a file that is refused
    // `each`: every record or field that meets the conditions is a hazard. `any`: the file is one, if a record or field
    // meets them. `none`: the file is one, if it has units of the reader and no record or field meets them. The last
    // two are reported at the first record or field of that name.
    enum class Scope : uint8_t { each, any, none } scope = Scope::each;
};

// How a reader fares with the bytes of a file, by a model of what it does with each.
struct Forecast {
    ReaderOutcome outcome = ReaderOutcome::loads;  // loads: it comes to an end, whatever it makes of the file
    const Rule* rule = nullptr;                    // a hazard's, about the place that ends it; null: it loads
    uint64_t offset = 0;
    uint64_t length = 0;
    std::string_view reason{};  // why it ends, as a part of a sentence; static text, may be empty
    bool of_one_fault = false;  // the model knows only this fault: another one that ends the reading earlier wins
};

// Why the effect of a file on a reader is unknown, although there is a model, or the findings would usually decide.
enum class Unpredicted : uint8_t {
    memory,        // the budget does not allow for what the model remembers
    work,          // the file takes more work than one of its size may
    limit,         // a limit of the check left out findings that the verdict may depend on
    size,          // the file is larger than what a model keeps in memory
    inflated,      // its compressed records become larger than that
    missing_zstd,  // this build cannot decompress its records
    trace,         // what it decodes of the data of a tracer is not known
    changed,       // the file changed between two readings
};
// Whether a limit is the reason: the outcome says so (ValidationContext::limit_hit).
constexpr bool is_limit(Unpredicted why) { return why <= Unpredicted::limit; }

// The answer of a model for a file. No opinion: the rows and the other hazards decide what the reader does.
struct NoOpinion {};
using Followed = std::variant<NoOpinion, Unpredicted, Forecast>;

// Counts the units that a reader leaves out of a file that it loads. It may take the whole file to know that something
// in one of them is missing, so that the records are read twice.
class LossCounter {
  public:
    virtual ~LossCounter() = default;
    // A record of the first reading, as a whole. False: the budget is spent.
    [[nodiscard]] virtual bool note(const Record& record, Bytes bytes) = 0;
    // Between the readings.
    [[nodiscard]] virtual bool settle() = 0;
    // Whether the reader leaves out this unit, in the second reading.
    virtual bool is_lost(Bytes unit) = 0;
};

// One version of a reader, for one format.
struct TraceReader {
    std::string_view name;     // as --for takes it
    std::string_view version;  // the same
    const Format* format;
    std::string_view command;   // what is run: "perf inject --jit"
    std::string_view evidence;  // "measured", "by its source" or "by a report"
    // What it shows: "function|functions", and the records that hold one each.
    std::string_view unit;
    std::span<const std::string_view> unit_records;
    const Measurement* measured;       // null: not measured
    std::span<const ReaderRow> known;  // what the measurement does not see; these win
    std::span<const Hazard> hazards;
    // The model of it, called by follow() below; null if absent. With a forecast, the rows and other hazards say what
    // the reader makes of a file, but not whether it gets to the end of it.
    Followed (*model)(FollowContext& context) = nullptr;
    // What counts the units that it leaves out one by one (drops_record); null: they are not counted. Memory comes from
    // the budget, and both outlive the counter.
    std::unique_ptr<LossCounter> (*loss_counter)(Budget& budget, WorkCounter& work) = nullptr;

    std::span<const ReaderRow> measured_rows() const {
        return measured == nullptr ? std::span<const ReaderRow>() : measured->rows;
    }
};

// The readers of one format; versions of the same one in rising order.
struct ReaderList {
    std::span<const TraceReader> readers;
    // The record that begins with these bytes, by its kind, whatever length it claims; null if absent. Finds the
    // records behind a fault. Null if those of the format cannot be distinguished from other bytes.
    const Record* (*record_at)(Bytes bytes, ByteOrder order) = nullptr;
};

// The list of the format; null: it has no readers.
const ReaderList* reader_list_of(const Format& format);

// All readers, in the order of the formats.
std::vector<const TraceReader*> all_readers();

// The rules of their hazards, each once, the one about files of a format that a reader does not know, and the one about
// limits of the models.
std::vector<const Rule*> reader_rules();
extern const Rule kOtherFormat, kModelLimit;

// Follows the reader through the bytes. Whatever ended its model early is the answer, not what it said at the end.
Followed follow(const TraceReader& reader, FollowContext& context);

// What it does with files that break the rule; empty: not in its table.
std::vector<const ReaderRow*> rows_of(const TraceReader& reader, const Rule& rule);

// What it does because of any finding of the rule; empty if the rows decide.
std::optional<ReaderOutcome> fixed_outcome(const TraceReader& reader, const Rule& rule);

// What it does because of a finding of the rule, be it a format's or one of its hazards.
ReaderOutcome outcome_of(const TraceReader& reader, const Rule& rule, const FindingTraits& finding);
// The worst that it does because of one.
ReaderOutcome worst_outcome_of(const TraceReader& reader, const Rule& rule);

// "perf 6.1".
std::string title_of(const TraceReader& reader);

}  // namespace tracelint
