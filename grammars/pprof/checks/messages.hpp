// pprof, section 4: reads the messages of a profile, and hands what they hold to the checks.
#pragma once

#include "grammars/pprof/checks/profile.hpp"

namespace tracelint::pprof {

class Messages {
  public:
    explicit Messages(ValidationContext& context)
        : context_(context),
          aggregates_(context),
          strings_(context, aggregates_, certainty_),
          entries_(context, aggregates_, certainty_, strings_),
          samples_(context, aggregates_, certainty_, strings_, entries_),
          profile_(context, aggregates_, certainty_),
          unknown_(context.budget, context.work) {}

    // Each of these reads a whole top-level field, which is record number `record`. `field`: the field, `payload`: what
    // is behind its length, at `offset`. False: there is a fault inside.
    bool read_message(const Member& member, Part field, Bytes payload, uint64_t offset, uint64_t record);
    bool read_numbers(const Member& member, Part field, Bytes payload, uint64_t offset, uint64_t record);
    void read_string(Part field, Bytes text, uint64_t offset, uint64_t record);
    void read_number(const Member& member, Part field, Part value, uint64_t number, uint64_t record);
    void skip_unread(const Member* member, Part field, uint64_t record);

    // The offset of the file up to which bytes are in memory: fields that are as usual are read in a short way up to
    // there.
    void set_readable(uint64_t offset) { readable_ = offset; }

    // What is said of a field wherever it stands.
    void report_fault(const Rule& rule, const protobuf::WireField& field, Part place, uint64_t record);
    void report_padding(Part part, size_t fewest, uint64_t record);
    void report_unknown(const Message& message, uint64_t number, Part place, uint64_t record);

    Certainty& certainty() { return certainty_; }
    // `size`: of the file.
    void finish(uint64_t size);

    // What protobuf::read_message() calls.
    uint64_t readable() const { return readable_; }
    uint64_t take_packed(const Contents& contents, const Member& member, Bytes payload, uint64_t offset);
    void fault(const Contents& contents, const protobuf::WireField& field, Part place);
    void item_fault(const Contents& contents, const Member& member, const LebNumber& read, Part place);
    void padded(Part part, size_t fewest) { report_padding(part, fewest, record_); }
    void unknown(const Contents& contents, const protobuf::WireField& field, Part place) {
        report_unknown(*contents.message, field.number, place, record_);
    }
    [[gnu::always_inline]] void number(const Member& member, uint64_t value, Part place) {
        if (member.meaning == Meaning::index) strings_.use(value, member, place, record_);
        if (member.meaning == Meaning::boolean && value > 1) report_boolean(member, value, place);
        if (&member == &kSampleLocation) samples_.add_location(value, place);
        if (&member == &kSampleValue) samples_.add_value(value, place);
    }
    void repeated(const Contents& contents, const Member& member, Part place);
    bool nested(const Contents& contents, const Member& member, Part place, Bytes payload, uint64_t offset);

  private:
    // Reads a message and passes it to `take`. False: there is a fault inside.
    template <const Message& kMessage, class Take>
    bool read(Part field, Bytes payload, uint64_t offset, const Take& take) {
        Contents message(kMessage, field);
        protobuf::read_message_of<kMessage>(message, payload, offset, *this);
        take(message);
        return !message.is_lost;
    }
    void report_boolean(const Member& member, uint64_t value, Part place);

    struct Unknown {
        uint64_t key;  // the message and the number
        uint64_t number;
        const Message* message;
        Mark place;  // of the first
        uint64_t fields;
    };

    ValidationContext& context_;
    Certainty certainty_;
    Aggregates aggregates_;
    Strings strings_;
    Entries entries_;
    Samples samples_;
    Profile profile_;
    OrderedTable<Unknown> unknown_;
    uint64_t record_ = 0;  // that is read
    uint64_t readable_ = 0;
    uint64_t first_time_ = kNone;  // the offset of the first time_nanos that is not 0
};

}  // namespace tracelint::pprof
