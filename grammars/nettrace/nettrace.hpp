// What the files of this folder offer to the format.
#pragma once

#include "grammars/nettrace/records.hpp"
#include "validator/format.hpp"

namespace tracelint::nettrace {

// nettrace, section 2: how sure the first bytes make it that the file is a trace, in percent.
int recognise(const Opening& opening);

// nettrace, section 3: finds the records of a file without judging them.
std::unique_ptr<Framer> make_framer(const Settings& settings);

// nettrace, section 4: the walk over a file. Checks it to its end and writes what it finds to the report of `context`.
void validate(Window& window, ValidationContext& context);
// The same; in the fast mode, events of which there is nothing to report are taken in a shorter way.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

// The objects of versions 1 to 5.
struct ObjectName {
    std::string_view name;
    Kind kind;  // trace, too, of the object that holds a file of version 1 or 2
};
// Those of a container.
std::span<const ObjectName> object_names(bool is_nettrace);

// The header of an object: what its bytes say.
struct ObjectHeader {
    uint64_t size = 0;  // bytes
    Kind kind = Kind::unknown;
    bool is_file = false;  // of version 1 or 2
};
inline constexpr uint64_t kFixedHeader = 15;  // bytes before the name
inline constexpr uint64_t kLongestObject = kFixedHeader + kLongestName + 1;

// The header of a known object at the start of the bytes, if it has no damage (section 4.1: H).
std::optional<ObjectHeader> undamaged_header(Bytes bytes, bool is_nettrace);
// The known name at the start of the bytes that its end tag follows, whatever its length field says; null: none.
const ObjectName* known_name(Bytes bytes, bool is_nettrace);

// Bytes of padding before the content of a block whose size ends at `offset`.
constexpr uint64_t padding_at(uint64_t offset) { return (0 - offset) & 3; }

}  // namespace tracelint::nettrace
