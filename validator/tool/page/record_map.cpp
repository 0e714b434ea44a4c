// Merges short neighbours whenever there are too many stretches.
#include "validator/tool/page/record_map.hpp"

#include <algorithm>

namespace tracelint {

void RecordMap::add(std::string_view kind, uint64_t length) {
    const size_t index = kind_of(kind);
    const uint64_t bytes = std::min(length, kNone - end_);
    ++kinds_[index].records;
    kinds_[index].bytes += bytes;
    append({bytes, 1, index, bytes});
    ends_in_record_ = true;
}

void RecordMap::add_gap(uint64_t length) {
    const uint64_t bytes = std::min(length, kNone - end_);
    append({bytes, 0, kNoRecord, bytes});
    ends_in_record_ = false;
}

// Only what was added last can reach beyond the end.
void RecordMap::finish(uint64_t size) {
    if (end_ <= size || stretches_.empty()) return;
    Stretch& last = stretches_.back();
    const uint64_t over = std::min(end_ - size, last.length);
    if (ends_in_record_) kinds_[last_kind_].bytes -= over;
    last.length -= over;
    last.weight = std::min(last.weight, last.length);
    end_ -= over;
}

// The width only grows, so there are 64 rounds of merging at most.
void RecordMap::append(const Stretch& stretch) {
    end_ += stretch.length;
    if (!stretches_.empty() && saturating_add(stretches_.back().length, stretch.length) <= width_) {
        merge(stretches_.back(), stretch);
        return;
    }
    stretches_.push_back(stretch);
    while (stretches_.size() > kMostStretches) {
        width_ = saturating_add(width_, width_);
        size_t kept = 0;
        for (size_t i = 1; i < stretches_.size(); ++i) {
            if (saturating_add(stretches_[kept].length, stretches_[i].length) <= width_)
                merge(stretches_[kept], stretches_[i]);
            else
                stretches_[++kept] = stretches_[i];
        }
        stretches_.resize(kept + 1);
    }
}

void RecordMap::merge(Stretch& into, const Stretch& from) {
    into.length = saturating_add(into.length, from.length);
    into.records += from.records;
    if (into.kind == from.kind) {
        into.weight = saturating_add(into.weight, from.weight);
    } else if (into.weight >= from.weight) {
        into.weight -= from.weight;
    } else {
        into.kind = from.kind;
        into.weight = from.weight - into.weight;
    }
}

size_t RecordMap::kind_of(std::string_view name) {
    if (last_kind_ != kNoRecord && kinds_[last_kind_].name == name) return last_kind_;
    const auto found = std::ranges::find(kinds_, name, &Kind::name);
    last_kind_ = static_cast<size_t>(found - kinds_.begin());
    if (found == kinds_.end()) kinds_.push_back({name});
    return last_kind_;
}

}  // namespace tracelint
