// perf 6.1 and the features of a recording (section 3.8): which it makes sense of, and what it keeps of them.
#pragma once

#include <optional>
#include <string_view>

#include "grammars/perfdata/records.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {

class PerfFeatures {
  public:
    explicit PerfFeatures(FollowContext& context) : context_(context) {}

    void begin(ByteOrder order) { order_ = order; }

    // The sections of a file: the table is at `at`, with an entry for each bit. perf reads as far as the first one that
    // it cannot make sense of.
    void take_sections(Bytes file, uint64_t at, uint64_t bits);

    // The fields of a feature, from `at` of `bytes` on; it has `size` bytes. False: perf cannot make sense of it.
    bool take(unsigned feature, Bytes bytes, uint64_t at, uint64_t size);

    // Bytes of a decompressed payload; 0: nothing is decompressed.
    uint64_t most_plain() const { return most_plain_; }

    struct Overrun {
        ReaderOutcome outcome;  // crashes, or may crash
        uint64_t offset;
    };
    // While it reads the sections, and after all has been read.
    std::optional<Overrun> overrun() const { return overrun_; }
    std::optional<Overrun> later_overrun() const;

  private:
    bool take_build_ids(Bytes file, uint64_t at, uint64_t size);
    bool take_pmu_names(Bytes bytes, uint64_t at);

    FollowContext& context_;
    ByteOrder order_ = ByteOrder::little;
    uint64_t most_plain_ = 0, processors_ = 0;
    std::optional<std::string_view> architecture_, processor_;  // of the machine that recorded
    uint64_t pmu_names_at_ = 0, unread_pmu_names_ = 0;
    std::optional<Overrun> overrun_;
};

}  // namespace tracelint::perfdata
