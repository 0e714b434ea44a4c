// gperftools, section 4.1: the walk through the records of a profile (states records, resync and deep chains).
#include "grammars/gperftools/walk_records.hpp"

#include "grammars/gperftools/checks/line.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::gperftools {

template <Layout L>
RecordWalk<L>::~RecordWalk() {
    if (deep_chains_.size() > kFreeDeepChains)
        profile_.context.budget.give_back((deep_chains_.size() - kFreeDeepChains) * kDeepChainCost);
}

// --- state records: classification -----------------------------------------------------------------------------------

template <Layout L>
Symbol RecordWalk<L>::classify() {
    Bytes bytes = ahead(kTrailerSize);
    while (take_plain_records(bytes)) bytes = ahead(kTrailerSize);
    if (bytes.empty()) return classify_end();
    if (bytes.size() < kFront)
        return position_.with_finding(Symbol::truncated_record, record(bytes.data()).whole(bytes.size()),
                                      {bytes.size(), kFront});
    if (bytes.size() >= kTrailerSize && wrong_slots(trailer(bytes.data())) <= 1) {
        if (const std::optional<Symbol> symbol = classify_trailer(bytes)) return *symbol;
        bytes = ahead(kFront);
    }
    return classify_chain(record(bytes.data()));
}

template <Layout L>
Symbol RecordWalk<L>::classify_end() {
    if (profile_.wrapped) return Symbol::end_in_wrapper;
    position_.with_finding(Symbol::end_of_file, {.offset = position_.at});
    position_.finding.about_end = true;
    position_.finding.hint =
        "the program ended without its last flush: it was killed, called _exit, or, in Go, never called "
        "StopCPUProfile; a flush ends at a record boundary";
    return Symbol::end_of_file;
}

// Three slots, at most one of which differs from the trailer. They are a trailer if none differs, a damaged one if a
// text or the end of the file follows, and a record otherwise (nothing is returned).
template <Layout L>
std::optional<Symbol> RecordWalk<L>::classify_trailer(Bytes bytes) {
    const Trailer found = trailer(bytes.data());
    if (wrong_slots(found) == 0) {
        position_.length = kTrailerSize;
        if (profile_.sums.records != 0) return Symbol::trailer;
        return position_.with_finding(Symbol::trailer_no_records, found.whole(kTrailerSize));
    }
    bytes = ahead(kTrailerSize + kOpeningBytes);
    const Bytes after = bytes.subspan(kTrailerSize);
    if (!after.empty() && !is_text_opening(after, profile_.version)) return std::nullopt;
    position_.length = kTrailerSize;
    const Symbol symbol = damaged_trailer(trailer(bytes.data()));
    position_.finding.about_end = after.empty();
    return symbol;
}

// Names the slot that is wrong.
template <Layout L>
Symbol RecordWalk<L>::damaged_trailer(const Trailer& damaged) {
    const uint64_t samples = damaged.template get<"sample_count">(), pcs = damaged.template get<"num_pcs">();
    constexpr Symbol symbol = Symbol::damaged_trailer;
    if (samples != 0) return position_.with_finding(symbol, damaged.template place<"sample_count">(), {0, samples, 0});
    if (pcs != 1) return position_.with_finding(symbol, damaged.template place<"num_pcs">(), {1, pcs, 1});
    return position_.with_finding(symbol, damaged.template place<"pc">(), {2, damaged.template get<"pc">(), 0});
}

// A record if its chain fits into the file and is not too deep for readers; the text if that begins in its place.
template <Layout L>
Symbol RecordWalk<L>::classify_chain(const Record& front) {
    const uint64_t pcs = front.template get<"num_pcs">();
    if (pcs == 0) return classify_empty_record(front);
    const Place pcs_place = front.template place<"num_pcs">();
    const bool is_deep = pcs > kReaderDepth;
    const uint64_t size = is_deep ? kFront : record_size(L, pcs);
    const Bytes bytes = ahead(std::max<uint64_t>(size, kOpeningBytes));
    const bool fits = !is_deep && bytes.size() >= size;
    // At a text opening, a deep chain is text whatever the size of the file, which is not known on a pipe.
    if (!fits && is_text_opening(bytes, profile_.version))
        return position_.with_finding(Symbol::text, {.offset = position_.at});
    if (is_deep) return Symbol::deep_chain;
    if (!fits)
        return position_.with_finding(Symbol::chain_beyond_file, pcs_place, {pcs, (bytes.size() - kFront) / kCallSize});
    position_.length = size;
    return Symbol::record;
}

