// Protocol Buffers: messages as data, and how their fields are read. Knows nothing of any format: a format states its
// messages as tables, and gets the record tables for dump, encoder and generator from them.
#pragma once

#include "validator/tables/describe.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::protobuf {

enum class WireType : uint8_t { varint, fixed64, delimited, start_group, end_group, fixed32, invalid6, invalid7 };

enum class Meaning : uint8_t {
    number,         // unsigned, 64 bits
    signed_number,  // two's complement in 64 bits
    boolean,        // 0 or 1
    index,          // into a table of the file
    id,             // by which other messages name this one
    reference,      // the id of another message; 0: none
    text,           // a string
    message,        // another message
};

struct Message;

// A field that a message may have.
struct Member {
    std::string_view path;  // "Sample.location_id"
    uint32_t number = 0;
    uint8_t position = 0;  // in its message
    Meaning meaning = Meaning::number;
    bool repeated = false;
    const Message* message = nullptr;  // the type of a nested message
    const Record* element = nullptr;   // the record table of that message's fields
    std::string_view size_name;        // of the length in the record tables; only of what may be length-delimited
    std::string_view list_name;        // of the items of a packed field there
    Quantity quantity = Quantity::plain;

    constexpr std::string_view name() const { return path.substr(path.find('.') + 1); }
    constexpr bool is_number() const { return meaning != Meaning::text && meaning != Meaning::message; }
    // A repeated number is written one by one, or packed.
    constexpr bool takes(WireType wire) const {
        if (wire == WireType::varint) return is_number();
        return wire == WireType::delimited && (!is_number() || repeated);
    }
    constexpr WireType own_wire_type() const { return is_number() ? WireType::varint : WireType::delimited; }
    constexpr uint64_t tag(WireType wire) const { return uint64_t{number} << 3 | static_cast<uint64_t>(wire); }
};

inline constexpr size_t kMostMembers = 16;

struct Message {
    static constexpr uint8_t kAbsent = 0xff;
    static constexpr uint64_t kFirstLongTag = 0x80;  // that takes two bytes

    std::string_view name;
    std::array<Member, kMostMembers> slots{};
    size_t count = 0;
    // The positions in slots of the members with small numbers, by number, and by tags of one byte that they may have.
    std::array<uint8_t, 16> by_number{};
    std::array<uint8_t, kFirstLongTag> by_tag{};

    constexpr Message() {
        by_number.fill(kAbsent);
        by_tag.fill(kAbsent);
    }
    constexpr std::span<const Member> members() const { return {slots.data(), count}; }
    constexpr size_t position_of(uint64_t number) const {
        if (number < by_number.size()) return by_number[number];
        for (size_t at = 0; at < count; ++at)
            if (slots[at].number == number) return at;
        return kAbsent;
    }
    constexpr const Member* find(uint64_t number) const {
        const size_t at = position_of(number);
        return at == kAbsent ? nullptr : &slots[at];
    }
    constexpr void add(const Member& member) {
        const auto at = static_cast<uint8_t>(count);
        slots[count++] = member;
        slots[at].position = at;
        if (member.number < by_number.size()) by_number[member.number] = at;
        for (const WireType wire : {WireType::varint, WireType::delimited})
            if (member.takes(wire) && member.tag(wire) < by_tag.size()) by_tag[member.tag(wire)] = at;
    }
};

// Constructors for the tables.
constexpr Member single(std::string_view path, uint32_t number, Meaning meaning, Quantity quantity = Quantity::plain) {
    Member member;
    member.quantity = quantity;
    member.path = path;
    member.number = number;
    member.meaning = meaning;
    return member;
}
constexpr Member several(std::string_view path, uint32_t number, Meaning meaning, std::string_view list_name,
                         std::string_view size_name) {
    Member member = single(path, number, meaning);
    member.repeated = true;
    member.list_name = list_name;
    member.size_name = size_name;
    return member;
}
constexpr Member nested(std::string_view path, uint32_t number, bool repeated, const Message& message,
                        const Record& element, std::string_view size_name) {
    Member member = single(path, number, Meaning::message);
    member.repeated = repeated;
    member.message = &message;
    member.element = &element;
    member.size_name = size_name;
    return member;
}
constexpr Member text(std::string_view path, uint32_t number, bool repeated) {
    Member member = single(path, number, Meaning::text);
    member.repeated = repeated;
    member.size_name = "size";
    return member;
}

