// Finds the records that the finding needs, then leaves the rest to SmallFile.
#include "validator/shrink/shrink.hpp"

#include <algorithm>

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kFirstReach = 4096;  // bytes around the finding that are kept at the second attempt
constexpr uint64_t kReachGrowth = 8;    // and so many times as many at each one after it
constexpr uint64_t kSmall = kMiB;       // bytes of a file that is shrunk in memory at once
constexpr uint64_t kLargestInMemory = 8 * kMiB;
constexpr unsigned kMostHalvings = 40;  // checks while a file is larger than kSmall

// Sorted, and apart from each other.
std::vector<Choice::Range> joined(std::vector<Choice::Range> ranges) {
    std::ranges::sort(ranges, {}, &Choice::Range::begin);
    std::vector<Choice::Range> apart;
    for (const Choice::Range& range : ranges)
        if (!apart.empty() && range.begin <= apart.back().end)
            apart.back().end = std::max(apart.back().end, range.end);
        else if (range.begin < range.end)
            apart.push_back(range);
    return apart;
}

// What is in none of the ranges.
std::vector<Choice::Range> others_than(const std::vector<Choice::Range>& ranges) {
    std::vector<Choice::Range> others;
    uint64_t at = 0;
    for (const Choice::Range& range : ranges) {
        if (range.begin > at) others.push_back({at, range.begin});
        at = range.end;
    }
    if (at != kNone) others.push_back({at, kNone});
    return others;
}

}  // namespace

// Passes the file on until it is over; from then on reading fails.
class Shrink::StoppingSource final : public ForwardingSource {
  public:
    StoppingSource(Source& inner, const ShrinkOptions& options) : ForwardingSource(inner), options_(options) {}

    size_t read(uint8_t* to, size_t bytes) override {
        if (may_stop_ && options_.is_over && options_.is_over()) has_stopped_ = true;
        return has_stopped_ ? 0 : ForwardingSource::read(to, bytes);
    }
    std::string failure() const override {
        return has_stopped_ ? std::string(kInterrupted) : ForwardingSource::failure();
    }
    // What there is can still be read.
    void never_stop() { may_stop_ = has_stopped_ = false; }

  private:
    const ShrinkOptions& options_;
    bool may_stop_ = true, has_stopped_ = false;
};

Shrink::Shrink(Source& file, const ShrinkOptions& options)
    : options_(options),
      file_(std::make_unique<StoppingSource>(file, options)),
      budget_(options.limits.memory),
      predicate_(options, budget_) {}
Shrink::~Shrink() = default;

ShrinkVerdict Shrink::end(ShrinkVerdict verdict, std::string why) {
    why_ = std::move(why);
    return verdict;
}

ShrinkVerdict Shrink::end_unread(const std::string& failure) {
    if (!is_over()) return end(ShrinkVerdict::unreadable, failure);
    return end(ShrinkVerdict::limited, "it was stopped before there was anything smaller");
}

bool Shrink::is_over() {
    if (options_.is_over && options_.is_over()) was_stopped_ = true;
    return was_stopped_;
}

uint64_t Shrink::new_size() const {
    if (bytes_) return bytes_->size();
    return edits_ == nullptr ? 0 : edits_->new_offset(size_);
}

ShrinkVerdict Shrink::run() {
    std::string why;
    switch (predicate_.learn(*file_, why)) {
        case Predicate::Learnt::found: break;
        case Predicate::Learnt::absent: return end(ShrinkVerdict::absent, why);
        case Predicate::Learnt::impossible: return end(ShrinkVerdict::impossible, why);
        case Predicate::Learnt::limited: return end(ShrinkVerdict::limited, why);
        case Predicate::Learnt::unreadable: return end_unread(why);
    }
    composition_ = find_composition(*predicate_.format());
    if (composition_ == nullptr)
        return end(ShrinkVerdict::impossible, "shrink does not know yet how " +
                                                  std::string(predicate_.format()->title) + " files are put together");
    if (const auto verdict = find_records()) return *verdict;
    halve();
    return shrink_in_memory();
}

// --- Records, in the file

// The finding, what it relates to, and so many bytes around the finding.
Shrink::Ranges Shrink::around(uint64_t before, uint64_t after) const {
    const Diagnostic& finding = predicate_.finding();
    const uint64_t offset = finding.place.offset;
    const uint64_t end = saturating_add(offset, std::max<uint64_t>(finding.place.length, 1));
    Ranges ranges{{offset - std::min(offset, before), saturating_add(end, after)}};
    if (finding.related_offset != kNone && finding.related_file.empty())
        ranges.push_back({finding.related_offset,
                          saturating_add(finding.related_offset, std::max<uint64_t>(finding.related_length, 1))});
    return joined(std::move(ranges));
}

