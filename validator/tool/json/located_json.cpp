// Reads JSON with nlohmann's parser, and finds out from how far it has read where each value begins.
#include "validator/tool/json/located_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using nlohmann::json;

// Iterates over the text, and records how far any copy has come.
struct Cursor {
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = char;
    using pointer = const char*;
    using reference = const char&;

    std::string_view text;
    size_t at;
    size_t* reached;

    reference operator*() const { return text[at]; }
    Cursor& operator++() {
        *reached = ++at;
        return *this;
    }
    Cursor operator++(int) {
        const Cursor before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Cursor& other) const { return at == other.at; }
    bool operator!=(const Cursor& other) const { return at != other.at; }
};

bool is_scalar_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.';
}

// Builds the values from the parser's events. The names of the functions are nlohmann's.
class Builder {
  public:
    explicit Builder(std::string_view text) : text_(text) {}

    LocatedJson build(JsonComments comments) {
        const Cursor first{text_, 0, &reached_}, last{text_, text_.size(), &reached_};
        json::sax_parse(first, last, this, json::input_format_t::json, true, comments == JsonComments::ignored);
        return std::move(root_);
    }

    bool null() { return add(LocatedJson::Kind::null, scalar_start()); }
    bool boolean(bool truth) {
        LocatedJson& added = place(LocatedJson::Kind::boolean, scalar_start());
        added.truth = truth;
        return true;
    }
    bool number_integer(int64_t number) {
        return add_text(LocatedJson::Kind::number, scalar_start(), std::to_string(number));
    }
    bool number_unsigned(uint64_t number) {
        return add_text(LocatedJson::Kind::number, scalar_start(), std::to_string(number));
    }
    bool number_float(double, const std::string& text) {
        return add_text(LocatedJson::Kind::number, scalar_start(), text);
    }
    bool string(std::string& text) { return add_text(LocatedJson::Kind::string, string_start(), text); }
    bool binary(json::binary_t&) { return true; }  // JSON has none

    bool start_object(size_t) { return open(LocatedJson::Kind::object); }
    bool end_object() { return close(); }
    bool start_array(size_t) { return open(LocatedJson::Kind::array); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        const size_t at = string_start();
        if (!keys_.back().insert(key).second) throw JsonFault{at, fmt::format("'{}' is given twice", shortened(key))};
        open_.back()->members.push_back({key, at, {}});
        return true;
    }

    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    bool parse_error(size_t, const std::string&, const json::exception& error) {
        const std::string_view what = error.what();
        const size_t bracket = what.find("] "), place = what.find(": ");
        const bool has_place = what.substr(bracket + 1).starts_with(" parse error at line") && place != what.npos;
        const size_t start = has_place ? place + 2 : bracket == what.npos ? 0 : bracket + 2;
        const bool is_at_end = reached_ == 0 || what.find("unexpected end of input") != what.npos;
        throw JsonFault{is_at_end ? reached_ : reached_ - 1, shortened(what.substr(start))};
    }

  private:
    // The start of the string that ends here: no other quote in it lacks a backslash.
    size_t string_start() const {
        for (size_t at = reached_ - 2;; --at) {
            if (text_[at] != '"') continue;
            size_t backslashes = 0;
            while (backslashes < at && text_[at - backslashes - 1] == '\\') ++backslashes;
            if (backslashes % 2 == 0) return at;
        }
    }

    // The start of the number or literal that ends here, or one byte before.
    size_t scalar_start() const {
        size_t at = reached_;
        if (at > 0 && !is_scalar_character(text_[at - 1])) --at;
        while (at > 0 && is_scalar_character(text_[at - 1])) --at;
        return at;
    }

    LocatedJson& place(LocatedJson::Kind kind, size_t at) {
        LocatedJson* target = &root_;
        if (!open_.empty() && open_.back()->kind == LocatedJson::Kind::array)
            target = &open_.back()->elements.emplace_back();
        else if (!open_.empty())
            target = &open_.back()->members.back().value;
        target->kind = kind;
        target->at = at;
        return *target;
    }
    bool add(LocatedJson::Kind kind, size_t at) {
        place(kind, at);
        return true;
    }
    bool add_text(LocatedJson::Kind kind, size_t at, std::string text) {
        place(kind, at).text = std::move(text);
        return true;
    }
    bool open(LocatedJson::Kind kind) {
        const size_t at = reached_ - 1;
        if (open_.size() == kDeepestJson)
            throw JsonFault{at, fmt::format("more than {} arrays and objects inside each other", kDeepestJson)};
        open_.push_back(&place(kind, at));
        keys_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }

    std::string_view text_;
    size_t reached_ = 0;  // bytes that the parser has read
    LocatedJson root_;
    std::vector<LocatedJson*> open_;  // arrays and objects; none grows while another is open in it
    std::vector<std::unordered_set<std::string>> keys_;
};

// The name of a wide encoding that the text begins with: by its byte order mark or, as RFC 4627 (section 3) does it, by
// the zeros that its first two characters have in it. Empty for UTF-8.
std::string_view wide_encoding_of(std::string_view text) {
    using namespace std::string_view_literals;
    constexpr std::string_view kUtf16 = "UTF-16", kUtf32 = "UTF-32";
    if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) return kUtf32;
    if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv)) return kUtf16;
    if (text.size() < 4) return {};
    unsigned zeros = 0;  // a bit for each of the first bytes, the first one highest
    for (const char c : text.substr(0, 4)) zeros = 2 * zeros + (c == '\0');
    if (zeros == 0b1110 || zeros == 0b0111) return kUtf32;
    return zeros == 0b1010 || zeros == 0b0101 ? kUtf16 : std::string_view();
}

// To the parser, a NUL is the end of the text.
LocatedJson parse_up_to_nul(std::string_view text, JsonComments comments) {
    const size_t nul = std::min(text.find('\0'), text.size());
    LocatedJson root;
    try {
        root = Builder(text).build(comments);
    } catch (const JsonFault& fault) {
        if (fault.at <= nul) throw;
    }
    if (nul != text.size()) throw JsonFault{nul, "a NUL, which JSON cannot contain; is the file damaged?"};
    return root;
}

}  // namespace

LocatedJson parse_located_json(std::string_view text, JsonComments comments) {
    if (const std::string_view encoding = wide_encoding_of(text); !encoding.empty())
        throw JsonFault{0, fmt::format("the text is in {}; expected UTF-8", encoding)};
    return parse_up_to_nul(text, comments);
}

std::string line_and_column(std::string_view text, size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto lines = std::ranges::count(before, '\n');
    const size_t start = before.rfind('\n') + 1;  // 0 if absent
    const auto is_first_byte = [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; };
    const auto column = std::ranges::count_if(before.substr(start), is_first_byte);
    return fmt::format("{}:{}", lines + 1, column + 1);
}

}  // namespace tracelint
