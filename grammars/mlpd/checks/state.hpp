// mlpd: what all checks of a file share.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "validator/format.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/place.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::mlpd {

// mlpd: how every part of the walk reports, and the place of an event.

// The place of one event: cheap to make, turned into a Place only for a finding.
struct Spot {
    uint64_t offset = 0;  // of the op byte
    uint64_t length = 0;  // bytes of the whole event; undefined while it is being read
    uint64_t index = 0;   // among the buffers and events of the file
    const Record* record = nullptr;

    // The whole event.
    Place place() const { return {offset, length, record, nullptr, nullptr, index, kNone}; }
    // Only its op byte.
    Place op() const { return {offset, 1, record, nullptr, nullptr, index, kNone}; }
};

// Passes findings on to the report. Remembers whether an event of the current buffer has an error, since a framing
// fault after one is likely its consequence (section 4.2), and drops repetitions when a rescan reads bytes again.
class Findings {
  public:
    explicit Findings(Report& report) : report_(report) {}

    // Checks the count of numbers at compile time, as Report::add() does.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        add(R, place, {});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add(R, place, std::span<const uint64_t>(numbers));
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add_overridden(R, place, std::span<const uint64_t>(numbers));
    }
    [[gnu::cold]] void add(const Diagnostic& diagnostic) {
        if (severity_of(diagnostic) == Severity::error) has_error_ = true;
        if (!is_repetition(*diagnostic.rule, diagnostic.place)) report_.add(diagnostic);
    }
    // For rules that are only known at run time.
    [[gnu::cold]] void add(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
        if (rule.severity == Severity::error) has_error_ = true;
        if (!is_repetition(rule, place)) report_.add(rule, place, numbers);
    }
    void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
        add(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    [[gnu::cold]] void add_overridden(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
        if (!is_repetition(rule, place)) report_.add_overridden(rule, place, numbers);
    }
    void add_overridden(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
        add_overridden(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }

    void begin_buffer() { has_error_ = false; }
    bool has_error() const { return has_error_; }

    // The bytes from `from` to `to` will be read again. False: they have more findings than are remembered.
    bool read_again(uint64_t from, uint64_t to) {
        repeated_ = last_;
        repeated_to_ = to;
        return std::ranges::any_of(repeated_, [=](const Reported& reported) { return reported.offset < from; });
    }

  private:
    struct Reported {
        const Rule* rule = nullptr;
        uint64_t offset = 0, length = 0;
        bool operator==(const Reported&) const = default;
    };
    static constexpr size_t kRemembered = 64;

    bool is_repetition(const Rule& rule, const Place& place) {
        const Reported reported{&rule, place.offset, place.length};
        if (place.offset < repeated_to_ && std::ranges::find(repeated_, reported) != repeated_.end()) return true;
        last_[count_++ % kRemembered] = reported;
        return false;
    }

    Report& report_;
    bool has_error_ = false;
    std::array<Reported, kRemembered> last_{}, repeated_{};
    size_t count_ = 0;
    uint64_t repeated_to_ = 0;
};

// mlpd, section 4.3: what the machines of one file share.

// What is tracked under the memory budget. Each kind stops on its own when the budget is spent.
enum class Tracking : uint8_t {
    threads,
    methods,
    loads,
    stacks,
    heapshots,
    finalizers,
    counters,
    coverage,
    handles,
    roots,
    count_
};

inline constexpr Rule kTrackingLimit = tracking_limit("mlpd/tracking-limit", "5.10 Limits", true);
inline constexpr RuleList kLimitRules = rules<&kTrackingLimit>;

struct FileState {
    FileState(ValidationContext& with, Findings& found, uint16_t data_version)
        : context(with), findings(found), version(data_version) {}
    FileState(const FileState&) = delete;
    FileState& operator=(const FileState&) = delete;

    ValidationContext& context;
    Findings& findings;
    const uint16_t version;
    // A part of the file was not read: findings that the lost part may explain are no longer reported (section 4.2).
    bool lossy = false;
    uint64_t window = 0;  // number of SYNC_POINT events so far

    bool tracks(Tracking kind) const { return (stopped_ >> static_cast<unsigned>(kind) & 1) == 0; }

    // The budget is spent: stops one kind of tracking and reports it once.
    [[gnu::cold]] void stop(Tracking kind, const Place& at) {
        if (!tracks(kind)) return;
        stopped_ |= 1u << static_cast<unsigned>(kind);
        context.limit_hit = true;
        findings.add({.rule = &kTrackingLimit,
                      .place = at,
                      .numbers = {context.limits.memory},
                      .hint = kHints[static_cast<size_t>(kind)]});
    }

  private:
    static constexpr std::string_view kHints[] = {
        "memory limit: events and buffers of further threads are not compared with each other",
        "memory limit: methods are not looked up from here on",
        "memory limit: loads and unloads are not tracked from here on",
        "memory limit: calls are not paired from here on",
        "memory limit: the objects of heapshots are not tracked from here on",
        "memory limit: finalizations of objects are not paired from here on",
        "memory limit: counters are not looked up from here on",
        "memory limit: coverage statements are not counted from here on",
        "memory limit: GC handles are not tracked from here on",
        "memory limit: roots are not tracked from here on",
    };
    static_assert(std::size(kHints) == static_cast<size_t>(Tracking::count_));

    uint32_t stopped_ = 0;  // kinds
};

// The place of an event or field of less than 256 bytes, packed into two words: files hold millions of them.
class ShortSpot {
  public:
    ShortSpot() = default;
    // `offset` has at most 56 bits, `length` 8.
    ShortSpot(uint64_t offset, uint64_t length, uint64_t index) : range_(length << 56 | offset), index_(index) {}
    explicit ShortSpot(const Spot& event) : ShortSpot(event.offset, event.length, event.index) {}

    uint64_t offset() const { return range_ & ((uint64_t{1} << 56) - 1); }
    uint64_t length() const { return range_ >> 56; }
    uint64_t index() const { return index_; }
    Spot of(const Record* record) const { return {offset(), length(), index_, record}; }

  private:
    uint64_t range_ = 0;  // length << 56 | offset
    uint64_t index_ = 0;
};

// A packed Place: its record, list and field are an index into PlaceKinds.
struct ShortPlace {
    ShortSpot spot{};
    uint32_t element = 0;
    uint8_t kind = 0;

    bool is_set() const { return spot.length() != 0; }
};

// Packs and unpacks places. Their records, lists and fields are few.
class PlaceKinds {
  public:
    ShortPlace packed(const Place& place) {
        return {ShortSpot(place.offset, place.length, place.record_index), static_cast<uint32_t>(place.element),
                kind_of(place)};
    }
    Place place(const ShortPlace& remembered) const {
        Place place = kinds_[remembered.kind];
        place.offset = remembered.spot.offset();
        place.length = remembered.spot.length();
        place.record_index = remembered.spot.index();
        if (place.list != nullptr) place.element = remembered.element;
        return place;
    }

  private:
    uint8_t kind_of(const Place& place) {
        const auto is_same = [&](const Place& known) {
            return known.record == place.record && known.field == place.field && known.list == place.list;
        };
        const auto found = std::ranges::find_if(kinds_, is_same);
        const auto kind = static_cast<uint8_t>(found - kinds_.begin());
        if (found == kinds_.end()) kinds_.push_back(place);
        return kind;
    }

    std::vector<Place> kinds_;  // one place of each kind
};

}  // namespace tracelint::mlpd
