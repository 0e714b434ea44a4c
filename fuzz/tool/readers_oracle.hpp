// The oracles for --for: whatever the bytes, each reader's reaction to them can be predicted, with the work, memory and
// faults that the check is held to.
#pragma once

#include <algorithm>

#include "fuzz/oracles.hpp"
#include "validator/input/source.hpp"
#include "validator/readers/reader_check.hpp"

namespace tracelint {

// Bounds for the check and all that it is asked for the newest version of each reader: per byte of the file, and
// whatever its size. The models of pprof's readers go through a profile fifteen times in all, and somewhat more often
// where a record is a little larger than what is read at once.
inline constexpr uint64_t kReadersWorkPerByte = 18;
inline constexpr uint64_t kReadersWorkAtLeast = uint64_t{128} << 10;
// Memory that they may take whatever its size: the contexts of libzstd, the window that its frames ask for, a few pages
// of tables.
inline constexpr uint64_t kReadersMemoryAtLeast = 8 * kMiB;

// What is wrong with a verdict about a file of `size` bytes; nothing if it may be right.
Complaint fault_of(const ReaderVerdict& verdict, uint64_t size);
// Whether that holds for all findings and verdicts.
Complaint fault_of(const Outcome& outcome, const std::vector<ReaderVerdict>& verdicts, uint64_t size);

// A check with its predictions.
struct ForReaders {
    ForReaders(Source& source, const std::vector<const TraceReader*>& readers, const CheckOptions& options,
               const ReaderCheck::IsInterrupted& is_interrupted = {});
    // Bytes of the input, or of what its container holds: findings are about either.
    uint64_t size(Bytes input) const { return std::max<uint64_t>(outcome.size.value_or(0), input.size()); }

    Outcome outcome;
    std::vector<ReaderVerdict> verdicts;
    uint64_t memory = 0;    // most that was taken from the budgets
    bool is_whole = false;  // all of it was given back
};

ForReaders predict_readers(Bytes bytes, const std::vector<const TraceReader*>& readers,
                           const CheckOptions& options = {});

// The newest version of each reader for each format, as --for any takes them, or the others.
std::vector<const TraceReader*> some_readers(bool are_newest);

// Asks all readers about the input. The work and the memory that it takes are bounded by its size. `constant_memory`:
// what a check of the file may take in addition, whatever its size.
Complaint readers_predicted(Bytes bytes, uint64_t constant_memory = kReadersMemoryAtLeast);

// The verdict of each reader of the file's format does not depend on which other readers are named. `compared`: counts
// them.
Complaint verdicts_alone(Bytes bytes, uint64_t* compared = nullptr);

// What is said of a reader agrees with its outcome, and with the findings that it is said of: one that loads the file
// has no finding that is worse than a note, any other one has the finding that its verdict names, at its place.
Complaint sentences_agree(Bytes bytes);

// With less memory, each verdict is the one without limits or says that the reader is not followed, which a note and
// the outcome also say; and no finding is new or more severe. `seed` chooses the memory.
Complaint readers_within_limits(Bytes bytes, uint64_t seed);

// Whatever read fails, the outcome says so, and there is no verdict. `has_failed` receives whether there are so many.
Complaint readers_fail(Bytes bytes, uint64_t number, bool* has_failed = nullptr);

// A signal that is seen at the n-th question ends it: the outcome says so, and there is no verdict. `was_asked`
// receives whether there are so many.
Complaint readers_end(Bytes bytes, uint64_t number, bool* was_asked = nullptr);

// A source of which one read fails, and all after it.
class FailingSource final : public ForwardingSource {
  public:
    FailingSource(Source& inner, uint64_t number) : ForwardingSource(inner), number_(number) {}
    size_t read(uint8_t* to, size_t bytes) override {
        return ++reads_ >= number_ ? 0 : ForwardingSource::read(to, bytes);
    }
    std::string failure() const override { return has_failed() ? "told to fail" : ""; }
    bool has_failed() const { return reads_ >= number_; }

  private:
    uint64_t number_, reads_ = 0;
};

}  // namespace tracelint
