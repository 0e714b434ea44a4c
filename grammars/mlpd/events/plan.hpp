// mlpd: how the events of one file are read. What the record tables say of a data version is laid out once as a
// flat list of steps for each kind of event.
#pragma once

#include <memory>
#include <vector>

#include "grammars/mlpd/events/event_table.hpp"

namespace tracelint::mlpd {

// What a step does beside reading and the checks of the table.
enum class Special : uint8_t {
    none,
    time,              // T: rules 29 and 30
    jit_size,          // rule 98
    name,              // rule 40
    guid_or_empty,     // rule 95
    guid,              // rule 96
    reference_offset,  // rule 70
    reference,         // of a heap object
    frame,             // a method that is used
    variance,          // rule 56, with an exception
    description,       // the last field of a descriptor
    sample_index,
    sample_type,
};

struct Plan;
class EventReader;

struct Step {
    const Field* field = nullptr;
    const Plan* element = nullptr;   // of a list
    uint8_t slot = 0;                // where its value goes
    uint8_t decides = kAlways;       // slot of the field that its condition looks at
    uint8_t counter = 0;             // of a list: the slot of its count,
    uint8_t counter_step = kAlways;  //            and the step that read it (kAlways: no count)
    bool has_checks = false;         // to be made when it is read; those of a count wait for rule 41
    bool counts = false;
    Special special = Special::none;

    static constexpr uint8_t kAlways = 0xff;
};

struct Plan {
    const Record* record = nullptr;
    std::vector<Step> steps;
    uint64_t minimum = 0;      // bytes that an element has at least (rule 41)
    bool may_go_back = false;  // in time (rule 29)
    uint64_t count = 0;        // events read
    // What the event does when its last field is read.
    void (EventReader::*effect)() = nullptr;
};

// The number of the first field of this name, under which a reader keeps its value in any version.
constexpr uint8_t slot_of(const Record& record, std::string_view name) {
    for (size_t i = 0; i < record.count; ++i)
        if (record.slots[i].name == name) return static_cast<uint8_t>(i);
    return Step::kAlways;
}

// The plans of one data version, made when they are first needed.
class Plans {
  public:
    explicit Plans(uint16_t version) : version_(version) {}

    Plan& of(const Record& record);
    // Those that were made, in the order of the specification.
    std::vector<const Plan*> made() const;

  private:
    void lay_out(Plan& plan);

    const uint16_t version_;
    std::vector<std::unique_ptr<Plan>> plans_;
};

}  // namespace tracelint::mlpd
