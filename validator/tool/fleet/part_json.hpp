// JSON as the lines of a part have it. Hides nlohmann/json, whose header takes seconds to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

// A file that is not a part, or is incomplete. The text follows the file's name.
struct PartFault {
    std::string message;
};
[[noreturn]] inline void refuse_part(std::string message) { throw PartFault{std::move(message)}; }

struct PartJson {
    enum class Kind : uint8_t { null, boolean, number, string, array, object, other };

    Kind kind = Kind::null;
    bool truth = false;
    uint64_t number = 0;            // any other number, which no part needs, is of another kind
    std::string text;               // of a string
    std::vector<std::string> keys;  // of an object, as many as elements
    std::vector<PartJson> elements;

    // A member of an object; null if absent.
    const PartJson* find(std::string_view key) const;
    // A member that must be there, and its values. They throw PartFault.
    const PartJson& at(std::string_view key) const;
    uint64_t number_at(std::string_view key) const;
    const std::string& text_at(std::string_view key) const;
    const std::vector<PartJson>& array_at(std::string_view key) const;
    const PartJson& object_at(std::string_view key) const;

    // As one line of text. Two values are equal if their texts are.
    std::string written() const;
};

inline constexpr size_t kDeepestPartJson = 16;  // arrays and objects inside each other

inline constexpr size_t kMostPartValues = size_t{1} << 20;

// Throws PartFault if the text is no JSON, is nested deeper, or has more values.
PartJson parse_part_json(std::string_view text);

}  // namespace tracelint
