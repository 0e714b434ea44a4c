// Facts about a file for the checks between files. What two files say together is a Pairing, of tracelint/company.hpp.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracelint/company.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/place.hpp"

namespace tracelint {

// The facts that one recording shows by itself, and the gaps in them.

// A process and those that were forked from it and run its code: they have one address space, as far as code goes.
struct RecordedProcess {
    uint32_t pid = 0;
    uint64_t forked = 0;         // processes that were forked from it
    uint64_t samples = 0;        // of all of these
    uint64_t leaves = 0;         // samples whose innermost frame is in generated code
    uint64_t in_chains = 0;      // other samples that have a frame of their call chain there
    uint64_t not_consulted = 0;  // of the leaves and chains: in memory for which perf does not look at a perf map
    uint64_t images = 0;         // mappings of files that perf inject wrote
    uint64_t dumps = 0;          // mappings of jitdumps
    std::string dump{};          // the path of the first one, any bytes
    std::string command{};       // the last name of the process, any bytes
    std::string memory{};        // the name of the mapping that most of the samples are in, any bytes
};

struct RecordingSummary {
    enum class Clock : uint8_t { unknown, kernel, monotonic, other, several };

    uint64_t samples = 0;
    uint64_t processes = 0;                 // that have samples
    uint64_t with_code = 0;                 // of which samples are in generated code; forked ones count with the first
    std::vector<RecordedProcess> listed{};  // those with most such samples, then those with dumps
    Clock clock = Clock::unknown;           // of the times
    bool has_chains = false;                // samples have call chains
    bool is_least = false;                  // a limit was hit, or samples could not be read: there may be more
};

// The facts that a walk records about a file, for the checks between files that belong together (grammars/siblings).
// Plain tables, named by what they say, whatever format says it: a recording of samples and mappings, the functions of
// a code dump, the ranges of a symbol map. A walk fills those that its format has if ValidationContext::facts is set.

// What files say of each other, in parts. A set of them is a sum. A rule of a group lists those that it needs
// (Rule::needs), and is not checked for files that lack one: a fact that was not kept must never look like a fact that
// is absent.
using FactParts = uint16_t;
inline constexpr FactParts kKindPart = 1 << 0;       // what the file is, and its header
inline constexpr FactParts kEventsPart = 1 << 1;     // events, and how times are converted
inline constexpr FactParts kMappingsPart = 1 << 2;   // with their names
inline constexpr FactParts kProcessesPart = 1 << 3;  // which occur, and from when to when
inline constexpr FactParts kLivesPart = 1 << 4;      // births and deaths
inline constexpr FactParts kSamplesPart = 1 << 5;
inline constexpr FactParts kFunctionsPart = 1 << 6;
inline constexpr FactParts kRangesPart = 1 << 7;
// Records that can't be read, as their writer damaged them. What was read is compared nevertheless.
inline constexpr FactParts kUnreadPart = 1 << 8;
// What a limit may cost.
inline constexpr FactParts kLimitedParts = kUnreadPart - 1;

// A table of facts. Once the budget does not allow for one more, the table is cut: it holds the facts so far, and the
// rules that need all of them are not asked.
template <class Fact, template <class> class Storage = BudgetedVector>
class FactTable {
  public:
    explicit FactTable(Budget& budget) : facts_(budget) {}

    void add(const Fact& fact) {
        if (!is_cut_ && !facts_.push_back(fact)) is_cut_ = true;
    }
    // Holds no more than the facts so far.
    void cut() { is_cut_ = true; }
    bool is_cut() const { return is_cut_; }
    size_t size() const { return facts_.size(); }
    bool empty() const { return facts_.empty(); }
    const Fact& operator[](size_t i) const { return facts_[i]; }
    auto begin() { return facts_.begin(); }
    auto begin() const { return facts_.begin(); }
    auto end() { return facts_.end(); }
    auto end() const { return facts_.end(); }

  private:
    Storage<Fact> facts_;
    bool is_cut_ = false;
};

// Where a record stands. A Place is too large for tables of millions.
struct RecordAt {
    uint64_t offset = 0;     // of its first byte
    uint64_t index = 0;      // of the record, as in Place
    uint32_t length = 0;     // bytes
    bool is_inside = false;  // of another record, which is the one that is here: the fields have no place

