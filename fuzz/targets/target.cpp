#include "fuzz/targets/target.hpp"

#include "validator/generator/mutate.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint {
namespace {

uint64_t parameters_of(Bytes bytes) {
    uint64_t parameters = 0;
    for (size_t i = 0; i < std::min<size_t>(8, bytes.size()); ++i)
        parameters = parameters << 8 | bytes[bytes.size() - 1 - i];
    return spread(parameters);
}

// Choices for the grammars' options; the defaults three times in four.
Settings settings_of(uint64_t parameters) {
    static const std::vector<const Option*> options = all_options();
    Settings settings;
    if (parameters % 4 != 0) return settings;
    for (const Option* option : options) settings.set(*option, (parameters >> 8) % option->choices.size());
    return settings;
}

}  // namespace

FuzzInput::FuzzInput(Bytes bytes, const Format* forced)
    : bytes_(bytes), forced_(forced), parameters_(parameters_of(bytes)) {}

const Format* FuzzInput::known_format() const { return forced_ != nullptr ? forced_ : format_of(bytes_); }

const Format& FuzzInput::format() const {
    const Format* known = known_format();
    return known != nullptr ? *known : *formats()[parameters_ % formats().size()];
}

Input FuzzInput::file() const {
    return {bytes_, parameters_ % 2 == 0 ? nullptr : &format(), settings_of(parameters_ >> 16)};
}

Input FuzzInput::file_of_format() const { return {bytes_, &format(), settings_of(parameters_ >> 16)}; }

const Generator& FuzzInput::generator() const {
    return generator_of(*formats()[(parameters_ >> 32) % formats().size()]);
}

// Most files are small, as larger ones add little; scripts/soak generates those.
GenerateOptions FuzzInput::generate_options() const {
    static constexpr uint64_t kSizes[] = {0, 40, 40, 40, 100, 100, 100, 200, 200, 400, 400, 1000};
    GenerateOptions options;
    options.seed = parameters_;
    options.size = kSizes[(parameters_ >> 24) % std::size(kSizes)];
    if (parameters_ % 3 != 0) options.model.byte_order = parameters_ % 3 == 1 ? ByteOrder::little : ByteOrder::big;
    return options;
}

std::string NamedTarget::name() const {
    std::string name(target->name);
    if (format != nullptr) name.append("_").append(format->id);
    return name;
}

std::vector<std::string_view> NamedTarget::kinds_of_seeds() const {
    if (!target->seeds.empty()) return {target->seeds};
    if (format != nullptr) return {format->id};
    std::vector<std::string_view> kinds;
    for (const Format* one : formats()) kinds.emplace_back(one->id);
    return kinds;
}

std::vector<NamedTarget> all_targets() {
    std::vector<NamedTarget> all;
    for (const auto targets : {kTraceTargets, kGeneratedTargets, kAnswerTargets, kTextTargets}) {
        for (const FuzzTarget& target : targets) {
            if (!target.is_for_each_format) {
                all.push_back({&target, nullptr});
                continue;
            }
            for (const Format* format : formats()) all.push_back({&target, format});
        }
    }
    return all;
}

}  // namespace tracelint
