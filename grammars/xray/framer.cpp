// Finds the records of an XRay file of any family without checking them.
#include <algorithm>

#include "grammars/xray/header.hpp"

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
        return {type == 1 ? &kBasicArgument : &kBasicFunction, kBasicSize};
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
        if (!is_metadata(bytes[0], layout_.order)) return {&kFunction, kFunctionSize};
        const uint64_t kind = kind_of(bytes[0], layout_.order);
        const Record* record = metadata_of(kind);
        if (record == nullptr) return {nullptr, to_next_buffer(bytes)};
        in_rest_ = kind == kEndOfBufferKind && layout_.version == 1;
        const bool has_payload = kind == kCustomEventKind || kind == kTypedEventKind;
        return {record, kMetadataSize + (has_payload ? payload(bytes) : 0)};
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

    // Bytes that are not a record, up to what may begin a buffer.
    uint64_t to_next_buffer(Bytes bytes) const {
        const uint8_t wanted = introducer(kBufferExtentsKind, layout_.order);
        const void* found = std::memchr(bytes.data(), wanted, bytes.size());
        if (layout_.version == 1 || found == nullptr) return 0;
        return static_cast<uint64_t>(static_cast<const uint8_t*>(found) - bytes.data());
    }

    Family family_ = Family::unknown;
    uint64_t at_ = 0;
    uint64_t stride_ = kNone;
    bool in_rest_ = false;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<XrayFramer>(); }

}  // namespace tracelint::xray
