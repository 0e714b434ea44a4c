// What perf inject added to a recording (section 4.4).
#include <algorithm>
#include <tuple>

#include "grammars/siblings/rules.hpp"

namespace tracelint::siblings {

constexpr Rule kAlreadyInjected{
    .id = "siblings/already-injected",
    .severity = Severity::note,
    .statement = "a recording that belongs to a dump may hold the functions of the dump",
    .message = "perf inject --jit has added the functions of the dump; this is the first of {0 image|images}",
    .why = "nothing to do: perf report shows their names as long as the images stay where they are",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

constexpr Rule kInjectedIncomplete{
    .id = "siblings/injected-incomplete",
    .severity = Severity::warning,
    .statement = "perf inject --jit has added all functions of the dump",
    .message = "{0} of {1 function|functions} have no image in the recording; this is the first",
    .why =
        "perf inject ran while the process was still writing, or with an older dump: these functions stay "
        "[unknown]. Run it again on the original recording",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds | kUnreadPart,
};

constexpr Rule kInjectedRange{
    .id = "siblings/injected-range",
    .severity = Severity::error,
    .statement = "an image covers the code of its function",
    .message = "the image of function {0} begins at {1x}; its code begins at {2x} and takes {3 byte|bytes}",
    .why = "the images are another run's: perf report shows names of functions that are elsewhere",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds | kUnreadPart,
};

namespace {

using Key = std::tuple<uint64_t, uint64_t>;
Key key_of(const Image& image) { return {image.pid, image.index}; }

// already-injected.
void report_images(const Pair& pair) {
    const InjectedImages images = images_of(pair.recording, pair.tables);
    if (images.count == 0) return;
    const Mapping& first = pair.recording.mapping(images.first);
    pair.check.add<kAlreadyInjected>(pair.recording.member, pair.member, place_of(first.at, first.record),
                                     {images.count});
}

// injected-incomplete.
void check_completeness(Pair& pair) {
    const std::span<const Image> images = pair.recording.images();
    uint64_t missing = 0, all = 0;
    const CodeFunction* first = nullptr;
    for (const CodeFunction& function : pair.dump.functions) {
        if (function.size == 0) continue;
        ++all;
        if (std::ranges::binary_search(images, Key(function.pid, function.index), {}, key_of)) continue;
        ++missing;
        if (first == nullptr) first = &function;
    }
    if (missing == 0) return;
    if (pair.check.add<kInjectedIncomplete>(pair.member, pair.recording.member,
                                            pair.place(*first, pair.dump.function_index), {missing, all}))
        pair.advise(Step::inject_original);
}

// An image that does not cover its function; null: there is none so far.
struct Wrong {
    const Image* image = nullptr;
    const CodeFunction* function = nullptr;
};

// Of the images of a function the first wrong one in the file, if it is before `wrong`.
void compare(const RecordingTables& recording, const CodeFunction& function, std::span<const Image> images,
             Wrong& wrong) {
    for (const Image& image : images) {
        const Mapping& mapping = recording.mapping(image.mapping);
        if (mapping.start == function.start && mapping.length >= function.size) continue;
        if (wrong.image == nullptr || image.mapping < wrong.image->mapping) wrong = {&image, &function};
    }
}

// injected-range. Of functions with the same number the last one counts.
void check_ranges(Pair& pair) {
    const auto& functions = pair.dump.functions;
    const auto key = [&](uint64_t number) { return Key(functions[number].pid, functions[number].index); };
    if (!pair.tables.sort_by_index())
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: siblings/injected-range was not asked");
    const std::span<const uint64_t> numbers = pair.tables.by_index();
    Wrong wrong;
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (i + 1 < numbers.size() && key(numbers[i + 1]) == key(numbers[i])) continue;
        const auto images = std::ranges::equal_range(pair.recording.images(), key(numbers[i]), {}, key_of);
        if (!pair.afford(images.size())) return;
        compare(pair.recording, functions[numbers[i]], {images.begin(), images.end()}, wrong);
    }
    if (wrong.image == nullptr) return;
    const Mapping& mapping = pair.recording.mapping(wrong.image->mapping);
    const CodeFunction& expected = *wrong.function;
    if (pair.check.add<kInjectedRange>(pair.recording.member, pair.member, place_of(mapping.at, mapping.record),
                                       {wrong.image->index, mapping.start, expected.start, expected.size},
                                       pair.related(expected)))
        pair.advise(Step::inject_original);
}

}  // namespace

void check_images(Pair& pair) {
    if (!pair.is_injected || pair.is_done) return;
    report_images(pair);
    pair.advise(Step::is_injected);
    const uint64_t functions = pair.dump.functions.size(), images = pair.recording.images().size();
    if (!pair.can_ask(kInjectedIncomplete) || !pair.afford(functions * (2 + 2 * levels_of(images)))) return;
    check_completeness(pair);
    check_ranges(pair);
}

namespace {}  // namespace
constinit const RuleList kImageRules = rules<&kAlreadyInjected, &kInjectedIncomplete, &kInjectedRange>;

}  // namespace tracelint::siblings
