// What readers lose of a file: the units behind the place where they stop, and those that they leave out one by one.
#include <algorithm>

#include "validator/readers/reader_check.hpp"
#include "validator/readers/unit_walk.hpp"

namespace tracelint {
namespace {

// Counts the units that end before the place where their reader stops.
class LossVisitor final : public RecordVisitor {
  public:
    explicit LossVisitor(const std::vector<std::unique_ptr<ReaderView>>& views) : views_(views) {}
    bool wants(const FramedRecord& record) override {
        for (const auto& view : views_) {
            ReaderVerdict& verdict = view->verdict;
            if (verdict.outcome != ReaderOutcome::drops_rest || !is_unit(*verdict.reader, *record.record)) continue;
            if (record.length <= verdict.offset && record.offset <= verdict.offset - record.length) --verdict.lost;
        }
        return false;
    }

  private:
    const std::vector<std::unique_ptr<ReaderView>>& views_;
};

// Passes the records to the counter of what a reader leaves out.
class LeftOutVisitor final : public RecordVisitor {
  public:
    LeftOutVisitor(const TraceReader& reader, LossCounter& counter) : reader_(reader), counter_(counter) {}

    void read_again() { is_second_ = true; }
    bool is_done(uint64_t, uint64_t) override { return is_limited_; }
    bool wants(const FramedRecord& record) override { return !is_second_ || is_unit(reader_, *record.record); }
    bool wants_leaves() override { return false; }
    void begin(const SeenRecord& record) override {
        if (!record.is_whole()) {
            is_limited_ |= !record.ends_early;
        } else if (is_second_) {
            lost_ += counter_.is_lost(record.bytes) ? 1 : 0;
        } else {
            is_limited_ = !counter_.note(*record.record, record.bytes);
        }
    }

    bool is_limited() const { return is_limited_; }
    uint64_t lost() const { return lost_; }

  private:
    const TraceReader& reader_;
    LossCounter& counter_;
    bool is_second_ = false, is_limited_ = false;
    uint64_t lost_ = 0;
};

}  // namespace

// Counts the units that the reader leaves out one by one. False: reading failed, or the caller has stopped waiting.
bool ReaderCheck::count_left_out(ReaderView& view, Outcome& outcome, Source& source) {
    ReaderVerdict& verdict = view.verdict;
    const bool is_counted = verdict.outcome == ReaderOutcome::drops_record && !verdict.unpredicted &&
                            !verdict.is_unread && verdict.reader->loss_counter != nullptr;
    if (!is_counted) return true;
    Budget for_counter(budget_.left() / 2);
    const Limits for_walk{options_.limits.record, budget_.left() - for_counter.all()};
    const std::unique_ptr<LossCounter> counter = verdict.reader->loss_counter(for_counter, outcome.context.work);
    LeftOutVisitor visitor(*verdict.reader, *counter);
    for (const bool is_second : {false, true}) {
        if (is_second) visitor.read_again();
        const UnitWalk walked =
            walk_units(source, *outcome.format, options_.settings, for_walk, visitor, outcome.context.work);
        most_walked_ = std::max(most_walked_, records_.charged() + for_counter.most_taken() + walked.memory);
        if (!can_continue(outcome, source)) return false;
        if (!walked.has_walked) return true;
        if (walked.hit_limit || visitor.is_limited() || (!is_second && !counter->settle())) {
            verdict.forget(Unpredicted::memory);
            return true;
        }
    }
    verdict.lost = std::min(visitor.lost(), verdict.total);
    return true;
}

// False: reading failed.
bool ReaderCheck::count_lost(Outcome& outcome, Source& source) {
    for (const auto& view : views_)
        if (!count_left_out(*view, outcome, source)) return false;
    const auto stops = [](const auto& view) { return view->verdict.outcome == ReaderOutcome::drops_rest; };
    if (std::ranges::none_of(views_, stops)) return true;
    for (const auto& view : views_)
        if (stops(view)) view->verdict.lost = view->verdict.total;
    LossVisitor visitor(views_);
    const UnitWalk walked =
        walk_units(source, *outcome.format, options_.settings, limits_left(), visitor, outcome.context.work);
    for (const auto& view : views_)
        if (stops(view) && !walked.has_walked) view->verdict.lost = view->verdict.total = 0;
    outcome.failure = source.failure();
    return outcome.failure.empty();
}

}  // namespace tracelint
