// The samples that pyroscope leaves out of a profile that it takes, by its source (section 8): those with a negative
// value, those whose values are all 0, and those with a location that it removes. It removes a location without address
// and line, and one that refers to a mapping or a function that does not exist.
#include "grammars/pprof/readers/pyroscope_losses.hpp"
#include "grammars/pprof/records.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::pprof {
namespace {

using protobuf::Member, protobuf::WireField, protobuf::WireType;

// A set of ids.
class IdSet {
  public:
    IdSet(Budget& budget, WorkCounter& work) : ids_(budget, work) {}

    [[nodiscard]] bool add(uint64_t id) { return ids_.find_or_insert({.key = id, .is_used = true}) != nullptr; }
    bool has(uint64_t id) { return ids_.find(id) != nullptr; }

  private:
    struct Id {
        uint64_t key;
        bool is_used;
        bool is_vacant() const { return !is_used; }
    };
    HashTable<Id> ids_;
};

// Calls `see` for each number of a message, packed or not, and `enter` for each message in it, up to a wire fault:
// pyroscope refuses profiles with one.
template <class See, class Enter>
void read_members(const Message& message, Bytes payload, See see, Enter enter) {
    for (uint64_t at = 0; at < payload.size();) {
        const WireField field = protobuf::read_field(message, payload, at);
        if (field.fault != protobuf::Fault::none) return;
        at = field.end();
        if (field.member == nullptr) continue;
        if (field.wire == WireType::varint) {
            see(field.member->number, field.content);
            continue;
        }
        const Bytes content = payload.subspan(at - field.content, field.content);
        if (field.member->meaning == Meaning::message) enter(content);
        for (uint64_t item = 0; field.member->is_number() && item < content.size();) {
            const LebNumber number = read_leb<false>(content.data() + item, content.data() + content.size());
            if (number.fault != LebNumber::Fault::none) return;
            see(field.member->number, number.value);
            item += number.length;
        }
    }
}

constexpr auto kNoMessages = [](Bytes) {};

class PyroscopeLosses final : public LossCounter {
  public:
    PyroscopeLosses(Budget& budget, WorkCounter& work)
        : work_(work),
          mappings_(budget, work),
          functions_(budget, work),
          kept_(budget, work),
          locations_(budget),
          references_(budget) {}

    bool note(const Record& record, Bytes bytes) override {
        work_.add(bytes.size());
        const Bytes payload = payload_of(bytes);
        if (record.name == "mapping") return mappings_.add(id_of(kMappingMessage, payload));
        if (record.name == "function") return functions_.add(id_of(kFunctionMessage, payload));
        return record.name != "location" || note_location(payload);
    }

    // Of several locations with one id, one that is kept is enough.
    bool settle() override {
        for (const Reference& reference : references_)
            if (!(reference.is_function ? functions_ : mappings_).has(reference.id))
                locations_[reference.location].is_kept = false;
        for (const Location& location : locations_)
            if (location.is_kept && !kept_.add(location.id)) return false;
        return true;
    }

    bool is_lost(Bytes unit) override {
        work_.add(unit.size());
        bool is_negative = false, is_zero = true, has_bad_location = false;
        read_members(
            kSampleMessage, payload_of(unit),
            [&](uint32_t member, uint64_t number) {
                if (member == OfSample::location_id) has_bad_location = has_bad_location || !kept_.has(number);
                if (member != OfSample::value) return;
                is_negative = is_negative || number >> 63 != 0;
                is_zero = is_zero && number == 0;
            },
            kNoMessages);
        return is_negative || is_zero || has_bad_location;
    }

  private:
    struct Location {
        uint64_t id;
        bool is_kept;
    };
    struct Reference {
        uint64_t id, location;  // what is referred to; the number of the location in the file
        bool is_function;
    };

    static uint64_t id_of(const Message& message, Bytes payload) {
        uint64_t id = 0;
        read_members(
            message, payload, [&](uint32_t member, uint64_t number) { id = member == 1 ? number : id; }, kNoMessages);
        return id;
    }

    bool note_location(Bytes payload) {
        const uint64_t index = locations_.size();
        uint64_t id = 0, mapping = 0, address = 0;
        bool has_line = false, has_memory = true;
        read_members(
            kLocationMessage, payload,
            [&](uint32_t member, uint64_t number) {
                if (member == OfLocation::id) id = number;
                if (member == OfLocation::mapping_id) mapping = number;
                if (member == OfLocation::address) address = number;
            },
            [&](Bytes line) {
                has_line = true;
                has_memory = has_memory && references_.push_back({function_of(line), index, true});
            });
        if (mapping != 0) has_memory = has_memory && references_.push_back({mapping, index, false});
        return has_memory && locations_.push_back({id, has_line || address != 0});
    }
    static uint64_t function_of(Bytes line) {
        uint64_t function = 0;
        read_members(
            kLine, line,
            [&](uint32_t member, uint64_t number) { function = member == OfLine::function_id ? number : function; },
            kNoMessages);
        return function;
    }

    WorkCounter& work_;
    IdSet mappings_, functions_;
    IdSet kept_;  // ids of locations
    LongVector<Location> locations_;
    LongVector<Reference> references_;
};

}  // namespace

Bytes payload_of(Bytes record) {
    const WireField field = protobuf::read_field(kProfile, record, 0);
    const bool is_message = field.fault == protobuf::Fault::none && field.wire == WireType::delimited;
    return is_message ? record.subspan(field.value.at + field.value.size, field.content) : Bytes();
}

std::unique_ptr<LossCounter> count_pyroscope_losses(Budget& budget, WorkCounter& work) {
    return std::make_unique<PyroscopeLosses>(budget, work);
}

}  // namespace tracelint::pprof
