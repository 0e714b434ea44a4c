// pprof, section 3: finds the top-level fields of a file without judging them.
#include "grammars/pprof/pprof.hpp"
#include "grammars/pprof/records.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint::pprof {
namespace {

using protobuf::Fault, protobuf::WireField, protobuf::WireType;

// Whether the record tables describe every byte of the message: they have no place for unknown fields.
bool is_described(const Message& message, Bytes bytes) {
    for (uint64_t at = 0; at < bytes.size();) {
        const WireField field = protobuf::read_field(message, bytes, at);
        if (field.fault != Fault::none || field.member == nullptr) return false;
        at = field.end();
        if (field.wire != WireType::delimited || field.member->message == nullptr) continue;
        if (!is_described(*field.member->message, bytes.subspan(at - field.content, field.content))) return false;
    }
    return true;
}

class PprofFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        if (bytes.empty()) return {};
        const WireField field = protobuf::read_head(kProfile, bytes, 0);
        if (!field.has_tag) return {};
        const uint64_t end = protobuf::end_of_value(bytes, field.value.at, field.wire);
        if (field.fault != Fault::none) return end == kNone ? Frame{} : Frame{&kOther, end};
        const uint64_t length =
            saturating_add(field.value.at + field.value.size, field.wire == WireType::delimited ? field.content : 0);
        if (length > bytes.size() && requested_ != length) {
            requested_ = length;
            return {&record_of(field.member), length, length};
        }
        requested_ = 0;
        if (length > bytes.size() || field.member == nullptr || field.wire != WireType::delimited ||
            field.member->message == nullptr)
            return {&record_of(field.member), length};
        const Bytes payload = bytes.subspan(length - field.content, field.content);
        return {is_described(*field.member->message, payload) ? &record_of(field.member) : &kOther, length};
    }

  private:
    uint64_t requested_ = 0;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<PprofFramer>(); }

}  // namespace tracelint::pprof
