// Plants faults and works out where the finding must be.
#include "validator/generator/plant.hpp"

#include "validator/generator/random.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kOtherDraws = 0x9e3779b97f4a7c15;  // so that planting does not repeat the generator's draws

// Bytes of the values before `end`.
uint64_t size_before(const RecordValues& draft, size_t end) {
    RecordValues part;
    part.layout = draft.layout;
    part.values.assign(draft.values.begin(), draft.values.begin() + static_cast<std::ptrdiff_t>(end));
    std::string bytes;
    encode(part, bytes);
    return bytes.size();
}

struct Extent {
    uint64_t offset = 0;
    uint64_t length = 0;
};

Extent extent_of(const RecordValues& draft, std::string_view field, uint64_t element) {
    const Value* value = draft.find(field, element);
    if (value == nullptr) return {};
    const auto at = static_cast<size_t>(value - draft.values.data());
    const uint64_t offset = size_before(draft, at);
    const uint64_t width = value->is_text() ? value->text.size() : width_of(*value->leaf.field, draft.layout);
    return {offset, width != 0 ? width : size_before(draft, at + 1) - offset};
}

}  // namespace

std::optional<PlantedFile> plant(const Generator& generator, const PlantedFault& fault,
                                 const GenerateOptions& options) {
    return plant(fault, generate(generator, options), options.seed);
}

std::optional<PlantedFile> plant(const PlantedFault& fault, FileRecords file, uint64_t seed) {
    Random random(seed ^ kOtherDraws);
    const auto planted = fault.plant(file, random);
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

std::optional<PlantedFile> plant(const Generator& generator, const Rule& rule, GenerateOptions options,
                                 unsigned tries) {
    for (unsigned i = 0; i < tries; ++i, ++options.seed)
        for (const PlantedFault& fault : faults_of(generator)) {
            if (fault.rule != &rule) continue;
            if (auto file = plant(generator, fault, options)) return file;
        }
    return std::nullopt;
}

}  // namespace tracelint
