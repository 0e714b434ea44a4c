// The part of a file that stays in view until the records are walked: the attributes and their ids stand in any order.
// A small file stays in view as a whole.
#pragma once

#include "validator/input/window.hpp"

namespace tracelint::perfdata {

class Front {
  public:
    // Files up to this size are in view as a whole, whatever the budget.
    static constexpr uint64_t kWhole = kFreeWindow / 2;

    // `most`: bytes that may be in view of a larger file.
    Front(Window& window, uint64_t most) : window_(window), most_(most), bytes_(window.view(0, kWhole)) {}

    // Brings what lies before `end` into view, if the input has so much. False: the limits do not allow for it.
    bool hold(uint64_t end) {
        if (end <= bytes_.size() || window_.size() != kNone) return true;
        const uint64_t affordable = window_.affordable(std::min(end, most_));
        if (affordable > bytes_.size()) bytes_ = window_.view(0, affordable);
        return end <= affordable || window_.size() != kNone;
    }
    // The bytes of a range that hold() brought into view, as far as the input has them.
    Bytes part(uint64_t offset, uint64_t length) const {
        if (offset >= bytes_.size()) return {};
        return bytes_.subspan(offset, std::min<uint64_t>(length, bytes_.size() - offset));
    }
    // Whether the range, which hold() was asked for, lies in the file.
    bool has(uint64_t offset, uint64_t length) const {
        return offset <= bytes_.size() && length <= bytes_.size() - offset;
    }
    // Whether all of the file is in view, and stays there.
    bool is_whole() const { return window_.size() == bytes_.size(); }
    Bytes bytes() const { return bytes_; }

  private:
    Window& window_;
    const uint64_t most_;
    Bytes bytes_;
};

}  // namespace tracelint::perfdata
