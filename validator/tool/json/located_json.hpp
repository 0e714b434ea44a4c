// JSON with comments, whose values know where they are in the text, so that complaints can name line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

struct LocatedJson {
    enum class Kind : uint8_t { null, boolean, number, string, array, object };
    struct Member;

    Kind kind = Kind::null;
    size_t at = 0;     // offset in the text
    std::string text;  // the text of a string, or a number in decimal
    bool truth = false;
    std::vector<LocatedJson> elements;
    std::vector<Member> members;  // in the order of the text; no key occurs twice
};

struct LocatedJson::Member {
    std::string key;
    size_t at = 0;  // of the key
    LocatedJson value;
};

// What is wrong with a text, and where.
struct JsonFault {
    size_t at = 0;
    std::string message;
};
[[noreturn]] inline void refuse_json(size_t at, std::string message) { throw JsonFault{at, std::move(message)}; }

inline constexpr size_t kDeepestJson = 16;  // arrays and objects inside each other

// A text that a program rewrites has no comments, which would be lost.
enum class JsonComments : uint8_t { ignored, refused };

// Throws JsonFault for a text that is no JSON in UTF-8, is nested deeper than kDeepestJson, or names a member twice.
LocatedJson parse_located_json(std::string_view text, JsonComments comments = JsonComments::ignored);

// "3:14", the line and column of an offset, both counted from 1. A column is a character.
std::string line_and_column(std::string_view text, size_t at);

}  // namespace tracelint
