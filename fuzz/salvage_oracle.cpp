// Salvages bytes in memory, and holds the result to what is promised of it.
#include "fuzz/salvage_oracle.hpp"

#include "validator/generator/file_traits.hpp"

namespace tracelint {
namespace {

struct Attempt {
    SalvageVerdict verdict = SalvageVerdict::impossible;
    std::string bytes;     // that were written
    std::string expected;  // what the edits make of a trace that is in no container
    std::string why;
    const Format* format = nullptr;
    uint64_t size = 0;
    bool is_contained = false;
};

bool is_written(SalvageVerdict verdict) {
    return verdict == SalvageVerdict::clean || verdict == SalvageVerdict::salvaged;
}

// Does what EditedSource does, in the plainest way.
std::string edited(Bytes bytes, const Edits& edits) {
    std::string text;
    uint64_t at = 0;
    for (const Edit& edit : edits) {
        text += as_text(bytes.subspan(at, edit.offset - at));
        text += as_text(edit.replacement());
        at = edit.end();
    }
    return text + std::string(as_text(bytes.subspan(at)));
}

Attempt attempt(const Input& input) {
    MemorySource source(input.bytes);
    SalvageOptions options;
    options.format = input.format;
    options.settings = input.settings;
    options.limits = input.limits;
    Salvage salvage(source, options);
    Attempt made;
    made.verdict = salvage.run();
    made.why = salvage.why();
    made.format = salvage.format();
    made.size = salvage.size();
    made.is_contained = salvage.container() != Container::none;
    if (!is_written(made.verdict)) return made;
    salvage.copy([&](Bytes bytes) {
        made.bytes += as_text(bytes);
        return true;
    });
    if (!made.is_contained) made.expected = edited(input.bytes, salvage.edits());
    return made;
}

Complaint judge(const Input& input, const Attempt& made) {
    if (made.verdict == SalvageVerdict::unreadable) return "salvage cannot read bytes in memory: " + made.why;
    if (is_written(made.verdict) == !made.why.empty()) return "salvage says why only if nothing is written";
    if (!is_written(made.verdict)) return std::nullopt;
    if (!made.is_contained && made.bytes != made.expected) return "what is written differs from what the edits say";
    if (made.verdict == SalvageVerdict::clean && made.bytes != as_text(input.bytes))
        return "a file without errors is not copied as it is";
    Input again = input;
    again.bytes = as_bytes(made.bytes);
    const Outcome outcome = check_all(again);
    if (outcome.format != made.format) return "the salvaged file is of another format";
    if (outcome.report().count(Severity::error) == 0) return std::nullopt;
    for (const Diagnostic& diagnostic : outcome.report().diagnostics())
        if (severity_of(diagnostic) == Severity::error)
            return "the salvaged file has the error " + std::string(diagnostic.rule->id);
    return "the salvaged file has an error";
}

}  // namespace

Complaint salvages(const Input& input, SalvageOutcome* salvaged) {
    const Attempt made = attempt(input);
    if (salvaged != nullptr) *salvaged = {made.verdict, made.size, made.bytes.size()};
    if (Complaint complaint = judge(input, made)) return complaint;
    if (made.verdict == SalvageVerdict::salvaged) {
        Input again = input;
        again.bytes = as_bytes(made.bytes);
        const Attempt second = attempt(again);
        if (second.verdict != SalvageVerdict::clean) return "a salvaged file is not clean when it is salvaged again";
        if (second.bytes != made.bytes) return "a salvaged file changes when it is salvaged again";
    }
    Input limited = input;
    limited.limits.memory = 4096 + input.bytes.size() / 8;
    const Attempt poor = attempt(limited);
    if (poor.verdict == SalvageVerdict::limited) return std::nullopt;
    return judge(limited, poor);
}

std::optional<SalvageOutcome> salvage_planted(const Generator& generator, const PlantedFault& fault,
                                              const GenerateOptions& options, Complaint& complaint) {
    const std::optional<PlantedFile> planted = plant(generator, *fault.rule, options);
    if (!planted) return std::nullopt;
    SalvageOutcome salvaged;
    complaint = salvages({as_bytes(planted->bytes), generator.format}, &salvaged);
    return salvaged;
}

}  // namespace tracelint
