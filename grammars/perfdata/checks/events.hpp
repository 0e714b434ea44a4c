// perf.data, sections 3.4 to 3.7 and 5.3: the records of the data, and of compressed data.
#pragma once

#include "grammars/perfdata/checks/attrs.hpp"
#include "grammars/perfdata/checks/generated_code.hpp"
#include "grammars/perfdata/checks/records.hpp"

namespace tracelint::perfdata {

// What a record is, before its contents are checked.
struct Classified {
    enum class As : uint8_t { known, newer, simpleperf, unknown, too_small, unknown_event };
    As as = As::known;
    const Attr* attr = nullptr;   // of a kernel record; null: its layout is not known
    uint16_t version = kCurrent;  // of its table
    uint64_t trailer = 0;         // bytes
    uint64_t least = 0;           // of a record that is too small: its least size
};

// The order of times between FINISHED_ROUND records (section 5.3).
class Rounds {
  public:
    explicit Rounds(Report& report) : report_(report) {}

    void time(const RecordInFile& record, uint64_t time) {
        if (time == 0 || time == kNone) return;
        if (time > greatest_) greatest_ = time;
        if (time < limit_) [[unlikely]]
            judge(record, time);
    }
    // Takes a time that is not too old. False: it is, and nothing has changed.
    bool takes(uint64_t time) {
        if (time == 0 || time == kNone) return true;
        if (time < limit_) return false;
        if (time > greatest_) greatest_ = time;
        return true;
    }
    void finished() {
        limit_ = next_;
        next_ = greatest_;
    }

  private:
    void judge(const RecordInFile& record, uint64_t time);

    Report& report_;
    uint64_t limit_ = 0, next_ = 0, greatest_ = 0;
};

// Checks records one by one, and remembers what rules about the whole file need.
class Events {
  public:
    Events(State& state, Attrs& attrs) : state_(state), attrs_(attrs), rounds_(state.report), code_(state) {}

    // Only the header of a record that is too long to be one is looked at.
    Classified classify(const RecordInFile& record);
    // Checks a known record of the kernel.
    void check_kernel_record(const RecordInFile& record, const Classified& classified);
    // A FINISHED_ROUND.
    void finish_round() { rounds_.finished(); }

    // When the records are over: what was lost of how many.
    void judge_lost();

    // For the lane: SAMPLEs with nothing to report. `modes`: a bit for each mode of the CPU (section 3.3) among them.
    bool takes_time(uint64_t time) { return rounds_.takes(time); }
    void count_samples(uint64_t count, uint32_t modes) {
        samples_ += count;
        modes_ |= modes;
    }
    GeneratedCode& code() { return code_; }

    uint64_t samples() const { return samples_; }
    uint64_t mappings() const { return mappings_; }
    // Whether all samples were taken in a kernel or a hypervisor.
    bool are_all_in_kernel() const { return samples_ != 0 && (modes_ & ~kKernelModes) == 0; }
    // Whether the file of a function that perf inject wrote is mapped.
    bool maps_image() const { return maps_image_; }

  private:
    Classified classify_sample(const RecordInFile& record);
    void check_sample(const RecordInFile& record, const Attr& attr);
    void check_lost(const RecordInFile& record);
    void see_mapping(const RecordInFile& record, const Classified& classified);
    void see_process(const RecordInFile& record, const Classified& classified);
    void tell(const RecordInFile& record, const Classified& classified, uint64_t time);
    void record_sample_fact(const RecordInFile& record, const Attr& attr, uint64_t time);

    State& state_;
    Attrs& attrs_;
    Rounds rounds_;
    static constexpr uint32_t kKernelModes = 1u << 1 | 1u << 3 | 1u << 4;
    GeneratedCode code_;
    uint64_t samples_ = 0, mappings_ = 0;
    uint32_t modes_ = 0;  // of the CPU in all samples: bits
    bool maps_image_ = false;
    uint64_t lost_records_ = 0;  // as the kernel says when it happens
    uint64_t lost_samples_ = 0;  // as perf adds them up, or the hardware says
    std::optional<Place> lost_;  // the first loss
};

extern const RuleList kEventRules;

}  // namespace tracelint::perfdata
