// pprof: the lane of the most frequent fields. It takes messages and strings that are whole in the window, and leaves
// the first other field to the machine.
#include "grammars/pprof/walk.hpp"

namespace tracelint::pprof {

using protobuf::TakenField, protobuf::WireType;

void Walk::take_lane() {
    while (!has_nested_fault_) {
        const Bytes bytes = window_.view(offset_, protobuf::kLongestHead);
        messages_.set_readable(offset_ + bytes.size());
        if (take_fields(bytes) == 0) break;
    }
}

// Takes the fields at the start of `bytes` and returns how many bytes they are.
uint64_t Walk::take_fields(Bytes bytes) {
    uint64_t at = 0;
    TakenField field;
    while (bytes.size() - at > kShortRoom && !has_nested_fault_) {
        const bool is_short =
            protobuf::read_short_field(kProfile, bytes.data() + at, bytes.size() - at, offset_, field);
        if (!is_short || field.wire != WireType::delimited || field.member->is_number() ||
            field.whole.size > context_.limits.record)
            break;
        const Bytes payload(field.payload, field.content);
        const uint64_t from = field.value.at + field.value.size;
        if (field.member->meaning == protobuf::Meaning::text)
            messages_.read_string(field.whole, payload, from, index_);
        else
            has_nested_fault_ = !messages_.read_message(*field.member, field.whole, payload, from, index_);
        at += field.whole.size;
        offset_ += field.whole.size;
        ++index_;
    }
    return at;
}

}  // namespace tracelint::pprof