    bool operator==(const RecordAt&) const = default;
};

// The place of a whole record.
inline Place place_of(const RecordAt& at, const Record* record) {
    return {.offset = at.offset, .length = at.length, .record = record, .record_index = at.index};
}
// The place of a field. `in_first`: its place in a record number 0 at offset 0.
inline Place place_of(const RecordAt& at, const Record* record, const Place& in_first) {
    if (at.is_inside) return place_of(at, record);
    Place place = in_first;
    place.offset += at.offset;
    place.record_index = at.index;
    return place;
}

// --- A recording: samples of running processes (perf.data) -------------------------------------------------

// What one event of the recording is sampled with: an attr.
struct SampledEvent {
    bool uses_clock_id = false;     // else the clock is the kernel's own, which is no CLOCK_*
    int32_t clock_id = 0;           // as in clock_gettime; counts if uses_clock_id
    bool has_time = false;          // in samples
    bool has_thread = false;        // process and thread ids in samples
    bool is_sample_id_all = false;  // records other than samples also have them
    bool has_user_stack = false;    // samples have registers and a copy of the stack, which perf unwinds by DWARF
    Place flags{};                  // the word with use_clockid and sample_id_all
    Place clock_id_place{};
    Place sample_type{};
};

// How a counter of the architecture becomes nanoseconds.
struct TimeConversion {
    uint64_t shift = 0, multiplier = 0, zero = 0;
    bool is_usable = false;  // as far as the record says
};

// A mapping of memory.
struct Mapping {
    // By its name. Readers drop the first kind where code was dumped; see siblings, section 3.
    enum class Kind : uint8_t { dropped_anonymous, kept_anonymous, file };

    RecordAt at{};
    const Record* record = nullptr;  // that is there
    uint64_t time = 0;               // 0: not known
    uint64_t start = 0, length = 0;  // bytes
    uint64_t name = 0;               // where its folder begins in Recording::names, or its base name
    uint32_t pid = 0;
    uint32_t protection = 0;  // PROT_*; counts if has_protection
    uint16_t base_name_length = 0;
    uint16_t folder_length = 0;  // with the last slash; only kept for dumps
    Kind kind = Kind::file;      // set by Recording::add_mapping
    bool has_protection = false;
    bool is_data = false;       // marked as a data mapping
    bool is_huge = false;       // MAP_HUGETLB
    bool is_consulted = false;  // perf takes names from a perf map; set by Recording::add_mapping
};

// A process began or ended, or became another program.
struct LifeEvent {
    uint64_t time = 0;
    uint32_t pid = 0;
    uint32_t parent = 0;  // whose mappings it inherits; 0: it inherits none
};

// A sample in user mode, or a frame of its call chain. There are millions of them: a number stands for its place.
struct Sample {
    uint64_t time = 0;     // 0: not recorded
    uint64_t address = 0;  // of the instruction
    uint32_t pid = 0;
    uint32_t number : 31 = 0;  // of the sample, in the order of the file; see Recording::place_of_sample
    // The process was forked from `pid`, which is another's number, and the time is that of the fork.
    uint32_t is_inherited : 1 = 0;
};

// Whether perf looks for the names of executable memory of this name in a perf map. `is_huge`: MAP_HUGETLB.
bool is_consulted_for_map(std::string_view name, bool is_huge);
// Whether memory of this name belongs to no file.
bool is_anonymous_name(std::string_view name);

// Where the records of a recording stand, one after the other: a byte for each that is of another length than the one
// before, and less for the others.
class RecordPlaces {
  public:
    explicit RecordPlaces(Budget& budget) : steps_(budget), marks_(budget) {}

    // False: the budget does not allow for one more.
    [[nodiscard]] bool add(const RecordAt& at);
    uint64_t size() const { return size_; }
    // A fact that was added, by number.
    RecordAt operator[](uint64_t number) const;

  private:
    // Where a record is relative to the one before: behind it and as long, in its place, behind it, or anywhere.
    enum class Step : uint8_t { again, same_place, behind, anywhere };
    // Before the step at `position`: the record before it, and the number of the one that it leads to.
    struct Mark {
        RecordAt at{};
        uint64_t number = 0, position = 0;
    };
    static RecordAt next_behind(const RecordAt& before, uint32_t length) {
        return {before.offset + before.length, before.index + 1, length, false};
    }
    void write(uint64_t value);
    uint64_t read(uint64_t& position) const;
    [[nodiscard]] bool write_repeated();
    // Before a step: the record before it, and the number of the one that it leads to.
    [[nodiscard]] bool mark(const RecordAt& before, uint64_t number);

    LongVector<uint8_t> steps_;
    BudgetedVector<Mark> marks_;  // at every 64th step
    RecordAt last_{};
    uint64_t size_ = 0;
    uint64_t steps_written_ = 0;
    Step repeated_ = Step::again;  // `repeats_` times, not written yet
    uint64_t repeats_ = 0;
    RecordAt before_repeats_{};
};

class Recording {
  public:
    Recording(Budget& budget, WorkCounter& work)
        : events(budget),
          mappings(budget),
          births(budget),
          deaths(budget),
          samples(budget),
          frames(budget),
          names_(budget),
          sample_places_(budget),
          pids_(budget, work) {}

