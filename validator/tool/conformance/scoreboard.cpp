#include "validator/tool/conformance/scoreboard.hpp"

#include <fmt/core.h>

#include <array>

#include "validator/tool/json/json_document.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"

namespace tracelint {
namespace {

constexpr int kScoreboardVersion = 1;
constexpr ReaderDuty kDuties[] = {ReaderDuty::must_refuse, ReaderDuty::may_accept, ReaderDuty::must_accept};

struct EndWords {
    std::string_view past, present;
};
constexpr EndWords kEnds[] = {
    {"accepted", "accepts it"}, {"refused", "refuses it"}, {"crashed", "crashes"}, {"hung", "hangs"}};

const EndWords& words_of(RunEnd end) { return kEnds[static_cast<size_t>(end)]; }

// The files of a format that have a duty, by how the reader ended.
struct Score {
    std::array<uint64_t, std::size(kEnds)> ended{};
    uint64_t files = 0, wrong = 0;

    void add(const ConformanceEntry& entry, const ReaderRun& run) {
        ++files;
        ++ended[static_cast<size_t>(run.end)];
        wrong += is_wrong(entry.duty, run.end) ? 1 : 0;
    }
    uint64_t of(RunEnd end) const { return ended[static_cast<size_t>(end)]; }
};

template <class Visit>
void for_each_run(const Scoreboard& board, Visit visit) {
    for (size_t i = 0; i < board.runs.size(); ++i) visit(board.entries[i], board.runs[i]);
}

Score score_of(const Scoreboard& board, const Format& format, ReaderDuty duty) {
    Score score;
    for_each_run(board, [&](const ConformanceEntry& entry, const ReaderRun& run) {
        if (entry.format == &format && entry.duty == duty) score.add(entry, run);
    });
    return score;
}

std::vector<const Format*> formats_of(const Scoreboard& board) {
    std::vector<const Format*> found;
    for_each_run(board, [&](const ConformanceEntry& entry, const ReaderRun&) {
        if (std::ranges::count(found, entry.format) == 0) found.push_back(entry.format);
    });
    return found;
}

std::string path_of(const ConformanceEntry& entry) { return fmt::format("{}/{}", entry.format->id, entry.file); }

// "crashes (signal 11), but must refuse it"
std::string verdict_of(const ConformanceEntry& entry, const ReaderRun& run) {
    std::string text(words_of(run.end).present);
    if (run.signal != 0)
        text += fmt::format(" (signal {})", run.signal);
    else if (run.status != 0)
        text += fmt::format(" (status {})", run.status);
    if (run.end == RunEnd::accepts || run.end == RunEnd::refuses)
        text += fmt::format(", but {} it", to_string(entry.duty));
    return text;
}

JsonArray guarded(const Sandbox& sandbox) {
    JsonArray names;
    if (sandbox.files) names.add("files");
    if (sandbox.network) names.add("network");
    return names;
}

JsonObject score_object(ReaderDuty duty, const Score& score) {
    JsonObject object{{"reader", to_string(duty)}, {"files", score.files}};
    for (size_t end = 0; end < std::size(kEnds); ++end) object.add(kEnds[end].past, score.ended[end]);
    return object.add("wrong", score.wrong);
}

}  // namespace

bool is_wrong(ReaderDuty duty, RunEnd end) {
    switch (end) {
        case RunEnd::accepts: return duty == ReaderDuty::must_refuse;
        case RunEnd::refuses: return duty == ReaderDuty::must_accept;
        default: return true;
    }
}

bool Scoreboard::has_wrong() const {
    bool wrong = false;
    for_each_run(*this, [&](const ConformanceEntry& entry, const ReaderRun& run) {
        wrong = wrong || is_wrong(entry.duty, run.end);
    });
    return wrong;
}

void write_scoreboard_text(const Scoreboard& board, Sink& sink) {
    sink.write(fmt::format("{:<12} {:<12} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6}\n", "format", "a reader", "files",
                           "refused", "accepted", "crashed", "hung", "wrong"));
    for (const Format* format : formats_of(board))
        for (const ReaderDuty duty : kDuties) {
            const Score score = score_of(board, *format, duty);
            sink.write(fmt::format("{:<12} {:<12} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6}\n", format->id, to_string(duty),
                                   score.files, score.of(RunEnd::refuses), score.of(RunEnd::accepts),
                                   score.of(RunEnd::crashes), score.of(RunEnd::hangs), score.wrong));
        }
    for_each_run(board, [&](const ConformanceEntry& entry, const ReaderRun& run) {
        if (!is_wrong(entry.duty, run.end)) return;
        sink.write(fmt::format("{}: {}: {}{}\n", printable(path_of(entry)), verdict_of(entry, run),
                               printable(entry.shows), entry.rule.empty() ? "" : fmt::format(" [{}]", entry.rule)));
    });
}

void write_scoreboard_json(const Scoreboard& board, Sink& sink) {
    JsonArray formats;
    for (const Format* format : formats_of(board)) {
        JsonArray scores;
        for (const ReaderDuty duty : kDuties) scores.add(score_object(duty, score_of(board, *format, duty)));
        formats.add(JsonObject{{"format", format->id}, {"scores", scores}});
    }
    const JsonObject head{{"schema_version", kScoreboardVersion},
                          {"tool", tool_object()},
                          {"command", board.command},
                          {"corpus", board.corpus.empty() ? JsonText(nullptr) : JsonText::path(board.corpus)},
                          {"sandbox", guarded(board.sandbox)},
                          {"is_complete", board.runs.size() == board.entries.size()},
                          {"formats", formats}};
    sink.write(head.open_text() + ",\"files\":[");
    bool any = false;
    for_each_run(board, [&](const ConformanceEntry& entry, const ReaderRun& run) {
        const JsonObject file{{"file", JsonText::path(path_of(entry))},
                              {"format", entry.format->id},
                              {"rule", entry.rule.empty() ? JsonText(nullptr) : JsonText(entry.rule)},
                              {"shows", entry.shows},
                              {"reader", to_string(entry.duty)},
                              {"outcome", words_of(run.end).past},
                              {"exit_status", run.signal != 0 ? JsonText(nullptr) : JsonText(run.status)},
                              {"signal", run.signal == 0 ? JsonText(nullptr) : JsonText(run.signal)},
                              {"is_wrong", is_wrong(entry.duty, run.end)}};
        sink.write((std::exchange(any, true) ? ",\n" : "\n") + file.text());
    });
    sink.write("\n]}\n");
}

void write_scoreboard_junit(const Scoreboard& board, Sink& sink) {
    sink.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracelint conform\">\n");
    for (const Format* format : formats_of(board)) {
        uint64_t tests = 0, failures = 0;
        std::string cases;
        for_each_run(board, [&](const ConformanceEntry& entry, const ReaderRun& run) {
            if (entry.format != format) return;
            ++tests;
            cases += fmt::format("<testcase classname=\"tracelint.{}\" name=\"{}\"", format->id, xml_text(entry.file));
            if (!is_wrong(entry.duty, run.end)) {
                cases += "/>\n";
                return;
            }
            ++failures;
            cases += fmt::format("><failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n", xml_text(entry.rule),
                                 xml_text(verdict_of(entry, run)), xml_text(entry.shows));
        });
        sink.write(fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}</testsuite>\n",
                               format->id, tests, failures, cases));
    }
    sink.write("</testsuites>\n");
}

}  // namespace tracelint
