// gperftools, section 4: the walk through the records of a profile (RECORD and RESYNC).
#include "grammars/gperftools/record_walk.hpp"

#include "grammars/gperftools/lines.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::gperftools {

// --- RECORD ---------------------------------------------------------------------------------------------------------

template <Layout L>
Symbol RecordWalk<L>::look() {
    Bytes bytes = ahead(kTrailerSize);
    while (take_plain_records(bytes)) bytes = ahead(kTrailerSize);
    if (bytes.empty()) {
        if (profile_.wrapped) return Symbol::end_of_inner;
        position_.refused(Symbol::end_of_file, {.offset = position_.at});
        position_.refusal.about_end = true;
        position_.refusal.hint =
            "the program was killed, or left by _exit, after a flush: each ends behind a whole record";
        return Symbol::end_of_file;
    }
    if (bytes.size() < kFront)
        return position_.refused(Symbol::cut_record, record(bytes.data()).whole(bytes.size()), {bytes.size(), kFront});
    if (bytes.size() >= kTrailerSize && wrong_slots(trailer(bytes.data())) <= 1) {
        const Symbol symbol = look_at_trailer(bytes);
        if (symbol != Symbol::record) return symbol;
        bytes = ahead(kFront);
    }
    return look_at_chain(record(bytes.data()));
}

// Three slots of which two at least are those of a trailer: the trailer, or one that is damaged if a text or the end of
// the file follows; a record otherwise, which is not looked into yet.
template <Layout L>
Symbol RecordWalk<L>::look_at_trailer(Bytes bytes) {
    const Trailer met = trailer(bytes.data());
    position_.step = kTrailerSize;
    if (wrong_slots(met) == 0) {
        if (profile_.sums.records == 0) report_.add(kNoSamples, met.whole(kTrailerSize));
        ++profile_.index;
        return Symbol::trailer;
    }
    bytes = ahead(kTrailerSize + kOpeningBytes);
    const Bytes behind = bytes.subspan(kTrailerSize);
    if (!behind.empty() && !is_text_opening(behind, profile_.version)) {
        position_.step = 0;
        return Symbol::record;
    }
    ++profile_.index;
    refuse_trailer(trailer(bytes.data()));
    position_.refusal.about_end = behind.empty();
    return Symbol::damaged_trailer;
}

// Names the slot that is wrong.
template <Layout L>
void RecordWalk<L>::refuse_trailer(const Trailer& damaged) {
    const uint64_t samples = damaged.template get<"sample_count">(), pcs = damaged.template get<"num_pcs">();
    constexpr Symbol symbol = Symbol::damaged_trailer;
    if (samples != 0)
        position_.refused(symbol, damaged.template place<"sample_count">(), {0, samples, 0});
    else if (pcs != 1)
        position_.refused(symbol, damaged.template place<"num_pcs">(), {1, pcs, 1});
    else
        position_.refused(symbol, damaged.template place<"pc">(), {2, damaged.template get<"pc">(), 0});
}

// A record, which is taken if its chain fits into the file and readers take one so deep; the text, if that begins where
// the record should be.
template <Layout L>
Symbol RecordWalk<L>::look_at_chain(const Record& front) {
    const uint64_t pcs = front.template get<"num_pcs">();
    if (pcs == 0) return look_at_empty_record(front);
    const Place pcs_place = front.template place<"num_pcs">();
    const bool is_deep = pcs > kReaderDepth;
    const uint64_t size = is_deep ? kFront : record_size(L, pcs);
    const Bytes bytes = ahead(std::max<uint64_t>(size, kOpeningBytes));
    const bool fits = !is_deep && bytes.size() >= size;
    // Where a text begins, a number that deep is text: nobody needs to know if as much follows.
    if (!fits && is_text_opening(bytes, profile_.version))
        return position_.refused(Symbol::text, {.offset = position_.at});
    if (is_deep) {
        add_deep_chain(front, pcs);
        return Symbol::chain_too_deep;
    }
    if (!fits)
        return position_.refused(Symbol::chain_beyond_file, pcs_place, {pcs, (bytes.size() - kFront) / kCallSize});
    position_.step = size;
    take_record(record(bytes.data()));
    return Symbol::record;
}