    bool is_recording = false;  // the file is one
    bool is_present = false;    // and its header can be read
    FactTable<SampledEvent> events;
    std::optional<TimeConversion> conversion;  // the last one
    FactTable<Mapping> mappings;               // by add_mapping()
    FactTable<LifeEvent> births, deaths;       // of processes, not of threads; a change of program is a birth
    FactTable<Sample, LongVector> samples;     // by add_sample()
    FactTable<Sample, LongVector> frames;      // of call chains, by add_frame(); only in generated code
    std::optional<Place> stream;               // set if the recording is a pipe's: the field that says so
    std::optional<Place> compressed;           // the first record with others in it
    bool is_blind = false;                     // such records could not be read
    std::optional<Place> lost;                 // the first record that says that records were lost
    // The record that place_of_sample() gives, and the one if it is inside of another.
    const Record* sample_record = nullptr;
    const Record* outer_record = nullptr;
    Place pid_of_mapping{};                                                     // in a record number 0 at offset 0
    uint64_t first_time = std::numeric_limits<uint64_t>::max(), last_time = 0;  // of the times passed to see()

    // Call for each mapping, COMM, FORK, EXIT and sample.
    void see(uint32_t pid, uint64_t time);
    // `name` as in the record, without its NUL bytes.
    void add_mapping(Mapping mapping, std::string_view name);
    // A sample in user mode.
    void add_sample(const RecordAt& at, uint64_t time, uint64_t address, uint32_t pid);
    // A frame of the call chain of a sample, by its number.
    void add_frame(uint64_t number, uint64_t address);
    Place place_of_sample(const Sample& sample) const;

    // Whether see() was called for the process. Unreliable if is_cut().
    bool has_seen(uint32_t pid) { return pids_.find(pid) != nullptr; }
    // Whether a name or a process could not be remembered.
    bool is_cut() const { return is_cut_; }
    // A limit keeps names or processes from being recorded.
    void cut() { is_cut_ = true; }
    std::string_view base_name(const Mapping& mapping) const {
        return text(mapping.name + mapping.folder_length, mapping.base_name_length);
    }
    // With its folder, if the name is that of a dump.
    std::string_view path(const Mapping& mapping) const {
        return text(mapping.name, size_t{mapping.folder_length} + mapping.base_name_length);
    }

  private:
    struct Pid {
        uint32_t key;
        bool is_vacant() const { return key == 0; }
    };

    std::string_view text(uint64_t at, size_t length) const {
        return length == 0 ? std::string_view() : std::string_view(&names_[at], length);
    }

    BudgetedVector<char> names_;
    RecordPlaces sample_places_;
    HashTable<Pid> pids_;
    uint32_t last_seen_ = 0;  // one process makes most events
    bool is_cut_ = false;
};

// --- Functions: code that a runtime wrote down with its time (jitdump) --------------------------------------

struct CodeFunction {
    RecordAt at{};
    uint64_t time = 0;   // as in the file
    uint64_t start = 0;  // address; start + size is at most 2^64
    uint64_t index = 0;  // number of the function
    uint32_t size = 0;   // bytes of code
    uint32_t pid = 0;
};

struct CodeDump {
    explicit CodeDump(Budget& budget) : functions(budget) {}

    bool is_dump = false;            // the file is one
    bool is_present = false;         // and its header can be read
    uint32_t pid = 0;                // of the header
    bool has_counter_times = false;  // the times come from a counter of the architecture
    bool has_unwinding = false;      // says how functions are unwound; unreliable if a limit was hit
    FactTable<CodeFunction> functions;
    Place magic{}, pid_place{}, flags{};                      // in the header
    const Record* record = nullptr;                           // of a function
    Place function_pid{}, function_time{}, function_index{};  // in a record number 0 at offset 0
};

// --- Ranges: addresses with names (perf map) ----------------------------------------------------------------

struct CodeRange {
    uint64_t start = 0;
    uint64_t last = 0;  // the last byte
};

struct SymbolMap {
    explicit SymbolMap(Budget& budget) : ranges(budget) {}

    bool is_present = false;
    uint64_t bytecode = 0;  // names of functions without machine code, which run in that of an interpreter
    FactTable<CodeRange> ranges;
};

// -----------------------------------------------------------------------------------------------------------

// The facts of one file. Their memory is that of `budget`, which the files of a group share.
struct Facts {
    explicit Facts(Budget& with) : budget(with), recording(with, work), dump(with), map(with) {}
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

    // The walk has recorded all of these, whatever limit it hit.
    void keep_whole(FactParts parts) { whole_ |= parts; }
    // A limit left something of the file unread: facts that were not recorded by then count as lost. check() calls it.
    void hit_limit() { lose(kLimitedParts & ~whole_); }
    // The file may have more facts of these parts.
    void lose(FactParts parts);
    // What may be missing.
    FactParts missing() const;

    Budget& budget;
    WorkCounter work;
    Recording recording;
    CodeDump dump;
    SymbolMap map;

  private:
    FactParts whole_ = 0;
    bool is_kind_lost_ = false;
};

}  // namespace tracelint
