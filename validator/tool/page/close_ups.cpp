// Finds the extents around findings and the fields in them.
#include "validator/tool/page/close_ups.hpp"

#include <algorithm>
#include <unordered_map>

#include "validator/tool/inputs/interruption.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kRow = 16;
constexpr uint64_t kContext = 128;     // bytes shown before and after a place
constexpr uint64_t kPlaceShown = 128;  // bytes of the place itself
constexpr uint64_t kLongest = 2048;    // bytes of an extent; neighbours become one up to this length

ShownExtent around(uint64_t offset, uint64_t length, Severity severity) {
    const uint64_t end = saturating_add(offset, std::clamp<uint64_t>(length, 1, kPlaceShown));
    return {saturating_sub(offset, kContext) / kRow * kRow, saturating_add(end, kContext + kRow - 1) / kRow * kRow,
            severity, false};
}

}  // namespace

std::vector<ShownExtent> extents_of(const Report& report, const WriterOptions& options, bool of_container) {
    std::vector<ShownExtent> all;
    std::unordered_map<const Rule*, size_t> seen;
    for (const Diagnostic& finding : report.diagnostics()) {
        if (!is_shown(finding, options) || finding.rule->of_container != of_container) continue;
        const size_t before = all.size();
        all.push_back(around(finding.place.offset, finding.place.length, severity_of(finding)));
        if (finding.related_offset != kNone && finding.related_file.empty())
            all.push_back(around(finding.related_offset, finding.related_length, severity_of(finding)));
        const bool is_first = seen[finding.rule]++ < kFirstOfRule;
        for (size_t i = before; i < all.size(); ++i) all[i].has_first = is_first;
    }
    std::ranges::sort(all, {}, &ShownExtent::start);
    std::vector<ShownExtent> apart;
    for (ShownExtent next : all) {
        if (!apart.empty() && next.start < apart.back().end) {
            ShownExtent& last = apart.back();
            if (next.end - last.start <= kLongest) {
                last.end = std::max(last.end, next.end);
                last.worst = std::max(last.worst, next.worst);
                last.has_first = last.has_first || next.has_first;
                continue;
            }
            next.start = last.end;
        }
        if (next.start < next.end) apart.push_back(next);
    }
    return apart;
}

bool Surveyor::is_done(uint64_t offset, uint64_t next_index) {
    (void)offset, (void)next_index;
    return Interruption::has_come();
}

bool Surveyor::wants(const FramedRecord& record) {
    map_.add(record.record->name, record.length);
    finish_before(record.offset);
    is_near_ = !extents_.empty() && extents_[0].start < saturating_add(record.offset, record.length);
    // A header's moment is not that of what follows it, or on another clock.
    is_timed_ = record.record->numbered && record.length <= kMostForMoment && map_.wants_moment();
    return is_near_ || is_timed_;
}

void Surveyor::begin(const SeenRecord& record) {
    if (is_timed_)
        if (const auto moment = record.framer->moment_of(*record.record, record.bytes)) map_.set_moment(*moment);
    if (is_near_) meanings_.emplace(record, context_);
}

void Surveyor::end(const SeenRecord& record) {
    (void)record;
    meanings_.reset();
}

void Surveyor::leaf(const SeenRecord& record, const Leaf& leaf) {
    finish_before(record.offset + leaf.offset);
    const uint64_t start = record.offset + leaf.offset, end = start + leaf.length;
    const bool is_shown = leaf.kind != Leaf::Kind::list && !extents_.empty() && extents_[0].start < end;
    if (!is_shown) {
        // What an element takes from a list depends on the elements before it.
        if (leaf.kind == Leaf::Kind::value && !leaf.field->taken.empty()) (void)meanings_->of(leaf);
        return;
    }
    const NamedField field = named_field(record, leaf, *meanings_);
    for (size_t i = 0; i < extents_.size() && extents_[i].start < end; ++i) {
        if (found_.size() <= i) found_.emplace_back();
        add(found_[i], record, field);
    }
}

void Surveyor::gap(const Gap& gap, GapBytes& bytes) {
    (void)bytes;
    map_.add_gap(gap.length);
}

// Passes on the extents that end at the offset or before.
void Surveyor::finish_before(uint64_t offset) {
    while (!extents_.empty() && extents_[0].end <= offset) {
        if (found_.empty()) found_.emplace_back();
        take_(extents_[0], found_.front());
        found_.pop_front();
        extents_ = extents_.subspan(1);
    }
}

void Surveyor::add(std::vector<CloseRecord>& records, const SeenRecord& record, const NamedField& field) {
    if (records.empty() || records.back().offset != record.offset)
        records.push_back({record.record->name, record.offset, record.length, record.index, {}});
    if (records.back().fields.size() < kMostFields) records.back().fields.push_back(field);
}

}  // namespace tracelint
