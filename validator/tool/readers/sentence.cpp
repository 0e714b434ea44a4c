// The one sentence that says what a reader does with a file.
#include <fmt/core.h>

#include "validator/hex.hpp"
#include "validator/tool/readers/reader_check.hpp"

namespace tracelint {
namespace {

// "5,312".
std::string grouped(uint64_t number) {
    std::string digits = std::to_string(number);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string_view noun(const TraceReader& reader, uint64_t count) {
    const size_t bar = reader.unit.find('|');
    return count == 1 ? reader.unit.substr(0, bar) : reader.unit.substr(bar + 1);
}

std::string units(const TraceReader& reader, uint64_t count) {
    return fmt::format("{} {}", grouped(count), noun(reader, count));
}

// "the 2 functions", "the function".
std::string all_units(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    return verdict.total == 1 ? fmt::format("the {}", noun(reader, 1))
                              : fmt::format("all {}", units(reader, verdict.total));
}

std::string in_places(const ReaderVerdict& verdict) {
    if (verdict.places <= 1) return fmt::format("at {:#x}", verdict.offset);
    return fmt::format("in {} places, the first at {:#x}", grouped(verdict.places), verdict.offset);
}

std::string stopping(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    if (verdict.total == 0) return fmt::format("stops at {:#x} without a word", verdict.offset);
    if (verdict.lost == 0)
        return fmt::format("stops at {:#x} without a word, after {}", verdict.offset, all_units(verdict));
    if (verdict.lost == verdict.total)
        return fmt::format("stops at {:#x} and silently drops {}", verdict.offset, all_units(verdict));
    return fmt::format("stops at {:#x} and silently drops the remaining {} of {}", verdict.offset,
                       grouped(verdict.lost), units(reader, verdict.total));
}

std::string refusing(const ReaderVerdict& verdict) {
    if (verdict.rule == &kOtherFormat) return "does not read files of this format";
    const std::string with = verdict.total == 0 ? "" : fmt::format(", with {} in it", all_units(verdict));
    return fmt::format("refuses the file because of what is at {:#x}{}", verdict.offset, with);
}

std::string doing(const ReaderVerdict& verdict) {
    std::string loading =
        verdict.total == 0 ? "loads the file" : fmt::format("loads the file, with {}", all_units(verdict));
    switch (verdict.outcome) {
        case ReaderOutcome::loads:
        case ReaderOutcome::ignores: return loading;
        case ReaderOutcome::untried:
            if (verdict.untried == 0) return "may load the file: nothing is found that it is known to fail on";
            return fmt::format("has not been tried with {}",
                               verdict.untried == 1 ? "the error found" : "the errors found");
        case ReaderOutcome::drops_record:
            return "loads the file, but silently leaves out what is " + in_places(verdict);
        case ReaderOutcome::misreads: return "loads the file, but misreads it " + in_places(verdict);
        case ReaderOutcome::drops_rest: return stopping(verdict);
        case ReaderOutcome::loses_step:
            return fmt::format("loses step at {:#x}: it misreads what follows, or gives up, hangs or crashes there",
                               verdict.offset);
        case ReaderOutcome::refuses: return refusing(verdict);
        case ReaderOutcome::hangs: return fmt::format("never ends: it hangs at {:#x}", verdict.offset);
        case ReaderOutcome::crashes: return fmt::format("crashes at {:#x}", verdict.offset);
    }
    return {};
}

}  // namespace

std::string sentence_of(const ReaderVerdict& verdict) {
    std::string text = title_of(*verdict.reader) + ' ' + doing(verdict);
    if (verdict.reader->evidence != "measured") text += fmt::format(" ({})", verdict.reader->evidence);
    if (verdict.untried != 0 && verdict.outcome != ReaderOutcome::untried)
        text += fmt::format(
            "; {} not been tried with it",
            verdict.untried == 1 ? "one more error has" : fmt::format("{} more errors have", grouped(verdict.untried)));
    return text;
}

}  // namespace tracelint