// A record without PCs, or a run of pairs of zeros. The bytes that follow show whether the walk is still in step.
template <Layout L>
Symbol RecordWalk<L>::classify_empty_record(const Record& empty) {
    const uint64_t samples = empty.template get<"sample_count">();
    position_.with_finding(Symbol::empty_record, empty.template place<"num_pcs">(), {samples});
    if (samples == 0) return classify_zeros();
    position_.length = kFront;
    return is_plausible<L>(looking_ahead(), kFront) ? Symbol::empty_record : Symbol::empty_record_lost;
}

// Moves the position past the zeros. A rest of zeros at the end of the file, too short for a pair, belongs to the run.
template <Layout L>
Symbol RecordWalk<L>::classify_zeros() {
    const uint64_t start = position_.at;
    skip_zeros();
    const Bytes rest = ahead(kFront);
    const bool reach_end = all_zero(rest);
    position_.finding.hint = "a block of zeros, as a system crash leaves it; the related range is the whole block";
    position_.finding.related_offset = start;
    position_.finding.related_length = position_.at - start + (reach_end ? rest.size() : 0);
    return !reach_end && is_plausible<L>(looking_ahead(), 0) ? Symbol::zeros : Symbol::zeros_lost;
}

// Moves the position to the first pair of slots that is not 0, 0, or to the end of the file, where fewer bytes than a
// pair may be left.
template <Layout L>
void RecordWalk<L>::skip_zeros() {
    while (true) {
        const Bytes bytes = ahead(kFront);
        const size_t pairs = bytes.size() / kFront;
        size_t zeros = 0;
        while (zeros < pairs && all_zero(bytes.subspan(zeros * kFront, kFront))) ++zeros;
        position_.at += zeros * kFront;
        if (zeros < pairs || pairs == 0) return;
    }
}

template <Layout L>
void RecordWalk<L>::skip(Symbol symbol) {
    switch (symbol) {
        case Symbol::empty_record:
        case Symbol::empty_record_lost:
        case Symbol::zeros:  // a run of zeros counts as one record
        case Symbol::zeros_lost: ++profile_.sums.records; [[fallthrough]];
        case Symbol::damaged_trailer: ++profile_.index; break;
        default: break;
    }
}

// --- state records: plain records ------------------------------------------------------------------------------------

// Takes records that are in view as a whole, and moves the position past them. Stops at the first one that may violate
// a rule. A record with a count and a sampled PC cannot be a damaged trailer. Whether it took any: then more may
// follow that was not in view.
template <Layout L>
bool RecordWalk<L>::take_plain_records(Bytes bytes) {
    size_t passed = 0;
    for (;;) {
        if (profile_.tracking) passed += take_known_records(bytes.subspan(passed));
        const Bytes rest = bytes.subspan(passed);
        if (!is_plain(rest)) return passed != 0;
        const Record plain = record(rest.data());
        const uint64_t pcs = plain.template get<"num_pcs">();
        add_up(rest.data(), plain.template get<"sample_count">(), pcs, call(plain, 0).template get<"pc">());
        passed += record_size(L, pcs);
        position_.at += record_size(L, pcs);
    }
}

// Whether the bytes begin with a whole record that has a count, a sampled PC and a depth that readers accept.
template <Layout L>
inline bool RecordWalk<L>::is_plain(Bytes bytes) const {
    if (bytes.size() < kTrailerSize) return false;
    const Record front = record(bytes.data());
    const uint64_t pcs = front.template get<"num_pcs">();
    if (pcs - 1 >= kReaderDepth || pcs > (bytes.size() - kFront) / kCallSize) return false;
    return front.template get<"sample_count">() != 0 && call(front, 0).template get<"pc">() != 0;
}

