// pprof, section 5: findings that are reported once for all places in a file.
#include "grammars/pprof/checks/findings.hpp"

namespace tracelint::pprof {

Spot::operator Place() const {
    Place place{.offset = mark.offset, .length = mark.length};
    if (mark.record == Mark::kNoRecord) return place;
    place.record_index = mark.record;
    if (member == nullptr) {
        place.record = &kOther;
        return place;
    }
    for (const Record* fields : RecordList{&kSampleField, &kMappingField, &kLocationField, &kFunctionField,
                                           &kValueTypeField, &kLabelField, &kLineField})
        if (member->path.starts_with(fields->name.substr(0, fields->name.find(' ')))) {
            place.record = fields;
            place.field = fields->find(member->name());
        }
    if (place.record == nullptr) {
        place.record = &record_of(member);
        place.field = place.record->find(member->meaning == Meaning::message ? "fields" : member->name());
    }
    return place;
}

void Aggregates::add_many(const Rule& rule, uint64_t count, const Spot& place, std::initializer_list<uint64_t> numbers,
                          std::string_view text) {
    tally(rule, nullptr, count, place, numbers, text);
}

void Aggregates::tally(const Rule& rule, const Member* member, uint64_t count, const Spot& place,
                       std::initializer_list<uint64_t> numbers, std::string_view text) {
    const auto known = std::find_if(found_.begin(), found_.end(),
                                    [&](const Found& f) { return f.first.rule == &rule && f.member == member; });
    // What comes first is not known once something was left out.
    if (known == found_.end() && context_.limit_hit) return;
    Found& found = known == found_.end() ? found_.emplace_back() : *known;
    if (found.count == 0 || place.mark.offset < found.first.place.offset) {
        found.member = member;
        found.first.rule = &rule;
        found.first.place = place;
        found.first.text = text;
        std::copy(numbers.begin(), numbers.end(), found.first.numbers.begin());
    }
    found.count += count;
}

void Aggregates::finish() {
    for (Found& found : found_) {
        found.first.numbers[3] = found.count;
        context_.report.add(found.first);
    }
}

namespace {

constexpr Rule kTrackingLimit = tracking_limit("pprof/tracking-limit", "4.2 Registers and memory", true, "0.2.0");

}  // namespace

void note_limit(ValidationContext& context, uint64_t offset) {
    context.limit_hit = true;
    context.report.add_first<kTrackingLimit>({.offset = offset}, {context.limits.memory});
}

constinit const RuleList kFindingRules = rules<&kTrackingLimit>;

}  // namespace tracelint::pprof
