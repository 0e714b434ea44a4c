// xray, section 4.2: the walk through one buffer. One instance for each version and byte order.
#pragma once

#include "grammars/xray/fdr_buffer_machine.hpp"
#include "grammars/xray/fdr_file.hpp"
#include "grammars/xray/field_rules.hpp"
#include "grammars/xray/limits.hpp"

namespace tracelint::xray {

// Versions between the first TypedEvent and the layout that it has today (rule 47).
template <uint16_t Version>
inline constexpr bool kHasOldTypedEvents =
    kTypedEvent.first_version <= Version && !kTypedEvent.find("delta")->exists_in(Version);

template <Layout L>
class BufferWalk {
  public:
    BufferWalk(FdrFile& file, const BufferFrame& frame) : file_(file), frame_(frame), at_(frame.start) {}

    BufferResult run();

  private:
    using How = BufferResult::How;
    using Bound = BufferFrame::Bound;

    static constexpr const auto& kStates = kMachine<L.version>;
    static constexpr uint64_t kLargestDelta = L.version >= 5 ? 0x7fffffff : 0xffffffff;  // of a function (3.2)

    // The record of type R at the cursor.
    template <const Record& R>
    View<R, L> record() const {
        return {bytes_.data(), at_, L.order, file_.index};
    }
    Place here(uint64_t length) const { return record<kMetadata>().whole(length); }
    uint64_t left() const { return frame_.bound == Bound::claimed ? frame_.end - at_ : kNone; }

    // A step of 4.2; empty while the walk goes on.
    using Step = std::optional<How>;
    Step step();
    Step refuse_foreign(const Rule& rule, Symbol symbol, uint64_t size);
    Step pass_over(const BufferEdge& edge, Symbol symbol);
    Step overrun(uint64_t size);
    Step take_event(uint64_t& size);
    Step leave();
    std::string_view hint_of_typed_events() const;
    bool ends_here(Symbol symbol) const;
    Step meet_extents();
    Step end();
    Step end_by_record();
    void finish(How how);
    bool structural(Diagnostic finding);
    void check_order(const BufferEdge& edge);

    void process(Symbol symbol);
    void process_new_buffer();
    void process_wall_clock();
    void process_pid();
    void process_cpu_id();
    void process_tsc_wrap();
    void process_event(Symbol symbol);
    template <const Record& R>
    void process_event_time();
    void process_function(Symbol symbol);
    void process_call(uint32_t id, bool leaves);
    void stop_calls();
    template <const Record& R>
    void check_reserved();
    void check_overflow(uint64_t delta, const Place& place);
    template <const Record& R>
    void check_tsc(bool milder);

    bool take_calls();

    FdrFile& file_;
    const BufferFrame& frame_;
    Bytes bytes_;
    uint64_t at_;
    Phase phase_ = Phase::start;
    bool muted_ = false, doubt_ = false;
    bool preamble_said_ = false;  // a fault of it was reported
    bool id_zero_said_ = false, typed_said_ = false;
    bool has_typed_events_ = false, has_events_ = false;
    BufferIdentity identity_;
    std::optional<uint64_t> cpu_;
    uint64_t tsc_ = 0;  // while it is not known, too
    bool tsc_known_ = false;
    Place args_;         // the last Entry_Args
    Place last_record_;  // its end
};

}  // namespace tracelint::xray
