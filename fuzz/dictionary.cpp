// Collects values that a fuzzer would not guess from the tables of a format.
#include "fuzz/dictionary.hpp"

#include <set>

namespace tracelint {
namespace {

std::string entry_of(uint64_t value, unsigned width, ByteOrder order) {
    uint8_t bytes[8];
    store(bytes, width, order, value);
    std::string entry;
    for (unsigned i = 0; i < width; ++i) {
        char text[8];
        std::snprintf(text, sizeof text, "\\x%02x", bytes[i]);
        entry += text;
    }
    return entry;
}

void add(std::set<std::string>& entries, const Field& field, uint64_t value) {
    const unsigned width = field.width == 0 ? 8 : field.width;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) entries.insert(entry_of(value, width, order));
}

}  // namespace

std::string dictionary_of(const Format& format) {
    std::set<std::string> entries;
    for (const Record* record : records_of(format))
        for (const Field& field : record->fields()) {
            if (!field.is_fixed() || field.type == Type::bits) continue;
            for (const NamedValue& named : field.names) add(entries, field, named.value);
            for (const Check& check : field.checks)
                if (check.must != Check::Must::nothing) add(entries, field, check.value);
        }
    // libFuzzer refuses an empty file, and a format of text has no such values.
    std::string text = "# values of fields\n";
    for (const std::string& entry : entries) text += '"' + entry + "\"\n";
    return text;
}

}  // namespace tracelint
