// samply, section 5.3: the ranges of inlined calls against those of their callers and neighbours.
#include "grammars/samply/nesting.hpp"

namespace tracelint::samply {
namespace {

Span span_of(const View<kRange>& range) {
    const uint64_t start = range.get<"start_offset">();
    return {static_cast<uint32_t>(start), start + range.get<"size">()};
}

bool is_empty(const Span& span) { return span.end == span.start; }

// Whether one of the spans, which are sorted and do not touch, holds all of `inner`.
bool is_inside(std::span<const Span> spans, const Span& inner) {
    const auto behind = std::upper_bound(spans.begin(), spans.end(), inner.start,
                                         [](uint32_t start, const Span& span) { return start < span.start; });
    return behind != spans.begin() && inner.end <= (behind - 1)->end;
}

class Nesting {
  public:
    Nesting(const TreeLists& lists, const std::vector<Call>& calls, Inspection& inspection, Findings& findings)
        : lists_(lists), calls_(calls), inspection_(inspection), findings_(findings), scratch_(inspection.budget) {}

    bool check() {
        const uint64_t ranges = lists_.ranges.count();
        const bool granted = scratch_.reserve<Span>(ranges) && scratch_.reserve<uint8_t>(ranges / 8 + 1) &&
                             scratch_.reserve<Owned>(ranges) && scratch_.reserve<size_t>(calls_.size());
        if (!granted) return false;
        is_outside_.assign(ranges, false);
        check_callers();
        check_neighbours();
        return true;
    }

  private:
    // A range under the caller of its call.
    struct Owned {
        uint64_t key;  // caller, start; calls of the outer function come last
        uint32_t range;
        uint32_t call;
    };

    // T19. The merged ranges of a call stay in `open_` while its callees follow.
    void check_callers() {
        std::vector<size_t> starts;  // in open_, of the calls on the stack
        for (uint32_t i = 0; i < calls_.size(); ++i) {
            const Call& call = calls_[i];
            if (starts.size() > call.depth) {
                open_.resize(starts[call.depth]);
                starts.resize(call.depth);
            }
            if (call.caller != Call::kOuter) check_inside_caller(call, starts.back());
            starts.push_back(open_.size());
            merge_ranges(lists_, call, open_, open_.size(), inspection_.work);
        }
        if (outside_ > 0) findings_.add(kChildRangeOutsideParent, first_outside_, {caller_of_first_, outside_});
    }

    void check_inside_caller(const Call& call, size_t caller_from) {
        const std::span<const Span> caller(open_.begin() + static_cast<std::ptrdiff_t>(caller_from), open_.end());
        inspection_.work.add(call.range_count * static_cast<uint64_t>(std::bit_width(caller.size())));
        for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i) {
            const Span span = span_of(lists_.ranges[i]);
            if (is_empty(span) || is_inside(caller, span)) continue;
            is_outside_[i] = true;
            if (outside_++ > 0) continue;
            first_outside_ = lists_.ranges[i].whole(lists_.ranges.kSize);
            caller_of_first_ = call.caller;
        }
    }

    // T20, T21.
    void check_neighbours() {
        std::vector<Owned> owned;
        owned.reserve(lists_.ranges.count());
        for (uint32_t c = 0; c < calls_.size(); ++c)
            for (uint32_t i = calls_[c].first_range; i < calls_[c].first_range + calls_[c].range_count; ++i) {
                const Span span = span_of(lists_.ranges[i]);
                if (!is_empty(span) && !is_outside_[i])
                    owned.push_back({uint64_t{calls_[c].caller} << 32 | span.start, i, c});
            }
        inspection_.work.add(sorting_steps(owned.size()));
        std::sort(owned.begin(), owned.end(),
                  [](const Owned& a, const Owned& b) { return a.key != b.key ? a.key < b.key : a.range < b.range; });
        uint64_t highest = 0;  // end of the ranges of one caller so far
        uint32_t owner = 0;    // the call that reached it first
        for (size_t i = 0; i < owned.size(); ++i) {
            if (i == 0 || owned[i].key >> 32 != owned[i - 1].key >> 32) highest = 0;
            const View<kRange> range = lists_.ranges[owned[i].range];
            const Span span = span_of(range);
            if (span.start < highest) {
                const Place place = range.whole(lists_.ranges.kSize);
                owner == owned[i].call ? findings_.add(kRangeSelfOverlap, place, {span.start, highest})
                                       : findings_.add(kSiblingRangesOverlap, place, {span.start, highest, owner});
            }
            if (span.end <= highest) continue;
            highest = span.end;
            owner = owned[i].call;
        }
    }

    const TreeLists& lists_;
    const std::vector<Call>& calls_;
    Inspection& inspection_;
    Findings& findings_;
    Scratch scratch_;
    std::vector<Span> open_;
    std::vector<bool> is_outside_;  // by range
    uint64_t outside_ = 0;
    Place first_outside_;
    uint64_t caller_of_first_ = 0;
};

}  // namespace

void merge_ranges(const TreeLists& lists, const Call& call, std::vector<Span>& spans, size_t first, WorkCounter& work) {
    spans.resize(first);
    for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i)
        if (const Span span = span_of(lists.ranges[i]); !is_empty(span)) spans.push_back(span);
    if (spans.size() - first <= 1) return;
    const auto begin = spans.begin() + static_cast<std::ptrdiff_t>(first);
    work.add(sorting_steps(spans.size() - first));
    std::sort(begin, spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    size_t kept = first;
    for (size_t i = first; i < spans.size(); ++i) {
        if (kept > first && spans[i].start <= spans[kept - 1].end)
            spans[kept - 1].end = std::max(spans[kept - 1].end, spans[i].end);
        else
            spans[kept++] = spans[i];
    }
    spans.resize(kept);
}

bool check_nesting(const TreeLists& lists, const std::vector<Call>& calls, Inspection& inspection, Findings& findings) {
    return Nesting(lists, calls, inspection, findings).check();
}

}  // namespace tracelint::samply
