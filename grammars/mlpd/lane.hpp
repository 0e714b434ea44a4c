// mlpd: plans, by which events are read without asking the record tables for each field.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "grammars/mlpd/records_events.hpp"
#include "validator/tables/bytes.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::mlpd {

// mlpd, section 3.9: LEB128 numbers that hold narrower numbers.

// A number of the writer's C type int, which is written sign-extended (section 3.9).
constexpr uint64_t as_int(uint64_t written) { return written >= 0xFFFFFFFF80000000 ? written & 0xffffffff : written; }

constexpr bool fits_32_bits(uint64_t distance) {
    return static_cast<int64_t>(distance) == static_cast<int32_t>(static_cast<uint32_t>(distance));
}

// Of numbers combined with |.
inline bool any_negative(uint64_t together) { return static_cast<int64_t>(together) < 0; }

// mlpd: how the events of one data version are read, laid out once from the record tables as a flat list of steps for
// each record.

class EventReader;
struct Plan;
struct Reading;
struct Step;

using FieldAction = void (EventReader::*)(const Reading&, const Step&);
using EventAction = void (EventReader::*)();

// Kinds of events that the fast lane takes.
enum class Lane : uint8_t { none, enter, leave, exception_leave, alloc, count_ };
inline constexpr size_t kLanes = static_cast<size_t>(Lane::count_);

// What reading a record leads to, beyond the checks in records.hpp. The table is in event_actions.cpp.
struct RecordActions {
    struct OnField {
        std::string_view field;
        FieldAction act = nullptr;
    };
    const Record* record = nullptr;
    EventAction on_event = nullptr;     // once the last field is read
    std::array<OnField, 2> on_field{};  // once the field is read
    Lane lane = Lane::none;             // takes the event as long as it has no finding
    bool may_go_back = false;           // its time may be earlier than that of the event before it
    bool may_be_late = false;           // may come after a synchronisation point with a later time
};

struct Step {
    const Field* field = nullptr;
    const Plan* element = nullptr;   // of a list
    FieldAction act = nullptr;       // null: none
    uint8_t slot = 0;                // where the value goes
    uint8_t decides = kAlways;       // slot of the field that the condition depends on
    uint8_t counter = 0;             // of a list: the slot of its count,
    uint8_t counter_step = kAlways;  //            and the step that read it (kAlways: no count)
    bool has_checks = false;         // to be made once it is read; those of a count wait for the list
    bool counts = false;

    static constexpr uint8_t kAlways = 0xff;
};

struct Plan {
    const Record* record = nullptr;
    std::vector<Step> steps;
    uint64_t minimum = 0;  // bytes that an element has at least
    RecordActions actions;
    uint64_t count = 0;  // events read
};

// The values of one record, by slot.
struct Values {
    uint32_t present = 0;  // a bit for each slot
    std::array<uint32_t, kMaxFields> length{};
    std::array<uint64_t, kMaxFields> number{};
    std::array<uint64_t, kMaxFields> at{};  // offsets

    bool has(uint8_t slot) const { return (present >> slot & 1) != 0; }
};

// A record that is being read, and the list that it is an element of.
struct Reading {
    const Plan& plan;
    Values& values;
    const Field* list = nullptr;
    uint64_t element = kNone;
};

// The index of the first field of this name, under which a reader keeps its value in any version.
constexpr uint8_t slot_of(const Record& record, std::string_view name) {
    for (size_t i = 0; i < record.fields().size(); ++i)
        if (record.fields()[i].name == name) return static_cast<uint8_t>(i);
    return Step::kAlways;
}

// The plans of one data version, made when they are first needed.
class Plans {
  public:
    explicit Plans(uint16_t version) : version_(version) {}

    uint16_t version() const { return version_; }
    Plan& of(const Record& record);
    // Those that were made, in the order of the specification.
    std::vector<const Plan*> made() const;

  private:
    void lay_out(Plan& plan);

    const uint16_t version_;
    std::vector<std::unique_ptr<Plan>> plans_;
};

}  // namespace tracelint::mlpd
