#include "validator/generator/trace_mutator.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr unsigned kPlaces = 8;              // faults that are tried for one that the trace has a place for
constexpr uint64_t kLargestTrace = 1 << 20;  // bytes; of a generated trace, and of one in a container

// Takes the text up to `separator` off.
std::string_view next_part(std::string_view& text, char separator) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::optional<uint64_t> number_in(std::string_view text, uint64_t most) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > most) return std::nullopt;
    return number;
}

bool set_formats(TraceMutatorOptions& options, std::string_view names) {
    while (!names.empty()) {
        const Format* format = find_format(next_part(names, '+'));
        if (format == nullptr || find_generator(*format) == nullptr) return false;
        options.formats.push_back(format);
    }
    return !options.formats.empty();
}

bool set_mix(TraceMutatorOptions& options, std::string_view shares) {
    for (unsigned* const share : {&options.valid, &options.faulty, &options.broken}) {
        const auto number = number_in(next_part(shares, ':'), 1000);
        if (!number) return false;
        *share = static_cast<unsigned>(*number);
    }
    return shares.empty() && options.valid + options.faulty + options.broken != 0;
}

bool set_container(TraceMutatorOptions& options, std::string_view name) {
    const auto found = std::ranges::find(kContainerNames, name);
    if (found == kContainerNames.end()) return false;
    options.container = static_cast<Container>(found - kContainerNames.begin());
    return true;
}

bool set_option(TraceMutatorOptions& options, std::string_view name, std::string_view value) {
    if (name == "format") return set_formats(options, value);
    if (name == "container") return set_container(options, value);
    if (name == "mix") return set_mix(options, value);
    if (name == "byte_order") {
        options.traits.byte_order = value == "big" ? ByteOrder::big : ByteOrder::little;
        return value == "big" || value == "little";
    }
    if (name == "extensions") {
        options.traits.extensions = value == "yes";
        return value == "yes" || value == "no";
    }
    if (name == "version") return (options.traits.version = number_in(value, 0xffffffff)).has_value();
    if (name != "size") return false;
    const auto size = number_in(value, kLargestTrace);
    options.size = size.value_or(0);
    return size.has_value();
}

}  // namespace

std::optional<TraceMutatorOptions> read_mutator_options(std::string_view text, std::string& fault) {
    TraceMutatorOptions options;
    while (!text.empty()) {
        const std::string_view option = next_part(text, ',');
        const size_t equals = option.find('=');
        if (equals == option.npos || !set_option(options, option.substr(0, equals), option.substr(equals + 1))) {
            fault = "no such option or value: '" + std::string(option) +
                    "'; expected format=ID+ID, byte_order=little|big, version=N, extensions=yes|no, "
                    "mix=VALID:FAULTY:BROKEN, size=BYTES or container=none|gzip|zstd";
            return std::nullopt;
        }
    }
    if (options.formats.empty())
        for (const Format* format : formats())
            if (find_generator(*format) != nullptr) options.formats.push_back(format);
    for (const Format* format : options.formats) {
        if (options_with(generator_of(*format), {}, options.traits)) continue;
        fault = "no trace of " + std::string(format->id) + " has this byte order, version and extensions";
        return std::nullopt;
    }
    return options;
}

TraceMutator::TraceMutator(TraceMutatorOptions options) : options_(std::move(options)) {
    for (const Format* format : options_.formats) {
        Source& source = sources_.emplace_back(format, faults_of(*format));
        std::erase_if(source.faults,
                      [&](const PlantedFault& fault) { return !can_break(*format, *fault.rule, options_.traits); });
    }
}

const TraceMutator::Source& TraceMutator::source_of(Bytes file, Random& random) const {
    const uint64_t drawn = random();  // always, so that what follows does not depend on the file
    const Format* const known = format_of(file);
    for (const Source& source : sources_)
        if (source.format == known) return source;
    return sources_[drawn % sources_.size()];
}

std::string TraceMutator::generated(const Source& source, Random& random) const {
    GenerateOptions options;
    options.seed = random();
    options.size = below(random, options_.size + 1);
    const Generator& generator = generator_of(*source.format);
    const auto chosen = options_with(generator, options, options_.traits);
    return chosen ? generate_bytes(generator, *chosen) : std::string();
}

std::string TraceMutator::faulty(const Source& source, Bytes file, Random& random) const {
    const std::string made = generated(source, random);
    if (source.faults.empty()) return made;
    std::optional<FileRecords> records;
    if (one_in(random, 2) && format_of(file) == source.format) records = sound_records(*source.format, file);
    if (!records) records = decode_file(*source.format, as_bytes(made));
    for (unsigned i = 0; i < kPlaces; ++i)
        if (auto planted = plant(pick_of(random, source.faults), *records, random())) return planted->bytes;
    return {};
}

std::string TraceMutator::broken(const Source& source, Bytes file, Random& random) const {
    std::string made;
    if (format_of(file) != source.format) {
        made = generated(source, random);
        file = as_bytes(made);
    }
    return mutated(generator_of(*source.format), file, random());
}

std::string TraceMutator::in_container(std::string trace, const std::optional<Unwrapped>& input) const {
    return wrapped(options_.container.value_or(input ? input->container : Container::none), std::move(trace));
}

size_t TraceMutator::mutate(uint8_t* data, size_t size, size_t max_size, uint64_t seed, PlainMutator plain) const {
    Random random(seed);
    const std::optional<Unwrapped> opened = unwrapped({data, size}, kLargestTrace);
    const Bytes file = opened ? as_bytes(opened->trace) : Bytes(data, size);
    const Source& source = source_of(file, random);
    const uint64_t drawn = below(random, uint64_t{options_.valid} + options_.faulty + options_.broken);
    std::string made;
    if (drawn < options_.valid)
        made = generated(source, random);
    else if (drawn < options_.valid + options_.faulty)
        made = faulty(source, file, random);
    else if (!one_in(random, 4))
        made = broken(source, file, random);
    if (!made.empty()) made = in_container(std::move(made), opened);
    if (made.empty() || made.size() > max_size)
        return plain != nullptr ? plain(data, size, max_size) : change_bytes(random, data, size, max_size);
    std::memcpy(data, made.data(), made.size());
    return made.size();
}

size_t TraceMutator::cross(Bytes file, Bytes other, uint8_t* to, size_t max_size, uint64_t seed) const {
    Random random(seed);
    const std::optional<Unwrapped> opened = unwrapped(file, kLargestTrace), added = unwrapped(other, kLargestTrace);
    if (opened) file = as_bytes(opened->trace);
    if (added) other = as_bytes(added->trace);
    const std::string mixed = in_container(spliced(*source_of(file, random).format, file, other, random()), opened);
    if (mixed.size() > max_size) return 0;
    std::memcpy(to, mixed.data(), mixed.size());
    return mixed.size();
}

size_t change_bytes(Random& random, uint8_t* data, size_t size, size_t max_size) {
    if (max_size == 0) return 0;
    if (size == 0 || (size < max_size && one_in(random, 8))) {
        data[size] = static_cast<uint8_t>(random());
        return size + 1;
    }
    if (size > 1 && one_in(random, 8)) return size - 1;
    uint8_t& byte = data[below(random, size)];
    switch (below(random, 3)) {
        case 0: byte = static_cast<uint8_t>(edge_number(random, 8)); break;
        case 1: byte = static_cast<uint8_t>(byte ^ (1u << below(random, 8))); break;
        default: byte = static_cast<uint8_t>(random());
    }
    return size;
}

}  // namespace tracelint