// Whether the file that has only these ranges, and what they need, has the finding. If so, it is the smallest so far.
bool Shrink::keeps(const Ranges& kept) {
    const std::vector<Choice::Range> left_out = others_than(kept);
    Choice choice;
    choice.left_out = left_out;
    auto edits = std::make_unique<Edits>(budget_);
    Limits limits = options_.limits;
    file_->seek(0);
    {
        OpenedInput input(*file_, budget_);
        limits.memory = budget_.left();
        Planner planner(*composition_, choice, budget_, *edits);
        const Obstacle obstacle = planner.plan(input.trace(), limits, options_.settings);
        failure_ = input.trace().failure();
        if (obstacle.kind != Obstacle::Kind::none || !failure_.empty()) return false;
        size_ = planner.size();
        records_ = planner.records().kept;
    }
    if (edits_ != nullptr && edits->new_offset(size_) >= edits_->new_offset(size_)) return false;
    file_->seek(0);
    OpenedInput input(*file_, budget_);
    EditedSource edited(input.trace(), *edits, budget_);
    const uint64_t offset = edits->new_offset(predicate_.finding().place.offset);
    const FindingPlace place{offset, offset};
    const auto found = predicate_.holds(edited, predicate_.tracks_place() ? place : FindingPlace{});
    failure_ = input.trace().failure();
    if (!found || !failure_.empty() || (edits_ != nullptr && found->others > kept_.others)) return false;
    kept_ = *found;
    edits_ = std::move(edits);
    ranges_ = kept;
    if (options_.on_progress) options_.on_progress(predicate_.checks(), new_size());
    return true;
}

// Empty: there is a file that has the finding.
std::optional<ShrinkVerdict> Shrink::find_records() {
    for (uint64_t reach = 0;; reach = std::max(kFirstReach, reach * kReachGrowth)) {
        if (keeps(around(reach, 0)) || (reach != 0 && keeps(around(reach, reach)))) return std::nullopt;
        if (is_over() || !failure_.empty()) return end_unread(failure_);
        if (reach > predicate_.finding().place.offset && reach > size_) break;
    }
    if (keeps({{0, kNone}})) return std::nullopt;
    if (is_over() || !failure_.empty()) return end_unread(failure_);
    return end(ShrinkVerdict::impossible,
               "the finding is not in a file without a container and of the name of the new file" +
                   std::string(options_.format != nullptr ? "" : "; try --as " + std::string(predicate_.format()->id)));
}

// Leaves out parts of what is kept, in halves, quarters and so on, while it is large.
void Shrink::halve() {
    unsigned tries = 0;
    for (uint64_t parts = 2; new_size() > kSmall && tries < kMostHalvings; parts *= 2) {
        uint64_t total = 0;
        for (Choice::Range& range : ranges_) {
            range.end = std::min(range.end, size_);
            total += range.end - std::min(range.begin, range.end);
        }
        const uint64_t part = std::max<uint64_t>(total / parts, 1);
        for (uint64_t at = 0; at < size_ && new_size() > kSmall && tries < kMostHalvings; at += part) {
            if (is_over() || !failure_.empty()) return;
            Ranges fewer;
            for (const Choice::Range& range : ranges_) {
                if (range.begin < at) fewer.push_back({range.begin, std::min(range.end, at)});
                if (range.end > at + part) fewer.push_back({std::max(range.begin, at + part), range.end});
            }
            if (fewer.size() == ranges_.size() &&
                std::ranges::equal(fewer, ranges_, {}, &Choice::Range::begin, &Choice::Range::begin) &&
                std::ranges::equal(fewer, ranges_, {}, &Choice::Range::end, &Choice::Range::end))
                continue;
            ++tries;
            keeps(joined(std::move(fewer)));
        }
    }
}

// --- In memory

ShrinkVerdict Shrink::shrink_in_memory() {
    if (!failure_.empty() && !is_over()) return end_unread(failure_);
    if (new_size() > kLargestInMemory) {
        if (options_.redacts)
            return end(ShrinkVerdict::limited,
                       "what the finding needs is too large to be redacted: " + std::to_string(new_size()) + " bytes");
        return ShrinkVerdict::shrunk;
    }
    std::string bytes;
    const std::string failure = copy([&](Bytes piece) {
        bytes += as_text(piece);
        return true;
    });
    if (!failure.empty()) return end(ShrinkVerdict::unreadable, failure);
    SmallFile small(std::move(bytes), kept_, *composition_, predicate_, options_, budget_);
    small.shrink();
    const bool is_redacted = !options_.redacts || small.redact(kept_texts_);
    is_over();
    bytes_ = small.bytes();
    kept_ = small.kept();
    records_ = small.records();
    if (!is_redacted) return end(ShrinkVerdict::limited, "it was stopped before everything was redacted");
    return ShrinkVerdict::shrunk;
}

std::string Shrink::copy(const std::function<bool(Bytes)>& write) {
    if (bytes_) {
        write(as_bytes(*bytes_));
        return {};
    }
    file_->never_stop();
    file_->seek(0);
    OpenedInput input(*file_, budget_);
    EditedSource edited(input.trace(), *edits_, budget_);
    std::vector<uint8_t> buffer(kWindow);
    while (const size_t count = edited.read(buffer.data(), buffer.size()))
        if (!write({buffer.data(), count})) break;
    return edited.failure();
}

}  // namespace tracelint
