// The facts of a group in the orders that the rules ask for (section 3).
#pragma once

#include <bit>
#include <span>

#include "validator/group.hpp"

namespace tracelint::siblings {

// Whether the name is before + decimal digits + after; their value then, at most 2^64 - 1.
std::optional<uint64_t> number_in(std::string_view name, std::string_view before, std::string_view after);
// The number in "jit-<digits>.dump", the only names that perf recognises as those of a dump.
std::optional<uint64_t> marker_number(std::string_view base_name);
std::string_view base_name_of(std::string_view path);
// The name without the ending of a container: what the file was called when it was written.
std::string_view written_name_of(std::string_view path);
// Whether code can be executed there, as far as the record shows.
bool is_executable(const Mapping& mapping);

// The steps of a search among so many, as WorkCounter counts them.
constexpr uint64_t levels_of(uint64_t count) { return static_cast<uint64_t>(std::bit_width(count)); }
// The work of sorting so many.
constexpr uint64_t sorting_of(uint64_t count) { return count * levels_of(count); }

// An image that perf inject wrote: jitted-<pid>-<index>.so.
struct Image {
    uint64_t pid = 0, index = 0;
    uint64_t mapping = 0;  // its number in Recording::mappings
};

// The images of a process.
struct ImagesOf {
    uint64_t pid = 0;
    uint64_t begin = 0, count = 0;  // among all images
    uint64_t first = 0;             // the first of their mappings in the file
};

// A recording, and what all pairs ask of it. Nothing may be asked unless is_prepared().
class RecordingTables {
  public:
    RecordingTables(GroupCheck& check, size_t member);

    // Sorts, if the budget allows for it. Call once.
    void prepare();
    bool is_prepared() const { return is_prepared_; }

    // What the events are made with. Numbers of events, from 0; kNone: none is like that.
    struct Clocks {
        uint64_t first_other = kNone;  // not on CLOCK_MONOTONIC
        uint64_t others = 0;           // how many of these
        uint64_t first_untimed = kNone;
    };
    const Clocks& clocks() const { return clocks_; }

    const size_t member;
    Facts& facts_of_file;
    Recording& facts;

    const Mapping& mapping(uint64_t number) const { return facts.mappings[number]; }
    // The first mapping of a file with this base name, in the order of the file; null: none.
    const Mapping* first_named(std::string_view base_name) const;
    // The numbers of the mappings that are sorted by their base names.
    std::span<const uint64_t> by_name() const { return {by_name_.begin(), by_name_.end()}; }
    // The numbers of the mappings of a process, by their start.
    std::span<const uint64_t> mappings_of(uint32_t pid) const;
    // The samples of a process, by their address.
    std::span<const Sample> samples_of(uint32_t pid) const;
    // Frames of call chains in generated code, of a process, by their address.
    std::span<const Sample> frames_of(uint32_t pid) const;
    // How many processes were forked from this one and are counted with it.
    uint64_t forked_from(uint32_t pid) const { return forked_from(pid, kGenerations); }
    // How many processes have samples, and the samples of the one after `pid`; empty if absent.
    uint64_t sampled_processes() const { return sampled_processes_; }
    std::span<const Sample> samples_above(uint32_t pid) const;
    std::span<const Sample> first_samples() const;
    // By process and index; of each image in the order of the file.
    std::span<const Image> images() const { return {images_.begin(), images_.end()}; }
    // By process.
    std::span<const ImagesOf> imaged() const { return {imaged_.begin(), imaged_.end()}; }
    // The images of a process; null if absent.
    const ImagesOf* images_of(uint64_t pid) const;
    // The births and deaths of a process, by their time.
    std::span<const LifeEvent> births_of(uint32_t pid) const;
    std::span<const LifeEvent> deaths_of(uint32_t pid) const;

    // Whether the time is known of any event.
    bool has_times() const { return facts.first_time <= facts.last_time; }
    // Whether all mappings that could be read are here.
    bool has_all_mappings() const { return !facts.is_cut() && !facts.mappings.is_cut(); }
    // Whether there are records that could not be read.
    bool is_unread() const { return facts.is_blind; }

  private:
    // Further generations of forks are not followed.
    static constexpr unsigned kGenerations = 4;
    struct Fork {
        uint32_t parent = 0, child = 0;
    };

    void look_at_events();
    void count_sampled_processes();
    bool inherit();
    const LifeEvent* fork_of(uint32_t pid) const;
    bool move_up(std::span<Sample> samples, bool& has_moved);
    uint64_t forked_from(uint32_t pid, unsigned generations) const;
    bool sort_mappings();
    bool find_images();
    bool group_images();

    WorkCounter& work_;
    bool is_prepared_ = false;
    Clocks clocks_;
    uint64_t sampled_processes_ = 0;
    BudgetedVector<uint64_t> by_name_, by_pid_;
    BudgetedVector<Image> images_;
    BudgetedVector<ImagesOf> imaged_;
    BudgetedVector<Fork> forks_;  // by parent and child, each once
};

// A dump, and what all pairs ask of it. Nothing may be asked unless is_prepared().
class DumpTables {
  public:
    DumpTables(GroupCheck& check, size_t member);

