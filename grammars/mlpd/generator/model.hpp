// The events of a generated session, planned buffer by buffer.
#pragma once

#include "grammars/mlpd/records.hpp"
#include "validator/generator/generator.hpp"
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

// The activities of a profiled program, as events of the profiler.

class Program {
  public:
    explicit Program(SessionPlan& plan) : plan_(plan) {}

    // Starts the program: loads what everything else uses.
    void begin();
    // One more buffer, in which a thread does some activities.
    void act(uint64_t activities);
    void end();

  private:
    struct Thread {
        uint64_t id;
        std::vector<uint64_t> calls;  // methods, outermost first
    };
    struct Counter {
        uint64_t index, type;
    };
    struct Activity {
        const Record* record;  // only in versions that have this record
        void (Program::*run)();
    };
    static const Activity kActivities[];

    Random& random() { return plan_.random(); }
    Thread& thread() { return threads_[current_]; }
    void open_buffer(size_t thread);
    void start_thread();
    uint64_t method() { return pick_of(random(), methods_); }
    void backtrace(PlannedRecord& event);

    // Metadata
    void load_domain(uint64_t id);
    uint64_t load_image();
    void load_class();
    void compile();
    void use_a_domain();
    void use_an_assembly();
    void name_thread();
    // Calls, allocations, exceptions and monitors
    void call();
    void leave();
    void allocate();
    void throw_exception();
    void wait_for_monitor();
    // Collections and heapshots
    void gc_event(uint64_t event, uint64_t generation);
    void collect();
    void collect_generation(uint64_t generation);
    void take_heapshot();
    void list_objects();
    void heap_object(uint64_t object, bool is_more, const std::vector<uint64_t>& objects);
    void move_objects();
    void resize_heap();
    void report_roots();
    void register_root();
    void use_handle();
    void use_handle_backtrace();
    void finalize();
    // Samples, counters, coverage and the rest
    void sample();
    void name_symbol();
    void name_binary();
    void describe_counters();
    void sample_counters();
    void make_helper();
    void cover();
    void synchronise();
    void identify_aot();

    SessionPlan& plan_;
    std::vector<Thread> threads_;
    size_t current_ = 0;
    std::vector<uint64_t> classes_, vtables_, methods_, images_, roots_;
    std::vector<Counter> counters_;
    uint64_t domains_ = 0;
    uint64_t handles_ = 0;
    uint64_t covered_ = 0;
};

// The model of Mono's profiler logs.

// A session in a random data version of the 17 and a random pointer size.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// Sets the lengths in all buffer headers, and makes relative values of events continue from the event before.
void update_buffers(FileRecords& file);

}  // namespace tracelint::mlpd