// A record without PCs, or a run of pairs of zeros: it counts as one record, and what follows tells if the walk is
// still in step.
template <Layout L>
Symbol RecordWalk<L>::look_at_empty_record(const Record& empty) {
    const uint64_t samples = empty.template get<"sample_count">();
    position_.refused(Symbol::zeros, empty.template place<"num_pcs">(), {samples});
    ++profile_.index;
    ++profile_.sums.records;
    if (samples != 0) {
        position_.step = kFront;
        return is_plausible<L>(looking_ahead(), kFront) ? Symbol::empty_record : Symbol::empty_record_lost;
    }
    const uint64_t start = position_.at;
    skip_zeros();
    const Bytes rest = ahead(kFront);
    const bool reach_end = all_zero(rest);
    position_.refusal.hint = "a block of zeros, as a crash of the machine leaves it; all of it is under \"related\"";
    position_.refusal.related_offset = start;
    position_.refusal.related_length = position_.at - start + (reach_end ? rest.size() : 0);
    if (reach_end) return Symbol::zeros_to_end;
    return is_plausible<L>(looking_ahead(), 0) ? Symbol::zeros : Symbol::zeros_lost;
}

// Moves the position to the first pair of slots that is not 0, 0, or to the last bytes of the file, too few for a pair.
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

// --- plain records --------------------------------------------------------------------------------------------------

// Takes records where they lie, up to the first one that something may be said about or that is not in hand as a
// whole, and moves the position behind them. With a count and a sampled PC none can be a damaged trailer. Whether it
// took any: then more may follow that was not in view.
template <Layout L>
bool RecordWalk<L>::take_plain_records(Bytes bytes) {
    const uint8_t* data = bytes.data();
    size_t left = bytes.size();
    while (left >= kTrailerSize) {
        const Record plain = record(data);
        const uint64_t samples = plain.template get<"sample_count">(), pcs = plain.template get<"num_pcs">();
        if (pcs - 1 >= kReaderDepth || pcs > (left - kFront) / kCallSize) [[unlikely]]
            break;
        const uint64_t leaf = call(plain, 0).template get<"pc">();
        if (samples == 0 || leaf == 0) [[unlikely]]
            break;
        add_up(plain, samples, pcs, leaf);
        const uint64_t size = record_size(L, pcs);
        data += size;
        left -= size;
        position_.at += size;
    }
    return left != bytes.size();
}

// Says what is wrong with the count and the sampled PC of a record, and adds it up.
template <Layout L>
void RecordWalk<L>::take_record(const Record& record) {
    const uint64_t samples = record.template get<"sample_count">(), pcs = record.template get<"num_pcs">();
    const Place samples_place = record.template place<"sample_count">();
    if (samples == 0 && profile_.is_native()) report_.add(kSampleCountZero, samples_place);
    if (samples == 0 && !profile_.is_native()) profile_.once.add_overridden(kSampleCountZero, samples_place);
    const Call first = call(record, 0);
    const uint64_t leaf = first.template get<"pc">();
    if (leaf == 0) report_.add(kNullLeafPc, first.template place<"pc">());
    add_up(record, samples, pcs, leaf);
}

// Adds a record to the sums, the depths and the addresses of the profile, with the rules that go by them.
template <Layout L>
void RecordWalk<L>::add_up(const Record& record, uint64_t samples, uint64_t pcs, uint64_t leaf) {
    Sums& sums = profile_.sums;
    ++profile_.index;
    ++sums.records;
    sums.samples += samples;
    profile_.context.work.add(pcs);
    if (samples > sums.most - sums.total) [[unlikely]]
        check_samples(record, samples);
    else
        sums.total += samples;
    if (pcs >= kOldWriterDepth) check_depth(record, pcs);
    profile_.depths.largest = std::max(profile_.depths.largest, pcs);
    const bool is_tracked = profile_.tracking && (leaf != 0 || !profile_.is_native());
    if (is_tracked && !profile_.leaves.add(leaf, samples, slot(call(record, 0), 0))) [[unlikely]]
        profile_.stop_tracking(record.whole(kFront));
    const Callers& callers = profile_.callers;
    for (uint64_t element = 1; element < pcs; ++element) {
        const uint64_t pc = call(record, element).template get<"pc">();
        if (!callers.knows(pc)) [[unlikely]]
            take_call(record, element, pc);
    }
}

// Remembers a return address that was not met lately; says so if it is 0, which is none (but may be an id of Java).
template <Layout L>
void RecordWalk<L>::take_call(const Record& record, uint64_t element, uint64_t pc) {
    const Call met = call(record, element);
    if (pc == 0) profile_.once.add(kNullCallerPc, met.template place<"pc">());
    const bool is_tracked = profile_.tracking && (pc != 0 || !profile_.is_native());
    if (is_tracked && !profile_.callers.add(pc, slot(met, element))) profile_.stop_tracking(record.whole(kFront));
}

