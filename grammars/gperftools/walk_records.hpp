// gperftools, section 4.1: the walk through the records of a profile (states records, resync and deep chains).
//
// A record is a count, a number of PCs, and the PCs, in slots of 4 or 8 bytes. Nothing marks its start, and the trailer
// 0, 1, 0 looks like a record. classify() therefore first takes all plain records in a loop, and then decides about the
// one that is left, with the rows of the specification in the same order.
//
// After a record that cannot be right, find_trailer() searches slot by slot for the next trailer with text after it
// (resync). Whether a very deep chain is too deep or runs past the file depends on where the file ends, which a pipe
// does not know yet: such chains are remembered and judged at the end (deep chains).
#pragma once

#include "grammars/gperftools/checks/profile.hpp"
#include "grammars/gperftools/recognise.hpp"
#include "validator/input/window.hpp"

namespace tracelint::gperftools {

// Reads the records of one profile after the other. Results go to the profile and to the position. Word size and byte
// order are constants of the loop.
template <Layout L>
class RecordWalk {
  public:
    RecordWalk(Window& window, Profile& profile, Position& position)
        : window_(window), profile_(profile), report_(profile.report), position_(position) {}
    ~RecordWalk();
    RecordWalk(const RecordWalk&) = delete;
    RecordWalk& operator=(const RecordWalk&) = delete;

    // Takes all plain records from the position on. Returns the first symbol that fits what follows them. If the edge
    // of the symbol has a rule, the position holds its finding.
    Symbol classify();
    // Moves the position to the next trailer with text after it, or to the end of the file.
    Symbol find_trailer();
    // Once the end of the file is known: what is wrong with the next deep chain that no call returned yet.
    Symbol next_deep_chain();

    // The record at the position is checked and counted.
    void accept_record();
    // The deep chain at the position is kept until the end of the file is known.
    void accept_deep_chain();
    void accept_trailer() { ++profile_.index; }
    // Counts an input that is stepped over.
    void skip(Symbol symbol);

  private:
    using Record = View<kRecord, L>;
    using Trailer = View<kTrailer, L>;
    using Call = View<kCall, L>;

    static constexpr uint64_t kFront = front_size(L), kCallSize = fixed_size(kCall, L), kTrailerSize = trailer_size(L);

    // A chain that is too deep to be brought into view. It may also exceed the file.
    struct DeepChain {
        uint64_t offset, index, pcs;
    };
    // This many are kept whatever the memory limit is, because each of them is an error to report.
    static constexpr size_t kFreeDeepChains = 64;
    static constexpr uint64_t kDeepChainCost = 2 * sizeof(DeepChain);  // bytes for each further one; vectors double

    Bytes ahead(uint64_t wanted) { return window_.view(position_.at, wanted); }
    auto looking_ahead() {
        return [this](uint64_t wanted) { return ahead(wanted); };
    }
    Record record(const uint8_t* data) const { return {data, position_.at, L.order, profile_.index}; }
    // The record at the position, once it is counted.
    Record taken(const uint8_t* data) const { return {data, position_.at, L.order, profile_.index - 1}; }
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

    Symbol classify_end();
    std::optional<Symbol> classify_trailer(Bytes bytes);
    Symbol damaged_trailer(const Trailer& damaged);
    Symbol classify_chain(const Record& front);
    Symbol classify_empty_record(const Record& empty);
    Symbol classify_zeros();
    void skip_zeros();

    bool take_plain_records(Bytes bytes);
    bool is_plain(Bytes bytes) const;
    size_t take_known_records(Bytes bytes);
    static uint64_t shared_calls(const uint8_t* end, const uint8_t* before, uint64_t most);
    // Whether a depth is one of those that Profile::finish_records() judges.
    static bool is_noted(uint64_t pcs) { return pcs == kOldWriterDepth || pcs >= kWriterDepth - 1; }
    void add_up(const uint8_t* data, uint64_t samples, uint64_t pcs, uint64_t leaf);
    uint64_t next_unknown(const uint8_t* data, uint64_t element, uint64_t pcs) const;
    [[gnu::noinline]] void take_leaf(const uint8_t* data, uint64_t samples, uint64_t leaf);
    [[gnu::noinline]] void take_call(const uint8_t* data, uint64_t element);
    [[gnu::noinline]] void check_samples(const uint8_t* data, uint64_t samples);
    [[gnu::noinline]] void note_depth(const uint8_t* data, uint64_t pcs);

    Window& window_;
    Profile& profile_;
    Report& report_;
    Position& position_;
    std::vector<DeepChain> deep_chains_;
    size_t decided_ = 0;  // deep chains that next_deep_chain() returned
};

extern template class RecordWalk<kLayouts[0]>;
extern template class RecordWalk<kLayouts[1]>;
extern template class RecordWalk<kLayouts[2]>;
extern template class RecordWalk<kLayouts[3]>;

extern const RuleList kRecordRules;

}  // namespace tracelint::gperftools
