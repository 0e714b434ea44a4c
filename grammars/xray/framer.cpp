// Finds the records of an XRay file of any family without checking them.
#include <algorithm>

#include "grammars/xray/checks/header.hpp"
#include "grammars/xray/walk_fdr_buffer.hpp"
#include "grammars/xray/xray.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::xray {
namespace {

class XrayFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        const Frame frame = family_ == Family::unknown ? header(bytes) : record(bytes);
        at_ = saturating_add(at_, frame.length);
        return frame;
    }

  private:
    enum class Family : uint8_t { unknown, fdr, basic, profile };

    Frame header(Bytes bytes) {
        if (bytes.size() < kHeaderSize) return {};
        if (const std::optional<ByteOrder> order = order_of_profile(bytes)) {
            layout_.order = *order;
            family_ = Family::profile;
            return {&kProfileHeader, fixed_size(kProfileHeader)};
        }
        layout_.order = order_of_header(bytes);
        const View<kHeader> header(bytes.data(), 0, layout_.order, kNone);
        layout_.version = static_cast<uint16_t>(header.get<"version">());
        family_ = header.get<"type">() == kBasicType ? Family::basic : Family::fdr;
        // Version 1 only: a buffer begins at each multiple of its size.
        const uint64_t buffer_size = header.get<"buffer_size">();
        stride_ = buffer_size < kLeastBufferSize ? kNone : buffer_size;
        return {&kHeader, kHeaderSize};
    }

    Frame record(Bytes bytes) {
        if (bytes.empty()) return {};
        switch (family_) {
            case Family::basic: return basic_record(bytes);
            case Family::profile: return profile_block(bytes);
            default: return fdr_record(bytes);
        }
    }

    Frame basic_record(Bytes bytes) const {
        if (bytes.size() < 2) return {&kBasicFunction, kBasicSize};
        const uint64_t type = View<kBasicFunction>(bytes.data(), at_, layout_.order, 0).get<"type">();
        return {&either(type == 1, kBasicArgument, kBasicFunction), kBasicSize};
    }

    Frame profile_block(Bytes bytes) const {
        const uint64_t prefix = fixed_size(kProfileBlock);
        if (bytes.size() < prefix) return {};
        const uint64_t size = View<kProfileBlock>(bytes.data(), at_, layout_.order, 0).get<"block_size">();
        if (size < prefix) return {};
        return {&kProfileBlock, size};
    }

    Frame fdr_record(Bytes bytes) {
        if (in_rest_) {
            in_rest_ = false;
            if (const uint64_t rest = rest_of_buffer(); rest != 0) return {&kRest, rest};
        }
        if (at_ >= end_) end_ = kNone;  // of the buffer before
        if (!is_metadata(bytes[0], layout_.order)) return within_buffer({&kFunction, kFunctionSize});
        const uint64_t kind = kind_of(bytes[0], layout_.order);
        const Record* record = metadata_of(kind);
        if (record == nullptr) return leave_buffer(bytes);
        if (kind == kBufferExtentsKind && layout_.version != 1) return extents(bytes);
        in_rest_ = kind == kEndOfBufferKind && layout_.version == 1;
        const bool has_payload = kind == kCustomEventKind || kind == kTypedEventKind;
        return within_buffer({record, kMetadataSize + (has_payload ? payload(bytes) : 0)});
    }

    // A BufferExtents claims where the buffer after it ends.
    Frame extents(Bytes bytes) {
        const uint64_t count =
            bytes.size() < kMetadataSize ? 0 : View<kBufferExtents>(bytes.data(), at_, layout_.order, 0).get<"count">();
        end_ = count == 0 || count > kMostExtents ? kNone : saturating_add(at_, kMetadataSize + count);
        return {&kBufferExtents, kMetadataSize};
    }

    // A record does not cross the end that its buffer claims (section 4.1).
    Frame within_buffer(Frame frame) const { return {frame.record, std::min(frame.length, end_ - at_)}; }

    // The bytes here are not a record: the walk continues after the buffer, or after a damaged record of the preamble
    // (section 4.2).
    Frame leave_buffer(Bytes bytes) const {
        if (layout_.version == 1) {
            const uint64_t rest = rest_of_buffer();
            return {nullptr, rest == kNone ? 0 : rest};
        }
        if (bytes.size() > kMetadataSize && is_of_preamble(bytes[kMetadataSize])) return {nullptr, kMetadataSize};
        return end_ == kNone ? to_next_buffer(bytes) : Frame{nullptr, end_ - at_};
    }

    // Whether the byte introduces one of the records after NewBuffer.
    bool is_of_preamble(uint8_t byte) const {
        return byte == introducer(kWallClockKind, layout_.order) || byte == introducer(kPidKind, layout_.order) ||
               byte == introducer(kNewCpuIdKind, layout_.order);
    }

    // `size` is the same field of both events.
    uint64_t payload(Bytes bytes) const {
        const View<kCustomEvent> event(bytes.data(), at_, layout_.order, 0);
        if (bytes.size() < event.offset_of<"size">() + 4) return 0;
        return static_cast<uint64_t>(std::max<int64_t>(0, static_cast<int64_t>(event.get<"size">())));
    }

    // Bytes left in a version 1 buffer after what was framed so far.
    uint64_t rest_of_buffer() const {
        if (stride_ == kNone) return kNone;
        const uint64_t used = (at_ - kHeaderSize) % stride_;
        return used == 0 ? 0 : stride_ - used;
    }

    // Bytes that are not a record, up to what begins a buffer.
    Frame to_next_buffer(Bytes bytes) const {
        const uint8_t wanted = introducer(kBufferExtentsKind, layout_.order);
        for (uint64_t skipped = 1; skipped < bytes.size(); ++skipped) {
            const uint64_t found = length_to(wanted, bytes.subspan(skipped));
            if (found == kNone) break;
            skipped += found;
            if (is_plausible_extents(bytes.subspan(skipped), layout_.order)) return {nullptr, skipped};
        }
        return {nullptr, 0, 2 * bytes.size()};
    }

    Family family_ = Family::unknown;
    uint64_t at_ = 0;
    uint64_t stride_ = kNone;
    uint64_t end_ = kNone;  // that the buffer claims; kNone: it claims none
    bool in_rest_ = false;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<XrayFramer>(); }

}  // namespace tracelint::xray
