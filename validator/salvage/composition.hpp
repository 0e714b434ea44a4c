// What salvage needs to know of a format: which records may be left out of a file, what must be left out with them, and
// which fields must then be set anew. It is data: a table for each grammar (grammars/<g>/composition.cpp).
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// What a record is to the records around it.
enum class Role : uint8_t {
    alone,      // can be left out by itself
    essential,  // the records after it cannot be read without it: a file header. Begins no group, ends one
    group,      // opens a group, which ends before the next group or essential record
    core,       // a part of its group without which the group cannot be read
    member,     // a part of its group that is read relative to those before it, up to an anchor
    ahead,      // belongs to the next record of the kind `target`
    behind,     // belongs to the record before it
    group_end,  // follows the content of a group, and is inserted where the file ends within it
    rest,       // continues the record before it: neither is kept without the other
    closing,    // must follow the records of a file part that `target` opens
    appendix,   // follows the closing record
    announced,  // an entry of a table; see Announcement
};

struct RecordRole {
    const Record* record = nullptr;
    Role role = Role::alone;
    const Record* target = nullptr;  // of the roles ahead and closing
    // Of a group, or of the core record that begins its content: the field with the number of bytes of the content,
    // which follows this record. Empty if there is none.
    std::string_view total = {};
    // Bytes that take the place of the record if it is left out, because those after it are known by their number.
    // Empty: nothing does.
    std::string_view placeholder = {};
    // Of a closing record: the rule that is broken if it is missing. It is then inserted. Empty: it is inserted
    // whenever it is missing.
    std::string_view missing = {};
    // Its last field is padding with zeros up to a multiple of this offset in the file; 0: it is not.
    uint8_t alignment = 0;
    // Of a member: from here on, members can be read again after one of a lower or the same rank was left out.
    uint8_t anchor = 0;
    // The versions of the layout in which this row applies.
    uint16_t first_version = 0;
    uint16_t last_version = kEveryVersion;
};

// Two fields of a record that locate another part of the file.
struct Extent {
    const Record* record = nullptr;
    std::string_view offset;  // from the start of the file
    std::string_view size;
};

// The header has a bit for each entry of a table, in the order of the bits, in these numbers of 64 bits.
struct Announcement {
    static constexpr size_t kMostNumbers = 4;

    const Record* header = nullptr;  // null: there is no such table
    std::array<std::string_view, kMostNumbers> flags{};
};

struct Composition {
    const Format* format = nullptr;
    std::span<const RecordRole> roles;  // of two rows that apply to a record, the first one counts
    Role others = Role::alone;          // of the records that `roles` does not list
    std::span<const Extent> extents{};
    Announcement announcement{};
    // Rules that say that the length of a record is wrong: the next record is searched for. Only for a format whose
    // framer needs nothing but the header and the bytes of a record.
    std::span<const std::string_view> unsized{};
    std::span<const std::string_view> late{};   // rules whose findings are at the end of the record that is to blame
    std::span<const std::string_view> fatal{};  // rules: if one is broken, no part of the file can be trusted
};

// Null if salvage does not know the format.
const Composition* find_composition(const Format& format);

}  // namespace tracelint
