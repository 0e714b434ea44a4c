// The framers, which judge nothing, against the walks, which do: both see the same records.
#include <doctest/doctest.h>

#include <map>

#include "tests/oracle_files.hpp"

namespace tracelint {
namespace {

struct Framed {
    const Record* record;
    uint64_t offset, length;
    bool operator==(const Framed&) const = default;
};

// All records up to the first place that nothing explains, which is the last one then.
std::vector<Framed> frames_of(const Format& format, Bytes file, auto&& next) {
    std::vector<Framed> frames;
    const std::unique_ptr<Framer> framer = format.framer({});
    for (uint64_t offset = 0; offset < file.size();) {
        const Framer::Frame frame = next(*framer, file.subspan(offset));
        frames.push_back({frame.record, offset, frame.length});
        if (frame.record == nullptr || frame.length == 0) break;
        offset = saturating_add(offset, frame.length);
    }
    return frames;
}

std::vector<Framed> frames_of(const Format& format, Bytes file) {
    return frames_of(format, file, [](Framer& framer, Bytes left) { return framer.next_of_all(left); });
}

// It sees no more than it must.
Framer::Frame next_in_steps(Framer& framer, Bytes left) {
    Framer::Frame frame;
    for (uint64_t seen = 0, needs = kDetectionBytes; seen < left.size() && seen < needs;) {
        seen = std::min<uint64_t>(needs, left.size());
        frame = framer.next(left.first(seen));
        needs = frame.needs;
    }
    return frame.needs == 0 ? frame : framer.next(left);
}

// Where the records end, or what is no record begins.
uint64_t end_of_records(const std::vector<Framed>& frames) {
    if (frames.empty()) return 0;
    const Framed& last = frames.back();
    return last.record == nullptr ? last.offset : saturating_add(last.offset, last.length);
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
    return std::ranges::any_of(outcome.report().diagnostics(), [](const Diagnostic& d) { return d.rule->out_of_step; });
}

// The bytes of the corpus that need not be unpacked and where the walk never lost the records.
void for_files_in_step(const Format& format, auto&& see) {
    for (const auto& [name, bytes] : corpus_bytes(format)) {
        CAPTURE(name);
        const Outcome outcome = check_as(format, as_bytes(bytes));
        if (outcome.container == Container::none && !is_out_of_step(outcome)) see(as_bytes(bytes), outcome);
    }
}

}  // namespace

TEST_CASE("files without an error are records from start to end") {
    for (const Format* format : tested_formats())
        for_files_in_step(*format, [&](Bytes file, const Outcome& outcome) {
            if (outcome.report().count(Severity::error) == 0)
                CHECK(end_of_records(frames_of(*format, file)) == file.size());
        });
}

TEST_CASE("findings about one record lie in one frame, about others in others, in their order") {
    for (const Format* format : tested_formats())
        for_files_in_step(*format, [&](Bytes file, const Outcome& outcome) {
            const std::vector<Framed> frames = frames_of(*format, file);
            std::map<uint64_t, size_t> frames_by_record;
            for (const Diagnostic& d : outcome.report().diagnostics()) {
                if (d.place.record_index == kNone || d.place.offset >= end_of_records(frames)) continue;
                CAPTURE(d.rule->id);
                const size_t frame = frame_of(d.place, frames);
                REQUIRE(frame < frames.size());
                CHECK(frames_by_record.insert({d.place.record_index, frame}).first->second == frame);
            }
            size_t least = 0;
            for (const auto& [record, frame] : frames_by_record) {
                CHECK(frame >= least);
                least = frame + 1;
            }
        });
}

TEST_CASE("a framer that is shown no more than it asks for sees the same records") {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            CHECK((frames_of(*format, as_bytes(bytes)) == frames_of(*format, as_bytes(bytes), next_in_steps)));
        }
}

}  // namespace tracelint
