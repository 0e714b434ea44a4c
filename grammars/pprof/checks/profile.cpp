// pprof, section 5.4: the profile as a whole: sample types, times and periods.
#include "grammars/pprof/checks/profile.hpp"

#include "grammars/pprof/machine.hpp"

namespace tracelint::pprof {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Place of a number of the profile.
Place at(const Mark& place, uint32_t number) { return place_of(place, kProfile.find(number)); }

}  // namespace

void Profile::read_sample_type(const Contents& type, uint64_t record) {
    if (context_.limit_hit) return add_unread_type();
    const bool is_kept = types_.push_back({
        .type = type.number(OfValueType::type),
        .unit = type.number(OfValueType::unit),
        .message = mark_of(type.place, record),
        .type_place = mark_of(type.place_of(OfValueType::type), record),
        .unit_place = mark_of(type.place_of(OfValueType::unit), record),
        .has_type = type.has(OfValueType::type),
        .has_unit = type.has(OfValueType::unit),
        .knows_type = type.knows(OfValueType::type),
        .knows_unit = type.knows(OfValueType::unit),
    });
    if (is_kept) return;
    note_limit(context_, type.place.at);
    add_unread_type();
}

void Profile::read_period_type(const Contents& type, uint64_t record) {
    period_type_ = mark_of(type.place, record);
    ++period_types_;
}

void Profile::read_number(const Member& member, uint64_t value, const Mark& place) {
    last(member.number).value = static_cast<int64_t>(value);
    last(member.number).place = place;
}

void Profile::count(const Member& member, const Mark& field) {
    if (++last(member.number).fields == 2) last(member.number).second = field;
}

// The first place where it occurs again.
void Profile::check_repeated() {
    for (const Member& member : kProfile.members()) {
        const Last& last = last_[member.number];
        if (last.fields > 1)
            aggregates_.add_for(member, kFieldRepeated, last.fields - 1, place_of(last.second, &member));
    }
}

