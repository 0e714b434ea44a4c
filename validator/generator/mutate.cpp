// Structured mutations: one small function each, chosen at random.
#include "validator/generator/mutate.hpp"

#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMostGrowth = 64;  // bytes that one mutation adds to a text

struct File {
    FileRecords records;
    Random random;

    size_t any() { return below(random, records.size()); }
    auto at(size_t index) { return records.begin() + static_cast<std::ptrdiff_t>(index); }
};

void drop_record(File& file) { file.records.erase(file.at(file.any())); }

void duplicate_record(File& file) {
    RecordValues copy = file.records[file.any()];
    file.records.insert(file.at(file.any() + 1), std::move(copy));
}

void swap_records(File& file) {
    const size_t a = file.any(), b = file.any();
    std::swap(file.records[a], file.records[b]);
}

void cut_records(File& file) { file.records.erase(file.at(file.any() + 1), file.records.end()); }

// A number that is likely to cross a limit.
uint64_t other_number(const Value& value, const Layout& layout, Random& random) {
    const Field& field = *value.leaf.field;
    const uint64_t number = value.leaf.number;
    const Check& check = field.checks[below(random, field.checks.size())];
    switch (below(random, 8)) {
        case 0: return 0;
        case 1: return kNone;
        case 2: return number + 1;
        case 3: return number - 1;
        case 4: return check.value + 1;
        case 5: return check.value - 1;
        case 6:
            return field.names.empty() ? number ^ (uint64_t{1} << below(random, 64))
                                       : pick_of(random, field.names).value;
        default:
            return edge_number(random,
                               field.type == Type::bits ? field.bit_width : std::max(8u, 8 * width_of(field, layout)));
    }
}

void change_text(std::string& text, Random& random) {
    const uint64_t at = below(random, text.size() + 1);
    switch (below(random, 4)) {
        case 0: text.insert(at, random_bytes(random, between(random, 1, kMostGrowth))); break;
        case 1: text.insert(at, between(random, 1, 8), '\0'); break;
        case 2: text.erase(at, between(random, 1, kMostGrowth)); break;
        default:
            if (at < text.size()) text[at] = static_cast<char>(edge_number(random, 8));
    }
}

void change_value(File& file) {
    RecordValues& record = file.records[file.any()];
    if (record.values.empty()) return;
    Value& value = pick_of(file.random, record.values);
    if (value.is_text())
        change_text(value.text, file.random);
    else if (value.is_number())
        value.leaf.number = other_number(value, record.layout, file.random);
    if (record.record != nullptr && !one_in(file.random, 3)) update_sizes(record);
}

// Copies a number of one record into a field of another, as indices, addresses and sizes refer to each other.
void copy_number(File& file) {
    const RecordValues& from = file.records[file.any()];
    RecordValues& to = file.records[file.any()];
    if (from.values.empty() || to.values.empty()) return;
    const Value source = pick_of(file.random, from.values);
    Value& target = pick_of(file.random, to.values);
    if (source.is_number() && target.is_number()) target.leaf.number = source.leaf.number;
}

using Mutation = void (*)(File& file);
constexpr Mutation kMutations[] = {
    drop_record, duplicate_record, swap_records, cut_records, change_value, change_value, change_value, copy_number,
};

}  // namespace

std::string mutated(const Generator& generator, Bytes bytes, uint64_t seed) {
    File file{decode_file(*generator.format, bytes), Random(seed)};
    for (uint64_t left = between(file.random, 1, 3); left > 0 && !file.records.empty(); --left)
        pick_of(file.random, kMutations)(file);
    if (!one_in(file.random, 3)) generator.model(file.random, {})->finished(file.records);
    return bytes_of(file.records);
}

std::string spliced(const Format& format, Bytes bytes, Bytes other, uint64_t seed) {
    File file{decode_file(format, bytes), Random(seed)};
    FileRecords from = decode_file(format, other);
    if (file.records.empty() || from.empty()) return std::string(as_text(bytes));
    const size_t first = below(file.random, from.size());
    const size_t count = between(file.random, 1, from.size() - first);
    const auto start = from.begin() + static_cast<std::ptrdiff_t>(first);
    file.records.insert(file.at(file.any() + 1), start, start + static_cast<std::ptrdiff_t>(count));
    return bytes_of(file.records);
}

const Format* format_of(Bytes file) {
    return recognise(formats(), {file.first(std::min(file.size(), kDetectionBytes)), {}});
}

size_t mutate(const Format* format, uint8_t* data, size_t size, size_t max_size, uint64_t seed, PlainMutator plain) {
    Random random(seed);
    if (format == nullptr || one_in(random, 4)) return plain(data, size, max_size);
    const std::string changed = mutated(generator_of(*format), {data, size}, random());
    if (changed.empty() || changed.size() > max_size) return plain(data, size, max_size);
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}

}  // namespace tracelint
