// perf.data: the lane of the most frequent records. It takes SAMPLEs that consist of their first words, or of these and
// a call chain, FINISHED_ROUNDs and EXITs, as long as there is nothing to report, and leaves the first other record to
// the tables.
#include "grammars/perfdata/walk.hpp"

namespace tracelint::perfdata {
namespace {

constexpr uint64_t kCpuModes = 7;  // bits of misc (section 3.3)

bool is_in_lane(uint64_t type) { return type == kSampleType || type == kFinishedRoundType || type == kExitType; }

template <ByteOrder Order>
uint64_t word_at(const uint8_t* record, uint64_t word) {
    return load(record + kPrefixSize + 8 * word, 8, Order);
}

}  // namespace

void Walk::take_lane() {
    const bool is_open = phase_ == Phase::records && following_ == 0 && mode_ == WalkMode::fast;
    if (!is_open || state_.context.facts != nullptr || !attrs_.has_known_layout() || attrs_.empty()) return;
    if (state_.order == ByteOrder::little)
        take_lane_in<ByteOrder::little>();
    else
        take_lane_in<ByteOrder::big>();
}

template <ByteOrder Order>
void Walk::take_lane_in() {
    while (true) {
        const Bytes view = window_.view(offset_, kPrefixSize);
        if (view.size() < kPrefixSize || !is_in_lane(load(view.data(), 4, Order))) return;
        const Bytes bytes = view.first(std::min<uint64_t>(view.size(), end_ - offset_));
        const uint64_t taken = take_samples<Order>(bytes);
        if (taken == 0) return;
        offset_ += taken;
    }
}

// Takes the records of the lane at the start of `bytes` and returns how many bytes they are.
template <ByteOrder Order>
uint64_t Walk::take_samples(Bytes bytes) {
    const bool has_one_attr = attrs_.size() == 1;
    const Attr* attr = &attrs_[0];
    const uint8_t id_word = attr->id_word;
    if (!has_one_attr && id_word == kNoWord) return 0;
    uint64_t at = 0, count = 0, others = 0;
    uint32_t modes = 0;
    while (bytes.size() - at >= kPrefixSize) {
        const uint8_t* const record = bytes.data() + at;
        const View<kPrefix> prefix(record, offset_ + at, Order, index_ + count + others);
        const uint64_t size = prefix.get<"size">(), words = (size - kPrefixSize) / 8;
        if (prefix.get<"type">() == kFinishedRoundType && size == kPrefixSize) {
            events_.finish_round();
            at += size;
            ++others;
            continue;
        }
        if (size % 8 != 0 || size < kPrefixSize || size > bytes.size() - at) break;
        if (prefix.get<"type">() == kExitType) {
            if (!takes_exit<Order>(bytes.subspan(at, size))) break;
            at += size;
            ++others;
            continue;
        }
        if (prefix.get<"type">() != kSampleType) break;
        if (!has_one_attr) {
            if (words <= id_word) break;
            attr = attrs_.of_id(word_at<Order>(record, id_word));
            if (attr == nullptr) break;
        }
        if (!fits<Order>(*attr, record, words)) break;
        if (attr->time_word != kNoWord && !events_.takes_time(word_at<Order>(record, attr->time_word))) break;
        modes |= 1u << (prefix.get<"misc">() & kCpuModes);
        if (attr->thread_word != kNoWord) note_sample<Order>(*attr, bytes.subspan(at), words);
        at += size;
        ++count;
    }
    index_ += count + others;
    events_.count_samples(count, modes);
    return at;
}

// Takes the time of an EXIT, which is all that matters of one. False: there is something to report, or the layout is
// not the usual one.
template <ByteOrder Order>
bool Walk::takes_exit(Bytes record) {
    constexpr uint64_t kLeast = minimum_size(kExit);
    const Attr& attr = *attrs_.of_record(record);  // there is one
    const uint64_t trailer = attr.trailer_bytes();
    if (!attr.is_sample_id_all || record.size() < kLeast + trailer) return false;
    if (trailer == 0 || attr.trailer_time_word == kNoWord) return true;
    const uint64_t time_at = record.size() - trailer + 8 * uint64_t{attr.trailer_time_word};
    return events_.takes_time(load(record.data() + time_at, 8, Order));
}

// Records where the code of the SAMPLE at the start of `bytes` is. Its layout must fit.
template <ByteOrder Order>
void Walk::note_sample(const Attr& attr, Bytes bytes, uint64_t words) {
    const uint8_t* const record = bytes.data();
    const auto pid = static_cast<uint32_t>(load(record + kPrefixSize + 8 * uint64_t{attr.thread_word}, 4, Order));
    const uint64_t address = attr.ip_word == kNoWord ? 0 : word_at<Order>(record, attr.ip_word);
    GeneratedCode::Chain chain;
    if (attr.shape == Attr::Shape::call_chain) {
        const uint64_t at = kPrefixSize + 8 * (uint64_t{attr.fixed_words} + 1);
        chain = {record + at, words - attr.fixed_words - 1, (bytes.size() - at) / 8};
    }
    events_.code().sample<Order>(pid, address, chain);
}

// Whether a SAMPLE of so many words has nothing but its first words and a call chain, and they fill it.
template <ByteOrder Order>
bool Walk::fits(const Attr& attr, const uint8_t* record, uint64_t words) {
    switch (attr.shape) {
        case Attr::Shape::first_words: return words == attr.fixed_words;
        case Attr::Shape::call_chain:
            return words > attr.fixed_words && word_at<Order>(record, attr.fixed_words) == words - attr.fixed_words - 1;
        default: return false;
    }
}

}  // namespace tracelint::perfdata
