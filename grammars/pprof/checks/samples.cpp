// pprof, sections 5.3 and 5.4: samples and their labels.
#include "grammars/pprof/checks/samples.hpp"

namespace tracelint::pprof {
namespace {

const Member& kLocationId = *kSampleMessage.find(OfSample::location_id);
const Member& kValue = *kSampleMessage.find(OfSample::value);

constexpr Rule kSampleLocationZero{
    .id = "pprof/sample-location-zero",
    .severity = Severity::error,
    .statement = "no location_id is 0",
    .message = "location_id is 0, which is reserved",
    .why = "pprof and Parca refuse the profile, pyroscope drops the sample",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kSampleValueNegative{
    .id = "pprof/sample-value-negative",
    .severity = Severity::note,
    .statement = "a value is not negative",
    .message = "the value is {0d} ({3 place|places} in this file)",
    .why = "a difference of two profiles has such values; pyroscope drops the sample",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

}  // namespace

void Samples::begin(uint64_t record) {
    record_ = record;
    ++count_;
    locations_.begin();
    labels_hash_ = 0;
    has_location_ = has_number_ = false;
    value_count_ = 0;
}

void Samples::report_no_id(Part place) {
    context_.report.add<kSampleLocationZero>(place_of(mark_of(place, record_), &kLocationId));
}

namespace {

constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;

// The number of up to three bytes that ends with the lowest bit of `ends`.
uint64_t first_number(uint64_t word, uint64_t ends) {
    const uint64_t bytes = word & (ends ^ (ends - 1));
    return (bytes & 0x7f) | (bytes >> 1 & 0x7f << 7) | (bytes >> 2 & 0x7f << 14);
}

}  // namespace

// Takes ids of up to three bytes that were referred to before, from `at` on, and returns where the next one begins. The
// ends of the numbers come from one word: to branch on the length of each costs more than all the rest.
uint64_t Samples::take_known(Bytes items, uint64_t at, uint64_t words) const {
    while (at < words) {
        const uint64_t left = items.size() - at, read = load(items.data() + at, 8, ByteOrder::little);
        // What follows the items continues a number that does not end.
        const uint64_t word = left >= 8 ? read : read | ~uint64_t{0} << 8 * left;
        // The high bits of the last bytes of numbers.
        const uint64_t ends = ~word & kHighBits;
        // A last byte of 0 is that of id 0, or of padding.
        if (ends == 0 || ((word - kOnes) & ends) != 0) return at;
        const uint64_t second = ends & (ends - 1), third = second & (second - 1);
        if (second == 0) {
            const int bits = std::countr_zero(ends) + 1;
            if (bits > 24 || !entries_.is_referenced_location(first_number(word, ends))) return at;
            at += static_cast<uint64_t>(bits) / 8;
            continue;
        }
        const int to_second = std::countr_zero(ends) + 1, to_third = std::countr_zero(second) + 1,
                  bits = third == 0 ? to_third : std::countr_zero(third) + 1;
        if (to_second > 24 || to_third - to_second > 24 || bits - to_third > 24) return at;
        const uint64_t a = first_number(word, ends), b = first_number(word >> to_second, second >> to_second),
                       c = third == 0 ? b : first_number(word >> to_third, third >> to_third);
        if (!entries_.are_referenced_locations(a, b, c)) return at;
        at += static_cast<uint64_t>(bits) / 8;
    }
    return at;
}

uint64_t Samples::take_locations(Bytes items, uint64_t offset, uint64_t readable) {
    const uint64_t words = std::min<uint64_t>(items.size(), saturating_sub(readable, offset + kShortRoom));
    // Ids of short stacks are short, too, so that branches on their lengths are foreseen.
    const bool is_long = items.size() > 8;
    uint64_t at = is_long ? take_known(items, 0, words) : 0, id = 0;
    while (at < words) {
        const uint8_t* const from = items.data() + at;
        const uint8_t* const end = read_short<false>(from, id);
        const auto length = static_cast<uint64_t>(end - from);
        if (end == nullptr || length > items.size() - at || id == 0) break;
        entries_.refer_to_location(id, mark_of({offset + at, length}, record_));
        at += length;
        if (is_long) at = take_known(items, at, words);
    }
    locations_.add(items.first(at), words != 0);
    has_location_ = has_location_ || at != 0;
    return at;
}

uint64_t Samples::take_values(Bytes items, uint64_t offset, uint64_t readable) {
    const uint64_t words = std::min<uint64_t>(items.size(), saturating_sub(readable, offset + kShortRoom));
    uint64_t at = 0, value = 0;
    while (at < words) {
        const uint8_t* const from = items.data() + at;
        const uint8_t* const end = read_short<false>(from, value);
        const auto length = static_cast<uint64_t>(end - from);
        if (end == nullptr || length > items.size() - at) break;
        add_value(value, {offset + at, length});
        at += length;
    }
    return at;
}

void Samples::report_negative(uint64_t value, Part place) {
    aggregates_.add(kSampleValueNegative, place_of(mark_of(place, record_), &kValue), {value});
}

namespace {

constexpr Rule kLabelKeyEmpty{
    .id = "pprof/label-key-empty",
    .severity = Severity::warning,
    .statement = "a label has a key",
    .message = "label without key ({3 place|places} in this file)",
    .why = "Parca refuses the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLabelTwoValues{
    .id = "pprof/label-two-values",
    .severity = Severity::error,
    .statement = "a label has a string or a number",
    .message = "the label has str {0} and num {1d}, at most one may be set",
    .why = "pprof drops the number",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLabelUnitOnString{
    .id = "pprof/label-unit-on-string",
    .severity = Severity::warning,
    .statement = "num_unit is set only with a number",
    .message = "num_unit is {0} on a label with a string ({3 place|places} in this file)",
    .why = "readers ignore the unit",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLabelNoValue{
    .id = "pprof/label-no-value",
    .severity = Severity::note,
    .statement = "a label has a value",
    .message = "the label of key {0} has no value ({3 place|places} in this file)",
    .why = "pprof drops the label: a number 0 needs a num_unit",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLabelKeyRepeated{
    .id = "pprof/label-key-repeated",
    .severity = Severity::warning,
    .statement = "a label key occurs once in a sample",
    .message = "label key {0} occurs again in this sample ({3 place|places} in this file)",
    .why = "most tools show one of the two",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLabelUnitInconsistent{
    .id = "pprof/label-unit-inconsistent",
    .severity = Severity::warning,
    .statement = "all labels of one key have one unit",
    .message = "label key {0} has unit {1}, earlier it was {2} ({3 place|places} in this file)",
    .why = "pprof takes the first unit for all",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
};

}  // namespace

void Samples::add_label(const Contents& label) {
    uint64_t sum = 0;
    for (size_t i = 0; i < std::size(label_factors_); ++i)
        sum += label_factors_[i] * label.number(static_cast<uint32_t>(OfLabel::key + i));
    labels_hash_ = spread(labels_hash_ ^ sum);
    labels_hash_ ^= labels_hash_ >> 32;
    check_label(label);
    check_key(label);
}

void Samples::check_label(const Contents& label) {
    const uint64_t key = label.number(OfLabel::key), str = label.number(OfLabel::str), num = label.number(OfLabel::num),
                   unit = label.number(OfLabel::num_unit);
    const Spot whole = place_of(mark_of(label.place, record_));
    if (key == 0 && label.knows(OfLabel::key)) aggregates_.add(kLabelKeyEmpty, whole);
    if (str != 0 && num != 0)
        context_.report.add<kLabelTwoValues>(whole, {str, num});
    else if (str != 0 && unit != 0 && label.knows(OfLabel::str, OfLabel::num, OfLabel::num_unit))
        aggregates_.add(kLabelUnitOnString,
                        place_of(mark_of(label.of(OfLabel::num_unit).value, record_), kLabel.find(OfLabel::num_unit)),
                        {unit});
    else if (str == 0 && num == 0 && unit == 0 && !label.is_lost)
        aggregates_.add(kLabelNoValue, whole, {key});
}

void Samples::check_key(const Contents& label) {
    const uint64_t key = label.number(OfLabel::key), unit = label.number(OfLabel::num_unit);
    if (key == 0 || context_.limit_hit) return;
    if (recent_key_ == nullptr || recent_key_->key != key) recent_key_ = keys_.find_or_add(key);
    Key* const known = recent_key_;
    if (known == nullptr) return note_limit(context_, label.place.at);
    if (!std::exchange(known->is_key, true)) known->first = mark_of(label.of(OfLabel::key).value, record_);
    if (known->last_sample == count_)
        aggregates_.add(kLabelKeyRepeated, place_of(mark_of(label.place, record_)), {key});
    known->last_sample = count_;
    if (unit == 0 || label.is_lost || label.number(OfLabel::str) != 0) return;
    if (known->unit == 0) known->unit = unit;
    if (known->unit != unit)
        aggregates_.add(kLabelUnitInconsistent,
                        place_of(mark_of(label.of(OfLabel::num_unit).value, record_), kLabel.find(OfLabel::num_unit)),
                        {key, unit, known->unit});
}

namespace {

constexpr Rule kSampleNoLocation{
    .id = "pprof/sample-no-location",
    .severity = Severity::note,
    .statement = "a sample has a location",
    .message = "sample without location ({3 place|places} in this file)",
    .why = "its value belongs to no function. The threadcreate profile of Go has such a sample",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kSampleAllZero{
    .id = "pprof/sample-all-zero",
    .severity = Severity::note,
    .statement = "a sample has a value that is not 0",
    .message = "every value of the sample is 0 ({3 place|places} in this file)",
    .why = "pyroscope drops the sample",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

}  // namespace

void Samples::end(const Contents& sample) {
    const Mark mark = mark_of(sample.place, record_);
    if (count_ == 1) first_sample_ = mark;
    if (sample.is_lost) return;
    if (!has_location_) aggregates_.add(kSampleNoLocation, place_of(mark));
    add_values(sample);
    check_repetition(sample);
}

void Samples::add_unread(const Mark& sample) {
    if (count_++ == 0) first_sample_ = sample;
}

void Samples::add_values(const Contents& sample) {
    const Mark mark = mark_of(sample.place, record_);
    if (context_.limit_hit) return;
    if (value_count_ != 0 && !has_number_) aggregates_.add(kSampleAllZero, place_of(mark));
    if (recent_count_ == nullptr || recent_count_->key != value_count_)
        recent_count_ = counts_.find_or_add(value_count_);
    Count* const count = recent_count_;
    if (count == nullptr) return note_limit(context_, sample.place.at);
    if (count->samples++ == 0) {
        count->first = mark;
        count->first_sum = value_count_ <= kMostSums && counts_.size() <= kMostCounts ? sums_.size() : kNoSums;
        for (size_t i = 0; i < value_count_ && count->first_sum != kNoSums; ++i)
            if (!sums_.push_back({})) return note_limit(context_, sample.place.at);
    }
    if (count->first_sum == kNoSums) return;
    for (size_t i = 0; i < value_count_; ++i) {
        Sum& sum = sums_[count->first_sum + i];
        if (sum.is_broken || !__builtin_add_overflow(sum.total, values_[i].value, &sum.total)) continue;
        sum.is_broken = true;
        sum.place = mark_of({values_[i].at, values_[i].size}, record_);
    }
}

void Samples::check_repetition(const Contents& sample) {
    if (!keeps_stacks_ || context_.limit_hit) return;
    const uint64_t hash = std::max<uint64_t>(locations_.with(labels_hash_), 1);
    stacks_.prefetch(hash);
    waiting_.add({hash, mark_of(sample.place, record_)}, [this](const DelayedStack& stack) { look_up(stack); });
}

void Samples::look_up(const DelayedStack& stack) {
    if (!keeps_stacks_ || context_.limit_hit) return;
    const size_t before = stacks_.size();
    if (stacks_.find_or_insert({stack.hash}) == nullptr) {
        keeps_stacks_ = false;
        stacks_.clear();
        return note_limit(context_, stack.sample.offset);
    }
    if (stacks_.size() == before && repetitions_++ == 0) first_repetition_ = stack.sample;
}

void Samples::settle() {
    waiting_.take_all([this](const DelayedStack& stack) { look_up(stack); });
}

namespace {

constexpr Rule kSampleTypeMissing{
    .id = "pprof/sample-type-missing",
    .severity = Severity::error,
    .statement = "a profile with samples has a sample type",
    .message = "samples, but no sample_type: nothing says what the values are",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kSampleValueCount{
    .id = "pprof/sample-value-count",
    .severity = Severity::error,
    .statement = "a sample has one value for each sample type",
    .message =
        "the sample has {0 value|values}, the profile has {1 sample type|sample types} ({3 place|places} in this file)",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "3.3 What the text demands; 5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kValueTotalOverflow{
    .id = "pprof/value-total-overflow",
    .severity = Severity::warning,
    .statement = "the sum of the values of a sample type fits into 64 bits",
    .message = "the sum of the values overflows 64 bits here ({3 place|places} in this file)",
    .why = "pprof shows a negative total",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSampleDuplicate{
    .id = "pprof/sample-duplicate",
    .severity = Severity::note,
    .statement = "no two samples have the same locations and labels",
    .message = "the sample has the locations and labels of an earlier one ({3 place|places} in this file)",
    .why = "legal; readers may add the two up",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLabelKeyNotName{
    .id = "pprof/label-key-not-name",
    .severity = Severity::note,
    .statement = "a label key is a name",
    .message = "label key {0} is not a name ([A-Za-z_][A-Za-z0-9_]*) ({3 place|places} in this file)",
    .why = "services that turn labels into series refuse or rename it",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

}  // namespace

bool Samples::finish(uint64_t sample_types, bool knows_types) {
    if (context_.limit_hit || !certainty_.knows_all()) return false;
    bool has_wrong_count = false;
    if (sample_types == 0 && knows_types && count_ != 0)
        context_.report.add<kSampleTypeMissing>(place_of(first_sample_));
    for (const Count& count : counts_) {
        if (!knows_types || sample_types == 0) break;
        if (count.key != sample_types) {
            has_wrong_count = true;
            context_.report.add(kSampleValueCount, place_of(count.first), {count.key, sample_types, 0, count.samples});
            continue;
        }
        for (uint64_t i = 0; i < count.key && count.first_sum != kNoSums; ++i)
            if (const Sum& sum = sums_[count.first_sum + i]; sum.is_broken)
                aggregates_.add(kValueTotalOverflow, place_of(sum.place, &kValue));
    }
    if (repetitions_ != 0) aggregates_.add_many(kSampleDuplicate, repetitions_, place_of(first_repetition_), {});
    for (const Key& key : keys_)
        if (strings_.may_be_read() && strings_.has(key.key) && !strings_.is_name(key.key))
            aggregates_.add(kLabelKeyNotName, place_of(key.first, kLabel.find(OfLabel::key)), {key.key});
    return has_wrong_count;
}

constinit const RuleList kSampleRules =
    rules<&kSampleLocationZero, &kSampleValueNegative, &kLabelKeyEmpty, &kLabelTwoValues, &kLabelUnitOnString,
          &kLabelNoValue, &kLabelKeyRepeated, &kLabelUnitInconsistent, &kSampleNoLocation, &kSampleAllZero,
          &kSampleTypeMissing, &kSampleValueCount, &kValueTotalOverflow, &kSampleDuplicate, &kLabelKeyNotName>;

}  // namespace tracelint::pprof
