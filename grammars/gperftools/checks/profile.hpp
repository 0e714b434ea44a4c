// gperftools: the memory of one profile: its addresses, and the findings that are reported once for all of it.
#pragma once

#include <span>

#include "grammars/gperftools/checks/java.hpp"
#include "grammars/gperftools/checks/mappings.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/format.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/pages.hpp"
#include "validator/memory/recent_keys.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::gperftools {

// gperftools, section 5.0: rules that are reported once per profile, at the first place, with the number of
// occurrences.

// Gathers the occurrences of such rules until the profile is over.
class OncePerProfile {
  public:
    // One more occurrence. {0} of the message becomes the number of occurrences; `numbers` are {1} and so on, of the
    // first place. The compiler refuses a call with fewer or more numbers than the rule's message needs.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 1, "the rule's message needs numbers");
        add({.rule = &R, .place = place});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N + 1, "the rule's message needs another count of numbers");
        Diagnostic found{.rule = &R, .place = place};
        std::copy(numbers, numbers + N, found.numbers.begin() + 1);
        add(found);
    }
    // With the severity override of the rule, whose occurrences are counted by themselves.
    template <const Rule& R>
    void add_overridden(const Place& place) {
        static_assert(numbers_of(R) == 1, "the rule's message needs numbers");
        add({.rule = &R, .place = place, .is_overridden = true});
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N + 1, "the rule's message needs another count of numbers");
        Diagnostic found{.rule = &R, .place = place, .is_overridden = true};
        std::copy(numbers, numbers + N, found.numbers.begin() + 1);
        add(found);
    }
    // Several occurrences, `first` being the first of them; its numbers from {1} on are kept.
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& first, uint64_t times = 1);
    // The last line has no line end and begins at `offset`: findings from there on may be due to missing bytes.
    void cut_from(uint64_t offset) { cut_ = offset; }
    // Forgets the occurrences of a rule.
    void drop(const Rule& rule);
    // Reports everything, and starts over.
    void report_to(Report& report);

  private:
    struct Pending {
        Diagnostic first;
        uint64_t times = 0;
    };
    std::vector<Pending> pending_;
    uint64_t cut_ = kNone;  // where the last line begins if it has no line end
};

// gperftools, section 4.1: where the walk is, and the facts about the input there that its parts share.

struct Position {
    uint64_t at = 0;       // offset of the input
    uint64_t length = 0;   // bytes of the input to step over
    Diagnostic finding{};  // what the machine's edge for the input reports, if it has a rule; the rule is the edge's

    // The symbol, with the place and the numbers for the rule of its edge.
    Symbol with_finding(Symbol symbol, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        finding = {.place = place};
        std::copy(numbers.begin(), numbers.end(), finding.numbers.begin());
        return symbol;
    }
};

// gperftools, section 4.3: the distinct addresses of a profile, and where each occurs first.

// A slot of a call chain.
struct Slot {
    uint64_t offset = 0;        // in the file, in bytes
    uint64_t record : 48 = 0;   // number of the record in the file
    uint64_t element : 16 = 0;  // of the chain; at most 65535, because deeper chains are not read
};
static_assert(sizeof(Slot) == 16);

// A return address.
struct Caller {
    uint64_t key = 0;
    Slot first;
    void absorb(const Caller&) {}
};

// A sampled PC, with the number of its records and samples.
struct Leaf {
    uint64_t key = 0;
    Slot first;
    uint64_t records = 0, samples = 0;
    void absorb(const Leaf& later) {
        records += later.records;
        samples = saturating_add(samples, later.samples);
    }
};

// Return addresses. A profile repeats few distinct ones over and over, so a small table of recent addresses keeps
// nearly all of them out of the buffer.
class Callers {
  public:
    Callers(Budget& budget, WorkCounter& work) : all_(budget, work), recent_(kRecent, work) {}

    // Whether the address was added and is still in the table of recent ones. Always false for address 0.
    bool knows(uint64_t address) const { return recent_.is_at_home(address); }
    // A copy for loops that keep it in registers: is_at_home(address). Valid until the next call of another member.
    RecentKeys<spread>::Reader recent() const { return RecentKeys<spread>::Reader(recent_); }
    // Adds an address for which knows() is false. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, const Slot& slot);
    std::span<const Caller> sorted() { return all_.sorted(); }
    void clear();
    void release();

