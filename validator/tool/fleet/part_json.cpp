// Builds values from the events of nlohmann's parser.
#include "validator/tool/fleet/part_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

using nlohmann::json;

// Receives the events of the parser; the names of the functions are nlohmann's. Parsing stops at the first value that
// cannot be stored.
class PartJsonBuilder {
  public:
    bool null() { return add({}); }
    bool boolean(bool truth) {
        PartJson value;
        value.kind = PartJson::Kind::boolean;
        value.truth = truth;
        return add(std::move(value));
    }
    bool number_integer(int64_t) { return other(); }
    bool number_unsigned(uint64_t number) {
        PartJson value;
        value.kind = PartJson::Kind::number;
        value.number = number;
        return add(std::move(value));
    }
    bool number_float(double, const std::string&) { return other(); }
    bool string(std::string& text) {
        PartJson value;
        value.kind = PartJson::Kind::string;
        value.text = std::move(text);
        return add(std::move(value));
    }
    bool binary(json::binary_t&) { return false; }
    bool start_object(size_t) { return open(PartJson::Kind::object); }
    bool end_object() { return close(); }
    bool start_array(size_t) { return open(PartJson::Kind::array); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        open_.back()->keys.push_back(std::move(key));
        return true;
    }
    bool parse_error(size_t, const std::string&, const json::exception&) { return false; }

    PartJson root;

  private:
    bool other() {
        PartJson value;
        value.kind = PartJson::Kind::other;
        return add(std::move(value));
    }
    bool add(PartJson value) {
        if (++values_ > kMostPartValues) return false;
        (open_.empty() ? root : open_.back()->elements.emplace_back()) = std::move(value);
        return true;
    }
    bool open(PartJson::Kind kind) {
        if (open_.size() == kDeepestPartJson || ++values_ > kMostPartValues) return false;
        PartJson& value = open_.empty() ? root : open_.back()->elements.emplace_back();
        value.kind = kind;
        open_.push_back(&value);
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    size_t values_ = 0;
    std::vector<PartJson*> open_;  // arrays and objects; none grows while another is open in it
};

const PartJson& required(const PartJson& object, std::string_view key, PartJson::Kind kind) {
    const PartJson* member = object.find(key);
    if (member == nullptr || member->kind != kind)
        throw PartFault{fmt::format("is not a part of a fleet's results: '{}' is missing or has another type", key)};
    return *member;
}

}  // namespace

const PartJson* PartJson::find(std::string_view key) const {
    const auto found = std::ranges::find(keys, key);
    return found == keys.end() ? nullptr : &elements[static_cast<size_t>(found - keys.begin())];
}

const PartJson& PartJson::at(std::string_view key) const {
    if (const PartJson* member = find(key)) return *member;
    throw PartFault{fmt::format("is not a part of a fleet's results: '{}' is missing", key)};
}
uint64_t PartJson::number_at(std::string_view key) const { return required(*this, key, Kind::number).number; }
const std::string& PartJson::text_at(std::string_view key) const { return required(*this, key, Kind::string).text; }
const std::vector<PartJson>& PartJson::array_at(std::string_view key) const {
    return required(*this, key, Kind::array).elements;
}
const PartJson& PartJson::object_at(std::string_view key) const { return required(*this, key, Kind::object); }

std::string PartJson::written() const {
    switch (kind) {
        case Kind::other:
        case Kind::null: return "null";
        case Kind::boolean: return truth ? "true" : "false";
        case Kind::number: return std::to_string(number);
        case Kind::string: return json_string(text);
        case Kind::array:
        case Kind::object: break;
    }
    std::string all(1, kind == Kind::array ? '[' : '{');
    for (size_t i = 0; i < elements.size(); ++i) {
        if (i != 0) all += ',';
        if (kind == Kind::object) all += json_string(keys[i]) + ':';
        all += elements[i].written();
    }
    return all + (kind == Kind::array ? ']' : '}');
}

PartJson parse_part_json(std::string_view text) {
    PartJsonBuilder builder;
    // To the parser, a NUL is the end of the text.
    if (text.find('\0') != text.npos || !json::sax_parse(text.data(), text.data() + text.size(), &builder))
        throw PartFault{"is not a part of a fleet's results: a line is not a JSON object that tracelint writes"};
    return std::move(builder.root);
}

}  // namespace tracelint
