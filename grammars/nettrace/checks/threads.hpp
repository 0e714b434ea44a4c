// nettrace, section 4.4: threads, their numbers and times, and sequence points.
#pragma once

#include "grammars/nettrace/checks/limits.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::nettrace {

// What the checks of threads ask of an event. Places are made when they are needed.
class EventPlaces {
  public:
    virtual ~EventPlaces() = default;
    enum class Part : uint8_t {
        metadata_id,
        number,
        capture_thread,
        processor,
        thread,
        stack_id,
        time,
        label_list,
        payload_size
    };
    virtual Place place_of(Part part) const = 0;
};

struct EventTime {
    uint64_t time = 0;
    bool is_sorted = false;
};

// The threads of a file: by OS id up to version 5, by index in version 6, where a row makes them live.
class Threads {
  public:
    Threads(ValidationContext& context, Tracking& tracking, Findings& findings, Losses& losses)
        : threads_(context.budget, context.work), tracking_(tracking), findings_(findings), losses_(losses) {}

    // Whether the table exceeds the processor's caches; then announce() prefetches a thread that comes soon.
    bool is_large() const { return threads_.size() >= kLargeTable; }
    [[gnu::always_inline]] void announce(uint64_t thread) const { threads_.prefetch(thread); }

    void set_plain(bool is_plain) { is_plain_ = is_plain; }
    void set_sync(uint64_t ticks) { sync_ = ticks; }

    // --- Threads of version 6
    void check_duplicate(uint64_t index, const Place& place);
    void add(uint64_t index, uint64_t offset);
    void remove(uint64_t index);
    void forget_all();
    // Of an event, a sequence point or a RemoveThread block. `is_once`: the index is reported once. False: an error.
    bool check_live(uint64_t index, const Place& place, bool is_once);

    // --- Events
    void check_event_threads(uint64_t capture_thread, uint64_t thread, const EventPlaces& places);
    void check_number(uint64_t capture_thread, uint32_t number, const EventPlaces& places);
    struct BlockTimes {
        uint64_t smallest = 0, largest = kNone;
    };
    void check_time(uint64_t capture_thread, const EventTime& event, const BlockTimes& block,
                    const EventPlaces& places);
    // A metadata row of versions 4 and 5.
    void check_row_time(uint64_t time, const BlockTimes& block, const EventPlaces& places);
    // The checks of number and time of an event, and pass() in one, as far as there is nothing to report. False:
    // nothing was done.
    [[gnu::always_inline]] bool take_usual(uint64_t capture_thread, uint32_t number, const EventTime& event,
                                           const BlockTimes& block) {
        const uint64_t time = event.time;
        Thread* const thread = find_any(capture_thread);
        if (thread == nullptr || thread->is_missed != 0) return false;
        const bool is_in_order = knows_number(*thread) && number == thread->number + 1 && knows_time(*thread);
        const uint64_t least = std::max({thread->time, greatest_sorted_, last_point_, sync_, block.smallest});
        if (!is_in_order || time < least || time > block.largest) return false;
        thread->number = number;
        thread->time = time;
        greatest_ = std::max(greatest_, time);
        if (event.is_sorted) greatest_sorted_ = time;
        return true;
    }
    // An event of versions 1 to 3.
    void check_old_time(uint64_t time, const Place& place);
    // The event counts for those that follow.
    void pass(uint64_t capture_thread, uint32_t number, const EventTime& event, uint64_t offset);
    void pass_old(uint64_t time) { note_greatest(time); }

    // --- Sequence points
    void check_point_time(uint64_t time, const Place& place);
    void begin_point() { ++point_; }
    void check_point_thread(uint64_t thread, const Place& place);
    // A thread's last number, in a sequence point or a RemoveThread block.
    void check_point_number(uint64_t thread, uint32_t number, const Place& place);
    void pass_point_number(uint64_t thread, uint32_t number, uint64_t offset);
    void pass_point(uint64_t time) { last_point_ = time; }

    // The order of events is not known to be complete any more.
    void lose_order();
    void lose_times();

  private:
    // Half a cache line, as hostile files have millions.
    struct Thread {
        uint64_t key = 0;
        uint64_t time = 0;
        uint32_t number = 0;
        uint32_t point = 0;  // the last sequence point that named it
        // What number and time were noted in.
        uint32_t number_epoch : 30 = 0;
        uint32_t is_there : 1 = 0;
        uint32_t is_reused : 1 = 0;
        uint32_t time_epoch : 30 = 0;
        uint32_t is_missed : 1 = 0;  // version 6: not live, and reported
        bool is_vacant() const { return is_there == 0; }
    };
    static_assert(sizeof(Thread) == 32);
    static constexpr uint32_t kEpochs = (uint32_t{1} << 30) - 1;  // later ones are not known again
    Thread* find(uint64_t thread);
    Thread* find_any(uint64_t thread) {
        if (has_last_ && last_key_ == thread) [[likely]]
            return last_;
        return remember(thread, threads_.find(thread));
    }
    Thread* remember(uint64_t thread, Thread* found) {
        has_last_ = true;
        last_key_ = thread;
        return last_ = found;
    }
    Thread* find_or_add(uint64_t thread, uint64_t offset);
    bool knows_number(const Thread& thread) const { return thread.number_epoch == number_epoch_; }
    bool knows_time(const Thread& thread) const { return thread.time_epoch == time_epoch_; }
    void note_greatest(uint64_t time) { greatest_ = std::max(greatest_, time); }

    static constexpr size_t kLargeTable = size_t{1} << 14;  // threads

    HashTable<Thread> threads_;
    Tracking& tracking_;
    Findings& findings_;
    Losses& losses_;
    // What was looked up last: an event asks several times for its thread, and most threads of hostile files are new.
    bool has_last_ = false;
    uint64_t last_key_ = 0;
    Thread* last_ = nullptr;  // null: it is not there
    bool is_plain_ = false;
    bool has_early_event_ = false;
    uint32_t number_epoch_ = 1, time_epoch_ = 1, point_ = 0;
    // 0: not known, which no time is before.
    uint64_t sync_ = 0, greatest_sorted_ = 0, greatest_ = 0, last_point_ = 0;
};

extern const RuleList kThreadRules;

}  // namespace tracelint::nettrace
