// nettrace, sections 3.5 and 3.6: reads the headers of events.
#pragma once

#include <array>
#include <optional>

#include "grammars/nettrace/checks/part_reader.hpp"
#include "grammars/nettrace/checks/threads.hpp"

namespace tracelint::nettrace {

inline constexpr size_t kParts = 9;           // of EventPlaces
inline constexpr size_t kLongestHeader = 96;  // bytes: more than any header has

enum Flag : unsigned {
    kHasMetadata = 1,
    kHasNumber = 2,
    kHasThread = 4,
    kHasStack = 8,
    kHasActivity = 16,
    kHasRelated = 32,
    kIsSorted = 64,
    kHasPayloadSize = 128
};

// What an event inherits from the one before it.
struct EventFields {
    uint64_t capture_thread = 0, thread = 0, time = 0;
    uint32_t metadata_id = 0, number = 0, processor = 0, stack_id = 0, label_list = 0, payload_size = 0;
};

// Where the parts of a header are in it; of inherited ones the length is 0.
struct Extents {
    std::array<uint8_t, kParts> at{}, length{};
};

// Reads a compressed header.
template <bool Tracks>
class HeaderReader {
    using Part = EventPlaces::Part;

  public:
    HeaderReader(const uint8_t* from, const uint8_t* end, EventFields& fields)
        : from_(from), at_(from), end_(end), fields_(fields) {}

    // False: a fault.
    [[gnu::always_inline]] bool read(bool is_plain) {
        const unsigned flags = *at_++;
        flags_ = static_cast<uint8_t>(flags);
        if ((flags & kHasMetadata) != 0 && !narrow(Part::metadata_id, fields_.metadata_id)) return false;
        if ((flags & kHasNumber) != 0) {
            uint32_t delta = 0;
            if (!narrow(Part::number, delta) || !wide(Part::capture_thread, fields_.capture_thread) ||
                !narrow(Part::processor, fields_.processor))
                return false;
            fields_.number += delta + 1;
        } else {
            fields_.number += fields_.metadata_id != 0 ? 1 : 0;
        }
        if ((flags & kHasThread) != 0 && !wide(Part::thread, fields_.thread)) return false;
        if ((flags & kHasStack) != 0 && !narrow(Part::stack_id, fields_.stack_id)) return false;
        uint64_t delta = 0;
        if (!wide(Part::time, delta)) return false;
        fields_.time += delta;
        if (is_plain) {
            if ((flags & kHasActivity) != 0 && !narrow(Part::label_list, fields_.label_list)) return false;
        } else if (const unsigned ids = (flags & kHasActivity) / kHasActivity + (flags & kHasRelated) / kHasRelated;
                   ids != 0 && !skip(16 * ids)) {
            return false;
        }
        return (flags & kHasPayloadSize) == 0 || narrow(Part::payload_size, fields_.payload_size);
    }

    size_t size() const { return static_cast<size_t>(at_ - from_); }
    uint8_t flags() const { return flags_; }
    bool is_sorted() const { return (flags_ & kIsSorted) != 0; }
    // Whether a number takes more bytes than it needs.
    bool has_long_number() const { return has_long_number_; }
    // Of a header that could not be read: what is wrong with the number at the cursor.
    NumberFault fault() const { return fault_; }
    uint8_t fault_length() const { return fault_length_; }
    bool is_wide_fault() const { return is_wide_; }
    const Extents& extents() const { return extents_; }

  private:
    [[gnu::always_inline]] bool narrow(Part part, uint32_t& value) {
        uint64_t number = 0;
        if (!take(part, false, number)) return false;
        value = static_cast<uint32_t>(number);
        return true;
    }
    [[gnu::always_inline]] bool wide(Part part, uint64_t& value) { return take(part, true, value); }
    [[gnu::always_inline]] bool take(Part part, bool is_wide, uint64_t& value) {
        const uint8_t* const before = at_;
        if (at_ != end_ && *at_ < 0x80) [[likely]]
            value = *at_++;
        else if (end_ - at_ >= 2 && at_[1] < 0x80 && at_[1] != 0)  // of two bytes
            value = (at_[0] & 0x7fu) | uint64_t{at_[1]} << 7, at_ += 2;
        else if (!take_long(is_wide, value))
            return false;
        if constexpr (Tracks) {
            extents_.at[static_cast<size_t>(part)] = static_cast<uint8_t>(before - from_);
            extents_.length[static_cast<size_t>(part)] = static_cast<uint8_t>(at_ - before);
        }
        return true;
    }
    bool take_long(bool is_wide, uint64_t& value) {
        const Number number = read_number(at_, end_, is_wide);
        if (number.fault != NumberFault::none) {
            fault_ = number.fault;
            fault_length_ = number.length;
            is_wide_ = is_wide;
            return false;
        }
        has_long_number_ = has_long_number_ || !number.is_shortest;
        at_ += number.length;
        value = number.value;
        return true;
    }
    bool skip(size_t bytes) {
        if (static_cast<size_t>(end_ - at_) < bytes) {
            fault_ = NumberFault::absent;
            return false;
        }
        at_ += bytes;
        return true;
    }

    const uint8_t* const from_;
    const uint8_t* at_;
    const uint8_t* const end_;
    EventFields& fields_;
    Extents extents_;
    NumberFault fault_ = NumberFault::none;
    uint8_t flags_ = 0, fault_length_ = 0;
    bool is_wide_ = false, has_long_number_ = false;
};

}  // namespace tracelint::nettrace