// For a count with which the sum exceeds 63 bits. What fits for itself counts, until the sum does not fit.
template <Layout L>
void RecordWalk<L>::check_samples(const Record& record, uint64_t samples) {
    Sums& sums = profile_.sums;
    const Place place = record.template place<"sample_count">();
    if (samples > sums.most) return report_.add(kSampleValueOverflow, place, {samples, sums.factor});
    if (std::exchange(sums.overflowed, true)) return;
    report_.add(kSampleTotalOverflow, place, {samples});
}

// Remembers the first record, and the number of all, for each depth that a rule at the end of the records goes by.
template <Layout L>
void RecordWalk<L>::check_depth(const Record& record, uint64_t pcs) {
    Depths& depths = profile_.depths;
    if (pcs > kOldWriterDepth && pcs < kWriterDepth - 1) return;
    Depths::Met& met = pcs == kOldWriterDepth ? depths.old_limit : pcs > kWriterDepth ? depths.above : depths.limit;
    if (met.records++ != 0) return;
    met.first = record.template place<"num_pcs">();
    met.pcs = pcs;
}

// --- chains that are too deep ---------------------------------------------------------------------------------------

// Keeps it until the end of the file is known. There is one in a profile at most, but there may be many profiles.
template <Layout L>
void RecordWalk<L>::add_deep_chain(const Record& front, uint64_t pcs) {
    const bool is_free = deep_chains_.size() < kFreeDeepChains;
    if (!is_free && !profile_.context.budget.take(kDeepChainCost)) return profile_.stop_tracking(front.whole(kFront));
    deep_chains_.push_back({front.offset(), front.record_index(), pcs});
}

// Only the end of the file tells if such a chain is there at all.
template <Layout L>
void RecordWalk<L>::settle_deep_chains() {
    for (const DeepChain& chain : deep_chains_) {
        const Record record(nullptr, chain.offset, L.order, chain.index);
        const uint64_t room = (window_.size() - chain.offset - kFront) / kCallSize;
        const Place place = record.template place<"num_pcs">();
        if (chain.pcs > room)
            report_.add(kRecordExceedsFile, place, {chain.pcs, room});
        else
            report_.add(kDepthExceedsReaderLimit, place, {chain.pcs});
    }
    if (deep_chains_.size() > kFreeDeepChains)
        profile_.context.budget.give_back((deep_chains_.size() - kFreeDeepChains) * kDeepChainCost);
}

// --- RESYNC ---------------------------------------------------------------------------------------------------------

// Goes forward slot by slot to what looks like a trailer with text behind it.
template <Layout L>
Symbol RecordWalk<L>::look_for_trailer() {
    constexpr uint64_t wanted = kTrailerSize + kCallSize;
    while (true) {
        const Bytes bytes = ahead(wanted);
        size_t skipped = 0;
        for (; bytes.size() - skipped >= kTrailerSize; skipped += kCallSize) {
            if (bytes.size() - skipped < wanted && bytes.size() >= wanted) break;  // more may follow
            if (!is_trailer_before_text(bytes.subspan(skipped))) continue;
            position_.at += skipped;
            position_.step = kTrailerSize;
            ++profile_.index;
            return Symbol::trailer;
        }
        profile_.context.work.add(skipped / kCallSize);
        position_.at += skipped;
        if (bytes.size() < wanted) return Symbol::end_of_file;
    }
}

// Whether three slots are an intact trailer with nothing but text in the slot behind it, as far as the file has one.
template <Layout L>
bool RecordWalk<L>::is_trailer_before_text(Bytes bytes) const {
    const Trailer trailer(bytes.data(), 0, L.order, 0);
    if (!is_intact(trailer)) return false;
    const auto is_text = [](uint8_t byte) {
        return (byte >= ' ' && byte <= '~') || byte == '\t' || byte == '\n' || byte == '\r';
    };
    const Bytes behind = bytes.subspan(kTrailerSize);
    return std::ranges::all_of(behind.first(std::min<size_t>(behind.size(), kCallSize)), is_text);
}

template class RecordWalk<kLayouts[0]>;
template class RecordWalk<kLayouts[1]>;
template class RecordWalk<kLayouts[2]>;
template class RecordWalk<kLayouts[3]>;

}  // namespace tracelint::gperftools
