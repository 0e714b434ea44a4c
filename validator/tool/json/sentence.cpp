// The one sentence that says what a reader does with a file.
#include <fmt/core.h>

#include "validator/input/input_rules.hpp"
#include "validator/readers/reader_check.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

std::string_view noun(const TraceReader& reader, uint64_t count) {
    const size_t bar = reader.unit.find('|');
    return count == 1 ? reader.unit.substr(0, bar) : reader.unit.substr(bar + 1);
}

std::string units(const TraceReader& reader, uint64_t count) {
    return fmt::format("{} {}", grouped(count), noun(reader, count));
}

// "all 2 functions", "the function"; "at least 2 functions" if bytes remain in which there may be more.
std::string all_units(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    if (verdict.uncounted != 0) return fmt::format("at least {}", units(reader, verdict.total));
    return verdict.total == 1 ? fmt::format("the {}", noun(reader, 1))
                              : fmt::format("all {}", units(reader, verdict.total));
}

// "; the last 12 bytes are not counted".
std::string rest_of(const ReaderVerdict& verdict) {
    if (verdict.uncounted == 0) return {};
    return verdict.uncounted == 1 ? "; the last byte is not counted"
                                  : fmt::format("; the last {} bytes are not counted", grouped(verdict.uncounted));
}

std::string in_places(const ReaderVerdict& verdict) {
    if (verdict.places <= 1) return fmt::format("at {:#x}", verdict.offset);
    return fmt::format("in {} places, the first at {:#x}", grouped(verdict.places), verdict.offset);
}

std::string stopping(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    if (verdict.total == 0) return fmt::format("stops silently at {:#x}", verdict.offset);
    if (verdict.lost == 0) {
        const std::string before = verdict.uncounted == 0 ? all_units(verdict) : units(reader, verdict.total);
        return fmt::format("stops silently at {:#x}, after {}{}", verdict.offset, before, rest_of(verdict));
    }
    const std::string place = fmt::format("stops at {:#x}", verdict.offset);
    if (verdict.lost == verdict.total)
        return fmt::format("{} and silently drops {}{}", place, all_units(verdict), rest_of(verdict));
    return fmt::format("{} and silently drops the remaining {} of {}{}{}", place, grouped(verdict.lost),
                       verdict.uncounted == 0 ? "" : "at least ", units(reader, verdict.total), rest_of(verdict));
}

// ": it does not know records of this type".
std::string reason_of(const ReaderVerdict& verdict) {
    return verdict.reason.empty() ? std::string() : fmt::format(": {}", verdict.reason);
}

std::string refusing(const ReaderVerdict& verdict) {
    if (verdict.rule == &kOtherFormat) return "does not read files of this format";
    if (verdict.rule == &kEmptyInput) return "refuses the file: it is empty";
    if (verdict.rule == &kUnknownFormat) return "refuses the file: its format is not known";
    const std::string with = verdict.total == 0 ? "" : fmt::format(", with {} in it", all_units(verdict));
    if (verdict.offset == 0 && verdict.rule != nullptr && verdict.rule->of_input && !verdict.reason.empty())
        return fmt::format("refuses the file{}{}", with, reason_of(verdict));
    return fmt::format("refuses the file because of the bytes at {:#x}{}{}", verdict.offset, with, reason_of(verdict));
}

std::string loading(const ReaderVerdict& verdict) {
    if (verdict.total == 0) return "loads the file" + rest_of(verdict);
    return fmt::format("loads the file, with {}{}", all_units(verdict), rest_of(verdict));
}

std::string_view reason_of(Unfollowed why) {
    switch (why) {
        case Unfollowed::memory: return "cannot be predicted: following it takes more memory than the limit allows";
        case Unfollowed::work: return "cannot be predicted: following it takes too much work for a file of this size";
        case Unfollowed::limit: return "cannot be predicted: a limit left part of the file unchecked";
        case Unfollowed::size: return "cannot be predicted: the file is larger than 16 MiB";
        case Unfollowed::inflated: return "cannot be predicted: the compressed records become larger than 16 MiB";
        case Unfollowed::missing_zstd: return "cannot be predicted: this build cannot decompress the records";
        case Unfollowed::trace: return "cannot be predicted: it decodes the AUX trace in the file";
        case Unfollowed::changed: return "cannot be predicted: the file changed while it was read";
    }
    return {};
}

