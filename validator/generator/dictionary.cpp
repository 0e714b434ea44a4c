// Collects what a fuzzer would not guess from the tables of a format and from its generator.
#include "validator/generator/dictionary.hpp"

#include <cctype>
#include <map>
#include <vector>

#include "validator/generator/generator.hpp"

namespace tracelint {
namespace {

constexpr unsigned kFiles = 16;      // generated files whose texts are compared
constexpr size_t kShortestText = 3;  // bytes; mutations find shorter ones
constexpr size_t kLongestText = 64;  // AFL++ takes no entry of more than 128

using Entries = std::map<std::string, std::string>;  // bytes -> name

// AFL++ takes letters, digits and underscores.
std::string name_of(const Record& record, const Field& field) {
    std::string name = std::string(record.name) + '_' + std::string(field.name);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

std::string bytes_of(uint64_t value, unsigned width, ByteOrder order) {
    uint8_t bytes[8];
    store(bytes, width, order, value);
    return {reinterpret_cast<const char*>(bytes), width};
}

std::string leb128_of(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

void add(Entries& entries, const Format& format, const Record& record, const Field& field, uint64_t value) {
    const std::string name = name_of(record, field);
    if (field.is_leb()) {
        entries.emplace(leb128_of(value), name);
        return;
    }
    const unsigned width = field.width == 0 ? 8 : field.width;
    entries.emplace(bytes_of(value, width, ByteOrder::little), name);
    if (format.both_byte_orders) entries.emplace(bytes_of(value, width, ByteOrder::big), name);
}

void add_values(Entries& entries, const Format& format, const Record& record) {
    for (const Field& field : record.fields()) {
        if (field.element != nullptr) add_values(entries, format, *field.element);
        if (field.type == Type::bits || !(field.is_fixed() || field.is_leb())) continue;
        for (const NamedValue& named : field.names) add(entries, format, record, field, named.value);
        for (const Check& check : field.checks)
            if (check.must != Check::Must::nothing) add(entries, format, record, field, check.value);
    }
}

bool is_entry(std::string_view text) {
    return text.size() >= kShortestText && text.size() <= kLongestText &&
           text.find_first_not_of('\0') != std::string_view::npos;
}

// What `split` finds in the texts of a generated file, each with the name of its field.
template <class Split>
Entries texts_of(const Format& format, uint64_t seed, Split split) {
    GenerateOptions options;
    options.seed = seed;
    Entries texts;
    for (const RecordValues& record : generate(format, options))
        for (const Value& value : record.values) {
            if (!value.is_text() || value.leaf.field == nullptr) continue;
            for (const std::string_view text : split(value.text))
                if (is_entry(text)) texts.emplace(text, name_of(*value.leaf.record, *value.leaf.field));
        }
    return texts;
}

// Adds those that most generated files have.
template <class Split>
void add_texts(Entries& entries, const Format& format, Split split) {
    std::map<std::string, unsigned> files;
    Entries names;
    for (uint64_t seed = 1; seed <= kFiles; ++seed)
        for (auto& [text, name] : texts_of(format, seed, split)) {
            ++files[text];
            names.emplace(text, name);
        }
    for (const auto& [text, count] : files)
        if (count >= kFiles / 2) entries.emplace(text, names.at(text));
}

std::vector<std::string_view> whole(std::string_view text) { return {text}; }

// The parts of a line between blanks.
std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const size_t end = std::min(text.find_first_of(" \n"), text.size());
        if (end != 0) found.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

std::string line_of(const std::string& bytes, const std::string& name) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string line = name + "=\"";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        line.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    }
    return line + "\"\n";
}

}  // namespace

std::string dictionary_of(const Format& format) {
    Entries entries;
    for (const Record* record : records_of(format)) add_values(entries, format, *record);
    if (find_generator(format) != nullptr) {
        add_texts(entries, format, whole);
        if (entries.empty()) add_texts(entries, format, words);  // a format of text
    }
    // Fuzzers refuse an empty file.
    std::string text = "# values of " + std::string(format.id) + "\n";
    for (const auto& [bytes, name] : entries) text += line_of(bytes, name);
    return text;
}

}  // namespace tracelint
