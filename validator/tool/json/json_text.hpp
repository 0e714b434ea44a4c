// JSON as text, built from its parts: values from plain data, objects from values.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "validator/tool/json/text.hpp"

namespace tracelint {

// A string of JSON, in quotes. Names may be any bytes: U+FFFD replaces what is not UTF-8, and unprintable
// characters are escaped, as a terminal obeys some of them and others end a line for some readers. What remains is not
// escaped: names in other scripts stay legible, and can be searched for.
std::string json_string(std::string_view text);

// A JSON value.
class JsonText {
  public:
    JsonText(std::nullptr_t) : text_("null") {}
    JsonText(bool value) : text_(value ? "true" : "false") {}
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    JsonText(Number number) : text_(std::to_string(number)) {}
    template <std::convertible_to<std::string_view> Text>
    JsonText(const Text& text) : text_(json_string(text)) {}
    // Null if there is no value.
    template <class Value>
    JsonText(const std::optional<Value>& value) : JsonText(value ? JsonText(*value) : JsonText(nullptr)) {}

    // A path, see path_text().
    static JsonText path(std::string_view path) { return path_text(path, PathEscapes::not_utf8); }
    // A text that is JSON already.
    static JsonText raw(std::string text) { return JsonText(Raw{std::move(text)}); }

    const std::string& text() const { return text_; }

  private:
    friend class JsonObject;
    friend class JsonArray;
    struct Raw {
        std::string text;
    };
    explicit JsonText(Raw raw) : text_(std::move(raw.text)) {}

    std::string text_;
};

// An object. Members are in the order in which they were added. Their names are the program's own, so they need no
// escape, and no name is added twice.
class JsonObject {
  public:
    JsonObject() = default;
    JsonObject(std::initializer_list<std::pair<std::string_view, JsonText>> members) {
        for (const auto& [name, value] : members) add(name, value);
    }

    JsonObject& add(std::string_view name, const JsonText& value) {
        open_.append(open_.size() == 1 ? "\"" : ",\"").append(name).append("\":").append(value.text());
        return *this;
    }

    // Without the closing brace, for an object that continues.
    const std::string& open_text() const { return open_; }
    std::string text() const { return open_ + '}'; }
    operator JsonText() const { return JsonText(JsonText::Raw{text()}); }

  private:
    std::string open_ = "{";
};

class JsonArray {
  public:
    JsonArray() = default;
    JsonArray(std::initializer_list<JsonText> values) {
        for (const JsonText& value : values) add(value);
    }

    JsonArray& add(const JsonText& value) {
        open_.append(open_.size() == 1 ? "" : ",").append(value.text());
        return *this;
    }
    operator JsonText() const { return JsonText(JsonText::Raw{open_ + ']'}); }

  private:
    std::string open_ = "[";
};

}  // namespace tracelint
