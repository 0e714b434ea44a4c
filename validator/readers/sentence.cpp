// The one sentence that says what a reader does with a file.
#include <initializer_list>

#include "validator/input/input_rules.hpp"
#include "validator/readers/reader_check.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

std::string text_of(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

std::string_view noun(const TraceReader& reader, uint64_t count) {
    const size_t bar = reader.unit.find('|');
    return count == 1 ? reader.unit.substr(0, bar) : reader.unit.substr(bar + 1);
}

std::string units(const TraceReader& reader, uint64_t count) {
    return text_of({grouped(count), " ", noun(reader, count)});
}

// "all 2 functions", "the function"; "at least 2 functions" if bytes remain in which there may be more.
std::string all_units(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    if (verdict.uncounted != 0) return text_of({"at least ", units(reader, verdict.total)});
    return verdict.total == 1 ? text_of({"the ", noun(reader, 1)}) : text_of({"all ", units(reader, verdict.total)});
}

// "; the last 12 bytes are not counted".
std::string rest_of(const ReaderVerdict& verdict) {
    if (verdict.uncounted == 0) return {};
    return verdict.uncounted == 1 ? "; the last byte is not counted"
                                  : text_of({"; the last ", grouped(verdict.uncounted), " bytes are not counted"});
}

std::string in_places(const ReaderVerdict& verdict) {
    if (verdict.places <= 1) return text_of({"at ", hex(verdict.offset)});
    return text_of({"in ", grouped(verdict.places), " places, the first at ", hex(verdict.offset)});
}

// What is left out is counted if it is units of the reader.
std::string leaving_out(const ReaderVerdict& verdict) {
    if (verdict.lost == 0) return "loads the file, but silently leaves out a part of it " + in_places(verdict);
    const bool are_all = verdict.lost == verdict.total;
    const std::string dropped =
        are_all ? all_units(verdict) : grouped(verdict.lost) + " of " + units(*verdict.reader, verdict.total);
    return text_of({"loads the file, but silently drops ", dropped, " because of the bytes ", in_places(verdict),
                    rest_of(verdict)});
}

std::string stopping(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    if (verdict.total == 0) return text_of({"stops silently at ", hex(verdict.offset)});
    if (verdict.lost == 0) {
        const std::string before = verdict.uncounted == 0 ? all_units(verdict) : units(reader, verdict.total);
        return text_of({"stops silently at ", hex(verdict.offset), ", after ", before, rest_of(verdict)});
    }
    const std::string place = text_of({"stops at ", hex(verdict.offset)});
    if (verdict.lost == verdict.total)
        return text_of({place, " and silently drops ", all_units(verdict), rest_of(verdict)});
    return text_of({place, " and silently drops the remaining ", grouped(verdict.lost), " of ",
                    verdict.uncounted == 0 ? "" : "at least ", units(reader, verdict.total), rest_of(verdict)});
}

// ": it does not know records of this type".
std::string reason_of(const ReaderVerdict& verdict) {
    return verdict.reason.empty() ? std::string() : text_of({": ", verdict.reason});
}

std::string refusing(const ReaderVerdict& verdict) {
    if (verdict.rule == &kOtherFormat) return "does not read files of this format";
    if (verdict.rule == &kEmptyInput) return "refuses the file: it is empty";
    if (verdict.rule == &kUnknownFormat) return "refuses the file: its format is not known";
    const std::string with = verdict.total == 0 ? "" : text_of({", with ", all_units(verdict), " in it"});
    if (verdict.offset == 0 && verdict.rule != nullptr && verdict.rule->of_input && !verdict.reason.empty())
        return text_of({"refuses the file", with, reason_of(verdict)});
    return text_of({"refuses the file because of the bytes at ", hex(verdict.offset), with, reason_of(verdict)});
}

std::string loading(const ReaderVerdict& verdict) {
    if (verdict.total == 0) return "loads the file" + rest_of(verdict);
    return text_of({"loads the file, with ", all_units(verdict), rest_of(verdict)});
}

std::string_view reason_of(Unpredicted why) {
    switch (why) {
        case Unpredicted::memory: return "cannot be predicted: following it takes more memory than the limit allows";
        case Unpredicted::work: return "cannot be predicted: following it takes too much work for a file of this size";
        case Unpredicted::limit: return "cannot be predicted: a limit left part of the file unchecked";
        case Unpredicted::size: return "cannot be predicted: the file is larger than 16 MiB";
        case Unpredicted::inflated: return "cannot be predicted: the compressed records become larger than 16 MiB";
        case Unpredicted::missing_zstd: return "cannot be predicted: this build cannot decompress the records";
        case Unpredicted::trace: return "cannot be predicted: it decodes the AUX trace in the file";
        case Unpredicted::changed: return "cannot be predicted: the file changed while it was read";
    }
    return {};
}

// What is not known, or not all of it.
std::string guessing(const ReaderVerdict& verdict) {
    if (verdict.unpredicted) return std::string(reason_of(*verdict.unpredicted));
    if (verdict.untried != 0)
        return text_of({"has not been tried with ", verdict.untried == 1 ? "the error found" : "the errors found"});
    if (verdict.untried_warnings != 0)
        return text_of({"loads the file, as far as is known: ",
                        verdict.untried_warnings == 1 ? "one warning has"
                                                      : text_of({grouped(verdict.untried_warnings), " warnings have"}),
                        " not been tried with it"});
    if (verdict.is_unread)
        return "cannot be predicted: the input is a pipe, and its records cannot be read a second time";
    return "may load the file: no finding is known to make it fail";
}

std::string doing(const ReaderVerdict& verdict) {
    switch (verdict.outcome) {
        case ReaderOutcome::loads:
        case ReaderOutcome::ignores: return loading(verdict);
        case ReaderOutcome::untried: return guessing(verdict);
        case ReaderOutcome::drops_record: return leaving_out(verdict);
        case ReaderOutcome::misreads:
            return text_of({"loads the file, but misreads it ", in_places(verdict), reason_of(verdict)});
        case ReaderOutcome::drops_rest: {
            // A rule of the check says itself what is wrong there.
            const bool is_own = verdict.rule != nullptr && verdict.rule->id.starts_with("reader/");
            return stopping(verdict) + (is_own ? reason_of(verdict) : std::string());
        }
        case ReaderOutcome::out_of_step:
            return text_of({"gets out of step at ", hex(verdict.offset),
                            ": it misreads the rest, or stops, hangs or crashes there"});
        case ReaderOutcome::refuses: return refusing(verdict);
        case ReaderOutcome::may_crash:
            if (!verdict.reason.empty()) return text_of({"may crash at ", hex(verdict.offset), reason_of(verdict)});
            return text_of({"gets out of step at ", hex(verdict.offset), " and may crash or hang there"});
        case ReaderOutcome::hangs:
            return text_of({"never ends: it hangs at ", hex(verdict.offset), reason_of(verdict)});
        case ReaderOutcome::crashes: return text_of({"crashes at ", hex(verdict.offset), reason_of(verdict)});
    }
    return {};
}

// "; perf 6.1 loads it": where an earlier version does something else.
std::string older_text(const ReaderVerdict& verdict) {
    std::string text;
    const auto is_known = [](const ReaderVerdict& one) {
        return !one.unpredicted && one.outcome != ReaderOutcome::untried && !one.is_unread;
    };
    const auto is_loaded = [](const ReaderVerdict& one) { return one.outcome <= ReaderOutcome::ignores; };
    for (const ReaderVerdict& older : verdict.older) {
        const bool is_same = older.outcome == verdict.outcome || (is_loaded(older) && is_loaded(verdict));
        if (is_same || !is_known(older) || !is_known(verdict)) continue;
        text += text_of({"; ", title_of(*older.reader), " ", is_loaded(older) ? "loads it" : doing(older)});
    }
    return text;
}

}  // namespace

std::string sentence_of(const ReaderVerdict& verdict) {
    std::string text = title_of(*verdict.reader) + ' ' + doing(verdict);
    if (verdict.reader->evidence != "measured") text += text_of({" (", verdict.reader->evidence, ")"});
    if (verdict.untried != 0 && verdict.outcome != ReaderOutcome::untried)
        text += text_of(
            {"; ",
             verdict.untried == 1 ? "one more error has" : text_of({grouped(verdict.untried), " more errors have"}),
             " not been tried with it"});
    if (verdict.is_unread && verdict.outcome != ReaderOutcome::untried)
        text += "; rules about records cannot be checked on a pipe";
    return text + older_text(verdict);
}

}  // namespace tracelint