namespace {

constexpr Rule kProfileWithoutTypes{
    .id = "pprof/profile-without-types",
    .severity = Severity::warning,
    .statement = "a profile has a sample type",
    .message = "neither sample types nor samples",
    .why = "pyroscope refuses the profile as empty",
    .spec = "5.4 References",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kSampleTypeUnnamed{
    .id = "pprof/sample-type-unnamed",
    .severity = Severity::warning,
    .statement = "a sample type has a name",
    .message = "sample type {0} has no name ({3 place|places} in this file)",
    .why = "Parca and pyroscope build the names of series from it",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSampleTypeNoUnit{
    .id = "pprof/sample-type-no-unit",
    .severity = Severity::note,
    .statement = "a sample type has a unit",
    .message = "sample type {0} has no unit ({3 place|places} in this file)",
    .why = "values are shown without a unit",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSampleTypeDuplicate{
    .id = "pprof/sample-type-duplicate",
    .severity = Severity::warning,
    .statement = "the names of sample types are distinct",
    .message = "sample type {0} has the name of an earlier one ({3 place|places} in this file)",
    .why = "only the first can be chosen",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDefaultSampleTypeUnknown{
    .id = "pprof/default-sample-type-unknown",
    .severity = Severity::warning,
    .statement = "default_sample_type is the name of a sample type",
    .message = "default_sample_type is string {0}, but no sample type has this name",
    .why = "pprof shows the last sample type and says nothing",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kNoSamples{
    .id = "pprof/no-samples",
    .severity = Severity::note,
    .statement = "a profile has samples",
    .message = "no samples",
    .why = "nothing was recorded, or the wrong process",
    .spec = "5.4 References",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

}  // namespace

void Profile::finish(uint64_t size, Samples& samples, const Strings& strings) {
    if (context_.limit_hit) return;
    if (!certainty_.is_concatenated) check_repeated();
    const bool knows_types = !certainty_.is_unread(OfProfile::sample_type);
    const bool has_wrong_count = samples.finish(type_count(), knows_types);
    if (!certainty_.knows_all()) return;
    if (samples.size() == 0 && !certainty_.is_unread(OfProfile::sample)) {
        if (type_count() != 0) context_.report.add<kNoSamples>({.offset = size});
        if (type_count() == 0 && knows_types) context_.report.add<kProfileWithoutTypes>({.offset = size});
    }
    if (knows_types && strings.may_be_read()) {
        check_types(strings, has_wrong_count);
        check_default(strings);
    }
    check_times(size);
    check_period();
}

void Profile::check_types(const Strings& strings, bool has_wrong_count) {
    for (size_t i = 0; i < types_.size(); ++i) {
        const Type& type = types_[i];
        const bool is_readable = type.knows_type && strings.has(type.type);
        if (is_readable && strings.is_empty(type.type))
            aggregates_.add(kSampleTypeUnnamed,
                            place_of(type.type_place, type.has_type ? kValueType.find(OfValueType::type) : nullptr),
                            {i});
        if (type.knows_unit && strings.has(type.unit) && strings.is_empty(type.unit))
            aggregates_.add(kSampleTypeNoUnit,
                            place_of(type.unit_place, type.has_unit ? kValueType.find(OfValueType::unit) : nullptr),
                            {i});
        if (!is_readable || strings.is_empty(type.type)) continue;
        const size_t before = names_.size();
        if (names_.find_or_insert({strings.hash_of(type.type), true}) == nullptr)
            return note_limit(context_, type.message.offset);
        if (names_.size() == before && !has_wrong_count)
            aggregates_.add(kSampleTypeDuplicate,
                            place_of(type.type_place, type.has_type ? kValueType.find(OfValueType::type) : nullptr),
                            {i});
    }
}

void Profile::check_default(const Strings& strings) {
    const Last& chosen = last(OfProfile::default_sample_type);
    const auto index = static_cast<uint64_t>(chosen.value);
    if (certainty_.is_unread(OfProfile::default_sample_type) || unread_types_ != 0 || types_.empty()) return;
    if (index == 0 || !strings.has(index) || strings.is_empty(index)) return;
    for (const Type& type : types_) {
        if (!type.knows_type || !strings.has(type.type)) return;
        if (strings.hash_of(type.type) == strings.hash_of(index)) return;
    }
    context_.report.add<kDefaultSampleTypeUnknown>(at(chosen.place, OfProfile::default_sample_type), {index});
}

namespace {

constexpr Rule kTimeMissing{
    .id = "pprof/time-missing",
    .severity = Severity::note,
    .statement = "time_nanos is set",
    .message = "time_nanos is not set",
    .why = "pyroscope uses the time of arrival",
    .spec = "5.4 References",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kTimeImplausible{
    .id = "pprof/time-implausible",
    .severity = Severity::warning,
    .statement = "time_nanos is in nanoseconds since 1970",
    .message = "time_nanos is {0d} nanoseconds, or {1d} seconds, after 1970; expected a time between 1973 and 2096",
    .why = "services refuse profiles outside their ingestion window; the time may be in another unit",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDurationNegative{
    .id = "pprof/duration-negative",
    .severity = Severity::warning,
    .statement = "duration_nanos is not negative",
    .message = "duration_nanos is {0d}",
    .why = "rates become negative",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDurationImplausible{
    .id = "pprof/duration-implausible",
    .severity = Severity::note,
    .statement = "duration_nanos is in nanoseconds",
    .message = "duration_nanos is {0d}, expected 1000 to 366 days in nanoseconds",
    .why = "rates become too high or too low",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void Profile::check_times(uint64_t size) {
    constexpr int64_t kEarliest = 100'000'000 * kSecond, kLatest = 4'000'000'000 * kSecond;
    constexpr int64_t kShortest = 1'000, kLongest = 366 * 86'400 * kSecond;
    if (const Last& time = last(OfProfile::time_nanos); !certainty_.is_unread(OfProfile::time_nanos)) {
        const auto number = static_cast<uint64_t>(time.value);
        if (time.value == 0 && time.place.length == 0)
            context_.report.add<kTimeMissing>({.offset = size});
        else if (time.value == 0)
            context_.report.add<kTimeMissing>(at(time.place, OfProfile::time_nanos));
        else if (time.value < kEarliest || time.value > kLatest)
            context_.report.add<kTimeImplausible>(at(time.place, OfProfile::time_nanos),
                                                  {number, static_cast<uint64_t>(time.value / kSecond)});
    }
    if (const Last& duration = last(OfProfile::duration_nanos); !certainty_.is_unread(OfProfile::duration_nanos)) {
        const Place place = at(duration.place, OfProfile::duration_nanos);
        const auto number = static_cast<uint64_t>(duration.value);
        if (duration.value < 0)
            context_.report.add<kDurationNegative>(place, {number});
        else if (duration.value > 0 && (duration.value < kShortest || duration.value > kLongest))
            context_.report.add<kDurationImplausible>(place, {number});
    }
}

namespace {

constexpr Rule kPeriodNegative{
    .id = "pprof/period-negative",
    .severity = Severity::warning,
    .statement = "period is not negative",
    .message = "period is {0d}; it is the number of events between two samples",
    .why = "values that are scaled by it become negative",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPeriodWithoutType{
    .id = "pprof/period-without-type",
    .severity = Severity::warning,
    .statement = "a profile with a period has a period_type",
    .message = "period is {0d}, period_type is missing",
    .why = "nothing says what the period counts; Parca crashed on it",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPeriodMissing{
    .id = "pprof/period-missing",
    .severity = Severity::note,
    .statement = "a profile with a period_type has a period",
    .message = "period_type is set, period is 0",
    .why = "the sampling rate is unknown",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void Profile::check_period() {
    if (certainty_.is_unread(OfProfile::period)) return;
    const Last& period = last(OfProfile::period);
    const Place place = at(period.place, OfProfile::period);
    const auto number = static_cast<uint64_t>(period.value);
    if (period.value < 0) context_.report.add<kPeriodNegative>(place, {number});
    if (period.value > 0 && period_types_ == 0 && !certainty_.is_unread(OfProfile::period_type))
        context_.report.add<kPeriodWithoutType>(place, {number});
    if (period.value == 0 && period_types_ != 0)
        context_.report.add<kPeriodMissing>(at(period_type_, OfProfile::period_type));
}

constinit const RuleList kProfileRules =
    rules<&kProfileWithoutTypes, &kSampleTypeUnnamed, &kSampleTypeNoUnit, &kSampleTypeDuplicate,
          &kDefaultSampleTypeUnknown, &kNoSamples, &kTimeMissing, &kTimeImplausible, &kDurationNegative,
          &kDurationImplausible, &kPeriodNegative, &kPeriodWithoutType, &kPeriodMissing>;

}  // namespace tracelint::pprof
