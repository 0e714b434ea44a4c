// What must be set once it is known what is left out: entries of tables, places of sections, padding.
#include <algorithm>
#include <bit>

#include "validator/salvage/planner.hpp"

namespace tracelint {

// --- Tables

void Planner::judge_entry(const Reason& reason) {
    const size_t entry = entries_++;
    const bool is_located = !located_.empty() && located_.back().offset.offset >= piece_->offset;
    if (!reason.is_given) {
        if (is_located) {
            located_[located_.size() - 1].entry = entry;
            located_[located_.size() - 1].entry_end = piece_->end();
        }
        return keep();
    }
    if (is_located) located_.pop_back();
    retract(entry);
    drop(reason, false);
}

// Takes the bit of an entry away.
void Planner::retract(size_t entry) {
    for (size_t i = 0; i < flags_.size(); ++i)
        for (uint64_t left = flags_[i].value; left != 0; left &= left - 1)
            if (entry-- == 0) {
                retracted_[i] |= left & (0 - left);
                return;
            }
}

// Where what it locates ends in the file.
uint64_t Planner::end_of(const Located& located) const {
    if (located.is_wrong && located.size.value == 0) return size_;
    return std::min(saturating_add(located.offset.value, located.size.value), size_);
}

// Whether nothing is left of what an entry of a table locates, or it is empty and should not be.
bool Planner::is_lost(const Located& located) const {
    if (located.entry == kNoEntry) return false;
    const uint64_t start = located.offset.value;
    if (start > size_) return choice_ == nullptr;
    if (located.size.value == 0) return std::ranges::binary_search(damages_, start, {}, &Damage::offset);
    return edits_.new_offset(start) == edits_.new_offset(end_of(located));
}

// Leaves out the entries of what is lost.
void Planner::drop_entries() {
    // Looked up before any edit is added, as those that follow are not sorted.
    for (size_t i = 0; i < located_.size(); ++i) located_[i].is_lost = is_lost(located_[i]);
    size_t kept = 0;
    const size_t count = edits_.size();
    for (size_t i = 0; i < located_.size(); ++i) {
        const Located located = located_[i];
        if (!located.is_lost) {
            located_[kept++] = located;
            continue;
        }
        const uint64_t offset = located.entry_end - fixed_size(*located.record, located.layout);
        retract(located.entry);
        --records_.kept;
        drop_range(offset, located.entry_end - offset, 1, {true, Cause::dependence, nullptr, located.offset.value});
    }
    located_.keep_first(kept);
    if (edits_.size() != count) edits_.finish();
}

void Planner::set_flags() {
    if (flagged_ == nullptr) return;
    const size_t count = edits_.size();
    size_t announced = 0;
    for (const Number& flags : flags_) announced += static_cast<size_t>(std::popcount(flags.value));
    for (size_t missing = entries_; missing < announced && choice_ == nullptr; ++missing) retract(missing);
    for (size_t i = 0; i < flags_.size(); ++i)
        if (retracted_[i] != 0 && flags_[i].field != nullptr)
            set(flags_[i], flags_[i].value & ~retracted_[i], flagged_, flagged_layout_, nullptr);
    if (edits_.size() != count) edits_.finish();
}

// --- Places

// Where the parts of the file that are located by others are now.
void Planner::set_extents() {
    if (located_.empty()) return;
    // Offsets are looked up before any edit is added, as those that follow are not sorted.
    for (size_t i = 0; i < located_.size(); ++i) {
        Located& located = located_[i];
        const uint64_t start = located.offset.value, end = end_of(located);
        located.new_start = edits_.new_offset(start);
        const uint64_t beyond = choice_ == nullptr ? 0 : located.size.value - (end - start);
        located.new_size = edits_.new_offset(end) - located.new_start + beyond;
    }
    const size_t count = edits_.size();
    for (const Located& located : located_) {
        if (located.offset.value > size_) continue;
        const auto set_if_new = [&](const Number& number, uint64_t value) {
            if (value != number.value) set(number, value, located.record, located.layout, nullptr);
        };
        set_if_new(located.offset, located.new_start);
        set_if_new(located.size, located.new_size);
    }
    if (edits_.size() != count) edits_.finish();
}

// Records end at multiples of their alignment, wherever they are now.
void Planner::set_padding() {
    if (edits_.empty()) return;
    size_t changed = 0;
    uint64_t shift = 0;  // by the paddings before, modulo 2^64
    for (size_t i = 0; i < padded_.size(); ++i) {
        Edit padding = padded_[i];
        const uint64_t alignment = padding.records, start = edits_.new_offset(padding.offset) + shift;
        if (edits_.old_offset(edits_.new_offset(padding.offset)) != padding.offset) continue;  // it was left out
        const uint64_t wanted = (alignment - start % alignment) % alignment;
        if (wanted == padding.length) continue;
        padding.records = 0;
        padding.bytes = {};
        padding.size = static_cast<uint8_t>(wanted);
        shift += wanted - padding.length;
        padded_[changed++] = padding;
    }
    for (size_t i = 0; i < changed; ++i) add(padded_[i]);
    if (changed != 0) edits_.finish();
}

}  // namespace tracelint
