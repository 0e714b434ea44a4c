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
    .since = "0.2.0"};

constexpr Rule kInjectedIncomplete{
    .id = "siblings/injected-incomplete",
    .severity = Severity::warning,
    .statement = "perf inject --jit has added all functions of the dump",
    .message = "{0} of {1 function|functions} have no image in the recording; this is the first",
    .why =
        "perf inject ran while the process was still writing, or with an older dump: these functions stay "
        "[unknown]. Run it again on the original recording",
    .spec = "4.4 After perf inject",
    .since = "0.2.0"};

constexpr Rule kInjectedRange{
    .id = "siblings/injected-range",
    .severity = Severity::error,
    .statement = "an image covers the code of its function",
    .message = "the image of function {0} begins at {1x}; its code begins at {2x} and takes {3 byte|bytes}",
    .why = "the images are another run's: perf report shows names of functions that are elsewhere",
    .spec = "4.4 After perf inject",
    .since = "0.2.0"};

namespace {

using Key = std::tuple<uint64_t, uint64_t>;
Key key_of(const Image& image) { return {image.pid, image.index}; }

// already-injected.
void report_images(const Pair& pair) {
    BudgetedVector<uint32_t> pids(pair.check.budget);
    if (!find_pids(pair.dump, pids))
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: siblings/already-injected was not asked");
    uint64_t count = 0;
    const Mapping* first = nullptr;
    const auto add = [&](std::span<const Image> images) {
        count += images.size();
        for (const Image& image : images) {
            const Mapping& mapping = pair.recording.mapping(image.mapping);
            if (first == nullptr || &mapping < first) first = &mapping;
        }
    };
    for (const uint32_t pid : pids) add(pair.recording.images_of(pid));
    if (first != nullptr)
        pair.check.add<kAlreadyInjected>(pair.recording.member, pair.member, place_of(first->at, first->record),
                                         {count});
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
    pair.advise(Step::inject_original);
    pair.check.add<kInjectedIncomplete>(pair.member, pair.recording.member,
                                        pair.place(*first, pair.dump.function_index), {missing, all});
}

// injected-range. Of functions with the same number the last one counts.
void check_ranges(Pair& pair) {
    BudgetedVector<uint64_t> numbers(pair.check.budget);
    const auto& functions = pair.dump.functions;
    const auto key = [&](uint64_t number) { return Key(functions[number].pid, functions[number].index); };
    for (uint64_t i = 0; i < functions.size(); ++i)
        if (!numbers.push_back(i))
            return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                                "memory limit: siblings/injected-range was not asked");
    pair.check.work.add(sorting_of(numbers.size()) + pair.recording.images().size());
    std::ranges::sort(numbers, {}, [&](uint64_t number) { return std::pair(key(number), number); });
    const Image* wrong = nullptr;
    const CodeFunction* expected = nullptr;
    for (const Image& image : pair.recording.images()) {
        const auto last = std::ranges::upper_bound(numbers, key_of(image), {}, key);
        if (last == numbers.begin() || key(*(last - 1)) != key_of(image)) continue;
        const CodeFunction& function = functions[*(last - 1)];
        const Mapping& mapping = pair.recording.mapping(image.mapping);
        if (mapping.start == function.start && mapping.length >= function.size) continue;
        if (wrong != nullptr && wrong->mapping <= image.mapping) continue;
        wrong = &image;
        expected = &function;
    }
    if (wrong == nullptr) return;
    pair.advise(Step::inject_original);
    const Mapping& mapping = pair.recording.mapping(wrong->mapping);
    pair.check.add<kInjectedRange>(pair.recording.member, pair.member, place_of(mapping.at, mapping.record),
                                   {wrong->index, mapping.start, expected->start, expected->size},
                                   pair.related(*expected));
}

}  // namespace

void check_images(Pair& pair) {
    if (!pair.is_injected || pair.is_done) return;
    if (pair.recording.has_all_mappings()) report_images(pair);
    pair.advise(Step::is_injected);
    if (pair.recording.is_blind() || pair.dump.functions.is_cut()) return;
    check_completeness(pair);
    check_ranges(pair);
}

namespace {
constexpr const Rule* kTable[] = {&kAlreadyInjected, &kInjectedIncomplete, &kInjectedRange};
}  // namespace
constinit const RuleList kImageRules{kTable};

}  // namespace tracelint::siblings
