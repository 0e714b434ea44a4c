// All limits of the engine. --max-memory and --max-record, and the `limits` line of a case, set those in Limits
// (tracelint/basics.hpp).
#pragma once

#include "validator/tables/bytes.hpp"

namespace tracelint {

inline constexpr size_t kMiB = size_t{1} << 20;

inline constexpr size_t kWindow = size_t{256} << 10;  // bytes requested by one read
inline constexpr size_t kReadAfterJump = size_t{8}
                                         << 10;   // bytes of the first read after a seek; doubles up to kWindow
inline constexpr size_t kDetectionBytes = 4096;   // bytes that a format sees to recognise a file
inline constexpr size_t kShownPerRule = 20;       // findings kept per rule by default
inline constexpr size_t kKeptFindings = 500'000;  // findings kept in all, whatever is requested
// Bytes at the start of a file that are searched for the traces of a text filter.
inline constexpr size_t kFilteredBytes = size_t{64} << 10;
// What every run may take, whatever its budget: no file makes it more.
inline constexpr size_t kFreeWindow = 4 * kWindow;        // bytes of the window
inline constexpr size_t kFreeFindings = size_t{1} << 11;  // findings kept
// The size, in bytes, that a gzip container may decompress to, all members together: at most kLargestInflated, and,
// once it exceeds kInflatedFreely, at most kLargestInflationRatio times its compressed size. The same holds for what
// compressed records in its data decompress to, by the size of the container (inflation.hpp).
//
// At the cap a compressed byte costs as much time as 256 plain ones, seconds for a file below 1 MiB. The cap is as low
// as it can be: the data of real profiles that repeat few stacks are above 200 times the size of their container (237
// for corpus/gperftools/real/libprofiler-2.10-evictions-killed.prof.gz), and a healthy file must not become an error.
inline constexpr uint64_t kLargestInflated = uint64_t{16} << 30;
inline constexpr uint64_t kInflatedFreely = 64 * kMiB;
inline constexpr uint64_t kLargestInflationRatio = 256;
// The cap for zstd, which makes the data of that profile 406 times smaller.
inline constexpr uint64_t kLargestZstdRatio = 1024;
constexpr uint64_t inflated_at_most(uint64_t compressed, uint64_t ratio) {
    const uint64_t by_ratio = compressed > kLargestInflated / ratio ? kLargestInflated : compressed * ratio;
    return by_ratio < kInflatedFreely ? kInflatedFreely : by_ratio;
}
inline constexpr uint64_t kLargestPadding = 16 * kMiB;  // zeros after the last member; more of them are data

// What the system takes for an allocation of so many bytes, for many small ones: glibc's 8 bytes in front of each, in
// steps of 16.
constexpr uint64_t allocation_cost(uint64_t bytes) { return bytes <= 24 ? 32 : (bytes + 8 + 15) / 16 * 16; }

// The memory that the work on one file may still use, in bytes. Whatever grows with the file takes from it before it
// grows. If the budget does not allow for that:
// - state of a walk: tracking stops, and a */tracking-limit note reports it;
// - the window: the record is treated as one above the record limit (Window::affordable);
// - the report: the finding is counted, but not kept, and an input/tracking-limit note reports it.
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
    // Takes memory that return_to() does not give back: for the window and the findings, which outlive a part of a
    // file.
    [[nodiscard]] bool take_lasting(uint64_t bytes) {
        if (!take(bytes)) return false;
        lasting_ += bytes;
        return true;
    }
    void give_back_lasting(uint64_t bytes) {
        give_back(bytes);
        lasting_ -= bytes;
    }
    // Gives back everything taken since `before` was copied from this budget, unless it is lasting.
    void return_to(const Budget& before) { left_ = before.left_ + before.lasting_ - lasting_; }
    uint64_t left() const { return left_; }
    // All of it, taken or not.
    uint64_t all() const { return all_; }
    // Whether nothing is taken, as it must be after a check.
    bool is_whole() const { return left_ == all_; }
    // The peak, for tests. Only counted in builds with agreement checks; else 0.
    uint64_t most_taken() const { return all_ - least_left_; }
    // The bytes missing at the first refusal; 0 without a refusal. Only in builds with agreement checks.
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
    uint64_t lasting_ = 0;
    uint64_t lacked_ = 0;
};

// Counts the work of a walk (bytes touched, table probes), so that tests can hold it to a bound linear in the input
// size. Compiles to nothing without agreement checks.
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
