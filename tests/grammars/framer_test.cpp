// Framers, which find records without judging them, against walks: both see the same records.
#include <doctest/doctest.h>

#include <map>

#include "grammars/formats.hpp"
#include "tests/support/guarded_page.hpp"
#include "tests/support/oracle_files.hpp"

namespace tracelint {
namespace {

struct Framed {
    const Record* record;
    uint64_t offset, length;
    bool operator==(const Framed&) const = default;
};

// All records, and the bytes between them that belong to none.
std::vector<Framed> frames_of(const Format& format, const Settings& settings, Bytes file, auto&& next) {
    std::vector<Framed> frames;
    const std::unique_ptr<Framer> framer = format.framer(settings);
    for (uint64_t offset = 0; offset < file.size();) {
        const Framer::Frame frame = next(*framer, file.subspan(offset));
        frames.push_back({frame.record, offset, frame.length});
        if (frame.length == 0) break;
        offset = saturating_add(offset, frame.length);
    }
    return frames;
}

std::vector<Framed> frames_of(const Format& format, Bytes file, const Settings& settings = {}) {
    return frames_of(format, settings, file, [](Framer& framer, Bytes left) { return framer.next_of_all(left); });
}

// Shows the framer no more than it asks for; reading past that ends the program.
Framer::Frame next_in_steps(Framer& framer, Bytes left) {
    static GuardedPage page;
    const auto next = [&](Bytes shown) {
        if (shown.size() > page.size()) return framer.next(shown);
        std::ranges::copy(shown, page.last(shown.size()));
        return framer.next({page.last(shown.size()), shown.size()});
    };
    Framer::Frame frame;
    for (uint64_t seen = 0, needs = kDetectionBytes; seen < left.size() && seen < needs;) {
        seen = std::min<uint64_t>(needs, left.size());
        frame = next(left.first(seen));
        needs = frame.needs;
    }
    return frame.needs == 0 ? frame : next(left);
}

// Where the records end, or bytes begin that belong to none.
uint64_t end_of_records(const std::vector<Framed>& frames) {
    if (frames.empty()) return 0;
    const auto unexplained = std::ranges::find(frames, nullptr, &Framed::record);
    const Framed& last = frames.back();
    return unexplained != frames.end() ? unexplained->offset : saturating_add(last.offset, last.length);
}

// Up to the first bytes that belong to no record: their number depends on how many are shown.
std::vector<Framed> explained(std::vector<Framed> frames) {
    const auto unexplained = std::ranges::find(frames, nullptr, &Framed::record);
    if (unexplained == frames.end()) return frames;
    unexplained->length = 0;
    frames.erase(unexplained + 1, frames.end());
    return frames;
}

size_t frame_of(const Place& place, const std::vector<Framed>& frames) {
    const auto holds = [&](const Framed& f) {
        return f.offset <= place.offset && place.offset + place.length <= saturating_add(f.offset, f.length);
    };
    return static_cast<size_t>(std::ranges::find_if(frames, holds) - frames.begin());
}

Outcome check_as(const Format& format, Bytes bytes) {
    MemorySource source(bytes);
    CheckOptions options;
    options.format = &format;
    options.report.kept_per_rule = 0;
    return check(source, options);
}

bool is_out_of_step(const Outcome& outcome) {
    return std::ranges::any_of(outcome.report().diagnostics(),
                               [](const Diagnostic& d) { return d.rule->depends_on.resynchronisation; });
}

// The uncompressed files of the corpus in which the walk never lost sync.
void for_files_in_step(const Format& format, auto&& see) {
    for (const auto& [name, bytes] : corpus_bytes(format)) {
        CAPTURE(name);
        const Outcome outcome = check_as(format, as_bytes(bytes));
        if (outcome.container == Container::none && !is_out_of_step(outcome)) see(as_bytes(bytes), outcome);
    }
}

// Names and lengths: "FileHeader+40 CODE_LOAD+88 x3"; what is truncated or no record comes last.
std::string in_words(const std::vector<Framed>& frames, uint64_t size) {
    constexpr size_t kMost = 40;
    std::string words;
    size_t listed = 0;
    for (size_t i = 0; i < frames.size() && listed < kMost; ++listed) {
        const auto is_same = [&](const Framed& f) {
            return f.record == frames[i].record && f.length == frames[i].length;
        };
        const size_t end = static_cast<size_t>(
            std::find_if_not(frames.begin() + static_cast<ptrdiff_t>(i), frames.end(), is_same) - frames.begin());
        const Framed& last = frames[end - 1];
        words += ' ' + (last.record == nullptr ? "nothing" : std::string(last.record->name));
        if (last.record != nullptr || last.length != 0) words += '+' + std::to_string(last.length);
        if (end - i > 1) words += " x" + std::to_string(end - i);
        if (saturating_add(last.offset, last.length) > size) words += " cut";
        i = end;
    }
    if (frames.empty()) return " no bytes";
    return words + (listed == kMost ? " ..." : "");
}

// Whether the walk ended with the header.
bool is_refused(const Outcome& outcome) {
    const auto& statistics = outcome.context.statistics;
    const bool read_nothing =
        std::ranges::all_of(statistics, [](const auto& one) { return one.second == 0 || one.first == kSkippedBytes; });
    return read_nothing && outcome.report().count(Severity::error) != 0;
}

std::string base_bytes(const CaseFile& file, const CaseBlock& block) {
    const bool is_elsewhere = block.base.find('/') != std::string::npos;
    const std::filesystem::path folder =
        is_elsewhere ? block.base.substr(0, block.base.find('/')) : file.rule.substr(0, file.rule.find('/'));
    Errors errors;
    const auto path = kRoot / "corpus" / folder / "base" / block.base.substr(block.base.rfind('/') + 1);
    return read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
}

}  // namespace

TEST_CASE("the frames of any file cover it from start to end" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            const std::vector<Framed> frames = frames_of(*format, as_bytes(bytes));
            uint64_t end = 0;
            for (const Framed& frame : frames) {
                CHECK((frame.offset == end && end < bytes.size()));
                end = saturating_add(end, frame.length);
            }
            const bool is_given_up = !frames.empty() && frames.back().length == 0;
            CHECK((is_given_up ? frames.back().record == nullptr : end >= bytes.size()));
        }
}

