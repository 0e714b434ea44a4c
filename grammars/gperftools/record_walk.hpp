// gperftools, section 4: the walk through the records of a profile (RECORD and RESYNC).
#pragma once

#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/position.hpp"
#include "grammars/gperftools/profile.hpp"
#include "validator/window.hpp"

namespace tracelint::gperftools {

// Reads the records of one profile after the other. What it finds out goes into the registers of the profile and the
// position; word size and byte order are constants of the loop.
template <Layout L>
class RecordWalk {
  public:
    RecordWalk(Window& window, Profile& profile, Position& position)
        : window_(window), profile_(profile), report_(profile.report), position_(position) {}

    // Takes all plain records from the position on. Returns the first row of RECORD that fits what comes then, with
    // `step` the bytes that the machine has to step over and, where the row has a rule, `refusal` what it says. A
    // record of which something may be said is judged and counted before it is returned.
    Symbol look();
    // Moves the position to the next trailer with text behind it, or to the end of the file: the row of RESYNC.
    Symbol look_for_trailer();
    // Says which of its two rules each chain breaks that is too deep. The walk has met the end of the file.
    void settle_deep_chains();

  private:
    using Record = View<kRecord, L>;
    using Trailer = View<kTrailer, L>;
    using Call = View<kCall, L>;

    static constexpr uint64_t kFront = front_size(L), kCallSize = fixed_size(kCall, L), kTrailerSize = trailer_size(L);

    // A chain that is too deep to be brought into view: it may as well end behind the file.
    struct DeepChain {
        uint64_t offset, index, pcs;
    };
    // So many are kept whatever the memory limit is, as each is an error and not only something to compare.
    static constexpr size_t kFreeDeepChains = 64;
    static constexpr uint64_t kDeepChainCost = 2 * sizeof(DeepChain);  // of each one behind them; vectors double

    Bytes ahead(uint64_t wanted) { return window_.view(position_.at, wanted); }
    auto looking_ahead() {
        return [this](uint64_t wanted) { return ahead(wanted); };
    }
    Record record(const uint8_t* data) const { return {data, position_.at, L.order, profile_.index}; }
    Trailer trailer(const uint8_t* data) const { return {data, position_.at, L.order, profile_.index}; }
    static Call call(const Record& record, uint64_t element) {
        const uint64_t at = kFront + element * kCallSize;
        return {record.data() + at,
                record.offset() + at,
                L.order,
                record.record_index(),
                Record::template field<"call_chain">(),
                element};
    }
    static Slot slot(const Call& call, uint64_t element) {
        return {.offset = call.offset(),
                .record = call.record_index() & ((uint64_t{1} << 48) - 1),
                .element = element & 0xffff};
    }

    Symbol look_at_trailer(Bytes bytes);
    void refuse_trailer(const Trailer& damaged);
    Symbol look_at_chain(const Record& front);
    Symbol look_at_empty_record(const Record& empty);
    void skip_zeros();
    bool is_trailer_before_text(Bytes bytes) const;

    bool take_plain_records(Bytes bytes);
    void take_record(const Record& record);
    void add_up(const Record& record, uint64_t samples, uint64_t pcs, uint64_t leaf);
    void take_call(const Record& record, uint64_t element, uint64_t pc);
    void check_samples(const Record& record, uint64_t samples);
    void check_depth(const Record& record, uint64_t pcs);
    void add_deep_chain(const Record& front, uint64_t pcs);

    Window& window_;
    Profile& profile_;
    Report& report_;
    Position& position_;
    std::vector<DeepChain> deep_chains_;
};

extern template class RecordWalk<kLayouts[0]>;
extern template class RecordWalk<kLayouts[1]>;
extern template class RecordWalk<kLayouts[2]>;
extern template class RecordWalk<kLayouts[3]>;

}  // namespace tracelint::gperftools
