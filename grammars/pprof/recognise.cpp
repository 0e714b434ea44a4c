// pprof, section 2: whether a file is a profile. It has no magic number: nested messages that are clean prove it.
#include "grammars/pprof/pprof.hpp"
#include "grammars/pprof/records.hpp"

namespace tracelint::pprof {
namespace {

using protobuf::Contents, protobuf::Fault, protobuf::Member, protobuf::Part, protobuf::WireField, protobuf::WireType;

constexpr int kSure = 30;        // below every format that has a magic number
constexpr int kByName = 30;      // of an empty file
constexpr unsigned kEnough = 4;  // points
constexpr unsigned kMostFields = 256;

// What a message looks like.
struct Look {
    bool is_clean = true;    // no fault
    bool is_typical = true;  // no unknown field, none that occurs again
    uint64_t locations = 0, values = 0;

    uint64_t readable() const { return 0; }
    uint64_t take_packed(const Contents&, const Member&, Bytes, uint64_t) { return 0; }
    void fault(const Contents&, const WireField&, Part) { is_clean = false; }
    void item_fault(const Contents&, const Member&, const LebNumber&, Part) { is_clean = false; }
    void padded(Part, size_t) {}
    void unknown(const Contents&, const WireField&, Part) { is_typical = false; }
    void number(const Member& member, uint64_t, Part) {
        if (&member == &kSampleLocation) ++locations;
        if (&member == &kSampleValue) ++values;
    }
    void repeated(const Contents&, const Member&, Part) { is_typical = false; }
    bool nested(const Contents&, const Member& member, Part place, Bytes payload, uint64_t offset) {
        Contents message(*member.message, place);
        Look look;
        protobuf::read_message(message, payload, offset, look);
        is_clean = is_clean && look.is_clean;
        return look.is_clean;
    }
};

class Evidence {
  public:
    void add(const WireField& field, Bytes payload) {
        if (field.member == nullptr || field.fault == Fault::type_mismatch) return void(++bad_);
        if (field.member->meaning == Meaning::text && strings_++ == 0 && payload.empty()) has_empty_string_ = true;
        if (field.member->meaning != Meaning::message) return;
        Contents message(*field.member->message, {});
        Look look;
        protobuf::read_message(message, payload, 0, look);
        if (!look.is_clean) return void(++bad_);
        add_message(*field.member, message, look);
    }

    bool is_enough() const {
        const unsigned lost = std::min(2 * bad_, kEnough);
        unsigned points = 2 * std::min(types_, 3u) + std::min(entries_, 4u) + (has_empty_string_ ? 2 : 0);
        const bool has_stacks = samples_ >= 8 && is_deep_ && agrees_;
        if (has_stacks) points += 2;
        const auto kinds = static_cast<unsigned>(std::popcount(kinds_)) + has_stacks + has_empty_string_;
        return points >= lost + kEnough && (kinds >= 3 || (kinds == 2 && has_empty_string_));
    }

  private:
    void add_message(const Member& member, const Contents& message, const Look& look) {
        switch (member.number) {
            case OfProfile::sample_type: ++sample_types_; [[fallthrough]];
            case OfProfile::period_type:
                if (look.is_typical && message.has(OfValueType::type) && is_small(message)) count(member, types_);
                break;
            case OfProfile::sample:
                ++samples_;
                agrees_ = agrees_ && look.values != 0 && look.values == sample_types_;
                is_deep_ = is_deep_ || look.locations >= 3;
                if (look.is_typical && look.values != 0) count(member, entries_);
                break;
            default:
                if (look.is_typical && message.number(1) != 0) count(member, entries_);
        }
    }
    static bool is_small(const Contents& type) {
        return type.number(OfValueType::type) >> 31 == 0 && type.number(OfValueType::unit) >> 31 == 0;
    }
    void count(const Member& member, unsigned& kind) {
        ++kind;
        kinds_ |= uint32_t{1} << member.number;
    }

    unsigned bad_ = 0, types_ = 0, entries_ = 0;
    uint64_t strings_ = 0, samples_ = 0, sample_types_ = 0;
    uint32_t kinds_ = 0;
    bool has_empty_string_ = false, is_deep_ = false, agrees_ = true;
};

bool is_profile(Bytes bytes) {
    Evidence evidence;
    uint64_t at = 0;
    for (unsigned fields = 0; fields < kMostFields && at < bytes.size(); ++fields) {
        const WireField field = protobuf::read_head(kProfile, bytes, at);
        const bool can_be_passed = field.fault == Fault::none || field.fault == Fault::type_mismatch ||
                                   field.fault == Fault::number_zero || field.fault == Fault::number_too_large;
        if (!field.has_tag || !can_be_passed) break;
        const uint64_t end = protobuf::end_of_value(bytes, field.value.at, field.wire);
        if (end == kNone) break;
        const bool has_payload = field.fault == Fault::none && field.wire == WireType::delimited;
        evidence.add(field, has_payload ? bytes.subspan(end - field.content, field.content) : Bytes{});
        at = end;
    }
    return evidence.is_enough();
}

bool is_profile_name(std::string_view name) {
    return name.ends_with(".pb") || name.ends_with(".pb.gz") || name.ends_with(".pprof");
}

}  // namespace

int recognise(const Opening& opening) {
    if (opening.bytes.empty()) return is_profile_name(opening.file_name) ? kByName : 0;
    return is_profile(opening.bytes) ? kSure : 0;
}

}  // namespace tracelint::pprof
