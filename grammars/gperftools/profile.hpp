// gperftools, section 4: what is remembered of the profile at hand. A file may hold several.
#pragma once

#include "grammars/gperftools/addresses.hpp"
#include "grammars/gperftools/java.hpp"
#include "grammars/gperftools/mappings.hpp"
#include "grammars/gperftools/once.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/format.hpp"
#include "validator/view.hpp"

namespace tracelint::gperftools {

// The call chains that come up to what a writer can store (5.2, stack-truncated), and other depths.
struct Depths {
    struct Met {
        uint64_t records = 0;
        Place first{};     // its num_pcs
        uint64_t pcs = 0;  // and their number
    };
    Met old_limit;  // 64
    Met limit;      // 253 or 254
    Met above;      // more
    uint64_t largest = 0;
};

// What the header says and the records add up to.
struct Sums {
    uint64_t factor = 1;         // of a count: nanoseconds of the period; 1 if there is none to go by
    uint64_t most = kNone >> 1;  // samples that fit into 63 bits with it
    uint64_t total = 0;          // samples of the records that fit for themselves, as long as they fit together
    bool overflowed = false;     // sample-total-overflow was said
    uint64_t samples = 0;        // all of them, as readers add: modulo 2^64
    uint64_t records = 0;        // that were read in full, those without PCs included

    void set_period(uint64_t microseconds) {
        const bool is_known = microseconds != 0 && microseconds <= kLargestPeriod;
        factor = is_known ? 1000 * microseconds : 1;
        most = (kNone >> 1) / factor;
    }
};

// What the whole file adds up to; goes to the statistics.
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
    Layout layout;  // of the file
    bool wrapped = false;
    uint64_t index = 0;      // of the next record, trailer or line in the file
    bool ends_file = false;  // the profile that is finished does: bytes that are missing would be part of it
    Totals totals;

    // The registers that each profile begins anew.
    uint64_t version = kNativeVersion;
    Sums sums;
    Depths depths;
    OncePerProfile once;
    bool tracking = true;  // false once the budget is spent: no rule across records and lines is checked any more
    Leaves leaves;
    Callers callers;
    Mappings mappings;
    Locations locations;

    bool is_native() const { return version == kNativeVersion; }
    // Gives up on what is remembered of addresses, and says so (a `tracking-limit` note).
    void stop_tracking(const Place& place);
    // The records are all read, and nothing before `offset` is left to read: says what is said of them as a whole (R
    // rules), and counts them.
    void finish_records(uint64_t offset);
    // The profile is over: says what is said once, and makes room for the next.
    void finish();

  private:
    void clear();
};

// Where a call chain holds an address that was met first in this slot.
Place place_of(const Profile& profile, const Slot& slot);

}  // namespace tracelint::gperftools
