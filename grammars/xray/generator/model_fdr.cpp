// The model of flight data recorder files: threads fill buffers with their calls, and the buffers are written from a
// ring.
#include "grammars/xray/generator/model.hpp"

namespace tracelint::xray {
namespace {

constexpr uint64_t kLargestFdrId = (1u << 28) - 1;
constexpr uint64_t kUsualBufferSize = 16384;
constexpr uint64_t kMicros = 1'000'000;  // in a second
constexpr uint16_t kWithEntryArgs = 5;   // since this version, writers use the action ENTRY_ARGS

struct FdrThread {
    uint64_t pid, tid, cpu;
    uint64_t tsc;     // running
    uint64_t latest;  // the highest so far: buffers of a thread do not overlap
    Calls calls;
};

class FdrModel final : public FamilyModel {
  public:
    FdrModel(Random& random, ByteOrder order) : FamilyModel(random, order) {
        layout_.version = static_cast<uint16_t>(between(random_, 1, kNewestFdr));
        constant_tsc_ = !one_in(random_, 6);
        clock_ = pick<uint64_t>(random_, {0, 10 * kMicros, 123'456 * kMicros, kMicros << 40});
        const uint64_t tsc = pick<uint64_t>(
            random_, {0, 1'000'000, 1'000'000'000'000, 1'000'000'000'000, uint64_t{1} << 63, kNone - (1u << 31)});
        for (uint64_t left = between(random_, 1, one_in(random_, 8) ? 12 : 3); left > 0; --left) add_thread(tsc);
    }

  private:
    bool has(const Record& record) const { return record.exists_in(layout_.version); }
    bool has_event_deltas() const { return kCustomEvent.find("delta")->exists_in(layout_.version); }
    uint64_t largest_delta() const { return has_event_deltas() ? 0x7fffffff : 0xffffffff; }

    // A forked child has the thread ids of its parent. Within a process they are unique.
    void add_thread(uint64_t tsc) {
        const Calls calls(random_, kLargestFdrId, true);
        const uint64_t cpu = below(random_, 64), start = tsc + below(random_, 100'000);
        if (threads_.empty()) {
            const uint64_t pid = between(random_, 1, 100'000);
            threads_.push_back({pid, pid, cpu, start, start, calls});
            return;
        }
        const FdrThread& parent = threads_.front();
        const bool forked = has(kPid) && one_in(random_, 8);
        const uint64_t number = threads_.size();
        threads_.push_back(
            {parent.pid + (forked ? number : 0), parent.tid + (forked ? 0 : number), cpu, start, start, calls});
    }

    PlannedRecord plan_header(uint64_t wanted) override {
        buffer_size_ = draw_buffer_size(wanted);
        PlannedRecord header = file_header(kFdrType);
        const bool clean = !one_in(random_, 12);
        const bool odd_frequency = one_in(random_, 16);
        header.with("constant_tsc", constant_tsc_).with("nonstop_tsc", !one_in(random_, 8));
        if (clean) header.with("reserved_bits", 0).with("reserved", 0);
        if (odd_frequency)
            header.with("cycle_frequency", pick<uint64_t>(random_, {1, 999'999, 100'000'000'001, kNone}));
        return header.with("buffer_size", buffer_size_);
    }

    uint64_t draw_buffer_size(uint64_t wanted) {
        if (!has(kBufferExtents)) {
            const uint64_t most = std::clamp<uint64_t>(wanted, 2 * kLeastBufferSize, kUsualBufferSize);
            return one_in(random_, 12) ? kLeastBufferSize : between(random_, kLeastBufferSize, most);
        }
        if (one_in(random_, 16)) return below(random_, kLeastBufferSize);
        return one_in(random_, 4) ? between(random_, kLeastBufferSize, 1000)
                                  : pick<uint64_t>(random_, {kUsualBufferSize, 4096, 1024, uint64_t{1} << 40});
    }

    // Some buffers, written from any position in the ring.
    void plan_body(uint64_t room) override {
        std::vector<std::vector<PlannedRecord>> ring;
        uint64_t used = 0;
        for (uint64_t left = between(random_, 1, 5); left > 0 && (ring.empty() || used < room); --left) {
            plan_buffer(saturating_sub(room, used));
            used += size_;
            ring.push_back(std::move(buffer_));
        }
        if (one_in(random_, 2)) {
            const auto start = static_cast<std::ptrdiff_t>(below(random_, ring.size()));
            std::rotate(ring.begin(), ring.begin() + start, ring.end());
        }
        for (std::vector<PlannedRecord>& buffer : ring)
            for (PlannedRecord& record : buffer) add(std::move(record));
    }

    // --- One buffer ----------------------------------------------------------------------------------------

    void plan_buffer(uint64_t room) {
        buffer_.clear();
        size_ = 0;
        thread_ = &pick_of(random_, threads_);
        if (one_in(random_, 6)) thread_->calls.lose_some();
        plan_preamble();
        left_ = draw_body_size(room);
        while (left_ >= kFunctionSize) plan_record();
        if (!has(kBufferExtents)) return plan_end();
        buffer_.insert(buffer_.begin(), PlannedRecord(kBufferExtents, {{"count", size_}}));
        size_ += kMetadataSize;
    }

    void plan_preamble() {
        clock_ += between(random_, 1, 10 * kMicros);
        thread_->tsc = first_ = later(thread_->latest, below(random_, 100'000));
        append(kNewBuffer, {{"thread_id", thread_->tid}});
        append(kWallClock, {{"seconds", clock_ / kMicros}, {"micros", clock_ % kMicros}});
        if (has(kPid)) append(kPid, {{"pid", thread_->pid}});
        append(kNewCpuId, {{"cpu", thread_->cpu}, {"tsc", thread_->tsc}});
        is_new_tsc_ = true;
        moved_to(thread_->tsc);
    }

    // Bytes between the preamble and the end of the buffer.
    uint64_t draw_body_size(uint64_t room) {
        const uint64_t taken = size_ + (has(kEndOfBuffer) ? kMetadataSize : 0);
        const uint64_t buffer = buffer_size_ < kLeastBufferSize ? kUsualBufferSize : buffer_size_;
        const uint64_t most = std::min(buffer - taken, std::max<uint64_t>(room, 2 * kMetadataSize));
        return one_in(random_, 12) ? 0 : below(random_, most + 1);
    }

    // Version 1: unused bytes follow, up to the size of the buffer.
    void plan_end() {
        append(kEndOfBuffer, {});
        const uint64_t rest = buffer_size_ - size_;
        if (rest != 0) append(kRest, {}, {"rest", rest});
    }

    void plan_record() {
        const uint64_t kind = below(random_, 24);
        if (left_ >= kMetadataSize && kind == 0) return plan_cpu();
        if (left_ >= kMetadataSize && kind == 1) return plan_wrap();
        if (left_ > kMetadataSize && kind < 4) return plan_event();
        plan_call();
    }

    void plan_call() {
        const auto [action, function] = thread_->calls.next();
        const bool enters = action == kEntry;
        const bool with_argument = enters && one_in(random_, 4) && left_ >= kFunctionSize + kMetadataSize;
        const bool by_action = (layout_.version >= kWithEntryArgs) != one_in(random_, 16);
        append(kFunction, {{"action", with_argument && by_action ? kEntryArgs : action},
                           {"function_id", function},
                           {"tsc_delta", draw_delta(one_in(random_, 16) ? 0xffffffff : largest_delta())}});
        if (!with_argument || one_in(random_, 24)) return;
        append(kCallArgument, {});
        while (one_in(random_, 8) && left_ >= kMetadataSize) append(kCallArgument, {});
    }

    void plan_cpu() {
        const bool back = !constant_tsc_ && one_in(random_, 3);
        const uint64_t tsc =
            back ? between(random_, first_, thread_->tsc) : later(thread_->tsc, below(random_, 1'000'000));
        if (!one_in(random_, 8)) thread_->cpu = below(random_, 64);
        append(kNewCpuId, {{"cpu", thread_->cpu}, {"tsc", tsc}});
        is_new_tsc_ = true;
        moved_to(tsc);
    }

    // Mostly where a delta is too small for the gap.
    void plan_wrap() {
        const uint64_t gap =
            one_in(random_, 8) ? below(random_, 1000) : largest_delta() + between(random_, 1, 1u << 31);
        const bool back = one_in(random_, 6);
        const uint64_t tsc = back ? between(random_, first_, thread_->tsc) : later(thread_->tsc, gap);
        append(kTscWrap, {{"tsc", tsc}});
        is_new_tsc_ = true;
        moved_to(tsc);
    }

    void plan_event() {
        const uint64_t most = left_ - kMetadataSize;
        const uint64_t payload =
            one_in(random_, 6) ? between(random_, 1, most) : between(random_, 1, std::min<uint64_t>(most, 40));
        const bool typed = has(kTypedEvent) && one_in(random_, 3);
        const Record& record = either(typed, kTypedEvent, kCustomEvent);
        if (has_event_deltas())
            return append(record, {{"size", payload}, {"delta", draw_delta(largest_delta())}}, {"payload", payload});
        const bool back = one_in(random_, 12);
        const uint64_t tsc =
            back ? below(random_, saturating_add(thread_->tsc, 1)) : later(thread_->tsc, below(random_, 1000));
        append(record, {{"size", payload}, {"tsc", tsc}, {"cpu", thread_->cpu}}, {"payload", payload});
    }

    // `bytes` names the record's field without a fixed width, and its size.
    void append(const Record& record, std::initializer_list<PlannedRecord::Number> numbers,
                const PlannedRecord::Number& bytes = {}) {
        buffer_.emplace_back(record, numbers).size(bytes.field, bytes.number);
        const uint64_t size = fixed_size(record, layout_) + bytes.number;
        size_ += size;
        left_ -= std::min(left_, size);
    }

    // --- Time ----------------------------------------------------------------------------------------------

    // Does not overflow.
    static uint64_t later(uint64_t tsc, uint64_t by) { return tsc + std::min(by, kNone - tsc); }

    void moved_to(uint64_t tsc) {
        thread_->tsc = tsc;
        thread_->latest = std::max(thread_->latest, tsc);
    }

    // Advances the thread by a delta, which mostly is 0 after a record that states the TSC.
    uint64_t draw_delta(uint64_t most) {
        uint64_t delta = one_in(random_, 24) ? between(random_, 0, most) : below(random_, 2000);
        if (std::exchange(is_new_tsc_, false) && !one_in(random_, 8)) delta = 0;
        delta = std::min(delta, kNone - thread_->tsc);
        moved_to(thread_->tsc + delta);
        return delta;
    }

    bool constant_tsc_ = true;
    uint64_t buffer_size_ = 0;
    uint64_t clock_ = 0;  // in microseconds
    std::vector<FdrThread> threads_;

    // The buffer being planned
    std::vector<PlannedRecord> buffer_;
    uint64_t size_ = 0;  // bytes
    FdrThread* thread_ = nullptr;
    uint64_t left_ = 0;   // bytes for its body
    uint64_t first_ = 0;  // TSC
    bool is_new_tsc_ = false;
};

}  // namespace

std::unique_ptr<Model> make_fdr_model(Random& random, ByteOrder order) {
    return std::make_unique<FdrModel>(random, order);
}

}  // namespace tracelint::xray
