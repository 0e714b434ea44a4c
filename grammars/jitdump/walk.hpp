// jitdump, section 4: the walk over a file.
#pragma once

#include "grammars/jitdump/code.hpp"
#include "grammars/jitdump/debug_info.hpp"
#include "grammars/jitdump/extension.hpp"
#include "grammars/jitdump/header.hpp"
#include "grammars/jitdump/machine.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kTrackingLimit{.id = "jitdump/tracking-limit",
                                     .severity = Severity::note,
                                     .statement = "the file can be followed within the limits of this run",
                                     .message = "the limit of {0 byte|bytes} is reached, and some checks are left out",
                                     .why = "not a fault of the file; --max-memory and --max-record raise the limits",
                                     .spec = "5.7 Limits of a run",
                                     .since = "0.1.0"};

inline constexpr const Rule* kWalkRules[] = {&kTrackingLimit};

class Walk {
  public:
    Walk(Window& window, ValidationContext& context, Extension& extension)
        : window_(window), state_(context), clock_(context.report), pending_debug_(state_), extension_(extension) {}

    void run();

  private:
    // One input of the machine: what stands at the cursor.
    struct Input {
        Symbol symbol = Symbol::end_of_file;
        Bytes bytes;              // as much of it as its checks may see
        uint64_t total_size = 0;  // as it says
        LoadFacts load;           // of a LOAD
    };

    Input read_header();
    Symbol place_first_record(const View<kHeader>& header, Bytes behind);
    void settle_header_size();

    Input classify();
    void classify_record(Input& input, uint64_t id);
    bool bring(Input& input, uint64_t needed);
    bool bring_load(Input& input);
    bool bring_rest(Input& input);

    void take(const Input& input);
    void refuse(const Edge<Phase, Symbol>& edge, const Input& input);
    void refuse_magic(const Rule& rule, Bytes opening);
    void refuse_kind(const Rule& rule, const View<kPrefix>& record);
    void process(const Input& input);
    void process_load(const Input& input);
    void process_too_small(const Input& input);
    void process_extension(const Input& input);
    void process_close(const Input& input);
    void finish(bool cut);
    void count_records();

    View<kPrefix> prefix(const Input& input) const { return {input.bytes.data(), offset_, state_.order, index_}; }

    Window& window_;
    State state_;
    Clock clock_;
    PendingDebug pending_debug_;
    PendingUnwinding pending_unwinding_;
    Extension& extension_;

    Phase phase_ = Phase::header;
    uint64_t offset_ = 0;    // of the input
    uint64_t index_ = 0;     // of the record
    uint64_t complete_ = 0;  // records
    std::array<uint64_t, static_cast<size_t>(Symbol::count_)> by_symbol_{};
    Place first_record_;  // its id
    Place header_size_;   // total_size of a header above 40, until it is known whether the file has as much
    uint64_t header_says_ = 0;
    std::array<uint8_t, 72> front_{};  // of a record whose rest is out of view: all that is needed then
};

}  // namespace tracelint::jitdump
