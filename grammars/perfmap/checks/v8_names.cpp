// perf map, section 3.4: what the names of V8 say of the whole file.
#include "grammars/perfmap/checks/v8_names.hpp"

#include <algorithm>

namespace tracelint::perfmap {
namespace {

constexpr Rule kInterpretedFunctions{
    .id = "perfmap/interpreted-functions",
    .severity = Severity::note,
    .statement = "the functions of a map have machine code of their own",
    .message = "{0} of {1} names belong to interpreted functions, whose addresses are bytecode",
    .why =
        "all of them run in the code of the interpreter, so no sample gets their names; start node with "
        "--interpreted-frames-native-stack",
    .spec = "3.4 Names of V8",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kNoFunctions{
    .id = "perfmap/no-functions",
    .severity = Severity::warning,
    .statement = "a map of V8 names functions, not only regular expressions",
    .message = "{0 name is a regular expression|names are regular expressions}, and no function has a name",
    .why =
        "Node 16 to 20 write such maps with --perf-basic-prof-only-functions: no function of the program is shown by "
        "name; use --perf-basic-prof",
    .spec = "3.4 Names of V8",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr std::string_view kInterpreted[] = {"JS:~", "LazyCompile:~", "Function:~"};
constexpr std::string_view kCopied[] = {"Builtin:InterpreterEntryTrampolineForProfiling",
                                        "Builtin:InterpreterEntryTrampoline"};

}  // namespace

void V8Names::add(const LineInFile& line) {
    ++functions_;
    const std::string_view name = line.parts.name.of(line.parts.text);
    if (name.starts_with("RegExp:")) ++expressions_;
    if (std::ranges::find(kCopied, name) != std::end(kCopied)) copied_ = line.parts.size.value;
    const auto is_start = [&](std::string_view start) { return name.starts_with(start); };
    if (std::ranges::any_of(kInterpreted, is_start)) add_interpreted(line);
}

void V8Names::add_interpreted(const LineInFile& line) {
    const uint64_t size = line.parts.size.value;
    ++interpreted_;
    if (!first_interpreted_) first_interpreted_ = line.whole();
    sizes_differ_ |= size_.value_or(size) != size;
    if (!size_) size_ = size;
    has_copy_ |= copied_ == size;
}

// Copies have one size, bytecode has any. Without the line of the original code, only sizes show the copies.
void V8Names::finish(ValidationContext& context) const {
    if (interpreted_ != 0 && !has_copy_ && (copied_ || sizes_differ_)) {
        context.report.add<kInterpretedFunctions>(*first_interpreted_, {interpreted_, functions_});
        if (context.facts != nullptr) context.facts->map.bytecode = interpreted_;
    }
    if (functions_ != 0 && expressions_ == functions_) context.report.add<kNoFunctions>({}, {expressions_});
}

constinit const RuleList kV8Rules = rules<&kInterpretedFunctions, &kNoFunctions>;

}  // namespace tracelint::perfmap
