// The search for the next record.
#include "validator/salvage/resuming_framer.hpp"

#include <algorithm>

#include "validator/memory/limits.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostSearched = kMiB;  // bytes in view at once
constexpr int kInARow = 3;              // records that begin where the one before ends

}  // namespace

Framer::Frame ResumingFramer::next(Bytes bytes) {
    if (is_searching_) return search(bytes);
    const Frame frame = inner_->next(bytes);
    layout_ = inner_->layout();
    if (composition_.unsized.empty() || frame.needs != 0) return step(frame);
    // The header is not searched for.
    if (at_ == 0 || (frame.length != 0 && !is_unsized(frame.length))) return step(frame);
    is_searching_ = true;
    searched_ = 0;
    return search(bytes);
}

Framer::Frame ResumingFramer::step(const Frame& frame) {
    if (frame.needs == 0) at_ = saturating_add(at_, frame.length);
    return frame;
}

// Whether a damage is to the length of the record here.
bool ResumingFramer::is_unsized(uint64_t length) {
    while (next_damage_ < damages_.size() && damages_[next_damage_].offset < at_) ++next_damage_;
    const uint64_t end = saturating_add(at_, length);
    for (size_t i = next_damage_; i < damages_.size() && damages_[i].offset < end; ++i)
        if (std::ranges::find(composition_.unsized, damages_[i].rule->id) != composition_.unsized.end()) return true;
    return false;
}

Framer::Frame ResumingFramer::search(Bytes bytes) {
    const bool is_all = bytes.size() < kDetectionBytes || bytes.size() == searched_;
    const bool is_most = bytes.size() >= kMostSearched;
    for (size_t at = 1; at < bytes.size(); ++at) {
        const std::optional<bool> begins = begins_records(bytes.subspan(at), is_all);
        if (!begins && !is_most) break;  // the bytes in view do not decide
        if (!begins.value_or(false)) continue;
        is_searching_ = false;
        return step({nullptr, at});
    }
    searched_ = bytes.size();
    if (!is_all && !is_most) return {nullptr, 0, std::min<uint64_t>(2 * uint64_t{bytes.size()}, kMostSearched)};
    searched_ = 0;
    return step({nullptr, bytes.size()});
}

// Whether a few records, or fewer and then the end of the file, begin here. Empty: the bytes in view do not decide.
std::optional<bool> ResumingFramer::begins_records(Bytes bytes, bool is_all) {
    for (int i = 0; i < kInARow; ++i) {
        if (bytes.empty() && i != 0 && is_all) return true;
        const Frame frame = inner_->next(bytes);
        const bool is_known = frame.record != nullptr && !frame.record->fallback && frame.length != 0;
        if (!is_known && !is_all && bytes.size() < kDetectionBytes && i != 0) return std::nullopt;
        if (!is_known) return false;
        if (frame.length > bytes.size()) return is_all ? std::optional(false) : std::nullopt;
        bytes = bytes.subspan(frame.length);
    }
    return true;
}

}  // namespace tracelint