TEST_CASE("an edit does not change the frames before it" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        Errors errors;
        for (const CaseFile& file : corpus_cases(*format, errors))
            for (const CaseBlock& block : file.blocks) {
                if (block.base == "empty" || block.bytes.size() >= kMiB) continue;
                CAPTURE(file.path);
                CAPTURE(block.line);
                const std::string base = base_bytes(file, block), edited = block.bytes.part(0, block.bytes.size());
                const auto edit = static_cast<uint64_t>(std::ranges::mismatch(base, edited).in1 - base.begin());
                const std::vector<Framed> before = frames_of(*format, as_bytes(base), block.settings);
                const std::vector<Framed> after = frames_of(*format, as_bytes(edited), block.settings);
                const auto changed = std::ranges::mismatch(before, after).in1;
                // What follows the base file may join its last frame.
                if (changed == before.end() || changed + 1 == before.end()) continue;
                CHECK(saturating_add(changed->offset, changed->length) > edit);
            }
    }
}

TEST_CASE("framer and walk count the same records" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        const auto is_record = [](const Record* record) { return record->name == "record"; };
        const bool has_records = std::ranges::any_of(records_of(*format), is_record);  // among other things
        for_files_in_step(*format, [&](Bytes file, const Outcome& outcome) {
            if (is_refused(outcome)) return;
            std::map<std::string_view, uint64_t> counts;
            uint64_t numbered = 0;
            for (const Framed& frame : frames_of(*format, file)) {
                if (frame.record == nullptr || saturating_add(frame.offset, frame.length) > file.size()) continue;
                ++counts[frame.record->name];
                if (frame.record->numbered && frame.record->name != "rest of the buffer") ++numbered;
            }
            if (!has_records) counts["record"] = numbered;
            for (const auto& [name, count] : outcome.context.statistics) {
                const std::string_view one = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
                const bool is_plural = one == "record" || counts.contains(one);
                if (is_plural || counts.contains(name)) CHECK(counts[is_plural ? one : name] == count);
            }
        });
    }
}

