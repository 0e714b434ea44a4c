// XRay, section 4.2: the walk through one buffer of an FDR file. It is implemented in fdr_buffer_walk.cpp (from record
// to record), fdr_buffer_calls.cpp (function records) and fdr_buffer_fields.cpp (the fields of metadata records).
#pragma once

#include "grammars/xray/fdr_buffer_symbols.hpp"
#include "grammars/xray/fdr_file.hpp"

namespace tracelint::xray {

// The largest tsc_delta that a writer of this version puts into a record.
constexpr uint64_t largest_delta(uint16_t version) { return version >= 5 ? 0x7fffffff : 0xffffffff; }

class BufferWalk {
  public:
    BufferWalk(FdrFile& file, const BufferFrame& frame);

    BufferResult run();

    // What take() asks for.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    using How = BufferResult::How;
    using Bound = BufferFrame::Bound;

    // The record of type R at the cursor.
    template <const Record& R, uint16_t Version = 0>
    View<R, Layout{.version = Version}> record() const {
        return {bytes_.data(), at_, order_, file_.index};
    }
    Place here(uint64_t length) const { return record<kMetadata>().whole(length); }
    // Bytes up to the end that the buffer claims.
    uint64_t left() const { return frame_.bound == Bound::claimed ? frame_.end - at_ : kNone; }

    // from record to record
    Symbol symbol_at_end() const;
    Symbol classify();
    Symbol classify_damaged(Symbol symbol) const;
    Symbol classify_event(Symbol sound);
    void report_structural(Diagnostic finding);
    std::string_view order_hint(Symbol symbol) const;
    std::string_view typed_event_hint() const;
    void pass();
    How leave();
    void finish(bool in_doubt);

    // function records
    bool take_calls() {
        if (!is_function(symbols_[bytes_[0]])) return false;
        return order_ == ByteOrder::little ? take_calls<ByteOrder::little>() : take_calls<ByteOrder::big>();
    }
    template <ByteOrder Order>
    bool take_calls();
    template <ByteOrder Order>
    bool is_plain_entry_with_argument(Bytes bytes, uint64_t delta_above) const;
    void check_function(Symbol symbol);
    void check_call(uint32_t id, bool is_exit);
    void stop_tracking_calls();

    // the fields of metadata records
    void check_fields(Symbol symbol);
    void check_new_buffer();
    void check_wall_clock();
    void check_pid();
    void check_cpu_id();
    void check_tsc_wrap();
    void remember_event(Symbol symbol);
    void check_event(Symbol symbol);
    template <const Record& R, uint16_t Version>
    void check_event_time();
    void check_tsc(uint64_t tsc, const Place& place, bool is_expected);
    bool overflows(uint64_t delta) const { return tsc_ + delta < tsc_; }
    void report_overflow(uint64_t delta, const Place& place);

    FdrFile& file_;
    const BufferFrame& frame_;
    const ByteOrder order_;
    const uint16_t version_;
    const BufferMachine& machine_;
    const SymbolTable& symbols_;

    Phase phase_ = Phase::start;
    How how_ = How::ended;
    Bytes bytes_;             // from the cursor on
    uint64_t at_;             // the cursor, in the file
    uint64_t size_ = 0;       // of the record at the cursor, payload included
    uint64_t available_ = 0;  // bytes that an event has, of which its payload may want more
    bool is_let_go_ = false;  // the event is too long to be kept in the window
    bool preamble_reported_ = false;

    bool id_zero_reported_ = false;
    bool has_events_ = false, has_typed_events_ = false;
    BufferIdentity identity_;
    std::optional<uint64_t> cpu_;
    uint64_t tsc_ = 0;  // 0 while it is unknown
    bool tsc_known_ = false;
    Place args_;         // the last Entry_Args
    Place last_record_;  // the end of the last record
};

}  // namespace tracelint::xray
