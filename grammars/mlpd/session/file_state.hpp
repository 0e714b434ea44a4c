// mlpd, section 4.3: what the machines of one file share.
#pragma once

#include <optional>
#include <vector>

#include "grammars/mlpd/session/findings.hpp"
#include "validator/format.hpp"
#include "validator/tables/tracking_limit.hpp"

namespace tracelint::mlpd {

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
