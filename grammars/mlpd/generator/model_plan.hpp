// The events of a generated session, planned buffer by buffer.
#pragma once

#include "grammars/mlpd/records.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::mlpd {

// The buffers of a file. Opens a buffer for a thread and adds events to it, while time advances.
class SessionPlan {
  public:
    // Records are added to `records`. `word_size` is in bytes.
    SessionPlan(Random& random, PlannedRecords& records, uint16_t version, uint8_t word_size);

    uint16_t version() const { return version_; }
    bool has(const Record& record) const { return record.exists_in(version_); }

    void open_buffer(uint64_t thread, uint64_t pointer, uint64_t object, uint64_t method);
    PlannedRecord& event(const Record& record);
    // An event of one of several kinds that share a record.
    PlannedRecord& event(const Record& record, uint64_t op);
    // For an event that may be stored later than it happened: steps back in time, sometimes.
    void make_earlier(PlannedRecord& event);
    PlannedRecord& add(const Record& record);

    Random& random() { return random_; }
    // An address that fits the file's pointers, a new one each time.
    uint64_t new_pointer();
    // The address of an object, from a small set: a multiple of 8, not 0.
    uint64_t object();

  private:
    Random& random_;
    PlannedRecords& records_;
    uint16_t version_;
    uint64_t lowest_pointer_;
    uint64_t pointers_ = 0;
    uint64_t lowest_object_;
    uint64_t clock_ = 1'000'000'000;
};

}  // namespace tracelint::mlpd
