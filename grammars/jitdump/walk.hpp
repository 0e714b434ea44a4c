// jitdump, section 4: the walk over a file.
//
// run() reads the header and then record by record. For each record, look() classifies the 16-byte prefix as a symbol:
// a LOAD, a CLOSE, a size below 16, the end of the file. The machine (machine.hpp) decides what the symbol means in the
// current state, and take() calls report(), accept(), skip() or stop() of the walk. accept() views the record and
// passes it to the checks.
//
// A complete record is always stepped over by its total_size, whatever is wrong inside, because readers do the same. A
// total_size below 16 ends the walk: a record has no marker to search for. What the checks remember across records is
// in checks/state.hpp, and samply's records are an Extension. lane.cpp takes plain LOADs in bulk.
#pragma once

#include "grammars/jitdump/checks/clock.hpp"
#include "grammars/jitdump/checks/code.hpp"
#include "grammars/jitdump/checks/debug_info.hpp"
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/extension.hpp"
#include "grammars/jitdump/lane.hpp"
#include "grammars/jitdump/machine.hpp"

namespace tracelint::jitdump {

class Walk {
  public:
    Walk(Window& window, ValidationContext& context, Extension& extension, WalkMode mode)
        : window_(window),
          mode_(mode),
          state_(context),
          clock_(context.report),
          prefetcher_(state_),
          pending_debug_(state_),
          extension_(extension) {}

    // Call once.
    void run();

    // What the machine asks for; see take().
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    // What is at the cursor.
    struct Input {
        Symbol symbol = Symbol::end_of_file;
        Bytes bytes;              // as much of it as its checks may see
        uint64_t total_size = 0;  // as it claims; of a header 0
        LoadFacts load;           // of a LOAD
    };

    void read_opening();
    Symbol place_first_record(const View<kHeader>& header, Bytes after_header);
    void settle_header_size();

    void take_lane();
    template <ByteOrder Order>
    void take_lane_in();
    bool take_next_load(const View<kLoad>& load, Bytes record);
    void take_whole(Symbol symbol, Bytes record);

    void read_record();
    void classify_record(uint64_t id);
    bool bring_record(uint64_t id);
    uint64_t most_in_view() const;
    bool bring(uint64_t needed);
    bool bring_load();
    bool bring_rest();

    void report_too_small(const Rule& rule);
    void report_unknown(const Rule& rule);
    void count_record(Symbol symbol);
    void check(Symbol symbol);
    void check_load_record();
    void tell(const View<kLoad>& load, uint64_t total_size);
    void settle_load(const Loaded& loaded);
    void note_too_small();
    void check_close();
    void step_over();
    void finish(bool cut);
    void count_records();

    View<kPrefix> prefix() const { return {input_.bytes.data(), offset_, state_.order, index_}; }

    Window& window_;
    const WalkMode mode_;
    State state_;
    Clock clock_;
    Prefetcher prefetcher_;
    PendingDebug pending_debug_;
    PendingUnwinding pending_unwinding_;
    Extension& extension_;

    Phase phase_ = Phase::header;
    Input input_;
    uint64_t offset_ = 0;    // of the input
    uint64_t index_ = 0;     // of the record
    uint64_t complete_ = 0;  // records
    std::array<uint64_t, static_cast<size_t>(Symbol::count_)> by_symbol_{};
    Place first_record_;  // its id
    Place header_size_;   // of a total_size above 40 in the header, until it is known whether the file is that long
    uint64_t claimed_header_size_ = 0;  // bytes
    std::array<uint8_t, 72> front_{};   // the fixed part of a record whose rest is out of view
};

// Checks a file with an extension of its own.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

extern const RuleList kWalkRules;

}  // namespace tracelint::jitdump
