// The walk, and the search for records behind a fault: a chain of records of known kinds, each where the one before
// ends.
#include "validator/readers/unit_walk.hpp"

#include <algorithm>

#include "validator/input/input_rules.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint {
namespace {

constexpr size_t kSeen = size_t{1} << 18;   // bytes in which a chain is looked for
constexpr size_t kApart = size_t{1} << 14;  // of them, those in which it may begin, unless the file ends there
constexpr unsigned kChain = 8;              // records that must follow one another, unless the file ends before
constexpr unsigned kChainInView = 4;        // the same where the next one is out of view
constexpr unsigned kFaults = 64;            // behind which records are looked for
constexpr uint64_t kLeast = 16;             // bytes that a record has at least

// Passes records on, and notes where they stop making sense.
class FaultVisitor final : public RecordVisitor {
  public:
    explicit FaultVisitor(RecordVisitor& inner) : inner_(inner) {}
    bool wants(const FramedRecord& record) override {
        last_ = record;
        return inner_.wants(record);
    }
    void begin(const SeenRecord& record) override { inner_.begin(record); }
    void leaf(const SeenRecord& record, const Leaf& leaf) override { inner_.leaf(record, leaf); }
    void end(const SeenRecord& record) override { inner_.end(record); }
    void gap(const Gap& gap, GapBytes& bytes) override {
        if (gap.length == kNone) gap_ = gap.offset;
        inner_.gap(gap, bytes);
    }

    // Where no record can be found; the end of the last record if there is no such place.
    uint64_t gap_at() const { return gap_ == kNone ? saturating_add(last_.offset, last_.length) : gap_; }
    const FramedRecord& last() const { return last_; }

  private:
    RecordVisitor& inner_;
    FramedRecord last_;
    uint64_t gap_ = kNone;
};

class Search {
  public:
    Search(Window& window, Framer& framer, const ReaderList& list, RecordVisitor& visitor, uint64_t size,
           WorkCounter& work)
        : window_(window), framer_(framer), list_(list), visitor_(visitor), size_(size), work_(work) {}

    // Counts from the record at `at` on, which is at fault. Returns how many bytes remain.
    uint64_t run(uint64_t at, bool is_counted) {
        for (unsigned fault = 0; fault < kFaults; ++fault) {
            const Record* broken = at_fault(at);
            const uint64_t next = chain_after(at);
            if (next == kNone) return size_ - at;
            if (broken != nullptr && !is_counted) pass(*broken, at, next - at);
            at = next;
            for (Framer::Frame frame = frame_at(at); is_record(frame, at); frame = frame_at(at)) {
                pass(*frame.record, at, frame.length);
                at += frame.length;
            }
            if (at >= size_ || size_ - at < kLeast) return 0;
            is_counted = false;
        }
        return size_ - at;
    }

  private:
    const Record* record_at(Bytes bytes) { return list_.record_at(bytes, framer_.layout().order); }
    const Record* at_fault(uint64_t at) { return record_at(window_.view(at, kDetectionBytes)); }
    Framer::Frame frame_at(uint64_t at) { return framer_.next(window_.view(at, kDetectionBytes)); }
    bool is_record(const Framer::Frame& frame, uint64_t at) const {
        return frame.record != nullptr && frame.length != 0 && at < size_ && frame.length <= size_ - at;
    }
    void pass(const Record& record, uint64_t offset, uint64_t length) {
        FramedRecord framed;
        framed.record = &record;
        framed.offset = offset;
        framed.length = length;
        visitor_.wants(framed);
    }

    // The first offset behind `fault` at which a chain begins; kNone if absent.
    uint64_t chain_after(uint64_t fault) {
        for (uint64_t from = fault + 1; from < size_; from += kApart) {
            const size_t wanted = static_cast<size_t>(window_.affordable(std::min<uint64_t>(kSeen, size_ - from)));
            const Bytes seen = window_.view(from, wanted);
            for (size_t i = 0; i < std::min(kApart, seen.size()); ++i)
                if (is_chain(seen.subspan(i), size_ - from - i)) return from + i;
        }
        return kNone;
    }

    // Whether records follow one another from the start of the bytes on; `left`: bytes of the file.
    bool is_chain(Bytes seen, uint64_t left) {
        for (unsigned count = 0; count < kChain; ++count) {
            work_.add(1);
            const Record* record = record_at(seen);
            if (record == nullptr) return false;
            const Framer::Frame frame = framer_.next(seen);
            if (frame.record != record || frame.length == 0 || frame.length > left) return false;
            if (frame.length == left) return true;
            if (frame.length >= seen.size()) return count + 1 >= kChainInView;
            seen = seen.subspan(static_cast<size_t>(frame.length));
            left -= frame.length;
        }
        return true;
    }

    Window& window_;
    Framer& framer_;
    const ReaderList& list_;
    RecordVisitor& visitor_;
    uint64_t size_;
    WorkCounter& work_;
};

}  // namespace

UnitWalk walk_units(Source& source, const Format& format, const Settings& settings, const Limits& limits,
                    RecordVisitor& visitor, WorkCounter& work) {
    if (!source.seek(0)) return {};
    UnitWalk result{.has_walked = true};
    DumpContext context(limits);
    OpenedInput input(source, context.budget);
    Window window(input.trace(), &work, &context.budget);
    const std::unique_ptr<Framer> framer = format.framer(settings);
    FaultVisitor faults(visitor);
    walk_records(window, *framer, context, faults);
    window.reaches(kNone);
    work.add(context.work.total());
    const Diagnostic* const cut = input.container_fault();
    result.hit_limit = !context.left_out.empty() || (cut != nullptr && cut->rule == &kZstdTrackingLimit);
    result.memory = context.budget.most_taken();
    const uint64_t size = window.size();
    if (size == kNone) return result;
    // A record that is longer than the file hides those that begin in it.
    const bool is_cut = saturating_add(faults.last().offset, faults.last().length) > size;
    const uint64_t fault = is_cut ? faults.last().offset : faults.gap_at();
    if (fault >= size || size - fault < kLeast) return result;
    result.uncounted = is_cut ? 0 : size - fault;
    const ReaderList* list = reader_list_of(format);
    if (list == nullptr || list->record_at == nullptr || !source.seek(0)) return result;
    OpenedInput again(source, context.budget);
    Window behind(again.trace(), &work, &context.budget);
    const std::unique_ptr<Framer> primed = format.framer(settings);
    const Framer::Frame header = primed->next(behind.view(0, kDetectionBytes));
    if (header.record == nullptr || fault == 0) return result;
    const bool is_known = is_cut && list->record_at(behind.view(fault, kLeast), primed->layout().order) != nullptr;
    const uint64_t left = Search(behind, *primed, *list, visitor, size, work).run(fault, is_cut);
    result.uncounted = is_known && left == size - fault ? 0 : left;
    return result;
}

}  // namespace tracelint
