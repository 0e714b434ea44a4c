// The library: check one file and get plain data back. No exceptions across this interface.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

struct CheckOptions {
    const Format* format = nullptr;  // null: recognise it
    std::string file_name;           // for messages and for rules about names; may be empty
    Settings settings;               // of the grammars' own options
    Limits limits;
    ReportOptions report;
};

enum class Container : uint8_t { none, gzip };

struct Outcome {
    explicit Outcome(const CheckOptions& options) : context(options.report, options.limits) {}

    const Format* format = nullptr;  // null: nobody recognised it
    Container container = Container::none;
    uint64_t size = 0;    // bytes that were validated: of the decompressed stream for a container
    std::string failure;  // why the input could not be read; empty when it could
    ValidationContext context;

    const Report& report() const { return context.report; }
};

// Every format, in the order of the list.
std::span<const Format* const> formats();
const Format* find_format(std::string_view id);

// The grammars' options, in the order of the formats.
std::vector<const Option*> all_options();

// Every rule: the engine's own, then those of the formats.
std::vector<const Rule*> all_rules();
const Rule* find_rule(std::string_view id);

// Validates what `source` gives, to its end.
Outcome check(Source& source, const CheckOptions& options);

// The engine's own rules: about inputs as such and about containers.
std::span<const Rule* const> input_rules();
extern const Rule kUnknownFormat;
extern const Rule kInputChanged;
extern const Rule kGzipTruncated;
extern const Rule kGzipCorrupt;
extern const Rule kGzipTrailingData;
extern const Rule kGzipTooLarge;

}  // namespace tracelint
