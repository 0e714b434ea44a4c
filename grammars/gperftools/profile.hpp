// gperftools, section 4: what is remembered of the current profile. A file may hold several.
#pragma once

#include "grammars/gperftools/addresses.hpp"
#include "grammars/gperftools/java.hpp"
#include "grammars/gperftools/mappings.hpp"
#include "grammars/gperftools/once.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::gperftools {

// The depths of call chains, in PCs, that a writer's limit explains (section 5.2), and the largest one.
struct Depths {
    struct Occurrence {
        uint64_t records = 0;
        Place first{};     // num_pcs of the first such record
        uint64_t pcs = 0;  // and its value
    };
    Occurrence old_limit;  // 64
    Occurrence limit;      // 253 or 254
    Occurrence above;      // more
    uint64_t largest = 0;
};

// What the header says about samples and what the records add up to.
struct Sums {
    uint64_t factor = 1;         // nanoseconds per sample; 1 if the period is unusable
    uint64_t most = kNone >> 1;  // samples whose time fits into 63 bits
    uint64_t total = 0;          // samples of the records that fit by themselves, as long as the sum fits
    bool overflowed = false;     // sample-total-overflow was reported
    uint64_t samples = 0;        // all of them, modulo 2^64, as readers add
    uint64_t records = 0;        // records read in full, and records without PCs

    void set_period(uint64_t microseconds) {
        const bool is_usable = microseconds != 0 && microseconds <= kLargestPeriod;
        factor = is_usable ? 1000 * microseconds : 1;
        most = (kNone >> 1) / factor;
    }
};

// Totals of the whole file, for the statistics.
struct Totals {
    uint64_t profiles = 0, records = 0, samples = 0, depth = 0, addresses = 0, lines = 0, mappings = 0;
};

struct Profile {
    explicit Profile(ValidationContext& with)
        : context(with),
          report(with.report),
          leaves(with.budget, with.work),
          callers(with.budget, with.work),
          mappings(with.budget, with.work),
          locations(with.budget, with.work) {}

    ValidationContext& context;
    Report& report;
    Layout layout;           // of the file
    bool wrapped = false;    // the file begins with a wrapper
    uint64_t index = 0;      // of the next record, trailer or line in the file
    bool ends_file = false;  // the file ends with this profile: missing bytes would belong to it
    Totals totals;

    // What each profile starts anew.
    uint64_t version = kNativeVersion;
    Sums sums;
    Depths depths;
    uint64_t highest_pc = 0;
    OncePerProfile once;
    bool tracking = true;  // false once the budget is spent: rules across records and lines are no longer checked
    Leaves leaves;
    Callers callers;
    Mappings mappings;
    Locations locations;

    bool is_native() const { return version == kNativeVersion; }
    // Whether the records may be those of a Go runtime up to 1.8, whose files hold one profile without mappings.
    bool may_be_from_go() const {
        const bool is_first = totals.profiles == 1;
        return is_native() && is_first && depths.largest <= kOldWriterDepth && highest_pc < kGoCodeEnd;
    }
    // Forgets the addresses, and reports the limit at `place`.
    void stop_tracking(const Place& place);
    // Call when all records are read: reports what concerns them as a whole, and counts them. `offset`: of the next
    // input.
    void finish_records(uint64_t offset);
    // Call when the profile is over: reports what is reported once per profile, and makes room for the next one.
    void finish();

  private:
    void check_depths();
    void clear();
};

// The place of an address in a call chain.
Place place_of(const Profile& profile, const Slot& slot);

extern const RuleList kProfileRules;

}  // namespace tracelint::gperftools
