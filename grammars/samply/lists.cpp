// samply, section 5.1: what tree and positions share. Their lists, strings and code offsets.
#include "grammars/samply/lists.hpp"

#include <bit>
#include <functional>
#include <tuple>

#include "validator/text_scan.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kProbesPerString = 8;  // on average; only text made to collide needs more

}  // namespace

bool Strings::locate(uint64_t count, Findings& findings) {
    // Each string takes a byte at least.
    short_of_memory_ = !scratch_.reserve(starts_, std::min(count, end_ - at_));
    if (short_of_memory_) return false;
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t length = length_to_nul(info_.bytes.subspan(after_, end_ - after_));
        if (length == kNone) {
            findings.add(kStringListShort, place(i, after_, end_ - after_), {i, count, end_ - after_});
            return false;
        }
        starts_.push_back(static_cast<uint32_t>(after_));
        after_ += length + 1;
    }
    context_.work.add(after_ - at_);
    return true;
}

bool Strings::check(Findings& findings) {
    if (!find_alike()) return false;
    for (uint64_t i = 0; i < count(); ++i) {
        const Bytes text = text_of(i);
        context_.work.add(text.size());
        if (const uint64_t bad = scan_text(text).ill_formed; bad != kNone)
            findings.add(kStringNotUtf8, place(i, starts_[i] + bad, 1), {i, bad, text[bad]});
        if (first_alike_[i] != i)
            findings.add(kDuplicateString, place(i, starts_[i], text.size() + 1), {i, first_alike_[i]});
    }
    return true;
}

bool Strings::find_alike() {
    if (!scratch_.assign(first_alike_, count(), uint32_t{0})) return false;
    return find_alike_by_hash() || find_alike_by_order();
}

// A table of open addressing, at most half full. False when text is made to collide, or memory is short.
bool Strings::find_alike_by_hash() {
    constexpr uint32_t kFree = ~uint32_t{0};
    const uint64_t slots = std::bit_ceil(2 * count() + 1);
    Scratch scratch(context_.budget);
    std::vector<uint32_t> table;
    if (!scratch.assign(table, slots, kFree)) return false;
    uint64_t probes_left = kProbesPerString * (count() + 8);
    for (uint32_t i = 0; i < count(); ++i) {
        const std::string_view text = as_text(text_of(i));
        context_.work.add(text.size() + 1);
        uint64_t slot = std::hash<std::string_view>{}(text) & (slots - 1);
        for (; table[slot] != kFree; slot = (slot + 1) & (slots - 1)) {
            context_.work.add(1);
            if (as_text(text_of(table[slot])) == text) break;
            if (--probes_left == 0) return false;
        }
        if (table[slot] == kFree) table[slot] = i;
        first_alike_[i] = table[slot];
    }
    return true;
}

// Slower, but whatever the text.
bool Strings::find_alike_by_order() {
    Scratch scratch(context_.budget);
    std::vector<uint32_t> order;
    if (!scratch.reserve(order, count())) return false;
    for (uint32_t i = 0; i < count(); ++i) order.push_back(i);
    const auto key_of = [&](uint32_t i) {
        const std::string_view text = as_text(text_of(i));
        return std::tuple(text.size(), text, i);  // most differ in length, or at once
    };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
    for (size_t i = 0; i < order.size(); ++i) {
        const bool alike = i > 0 && as_text(text_of(order[i])) == as_text(text_of(order[i - 1]));
        first_alike_[order[i]] = alike ? first_alike_[order[i - 1]] : order[i];
    }
    return true;
}

Place Strings::place(uint64_t i, uint64_t at, uint64_t length) const {
    const View<kString> string(info_.bytes.data() + at, info_.offset + at, info_.order, info_.index, list_, i);
    return string.place<"text">(0, length);
}

void check_trailing_bytes(const Info2& info, const Record& record, uint64_t after, Findings& findings) {
    const uint64_t left = info.total_size - after;
    if (left == 0) return;
    const Place place{info.offset + after, left, &record, record.find("padding"), nullptr, info.index, kNone};
    if (left > kMostPadding) return findings.add(kRecordTrailingBytes, place, {left});
    if (!info.is_whole()) return;  // out of view: it may be padding
    all_zero(info.bytes.subspan(after)) ? findings.add_overridden(kRecordTrailingBytes, place, {left})
                                        : findings.add(kRecordTrailingBytes, place, {left});
}

void check_references(const std::vector<bool>& used, const Place& counter, Findings& findings) {
    const auto first = std::find(used.begin(), used.end(), false);
    if (first == used.end()) return;
    const auto unused = static_cast<uint64_t>(std::count(first, used.end(), false));
    findings.add(kUnreferencedEntry, counter, {unused, used.size(), static_cast<uint64_t>(first - used.begin())});
}

}  // namespace tracelint::samply
