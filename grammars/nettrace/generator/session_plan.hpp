// The records of a generated session, planned block by block.
#pragma once

#include <map>

#include "grammars/nettrace/generator/model.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::nettrace {

class SessionPlan {
  public:
    SessionPlan(Random& random, PlannedRecords& records, uint16_t version, bool has_tags);

    // The start of the file, with the Trace.
    void begin();
    // Metadata, stacks and events that were collected since the last time; sometimes a sequence point.
    void flush();
    // The last sequence point and the end of the stream.
    void end();

  private:
    struct Row {
        uint64_t id;
        FieldPlans fields;
    };
    struct Thread {
        uint64_t id;
        uint32_t number = 0;
        uint64_t time = 0;
    };
    struct Event {
        uint64_t metadata_id = 0, capture_thread = 0, thread = 0, processor = 0xffffffff, stack_id = 0, time = 0,
                 label_list = 0;
        uint32_t number = 0;
        std::string payload{};
        bool is_sorted = false;
    };

    bool is_plain() const { return version_ == kPlainBlocks; }
    bool is_old() const { return version_ <= kNetperf3; }
    PlannedRecord& add(const Record& record) { return records_.emplace_back(record); }
    // The front of a block, and what ends it.
    void begin_block(std::string_view name, Kind kind);
    void end_block();
    void object(std::string_view name, uint64_t version, uint64_t min_reader);

    void trace();
    void thread_block();
    PlannedRecord& row(const Row& row);
    void metadata_block();
    void stack_block();
    void label_block();
    void event_block();
    void old_event_block();
    void sequence_point();
    void remove_a_thread();

    std::vector<Event> draw_events();
    void change_thread(Event& event);
    uint64_t draw_time(const Event& event);
    void write_compressed(const Event& event, const Event& before);
    void write_uncompressed(const Event& event);
    void write_old(const Event* event, const Row* row);
    std::string draw_stack();

    Random& random_;
    PlannedRecords& records_;
    const uint16_t version_;
    const bool has_tags_;
    const uint64_t pointer_size_;
    uint64_t clock_ = 1'000'000;
    uint64_t greatest_sorted_ = 0, last_point_ = 0;
    std::vector<Row> rows_, new_rows_;
    std::vector<Thread> threads_;
    size_t current_ = 0;
    uint64_t next_row_ = 1, next_stack_ = 1, next_label_ = 1, next_index_ = 0;
};

}  // namespace tracelint::nettrace