// Takes the plain records in a row that bring no new address and no depth to note, which are nearly all: what they add
// up to stays in registers. Their leaves are known, so that none is the highest PC. Returns their size.
template <Layout L>
size_t RecordWalk<L>::take_known_records(Bytes bytes) {
    Sums& sums = profile_.sums;
    const uint64_t room_before = sums.most - sums.total;
    uint64_t records = 0, room = room_before, largest = 0, known = 0;
    Bytes rest = bytes;
    while (is_plain(rest)) {
        const Record plain = record(rest.data());
        const uint64_t count = plain.template get<"sample_count">(), pcs = plain.template get<"num_pcs">();
        const uint64_t leaf = call(plain, 0).template get<"pc">(), size = record_size(L, pcs);
        if (count > room || is_noted(pcs)) break;
        const uint64_t end = pcs - shared_calls(rest.data() + size, rest.data(), std::min(known, pcs - 1));
        if (next_unknown(rest.data(), 1, end) < end || !profile_.leaves.count(leaf, count)) break;
        ++records;
        room -= count;
        largest = std::max(largest, pcs);
        known = pcs - 1;
        rest = rest.subspan(size);
    }
    const size_t passed = bytes.size() - rest.size();
    position_.at += passed;
    profile_.index += records;
    profile_.context.work.add(passed / kCallSize);
    profile_.depths.largest = std::max(profile_.depths.largest, largest);
    sums.records += records;
    sums.samples += room_before - room;
    sums.total += room_before - room;
    return passed;
}

// Whether two blocks of bytes are the same: in wide steps, with one branch.
template <size_t Size>
bool are_same(const uint8_t* a, const uint8_t* b) {
    using Pair [[gnu::vector_size(16)]] = uint64_t;
    static_assert(Size % sizeof(Pair) == 0);
    Pair difference{};
    for (size_t at = 0; at < Size; at += sizeof(Pair)) {
        Pair of_a, of_b;
        std::memcpy(&of_a, a + at, sizeof(Pair));
        std::memcpy(&of_b, b + at, sizeof(Pair));
        difference |= of_a ^ of_b;
    }
    return (difference[0] | difference[1]) == 0;
}

// How many of the outermost return addresses two chains share, of `most` at most, in steps: of the one that ends at
// `end`, and the one of the record before, which ends at `before`. Chains of one thread differ at their inner ends.
template <Layout L>
inline uint64_t RecordWalk<L>::shared_calls(const uint8_t* end, const uint8_t* before, uint64_t most) {
    constexpr uint64_t kStep = 8;
    constexpr size_t kBytes = kStep * kCallSize;
    uint64_t shared = 0;
    for (; most - shared >= kStep; shared += kStep) {
        end -= kBytes;
        before -= kBytes;
        if (!are_same<kBytes>(end, before)) break;
    }
    return shared;
}

// --- state records: checks of a record -------------------------------------------------------------------------------