    // Finds the processes, if the budget allows for it. Call once.
    void prepare();
    bool is_prepared() const { return is_prepared_; }

    const size_t member;
    CodeDump& facts;

    // A process of functions, or that of the header if there are no functions.
    struct Process {
        uint32_t pid = 0;
        uint64_t count = 0;  // functions
        uint64_t first = 0;  // of them, in the order of the file
        uint64_t begin = 0;  // where they are in by_start()
    };
    std::span<const Process> processes() const { return {processes_.begin(), processes_.end()}; }
    const Process* process(uint64_t pid) const;  // null: it has no functions here

    // The numbers of the functions, by process, start, time and number. False: the budget does not allow for it.
    [[nodiscard]] bool sort_by_start();
    std::span<const uint64_t> by_start() const { return {by_start_.begin(), by_start_.end()}; }
    // By process, index and number.
    [[nodiscard]] bool sort_by_index();
    std::span<const uint64_t> by_index() const { return {by_index_.begin(), by_index_.end()}; }

    // The least and the greatest time, as the dump has them; none if least is above greatest.
    struct Times {
        uint64_t least = kNone, greatest = 0;
    };
    const Times& times() const { return times_; }

  private:
    WorkCounter& work_;
    bool is_prepared_ = false;
    BudgetedVector<Process> processes_;
    BudgetedVector<uint64_t> by_start_, by_index_;
    Times times_;
};

// A function, with its time on the clock of the recording.
struct Loaded {
    uint64_t start = 0, last = 0;  // addresses; equal if the size is 0
    uint64_t time = 0;
    uint64_t until = 0;     // the time of the next one at the same start in the same process; kNone: none
    uint64_t function = 0;  // its number in CodeDump::functions
    uint32_t pid = 0;       // the process in the recording
    uint32_t size = 0;      // bytes

    bool has_code() const { return size != 0; }
};

// What to do about a pair, the worst first.
enum class Step : uint8_t {
    record_times,
    record_monotonic,
    dump_monotonic,
    clear_flag,
    map_dump,
    name_dump,
    record_inside,
    write_pids,
    take_monotonic,
    delete_stale,
    write_earlier,
    dump_again,
    inject_original,
    record_plain,
    is_injected,
    inject_stream,
    inject,
    none
};

// A code dump with a recording. check_joining() sets `marker` and the members after it.
struct Pair {
    Pair(GroupCheck& with, RecordingTables& beside, DumpTables& code, uint64_t& left)
        : check(with),
          recording(beside),
          tables(code),
          member(code.member),
          dump(code.facts),
          work_left(left),
          loads(with.budget) {}

    GroupCheck& check;
    RecordingTables& recording;
    DumpTables& tables;
    const size_t member;
    CodeDump& dump;
    uint64_t& work_left;  // of all pairs together

    const Mapping* marker = nullptr;  // of the dump
    bool is_injected = false;
    std::optional<uint32_t> named_pid{};  // in the marker's name, if the process has another pid
    bool is_clock_right = true;           // times can be compared
    bool is_done = false;                 // no further rule is asked
    BudgetedVector<Loaded> loads;         // those of known processes with a time, by pid, start and time
    Pairing pairing{};
    Step step = Step::none;

    // Takes from the work that is left. False: so much is not left, which is reported, and the pair is done.
    [[nodiscard]] bool afford(uint64_t work);
    bool can_check(const Rule& rule) const { return check.can_check(rule, recording.member, member); }
    // The worst of what was advised counts.
    void advise(Step other) { step = std::min(step, other); }
    // The process of a LOAD in the recording, whose pid may be that of a namespace.
    uint32_t pid_of(uint32_t pid) const { return named_pid == pid ? marker->pid : pid; }
    Place place(const CodeFunction& function, const Place& field) const {
        return place_of(function.at, dump.record, field);
    }
    RelatedPlace related(const CodeFunction& function) const { return {function.at.offset, function.at.length}; }
};

// The time of a function on the clock of the recording. null: the dump has that clock.
uint64_t time_of(const CodeFunction& function, const TimeConversion* conversion);
bool is_usable(const std::optional<TimeConversion>& conversion);

// The images of the dump's processes: how many, and the number of the first mapping of one; kNone if absent.
struct InjectedImages {
    uint64_t count = 0, first = kNone;
};
InjectedImages images_of(const RecordingTables& recording, const DumpTables& dump);

// Fills pair.loads. False: the budget does not allow for it, or the work is spent.
bool find_loads(Pair& pair);

// Keeps the result for two files, or for a single one, if the budget allows it.
void keep(GroupCheck& check, size_t code, size_t recording, Pairing pairing);

// Reports that rules were not asked for want of memory or time, in the code's file.
void report_limit(GroupCheck& check, size_t code, size_t recording, const Place& place, std::string_view hint);

}  // namespace tracelint::siblings
