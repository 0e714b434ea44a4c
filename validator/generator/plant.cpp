// Plants faults and computes where the finding must be.
#include "validator/generator/generator.hpp"

#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

struct Extent {
    uint64_t offset = 0;
    uint64_t length = 0;
};

Extent extent_of(const RecordValues& record, std::string_view field, uint64_t element) {
    const Value* value = record.find(field, element);
    if (value == nullptr) return {};
    const auto at = static_cast<size_t>(value - record.values.data());
    const uint64_t offset = offset_of(record, at);
    const uint64_t width = value->is_text() ? value->text.size() : width_of(*value->leaf.field, record.layout);
    return {offset, width != 0 ? width : offset_of(record, at + 1) - offset};
}

std::optional<Planted> plant_in(FileRecords& file, const PlantedFault& fault, Random& random) {
    if (fault.plant != nullptr) return fault.plant(file, random);
    const auto at = break_check(file, random, fault.rule->id);
    if (!at) return std::nullopt;
    if (fault.settle != nullptr) fault.settle(file);
    return at_value(file, *at);
}

}  // namespace

std::optional<PlantedFile> plant(const Generator& generator, const PlantedFault& fault,
                                 const GenerateOptions& options) {
    return plant(fault, generate(generator, options), options.seed);
}

std::optional<FileRecords> sound_records(const Format& format, Bytes file) {
    MemorySource source(file);
    CheckOptions options;
    options.format = &format;
    const Outcome outcome = check(source, options);
    if (outcome.container != Container::none) return std::nullopt;
    if (outcome.report().count(Severity::error) + outcome.report().count(Severity::warning) != 0) return std::nullopt;
    return decode_file(format, file);
}

std::optional<PlantedFile> plant(const PlantedFault& fault, FileRecords file, uint64_t seed) {
    if (file.empty()) return std::nullopt;
    Random random(seed ^ kSpread);  // not the draws that generated the file
    const auto planted = plant_in(file, fault, random);
    if (!planted) return std::nullopt;
    PlantedFile broken;
    std::vector<uint64_t> offsets;
    broken.bytes = bytes_of(file, &offsets);
    const uint64_t start = offsets.at(planted->record);
    const Extent extent =
        planted->field.empty() ? Extent{} : extent_of(file.at(planted->record), planted->field, planted->element);
    broken.rule = fault.rule;
    broken.offset = start + extent.offset + planted->offset;
    broken.length = planted->length != 0 ? planted->length : extent.length;
    broken.consequences = planted->consequences;
    return broken;
}

}  // namespace tracelint
