// perf.data, section 3.9: the records inside of COMPRESSED and COMPRESSED2 records.
#pragma once

#include <optional>

#include "grammars/perfdata/checks/state.hpp"
#include "validator/input/zstd.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::perfdata {

// Takes the plain records, one after the other.
class PlainRecords {
  public:
    virtual ~PlainRecords() = default;
    // `record` is whole; its findings are placed at the record of the file that holds it. False: its size is below 8.
    virtual bool take_plain(const RecordInFile& record) = 0;
};

// Decompresses the payloads of a file, which are one stream, and finds the records in it.
class CompressedRecords {
  public:
    CompressedRecords(State& state, PlainRecords& taker) : state_(state), taker_(taker), plain_(state.context.budget) {}

    // A COMPRESSED or COMPRESSED2 of the file; its payload are `length` bytes at `at`.
    void add(const RecordInFile& record, uint64_t at, uint64_t length);
    // Reads no further payload: `record` has lost the stream.
    void give_up(const RecordInFile& record);
    // The stream is over. `is_cut`: the walk stopped before.
    void end(bool is_cut);

    // Whether there were payloads that were not read.
    bool is_blind() const { return is_blind_; }
    // The first of the records.
    const std::optional<RecordInFile>& first() const { return first_; }

  private:
    void note(const RecordInFile& record);
    bool begin(const RecordInFile& record, Bytes payload, uint64_t at);
    void decompress(const RecordInFile& record, Bytes payload, uint64_t at);
    bool take_records(const RecordInFile& record);
    void judge_fault(const RecordInFile& record, Bytes payload, uint64_t at);

    State& state_;
    PlainRecords& taker_;
    std::optional<ZstdDecoder> decoder_;
    BudgetedVector<uint8_t> plain_;      // decompressed bytes that are no whole record yet
    size_t filled_ = 0;                  // bytes of it that count
    std::optional<RecordInFile> begun_;  // in which the first of them stood
    std::optional<RecordInFile> first_;
    bool is_blind_ = false;
};

extern const RuleList kCompressedRules;

}  // namespace tracelint::perfdata
