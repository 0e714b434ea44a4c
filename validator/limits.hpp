// Every cap of the engine, named, in one place. --max-memory and --max-record (and a line in a case)
// lower the ones in Limits.
#pragma once

#include "validator/bytes.hpp"

namespace tracelint {

inline constexpr size_t kMiB = size_t{1} << 20;

inline constexpr size_t kWindow = size_t{256} << 10;       // bytes that one read asks for
inline constexpr size_t kReadAfterJump = size_t{8} << 10;  // the first read after a seek; doubles up to kWindow
inline constexpr size_t kDetectionBytes = 4096;            // that a format sees to recognise itself
inline constexpr size_t kShownPerRule = 20;                // findings kept of one rule unless asked for more
inline constexpr size_t kKeptFindings = 500'000;           // findings kept in all, whatever is asked for
// What a gzip container may unfold to: in all, and for each compressed byte once it is beyond the first.
inline constexpr uint64_t kLargestInflated = uint64_t{16} << 30;
inline constexpr uint64_t kInflatedFreely = 64 * kMiB;
inline constexpr uint64_t kLargestInflationRatio = 256;

struct Limits {
    uint64_t record = 64 * kMiB;   // a record that must be seen whole
    uint64_t memory = 512 * kMiB;  // everything that is remembered about a file, the window aside
};

// Memory that a walk may still take. Tracking takes before it grows; when nothing is left it stops and
// says so in a */tracking-limit note.
class Budget {
  public:
    explicit Budget(uint64_t bytes) : left_(bytes), all_(bytes), least_left_(bytes) {}
    [[nodiscard]] bool take(uint64_t bytes) {
        if (bytes > left_) {
            note_refused(bytes);
            return false;
        }
        left_ -= bytes;
        note_taken();
        return true;
    }
    bool allows(uint64_t bytes) const { return bytes <= left_; }
    void give_back(uint64_t bytes) { left_ += bytes; }
    // Gives back all that was taken since `before` was copied from this.
    void return_to(const Budget& before) { left_ = before.left_; }
    // Whether nothing is taken, as it must be when a check is over.
    bool is_whole() const { return left_ == all_; }
    // The most that was taken at one time, for tests. Costs nothing in a release build, and says 0 there.
    uint64_t most_taken() const { return all_ - least_left_; }
    // What there was too little by, when that happened for the first time; 0 if it never did. Likewise.
    uint64_t lacked() const { return lacked_; }

  private:
#ifdef TRACELINT_AGREEMENT
    void note_taken() { least_left_ = left_ < least_left_ ? left_ : least_left_; }
    void note_refused(uint64_t bytes) {
        if (lacked_ == 0) lacked_ = bytes - left_;
    }
#else
    void note_taken() {}
    void note_refused(uint64_t) {}
#endif

    uint64_t left_, all_, least_left_;
    uint64_t lacked_ = 0;
};

// Counts what a walk does (bytes touched, table probes), so that tests can hold it to a bound that is
// linear in the input. Costs nothing in a release build.
class WorkCounter {
  public:
#ifdef TRACELINT_AGREEMENT
    void add(uint64_t amount) { total_ += amount; }
#else
    void add(uint64_t) {}
#endif
    uint64_t total() const { return total_; }

  private:
    uint64_t total_ = 0;
};

}  // namespace tracelint
