// perf.data, section 4: the walk over a file.
//
// run() takes the header, the attributes, the records of the data, and the feature table, in this order. look()
// classifies the bytes at the cursor as a symbol; the machine (machine.hpp) decides what the symbol means in the
// current state, and take() calls report(), accept(), skip() or stop() of the walk.
//
// Nothing distinguishes a record header from other bytes, so a wrong size ends the walk of the data, and the feature
// table is checked next. The attributes say how a SAMPLE is laid out, so they are read first (checks/attrs.cpp); in a
// pipe stream they arrive as records. Compressed records are decompressed and walked like plain ones (PlainRecords).
// lane.cpp takes plain samples in bulk.
#pragma once

#include "grammars/perfdata/checks/compressed.hpp"
#include "grammars/perfdata/checks/events.hpp"
#include "grammars/perfdata/checks/features.hpp"
#include "grammars/perfdata/checks/header.hpp"
#include "grammars/perfdata/checks/state.hpp"
#include "grammars/perfdata/machine.hpp"
#include "validator/format.hpp"

namespace tracelint::perfdata {

class Walk final : private PlainRecords {
  public:
    Walk(Window& window, ValidationContext& context, WalkMode mode)
        : window_(window),
          mode_(mode),
          state_(context),
          front_(window, context.limits.record),
          attrs_(state_),
          features_(state_, attrs_),
          events_(state_, attrs_),
          compressed_(state_, *this),
          regions_(state_) {}

    // Call once.
    void run();

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol) {}

  private:
    // A feature section, as its entry in the table says.
    struct TableEntry {
        uint64_t feature = 0;
        uint64_t at = 0;  // offset of the entry
        Section section;
    };

    Symbol look();
    Symbol look_at_magic();
    Symbol look_at_opening();
    Symbol look_at_header();
    Symbol look_at_attributes();
    Symbol look_at_record();
    Symbol symbol_of_record();
    Symbol look_at_following_data(uint64_t left);
    bool is_overflowed(uint64_t left);
    // What it is if the file ends before the header says: the header was reported for that.
    Symbol cut_or(Symbol symbol) const;
    Symbol look_at_table();

    void take_lane();
    template <ByteOrder Order>
    void take_lane_in();
    template <ByteOrder Order>
    uint64_t take_samples(Bytes bytes);
    template <ByteOrder Order>
    bool takes_exit(Bytes record);
    template <ByteOrder Order>
    void note_sample(const Attr& attr, Bytes bytes, uint64_t words);
    template <ByteOrder Order>
    static bool fits(const Attr& attr, const uint8_t* record, uint64_t words);

    bool hold_what_decides();
    bool are_attributes_blamed();
    void read_attributes();
    void check_record();
    void check_user_record(const RecordInFile& record);
    void check_build_id_record(const RecordInFile& record);
    void check_compressed(const RecordInFile& record);
    void check_compression_feature();
    bool take_plain(const RecordInFile& record) override;
    void report_plain(const RecordInFile& record, const Classified& classified);
    void report_record(const Rule& rule, Symbol symbol);
    Place whole_at_cursor(uint64_t length) const {
        return {.offset = offset_, .length = length, .record = &kOther, .record_index = index_};
    }
    void step_over();

    static Place word_of(uint64_t feature);
    void read_table();
    void bring_sections();
    void check_sections();
    void finish_stream();
    void judge_samples();
    bool are_all_records_known() const;
    void judge_modes();
    void judge_formats(bool has_table);
    void judge_images();
    void judge_code();
    RecordingSummary::Clock clock() const;
    void finish_file();
    void record_file_facts();
    void keep_whole();
    void judge_regions(uint64_t file_size);
    HeaderRegions header_regions(uint64_t file_size) const;
    uint64_t table_size() const { return table_.size() * fixed_size(kFeatureEntry); }

    Window& window_;
    const WalkMode mode_;
    State state_;
    Front front_;
    Attrs attrs_;
    Features features_;
    Events events_;
    CompressedRecords compressed_;
    Regions regions_;
    Phase phase_ = Phase::start;
    FileHeader header_;

    uint64_t offset_ = 0;   // of the cursor
    uint64_t end_ = kNone;  // of the data, as the header says; kNone: that of the file
    uint64_t index_ = 0;    // of the record at the cursor
    RecordInFile input_{.bytes = {}, .order = ByteOrder::little, .record = &kOther};
    Classified classified_;
    uint64_t skipped_ = 0;    // bytes of an overflowed record
    uint64_t following_ = 0;  // bytes that follow the last record and belong to it
    Place following_size_;    // the field that says so
    uint64_t claimed_following_ = 0;

    std::array<TableEntry, kFeatureBits> entries_;
    std::span<TableEntry> table_;
    bool is_table_read_ = false;        // it is in the file
    bool are_sections_in_file_ = true;  // all of them
    bool is_data_in_file_ = true;
    bool has_attr_record_ = false;
    bool has_trace_ = false;                    // data of the AUX area
    bool has_formats_ = false;                  // a HEADER_TRACING_DATA
    bool has_simpleperf_ = false;               // a record of simpleperf
    uint64_t skipped_bytes_ = 0;                // of the data, behind a fault
    bool is_stream_cut_ = false;                // the walk stopped before the end of the data
    bool is_first_compression_broken_ = false;  // the first compressed record has a size of its own that is wrong
};

extern const RuleList kWalkRules;
extern const RuleList kEndRules;

// perf.data, section 4: the walk over a file.

// Checks a file to its end and writes what it finds to the report of `context`.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

}  // namespace tracelint::perfdata