// What is not known, or not all of it.
std::string guessing(const ReaderVerdict& verdict) {
    if (verdict.unfollowed) return std::string(reason_of(*verdict.unfollowed));
    if (verdict.untried != 0)
        return fmt::format("has not been tried with {}", verdict.untried == 1 ? "the error found" : "the errors found");
    if (verdict.untried_warnings != 0)
        return fmt::format("loads the file, as far as is known: {} not been tried with it",
                           verdict.untried_warnings == 1
                               ? "one warning has"
                               : fmt::format("{} warnings have", grouped(verdict.untried_warnings)));
    if (verdict.is_unread)
        return "cannot be predicted: the input is a pipe, and its records cannot be read a second time";
    return "may load the file: no finding is known to make it fail";
}

std::string doing(const ReaderVerdict& verdict) {
    switch (verdict.outcome) {
        case ReaderOutcome::loads:
        case ReaderOutcome::ignores: return loading(verdict);
        case ReaderOutcome::untried: return guessing(verdict);
        case ReaderOutcome::drops_record:
            return "loads the file, but silently leaves out a part of it " + in_places(verdict);
        case ReaderOutcome::misreads:
            return fmt::format("loads the file, but misreads it {}{}", in_places(verdict), reason_of(verdict));
        case ReaderOutcome::drops_rest: return stopping(verdict);
        case ReaderOutcome::loses_step:
            return fmt::format("gets out of step at {:#x}: it misreads the rest, or stops, hangs or crashes there",
                               verdict.offset);
        case ReaderOutcome::refuses: return refusing(verdict);
        case ReaderOutcome::may_crash:
            if (!verdict.reason.empty()) return fmt::format("may crash at {:#x}{}", verdict.offset, reason_of(verdict));
            return fmt::format("gets out of step at {:#x} and may crash or hang there", verdict.offset);
        case ReaderOutcome::hangs:
            return fmt::format("never ends: it hangs at {:#x}{}", verdict.offset, reason_of(verdict));
        case ReaderOutcome::crashes: return fmt::format("crashes at {:#x}{}", verdict.offset, reason_of(verdict));
    }
    return {};
}

// "; perf 6.1 loads it": where an earlier version does something else.
std::string older_text(const ReaderVerdict& verdict) {
    std::string text;
    const auto is_known = [](const ReaderVerdict& one) {
        return !one.unfollowed && one.outcome != ReaderOutcome::untried && !one.is_unread;
    };
    const auto is_loaded = [](const ReaderVerdict& one) { return one.outcome <= ReaderOutcome::ignores; };
    for (const ReaderVerdict& older : verdict.older) {
        const bool is_same = older.outcome == verdict.outcome || (is_loaded(older) && is_loaded(verdict));
        if (is_same || !is_known(older) || !is_known(verdict)) continue;
        text += fmt::format("; {} {}", title_of(*older.reader), is_loaded(older) ? "loads it" : doing(older));
    }
    return text;
}

}  // namespace

std::string sentence_of(const ReaderVerdict& verdict) {
    std::string text = title_of(*verdict.reader) + ' ' + doing(verdict);
    if (verdict.reader->evidence != "measured") text += fmt::format(" ({})", verdict.reader->evidence);
    if (verdict.untried != 0 && verdict.outcome != ReaderOutcome::untried)
        text += fmt::format(
            "; {} not been tried with it",
            verdict.untried == 1 ? "one more error has" : fmt::format("{} more errors have", grouped(verdict.untried)));
    if (verdict.is_unread && verdict.outcome != ReaderOutcome::untried)
        text += "; rules about records cannot be checked on a pipe";
    return text + older_text(verdict);
}

}  // namespace tracelint