  private:
    static constexpr size_t kRecent = 65536;

    MergeBuffer<Caller> all_;
    RecentKeys<spread> recent_;
};

// Sampled PCs, one per record.
class Leaves {
  public:
    Leaves(Budget& budget, WorkCounter& work);

    // Adds a record to an address that was added recently. False: it was not, and add() has more to do.
    bool count(uint64_t address, uint64_t samples) {
        Leaf& recent = recent_[home_of(address)];
        if (recent.key != address || recent.records == 0) [[unlikely]]
            return false;
        ++recent.records;
        recent.samples = saturating_add(recent.samples, samples);
        return true;
    }
    // Adds a record to any address. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, uint64_t samples, const Slot& slot) {
        return count(address, samples) || enter(address, samples, slot);
    }
    // Moves everything to the buffer. False when the budget is spent.
    [[nodiscard]] bool settle();
    // Call after settle().
    std::span<const Leaf> sorted() { return settled_.sorted(); }
    void clear();
    void release();

  private:
    // Small profiles do with the first size. The table grows once, when so many entries had to make room for others.
    static constexpr unsigned kFewBits = 6, kBits = 12, kMostMoved = 512;
    size_t home_of(uint64_t address) const { return spread(address) >> shift_; }
    bool is_small() const { return shift_ == 64 - kFewBits; }
    bool enter(uint64_t address, uint64_t samples, const Slot& slot);
    bool grow();

    MergeBuffer<Leaf> settled_;
    Zeros<Leaf> recent_{size_t{1} << kFewBits};  // not in the buffer yet; entries without records are vacant
    unsigned shift_ = 64 - kFewBits, moved_ = 0;
    std::vector<uint16_t> taken_;  // indices of those that are not vacant
};

// Where an address occurs first, as a sampled PC or as a return address.
inline const Slot& first_of(const Leaf* leaf, const Caller* caller) {
    if (leaf == nullptr) return caller->first;
    return caller == nullptr || leaf->first.offset < caller->first.offset ? leaf->first : caller->first;
}

// Visits every distinct address by ascending value: visit(address, leaf or null, caller or null). The leaves must be
// settled.
template <class Visit>
void for_each_address(Leaves& leaves, Callers& callers, Visit visit) {
    const std::span<const Leaf> sampled = leaves.sorted();
    const std::span<const Caller> returned = callers.sorted();
    auto leaf = sampled.begin();
    auto caller = returned.begin();
    while (leaf != sampled.end() || caller != returned.end()) {
        const bool is_leaf = leaf != sampled.end() && (caller == returned.end() || leaf->key <= caller->key);
        const bool is_caller = caller != returned.end() && (leaf == sampled.end() || caller->key <= leaf->key);
        visit(is_leaf ? leaf->key : caller->key, is_leaf ? &*leaf : nullptr, is_caller ? &*caller : nullptr);
        leaf += is_leaf;
        caller += is_caller;
    }
}

// gperftools, section 4: what is remembered of the current profile. A file may hold several.

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

// The number of samples in the header, and the sum over the records.
struct Sums {
    uint64_t factor = 1;         // nanoseconds per sample; 1 if the period is unusable
    uint64_t most = kNone >> 1;  // samples whose time fits into 63 bits
    uint64_t total = 0;          // samples of the records that fit by themselves, as long as the sum fits
    bool overflowed = false;     // sample-total-overflow was reported
    uint64_t samples = 0;        // all of them, modulo 2^64, as readers add
    uint64_t records = 0;        // records read in full, and records without PCs
    uint64_t period = 0;         // microseconds; 0 if it is unusable

    void set_period(uint64_t microseconds) {
        const bool is_usable = microseconds != 0 && microseconds <= kLargestPeriod;
        factor = is_usable ? 1000 * microseconds : 1;
        period = is_usable ? microseconds : 0;
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
    Place period;  // in the header
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
    // Whether the period of a profile explains why it has no records; reports it then.
    bool blames_timer();
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

// gperftools, section 3.4.4: which sampled PCs and return addresses are in an executable mapping.

// Call when the profile is over. Its leaves are settled.
void check_unmapped_pcs(Profile& profile);

}  // namespace tracelint::gperftools