constexpr Rule kNullLeafPc{
    .id = "gperftools/null-leaf-pc",
    .severity = Severity::error,
    .statement = "the sampled PC of a record is not 0",
    .message = "the first PC of the call chain is 0",
    .why =
        "google-pprof mistakes the record for the trailer: all samples after it are lost, without a message and with "
        "exit status 0; Go pprof shows a frame at address 0",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

template <Layout L>
void RecordWalk<L>::accept_record() {
    const Record full = record(ahead(position_.length).data());
    const uint64_t samples = full.template get<"sample_count">(), pcs = full.template get<"num_pcs">();
    const Place samples_place = full.template place<"sample_count">();
    if (samples == 0 && profile_.is_native()) report_.add<kSampleCountZero>(samples_place);
    if (samples == 0 && !profile_.is_native()) profile_.once.add_overridden<kSampleCountZero>(samples_place);
    const Call first = call(full, 0);
    const uint64_t leaf = first.template get<"pc">();
    if (leaf == 0) report_.add<kNullLeafPc>(first.template place<"pc">());
    add_up(full.data(), samples, pcs, leaf);
}

// Adds a record to the sums, depths and addresses of the profile, and checks the rules about them. `data`: the record
// at the position. What is rare is out of line and makes the view that it needs, so that the rest stays in registers.
template <Layout L>
void RecordWalk<L>::add_up(const uint8_t* data, uint64_t samples, uint64_t pcs, uint64_t leaf) {
    Sums& sums = profile_.sums;
    ++profile_.index;
    ++sums.records;
    sums.samples += samples;
    profile_.context.work.add(pcs);
    if (samples > sums.most - sums.total) [[unlikely]]
        check_samples(data, samples);
    else
        sums.total += samples;
    if (is_noted(pcs)) note_depth(data, pcs);
    profile_.depths.largest = std::max(profile_.depths.largest, pcs);
    profile_.highest_pc = std::max(profile_.highest_pc, leaf);
    const bool is_tracked = profile_.tracking && (leaf != 0 || !profile_.is_native());
    if (is_tracked && !profile_.leaves.count(leaf, samples)) [[unlikely]]
        take_leaf(data, samples, leaf);
    for (uint64_t element = next_unknown(data, 1, pcs); element < pcs; element = next_unknown(data, element + 1, pcs))
        take_call(data, element);
}

// The first return address, from `element` on, that is not in the home of a recent one; `pcs` if absent. In steps of
// four, since the end of a step costs as much as looking an address up.
template <Layout L>
inline uint64_t RecordWalk<L>::next_unknown(const uint8_t* data, uint64_t element, uint64_t pcs) const {
    const auto recent = profile_.callers.recent();
    const Record called = record(data);
    const auto is_known = [&](uint64_t which) { return recent.is_at_home(call(called, which).template get<"pc">()); };
    for (; pcs - element >= 4; element += 4) {
        if (!is_known(element)) return element;
        if (!is_known(element + 1)) return element + 1;
        if (!is_known(element + 2)) return element + 2;
        if (!is_known(element + 3)) return element + 3;
    }
    while (element < pcs && is_known(element)) ++element;
    return element;
}

// Remembers a sampled PC that is not among the recent ones.
template <Layout L>
void RecordWalk<L>::take_leaf(const uint8_t* data, uint64_t samples, uint64_t leaf) {
    const Record sampled = taken(data);
    if (!profile_.leaves.add(leaf, samples, slot(call(sampled, 0), 0))) profile_.stop_tracking(sampled.whole(kFront));
}

constexpr Rule kNullCallerPc{
    .id = "gperftools/null-caller-pc",
    .severity = Severity::warning,
    .statement = "no return address in a call chain is 0",
    .message = "a return address of the call chain is 0 ({0 slot|slots} of this profile)",
    .why = "readers subtract 1 and show a frame at the highest address; the unwinder went past the outermost function",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

// Remembers a return address that is not among the recent ones. 0 is not an address, but may be an id in the Java
// dialect.
template <Layout L>
void RecordWalk<L>::take_call(const uint8_t* data, uint64_t element) {
    const Record called = taken(data);
    const Call caller = call(called, element);
    const uint64_t pc = caller.template get<"pc">();
    if (pc == 0) profile_.once.add<kNullCallerPc>(caller.template place<"pc">());
    profile_.highest_pc = std::max(profile_.highest_pc, pc);
    const bool is_tracked = profile_.tracking && (pc != 0 || !profile_.is_native());
    if (is_tracked && !profile_.callers.add(pc, slot(caller, element))) profile_.stop_tracking(called.whole(kFront));
}

constexpr Rule kSampleValueOverflow{
    .id = "gperftools/sample-value-overflow",
    .severity = Severity::warning,
    .statement = "the time of a record's samples fits into 63 bits of nanoseconds",
    .message = "sample count {0} times {1} exceeds 2^63 - 1",
    .why = "Go pprof silently wraps around: the record counts as 0 or as a negative time",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

constexpr Rule kSampleTotalOverflow{
    .id = "gperftools/sample-total-overflow",
    .severity = Severity::warning,
    .statement = "the time of all samples of a profile fits into 63 bits of nanoseconds",
    .message = "with the {0 sample|samples} of this record the total time exceeds 2^63 - 1",
    .why = "readers add in 64 bits: totals and percentages are wrong or negative",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

// For a count with which the sum exceeds 63 bits. A count that fits by itself is added, unless the sum overflows.
template <Layout L>
void RecordWalk<L>::check_samples(const uint8_t* data, uint64_t samples) {
    Sums& sums = profile_.sums;
    const Place place = taken(data).template place<"sample_count">();
    if (samples > sums.most) return report_.add<kSampleValueOverflow>(place, {samples, sums.factor});
    if (std::exchange(sums.overflowed, true)) return;
    report_.add<kSampleTotalOverflow>(place, {samples});
}

// Remembers the first record, and the number of all, for each depth that Profile::finish_records() judges.
template <Layout L>
void RecordWalk<L>::note_depth(const uint8_t* data, uint64_t pcs) {
    Depths& depths = profile_.depths;
    Depths::Occurrence& reached = pcs == kOldWriterDepth ? depths.old_limit
                                  : pcs > kWriterDepth   ? depths.above
                                                         : depths.limit;
    if (reached.records++ != 0) return;
    reached.first = taken(data).template place<"num_pcs">();
    reached.pcs = pcs;
}

// --- state deep chains -----------------------------------------------------------------------------------------------

// A profile has at most one, because the walk is out of step after it, but a file may have many profiles.
template <Layout L>
void RecordWalk<L>::accept_deep_chain() {
    const Record front = record(ahead(kFront).data());
    const bool is_free = deep_chains_.size() < kFreeDeepChains;
    if (!is_free && !profile_.context.budget.take(kDeepChainCost)) return profile_.stop_tracking(front.whole(kFront));
    deep_chains_.push_back({front.offset(), front.record_index(), front.template get<"num_pcs">()});
}

// Section 4.3: only the size of the file decides which rule a deep chain violates.
template <Layout L>
Symbol RecordWalk<L>::next_deep_chain() {
    if (decided_ == deep_chains_.size()) return Symbol::no_deep_chain;
    const DeepChain& chain = deep_chains_[decided_++];
    const Record front(nullptr, chain.offset, L.order, chain.index);
    const uint64_t room = (window_.size() - chain.offset - kFront) / kCallSize;
    const Place place = front.template place<"num_pcs">();
    if (chain.pcs > room) return position_.with_finding(Symbol::chain_beyond_file, place, {chain.pcs, room});
    return position_.with_finding(Symbol::chain_too_deep, place, {chain.pcs});
}

// --- state resync ----------------------------------------------------------------------------------------------------

// Goes forward slot by slot to what looks like a trailer with text after it.
template <Layout L>
Symbol RecordWalk<L>::find_trailer() {
    constexpr uint64_t wanted = kTrailerSize + kCallSize;
    while (true) {
        const Bytes bytes = ahead(wanted);
        size_t skipped = 0;
        for (; bytes.size() - skipped >= kTrailerSize; skipped += kCallSize) {
            if (bytes.size() - skipped < wanted && bytes.size() >= wanted) break;  // more may follow
            if (!is_trailer_before_text<L>(bytes.subspan(skipped))) continue;
            position_.at += skipped;
            position_.length = kTrailerSize;
            return Symbol::trailer;
        }
        profile_.context.work.add(skipped / kCallSize);
        position_.at += skipped;
        if (bytes.size() < wanted) return Symbol::end_of_file;
    }
}

template class RecordWalk<kLayouts[0]>;
template class RecordWalk<kLayouts[1]>;
template class RecordWalk<kLayouts[2]>;
template class RecordWalk<kLayouts[3]>;

constinit const RuleList kRecordRules =
    rules<&kNullLeafPc, &kNullCallerPc, &kSampleValueOverflow, &kSampleTotalOverflow>;

}  // namespace tracelint::gperftools