consteval Message message(std::string_view name, std::initializer_list<Member> members) {
    if (members.size() > kMostMembers) throw "too many members: raise kMostMembers";
    Message made;
    made.name = name;
    for (const Member& member : members) {
        if (made.find(member.number) != nullptr) throw "two members have the same number";
        made.add(member);
    }
    return made;
}

// The record tables of a message.

// The tags that its members may have, by name.
template <const Message& M>
inline constexpr auto kTagNames = [] {
    constexpr size_t count = [] {
        size_t tags = 0;
        for (const Member& member : M.members()) tags += member.is_number() && member.repeated ? 2 : 1;
        return tags;
    }();
    std::array<NamedValue, count> names{};
    size_t at = 0;
    for (const Member& member : M.members()) {
        names[at++] = {member.tag(member.own_wire_type()), member.name()};
        if (member.is_number() && member.repeated) names[at++] = {member.tag(WireType::delimited), member.list_name};
    }
    return names;
}();

// How many fields append_value() adds.
constexpr size_t count_value_fields(const Member& member) {
    if (!member.is_number()) return 2;
    return member.repeated ? 3 : 1;
}

// The form of a member's value: one number, or a length and as many bytes. `tag`: the name of the field that decides;
// empty: the tag is known.
template <size_t kCapacity>
constexpr void append_value(RecordOf<kCapacity>& record, const Member& member, std::string_view tag,
                            const Record& item) {
    const auto add = [&](Field field, WireType wire) {
        record.add(tag.empty() ? field : field.only_if(tag, member.tag(wire)));
    };
    if (member.is_number()) add(uleb128(member.name()).holds(member.quantity), WireType::varint);
    if (member.is_number() && !member.repeated) return;
    add(uleb128(member.size_name), WireType::delimited);
    if (member.is_number()) add(list(member.list_name, item).sized_by(member.size_name), WireType::delimited);
    if (member.meaning == Meaning::text) add(bytes(member.name()).sized_by(member.size_name), WireType::delimited);
    if (member.meaning == Meaning::message)
        add(list(tag.empty() ? "fields" : member.name(), *member.element).sized_by(member.size_name),
            WireType::delimited);
}

// An item of a packed field.
inline constexpr auto kItem = record("item", kNoTag, "an item of a packed field", {uleb128("number")});

// Any field of the message. `tag` names its tag, which no other table of the same record may have.
template <const Message& M>
consteval auto field_record(std::string_view name, std::string_view tag, std::string_view doc) {
    constexpr size_t count = [] {
        size_t fields = 1;
        for (const Member& member : M.members()) fields += count_value_fields(member);
        return fields;
    }();
    auto made = record(name, kNoTag, doc, {uleb128(tag).known(kTagNames<M>)}).template with_room_for<count>();
    for (const Member& member : M.members()) append_value(made, member, tag, kItem);
    return made;
}

// One member, as a record by itself.
template <const Message& M, uint32_t Number>
consteval auto member_record(std::string_view doc) {
    constexpr const Member& member = *M.find(Number);
    const uint64_t tag = member.tag(member.own_wire_type());
    const bool has_two_forms = member.is_number() && member.repeated;
    const Field tag_field = uleb128("tag").known(kTagNames<M>);
    auto made = record(member.name(), tag, doc, {has_two_forms ? tag_field : tag_field.equals(tag)})
                    .with_room_for<1 + count_value_fields(member)>();
    append_value(made, member, has_two_forms ? "tag" : "", kItem);
    return made;
}

// Fields as they are in a file.

inline constexpr size_t kLongestHead = 2 * kLongestLeb;  // bytes of a tag and a number, or of a tag and a length
inline constexpr size_t kLongestPrefix = 5;              // bytes of a tag or a length that every parser reads
inline constexpr uint64_t kLargestNumber = (uint64_t{1} << 29) - 1;

