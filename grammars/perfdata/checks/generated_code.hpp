// perf.data, section 5.6: which samples are in code that was generated while the program ran, and where names for it
// can come from. One pass. As the buffers of processors are written one after the other, a mapping may come after the
// samples in it: samples wait until there are many.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "grammars/perfdata/checks/state.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::perfdata {

class GeneratedCode {
  public:
    explicit GeneratedCode(State& state);

    // A mapping that is executable.
    struct Mapped {
        uint32_t pid = 0;
        uint64_t start = 0, length = 0;
        bool is_huge = false;  // MAP_HUGETLB
        std::string_view name{};
    };
    void map(const RecordInFile& record, const Mapped& mapped);
    // The process runs another program from now on.
    void exec(uint32_t pid);
    void name(uint32_t pid, Bytes command);  // it ends with a NUL, or with the bytes
    // A process that has the mappings of its parent.
    void fork(uint32_t pid, uint32_t parent);

    // The words of a SAMPLE's call chain.
    struct Chain {
        const uint8_t* words = nullptr;
        uint64_t count = 0;
        uint64_t readable = 0;  // words that may be read, those of the chain or more
    };
    template <ByteOrder Order>
    void sample(uint32_t pid, uint64_t address, const Chain& chain) {
        if (pid != last_pid_) [[unlikely]]
            look_up(pid);
        ++counted_;
        const uint64_t words = kHeadWords + chain.count + (number_ == kNone ? 0 : 1);
        if (words > room_ - filled_ && !make_room(words)) [[unlikely]]
            return;
        uint64_t* const to = list_ + filled_;
        to[0] = last_ | chain.count << 32 | (number_ == kNone ? 0 : kIsNumbered);
        to[1] = address;
        // Most chains are short: a number of steps that is always the same costs less than one that has to be guessed.
        if (chain.count <= kSlack && chain.readable >= kSlack) [[likely]]
            copy<Order>(to + kHeadWords, chain.words);
        else
            for (uint64_t i = 0; i < chain.count; ++i) to[kHeadWords + i] = load(chain.words + 8 * i, 8, Order);
        if (number_ != kNone) to[kHeadWords + chain.count] = number_;
        filled_ += words;
    }
    // Whether any was seen so far.
    bool has_any() const { return !ranges_.empty(); }
    // From now on samples have this number among the facts; kNone: none.
    void number_samples(uint64_t number) { number_ = number; }

    // Reports the findings that need the whole file. `is_known`: no limit left out a record, and none is unread.
    void finish(bool is_known);
    // What the summary of the recording says about it.
    void sum_up(RecordingSummary& summary) const;

  private:
    // Executable memory that belongs to no file.
    struct Range {
        uint64_t start = 0, last = 0;
        uint64_t samples = 0;
        RecordAt at{};  // the first mapping of it
        const Record* record = nullptr;
        uint8_t name = 0;  // in kNames
        bool is_consulted = false;
    };
    // A process, and those that were forked from it and have not become another program. They are one as far as code
    // goes: what one of them maps later counts for all.
    struct Family {
        uint32_t pid = 0;
        uint64_t forked = 0;
        uint64_t samples = 0, leaves = 0, in_chains = 0, not_consulted = 0;
        uint64_t images = 0, dumps = 0;
        uint64_t dump = 0;  // where the path of the first one is in texts_
        uint16_t dump_length = 0;
        uint8_t command_length = 0;
        char command[15] = {};
        uint64_t lowest = 0, span = 0;             // of the ranges: all lie from `lowest` to `lowest + span`
        uint32_t first = 0, ranges = 0, room = 0;  // in ranges_
        uint32_t joined = 0;                       // the family that it turned out to belong to; 0: none
    };
    struct Process {
        uint32_t key = 0;
        uint32_t family = 0;  // from 1 on
        bool is_vacant() const { return family == 0; }
    };
    // More ranges of one process are not kept: each mapping may move as many.
    static constexpr uint32_t kMostRanges = 256;

    [[gnu::noinline]] bool start();
    [[gnu::noinline]] void look_up(uint32_t pid);
    uint32_t family_of(uint32_t pid);
    uint32_t add_family(uint32_t pid);
    std::span<Range> ranges_of(const Family& family) { return {ranges_.begin() + family.first, family.ranges}; }
    // A sample that waits: its family and the count of its frames, its address, the frames, its number among the facts
    // if it has one. Two lists take turns: when one is full, what is in the other has waited long enough.
    static constexpr uint64_t kHeadWords = 2, kIsNumbered = uint64_t{1} << 63;
    static constexpr uint64_t kSlack = 8;  // words behind its end that may be written, and mean nothing
    // A list grows by blocks: word for word, filling it would take longer than small files do.
    struct Block {
        uint64_t words[64] = {};
    };
    using Waiting = BudgetedVector<Block>;
    static constexpr uint64_t kFirstBlocks = 16, kMostBlocks = 1024;
    static uint64_t room_of(const Waiting& list) {
        return saturating_sub(list.size() * std::size(Block{}.words), kSlack);
    }

    template <ByteOrder Order>
    static void copy(uint64_t* to, const uint8_t* from) {
        if constexpr ((Order == ByteOrder::little) == (std::endian::native == std::endian::little))
            std::memcpy(to, from, 8 * kSlack);
        else
            for (uint64_t i = 0; i < kSlack; ++i) to[i] = load(from + 8 * i, 8, Order);
    }

    Range* find(const Family& family, uint64_t address);
    bool insert(Family& family, size_t at, const Range& range);
    void erase(Family& family, size_t at, size_t count);
    void replace(Family& family, uint64_t start, uint64_t last, const Range* by);
    static bool is_without_dump(const Family& family);
    // There is no memory for what would have to be known.
    void lose() { is_cut_ = is_out_of_memory_ = true; }

    [[gnu::noinline]] bool make_room(uint64_t words);
    void take(const Waiting& list, uint64_t end);
    void settle();
    void tally(Family& family, uint64_t number, uint64_t address, std::span<const uint64_t> frames);
    static void count(Family& family, Range& range, uint64_t& samples) {
        ++samples;
        ++range.samples;
        if (!range.is_consulted) ++family.not_consulted;
    }

    State& state_;
    HashTable<Process> processes_;
    BudgetedVector<Family> families_;  // the first one belongs to no process
    BudgetedVector<Range> ranges_;
    BudgetedVector<char> texts_;
    Waiting first_list_, second_list_;
    Waiting *waiting_ = &first_list_, *before_ = &second_list_;
    uint64_t* list_ = nullptr;        // that is being filled: *waiting_
    uint64_t room_ = 0, filled_ = 0;  // words of it
    uint64_t filled_before_ = 0;      // of the other
    uint64_t counted_ = 0;            // samples of the last process that are not in its family yet
    uint64_t number_ = kNone;
    uint32_t last_pid_ = 0;
    uint32_t last_ = 0;
    bool is_cut_ = false;            // not all is known
    bool is_out_of_memory_ = false;  // for want of memory
};

extern const RuleList kGeneratedCodeRules;

}  // namespace tracelint::perfdata
