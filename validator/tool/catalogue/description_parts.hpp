// What the descriptions for other tools share: names that their languages allow, and notes about fields.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/format.hpp"

namespace tracelint {

// The name in lower-case letters, digits and underscores, with a letter first.
std::string plain_id(std::string_view name);

// Gives each of several things an id of its own, none of which is a reserved word of the language.
class Ids {
  public:
    explicit Ids(std::span<const std::string_view> reserved) : taken_(reserved.begin(), reserved.end()) {}
    std::string unique(const std::string& wanted);

  private:
    std::set<std::string, std::less<>> taken_;
};

// The value of a number field, with its sign.
std::string decimal_text(const Field& field, uint64_t value);

std::string joined(const std::vector<std::string>& parts, std::string_view between);

// Whether the names of the values can be an enum.
bool has_enum(const Field& field);

// What the table says of the field and a type of another language does not: "process of the runtime; legal: not 0, else
// jitdump/header-pid-zero". Empty if that is nothing.
std::string note_of(const Field& field);

// How a file can be read by the tables alone: its records follow each other, and each says what it is and, if that is
// not plain from its fields, where it ends.
struct Sequence {
    struct Case {
        const Record* record;
        std::vector<uint64_t> kinds;  // values of the kind field
    };

    const Record* header = nullptr;    // precedes the others; null: none
    const Field* kind = nullptr;       // at the start of all other records
    const Field* size = nullptr;       // of a record in bytes, in all others; null: none
    uint64_t size_at = 0;              // the offset of that field in bytes
    const Record* fallback = nullptr;  // for other kinds, and for records that are smaller than those of their kind
    std::vector<Case> cases;
};
// Nothing if the tables do not say it: what a record is depends on those before it.
std::optional<Sequence> sequence_of(const Format& format);

}  // namespace tracelint