enum class Fault : uint8_t {
    none,
    cut,                // the message ends inside the field
    too_long,           // a varint of more than 10 bytes
    overflow,           // a varint of more than 64 bits
    wire_type_invalid,  // 6 or 7
    group,
    number_zero,
    number_too_large,
    prefix_too_long,  // a tag or length of more than 5 bytes
    type_mismatch,    // not the wire type that the member has
};

// A varint of the field. Offsets count from the start of the bytes that were read.
struct Part {
    uint64_t at;
    uint64_t size;  // bytes
};

struct WireField {
    Fault fault = Fault::none;
    Part faulty{};         // what the fault is about
    bool has_tag = false;  // it was read; whether it is right is another matter
    uint64_t number = 0;
    WireType wire = WireType::varint;
    const Member* member = nullptr;  // null: the message has none of this number
    Part tag{}, value{};             // the value is the number, the length, or the fixed bytes
    uint64_t content = 0;            // the number; of a delimited field, the bytes after the length
    bool is_tag_padded = false, is_value_padded = false;  // where neither is at fault

    uint64_t end() const { return value.at + value.size + (wire == WireType::delimited ? content : 0); }
};

// Reads the tag of the field at `at`, and its number or length. `bytes` are all that is left of the message, or at
// least kLongestHead from `at`. Whether a delimited field ends inside the message is for judge_end() to say.
WireField read_head(const Message& message, Bytes bytes, uint64_t at);
void judge_end(WireField& field, bool fits);

// The field at `at` of a message whose payload is `bytes`.
inline WireField read_field(const Message& message, Bytes bytes, uint64_t at) {
    WireField field = read_head(message, bytes, at);
    if (field.fault == Fault::none && field.wire == WireType::delimited)
        judge_end(field, field.content <= bytes.size() - field.value.at - field.value.size);
    return field;
}

// The fewest bytes that hold the number.
constexpr size_t fewest_bytes(uint64_t number) {
    size_t bytes = 1;
    while (number >>= 7) ++bytes;
    return bytes;
}

// The end of the varints of number 0 that follow each other from `at` on. `is_all`: `bytes` are all that is left of the
// message, and a tag without a whole value takes the rest; otherwise the end is that of the last one that surely fits.
uint64_t end_of_zeros(Bytes bytes, uint64_t at, bool is_all);

// The end of the value behind a tag, read as `wire` says, whatever is wrong with the field; kNone if it is not found
// in `bytes`. Groups are not skipped: the end of an end-of-group tag is that of the tag.
uint64_t end_of_value(Bytes bytes, uint64_t value_at, WireType wire);

// Whether four fields of the message may follow each other from `at` on. A field that ends behind `bytes` is believed
// unless `bytes` are all that is left.
bool is_plausible(const Message& message, Bytes bytes, uint64_t at, bool is_end);

// What was read of a message.

// The last value of a member. Offsets count from the start of the file.
struct Occurrence {
    uint64_t number;  // of a nested message or text: the length
    Part value;
    uint64_t count;  // fields of this member
};

struct Contents {
    const Message* message = nullptr;
    Part place;                                 // the whole field that holds the message
    bool is_lost = false;                       // not read to its end
    const Member* faulty = nullptr;             // the member that the fault is in; null: none, or an unknown one
    std::array<Occurrence, kMostMembers> last;  // of as many as the message has

    Contents(const Message& of, const Part& where) : message(&of), place(where) {
        std::fill_n(last.begin(), of.count, Occurrence{});
    }
    const Occurrence& of(uint32_t number) const { return last[message->position_of(number)]; }
    uint64_t number(uint32_t member) const { return of(member).number; }
    bool has(uint32_t member) const { return of(member).count != 0; }
    // Whether the fault may hide what the message says of the member.
    bool is_unknown(uint32_t number) const {
        if (!is_lost) return false;
        const Member* const member = message->find(number);
        return member->repeated || member == faulty || !has(number);
    }
    template <class... Numbers>
    bool knows(Numbers... numbers) const {
        return (!is_unknown(numbers) && ...);
    }
    // The value of the member, or the message if it has none.
    Part place_of(uint32_t number) const { return has(number) ? of(number).value : place; }
};

