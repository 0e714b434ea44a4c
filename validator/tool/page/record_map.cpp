// Merges short neighbours whenever there are too many stretches, and cells whenever the file exceeds them.
#include "validator/tool/page/record_map.hpp"

#include <algorithm>

namespace tracelint {

void RecordMap::add(std::string_view kind, uint64_t length) {
    const size_t index = kind_of(kind);
    const uint64_t bytes = std::min(length, kNone - end_);
    ++kinds_[index].records;
    kinds_[index].bytes += bytes;
    append({bytes, 1, index, bytes});
    pending_cells_ = 1 + index;
    ends_in_record_ = true;
}

void RecordMap::add_gap(uint64_t length) {
    const uint64_t bytes = std::min(length, kNone - end_);
    append({bytes, 0, kNoRecord, bytes});
    pending_cells_ = 0;
    ends_in_record_ = false;
}

void RecordMap::set_moment(const Framer::Moment& moment) {
    if (clock_ == Quantity::plain) clock_ = moment.quantity;
    if (clock_ == moment.quantity) stretches_.back().moment = moment.number;
}

// Only what was added last can reach beyond the end.
void RecordMap::finish(uint64_t size) {
    if (end_ > size && !stretches_.empty()) {
        Stretch& last = stretches_.back();
        const uint64_t over = std::min(end_ - size, last.length);
        if (ends_in_record_) kinds_[last_kind_].bytes -= over;
        last.length -= over;
        last.weight = std::min(last.weight, last.length);
        end_ -= over;
        pending_ -= std::min(pending_, over);
    }
    fill_cells();
}

std::vector<RecordMap::Run> RecordMap::runs_of(size_t kind) const {
    std::vector<Run> runs;
    size_t skipped = 0;
    for (const uint64_t bytes : cells_[kind == kNoRecord ? 0 : 1 + kind]) {
        if (bytes == 0) {
            ++skipped;
            continue;
        }
        const uint64_t share = cell_width_ < 16 ? bytes * 16 / cell_width_ : 1 + (bytes - 1) / (cell_width_ / 16);
        const auto sixteenths = static_cast<unsigned>(std::min<uint64_t>(share, 16));
        if (skipped == 0 && !runs.empty() && runs.back().sixteenths == sixteenths)
            ++runs.back().cells;
        else
            runs.push_back({skipped, 1, sixteenths});
        skipped = 0;
    }
    return runs;
}

// Each doubling of the width halves the cells that are filled, so there are 64 of them at most.
void RecordMap::fill_cells() {
    for (; pending_ != 0 && (end_ - 1) / cell_width_ >= kCells; cell_width_ *= 2) {
        for (Cells& cells : cells_) {
            for (size_t i = 0; i < kCells / 2; ++i) cells[i] = cells[2 * i] + cells[2 * i + 1];
            std::fill(cells.begin() + kCells / 2, cells.end(), 0);
        }
    }
    for (uint64_t at = end_ - pending_; at < end_;) {
        const uint64_t cell = at / cell_width_, next = std::min(end_, saturating_add(cell * cell_width_, cell_width_));
        cells_[pending_cells_][static_cast<size_t>(cell)] += next - at;
        at = next;
    }
    pending_ = 0;
}

// The width only grows, so there are 64 rounds of merging at most.
void RecordMap::append(const Stretch& stretch) {
    fill_cells();
    end_ += stretch.length;
    pending_ = stretch.length;
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
    if (into.moment == kNone) into.moment = from.moment;
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
    if (found == kinds_.end()) {
        kinds_.push_back({name});
        cells_.emplace_back();
    }
    return last_kind_;
}

}  // namespace tracelint