TEST_CASE("what the framers see last") {
    struct Case {
        const char* base;  // in corpus/
        size_t cut;
        const char* appended;
        const char* last;
    };
    constexpr size_t kWhole = SIZE_MAX;
    for (const auto& [base, cut, appended, last] : {
             Case{"mlpd/base/tiny.hex", 8, "", " header+8"},
             Case{"mlpd/base/tiny.hex", kWhole, "01 5a 50 4d", " nothing"},
             Case{"xray/base/basic-3-arguments.hex", 0x42, "", " argument+32 cut"},
             Case{"xray/base/fdr-5-all-records.hex", 0x95, "", " CustomEvent+21 cut"},
             Case{"xray/base/fdr-5-all-records.hex", 0x94, "", " CustomEvent+16 cut"},
             // A buffer of 64 bytes: NewBuffer, EndOfBuffer and the rest.
             Case{"xray/base/fdr-1-all-records.hex", 0x10, "40 00*7 | 00*8 | 01 64 00*14 | 03 00*15 | 00*32",
                  " rest of the buffer+32"},
         }) {
        CAPTURE(base);
        CAPTURE(cut);
        Errors errors;
        const std::string whole = read_hex(read_file(kRoot / "corpus" / base).value_or(""), base, errors).bytes;
        const std::string file = whole.substr(0, cut) + read_hex(appended, base, errors).bytes;
        const std::string_view format(base, std::string_view(base).find('/'));
        REQUIRE((errors.empty() && find_format(format) != nullptr));
        CHECK(in_words({frames_of(*find_format(format), as_bytes(file)).back()}, file.size()) == last);
    }
}

TEST_CASE("extra words of a profile's header end after the first bytes shown, or after the file") {
    for (const uint64_t words : {5'002u, 65'535u}) {
        std::string file;
        const auto append = [&](std::initializer_list<uint64_t> slots) {
            for (const uint64_t slot : slots)
                for (unsigned shift = 0; shift < 64; shift += 8) file.push_back(static_cast<char>(slot >> shift));
        };
        append({0, words, 0, 100, 0});
        while (file.size() < 100'000) append({1, 1, 0x400000});
        append({0, 1, 0});
        const std::vector<Framed> frames = frames_of(kGperftools, as_bytes(file));
        CHECK(frames[0].length == 40);
        CHECK(frames.size() == (file.size() - 40) / 24 + 1);
        CHECK((frames == frames_of(kGperftools, {}, as_bytes(file), next_in_steps)));
    }
}

TEST_CASE("files without an error are records from start to end" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for_files_in_step(*format, [&](Bytes file, const Outcome& outcome) {
            if (outcome.report().count(Severity::error) == 0)
                CHECK(end_of_records(frames_of(*format, file)) == file.size());
        });
}

TEST_CASE("findings about one record are in one frame, those about others in others, in file order" *
          doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for_files_in_step(*format, [&](Bytes file, const Outcome& outcome) {
            const std::vector<Framed> frames = frames_of(*format, file);
            std::map<uint64_t, size_t> frames_by_record;
            for (const Diagnostic& d : outcome.report().diagnostics()) {
                if (d.place.record_index == kNone || d.place.offset >= end_of_records(frames)) continue;
                CAPTURE(d.rule->id);
                const size_t frame = frame_of(d.place, frames);
                REQUIRE(frame < frames.size());
                // An empty place between two frames may belong to either.
                if (d.place.length == 0 && d.place.offset == frames[frame].offset + frames[frame].length) continue;
                CHECK(frames_by_record.insert({d.place.record_index, frame}).first->second == frame);
            }
            size_t least = 0;
            for (const auto& [record, frame] : frames_by_record) {
                CHECK(frame >= least);
                least = frame + 1;
            }
        });
}

TEST_CASE("a framer that is shown no more than it asks for sees the same records" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            if (!is_sampled(number++, 3)) continue;
            CAPTURE(name);
            CHECK((explained(frames_of(*format, as_bytes(bytes))) ==
                   explained(frames_of(*format, {}, as_bytes(bytes), next_in_steps))));
        }
    }
}

}  // namespace tracelint