// The items of a packed field. False: one has a fault.
template <class Handler>
bool read_packed(Contents& contents, const Member& member, Bytes payload, uint64_t offset, Handler& handler) {
    for (uint64_t at = handler.take_packed(contents, member, payload, offset); at < payload.size();) {
        const LebNumber item = read_leb<false>(payload.data() + at, payload.data() + payload.size());
        if (item.fault != LebNumber::Fault::none) {
            handler.item_fault(contents, member, item, {offset + at, payload.size() - at});
            return false;
        }
        const Part place{offset + at, item.length};
        if (!item.is_canonical) handler.padded(place, fewest_bytes(item.value));
        handler.number(member, item.value, place);
        at += item.length;
    }
    return true;
}

// A field that was read. `payload`: behind its length.
struct TakenField {
    const Member* member = nullptr;
    WireType wire = WireType::varint;
    uint64_t content = 0;   // the number, or the length of the payload
    Part whole{}, value{};  // in the file
    const uint8_t* payload = nullptr;
};

// Adds the field to the facts about its message. False: the message is lost.
template <class Handler>
[[gnu::always_inline]] inline bool take_field(Contents& contents, const TakenField& field, Handler& handler) {
    const Member& member = *field.member;
    Occurrence& last = contents.last[member.position];
    if (++last.count > 1 && !member.repeated) handler.repeated(contents, member, field.whole);
    last.number = field.content;
    last.value.at = field.value.at;
    last.value.size = field.value.size;
    if (field.wire == WireType::varint) {
        handler.number(member, field.content, field.value);
        return true;
    }
    const Bytes payload(field.payload, field.content);
    const uint64_t from = field.value.at + field.value.size;
    bool is_read = true;
    if (member.meaning == Meaning::message)
        is_read = handler.nested(contents, member, field.whole, payload, from);
    else if (member.meaning != Meaning::text)
        is_read = read_packed(contents, member, payload, from, handler);
    if (is_read) return true;
    contents.is_lost = true;
    contents.faulty = &member;
    return false;
}

// A field of the member as nearly all are: with a tag of one byte, which was looked at, and a number or length without
// padding. It begins at `from`, where `left` bytes of the message are left, and at `offset` of the file; kShortRoom + 1
// bytes are in memory. False: it is another one.
template <WireType kWire>
[[gnu::always_inline]] inline bool read_short_value(const Member& member, const uint8_t* from, uint64_t left,
                                                    uint64_t offset, TakenField& field) {
    const uint8_t* const end = read_short<false>(from + 1, field.content);
    if (end == nullptr) return false;
    const auto head = static_cast<uint64_t>(end - from);
    constexpr bool is_delimited = kWire == WireType::delimited;
    if (head > left || (is_delimited && (field.content > left - head || head > 1 + kLongestPrefix))) return false;
    field.member = &member;
    field.wire = kWire;
    field.whole = {offset, head + (is_delimited ? field.content : 0)};
    field.value = {offset + 1, head - 1};
    field.payload = end;
    return true;
}

// The same for a field of any member.
[[gnu::always_inline]] inline bool read_short_field(const Message& message, const uint8_t* from, uint64_t left,
                                                    uint64_t offset, TakenField& field) {
    const size_t position = *from < Message::kFirstLongTag ? message.by_tag[*from] : Message::kAbsent;
    if (position == Message::kAbsent) return false;
    const Member& member = message.slots[position];
    return static_cast<WireType>(*from & 7) == WireType::delimited
               ? read_short_value<WireType::delimited>(member, from, left, offset, field)
               : read_short_value<WireType::varint>(member, from, left, offset, field);
}

// Reads any field, at `at` of the message. Returns its bytes; 0: the message is lost.
template <class Handler>
[[gnu::noinline]] uint64_t read_any_field(Contents& contents, Bytes bytes, uint64_t at, uint64_t offset,
                                          Handler& handler) {
    const auto moved = [offset](const Part& part) { return Part{offset + part.at, part.size}; };
    const WireField field = read_field(*contents.message, bytes, at);
    if (field.is_tag_padded) handler.padded(moved(field.tag), fewest_bytes(field.number << 3));
    if (field.fault != Fault::none) {
        Part faulty = field.faulty;
        if (field.fault == Fault::cut) faulty = {at, bytes.size() - at};
        if (field.fault == Fault::number_zero && field.wire == WireType::varint)
            faulty = {at, end_of_zeros(bytes, at, true) - at};
        contents.is_lost = true;
        contents.faulty = field.member;
        handler.fault(contents, field, moved(faulty));
        return 0;
    }
    if (field.is_value_padded) handler.padded(moved(field.value), fewest_bytes(field.content));
    const Part whole = moved({at, field.end() - at});
    if (field.member == nullptr) {
        handler.unknown(contents, field, whole);
        return whole.size;
    }
    const TakenField taken{field.member, field.wire,         field.content,
                           whole,        moved(field.value), bytes.data() + field.value.at + field.value.size};
    return take_field(contents, taken, handler) ? whole.size : 0;
}

// The next field of a message, if it is of one member and in one wire type, and as nearly all are; fields of a repeated
// member as long as they follow each other. `at` moves behind it. `bound`: the end of what read_short_field() may read.
// False: the message is lost.
template <const Message& kMessage, size_t kPosition, WireType kWire, class Handler>
[[gnu::always_inline]] inline bool take_next(Contents& contents, Bytes bytes, uint64_t& at, uint64_t bound,
                                             uint64_t offset, Handler& handler) {
    constexpr const Member& member = kMessage.slots[kPosition];
    if constexpr (member.takes(kWire) && member.tag(kWire) < Message::kFirstLongTag) {
        while (at < bound && bytes[at] == member.tag(kWire)) {
            TakenField field;
            if (!read_short_value<kWire>(member, bytes.data() + at, bytes.size() - at, offset + at, field)) break;
            if (!take_field(contents, field, handler)) return false;
            at += field.whole.size;
            if (!member.repeated) break;
        }
    }
    return true;
}

// Reads a message whose payload is `bytes`, which begin at `offset` of the file. `handler` has these members:
//   readable()                          the offset of the file up to which bytes are in memory, also behind the
//   message:
//                                       fields as nearly all are have a short way up to there. 0: none has
//   fault(contents, field, place)       the rest of the message is not read
//   item_fault(contents, member, read, place)   the same for an item of a packed field; place reaches to its end
//   padded(part, fewest)                a varint has more bytes than it needs
//   unknown(contents, field, place)     the message has no member of this number
//   number(member, value, place)        a number, packed or not
//   take_packed(contents, member, payload, offset)  takes items of a packed field, and returns how many bytes they are
//   repeated(contents, member, place)   a field of a member that occurs once
//   nested(contents, member, place, payload, offset)  a message; false if it is lost
template <class Handler>
void read_message(Contents& contents, Bytes bytes, uint64_t offset, Handler& handler, uint64_t at = 0) {
    const uint64_t readable = saturating_sub(handler.readable(), offset + kShortRoom);
    while (at < bytes.size()) {
        TakenField field;
        if (at < readable &&
            read_short_field(*contents.message, bytes.data() + at, bytes.size() - at, offset + at, field)) {
            if (!take_field(contents, field, handler)) return;
            at += field.whole.size;
            continue;
        }
        const uint64_t size = read_any_field(contents, bytes, at, offset, handler);
        if (size == 0) return;
        at += size;
    }
}

// The same for a message that is known to the compiler. Writers put fields in an order of their own, mostly that of
// their numbers. So the code for each member, one after the other, looks whether a field of that member is next, until
// none is: read_message() reads what is left.
template <const Message& kMessage, class Handler>
[[gnu::always_inline]] inline void read_message_of(Contents& contents, Bytes bytes, uint64_t offset, Handler& handler) {
    const uint64_t bound = std::min<uint64_t>(saturating_sub(handler.readable(), offset + kShortRoom), bytes.size());
    uint64_t at = 0, before = 0;
    do {
        before = at;
        const bool is_read = [&]<size_t... kPositions>(std::index_sequence<kPositions...>) {
            return (
                (take_next<kMessage, kPositions, WireType::varint>(contents, bytes, at, bound, offset, handler) &&
                 take_next<kMessage, kPositions, WireType::delimited>(contents, bytes, at, bound, offset, handler)) &&
                ...);
        }(std::make_index_sequence<kMessage.count>());
        if (!is_read) return;
    } while (at != before && at != bytes.size());
    if (at != bytes.size()) read_message(contents, bytes, offset, handler, at);
}

}  // namespace tracelint::protobuf
