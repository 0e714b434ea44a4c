// mprof-report 6.8, followed through the bytes of a log. Its buffer keeps what longer buffers left in it, and past
// its end there is the heap, which begins with zeros as a rule.
#include "grammars/mlpd/readers/mprof_report_6_8_model.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::mlpd {

constinit const Rule kStrayType{
    .id = "reader/mprof-report-stray-type",
    .severity = Severity::error,
    .statement = "mprof-report knows the type of everything that it reads as an event",
    .message = "mprof-report reads this byte as an event of unknown type, and stops with an error",
    .why = "it ends with status 1 and prints no report; once out of step, it reads any byte as the type of an event",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kStrayHang{
    .id = "reader/mprof-report-stray-hang",
    .severity = Severity::error,
    .statement = "mprof-report gets past everything that it reads as an event",
    .message = "mprof-report reads this byte as an event and loops on it forever",
    .why = "heap and coverage events of an unknown kind take no bytes, so it reads the same byte forever",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kStrayCrash{
    .id = "reader/mprof-report-stray-crash",
    .severity = Severity::error,
    .statement = "mprof-report survives everything that it reads as an event",
    .message = "mprof-report reads this byte as an event and crashes on it",
    .why = "it trusts counts beyond its memory, heap objects without a heapshot, and counters without a value",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kStrayRisk{
    .id = "reader/mprof-report-stray-risk",
    .severity = Severity::error,
    .statement = "mprof-report stays in its own memory",
    .message = "mprof-report reads this byte as an event, and then reads or writes outside its buffers",
    .why = "whether it crashes depends on the memory there",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

namespace {

constexpr uint8_t kNewest = 17;           // data version
constexpr int64_t kNotGiven = 1 << 30;    // bytes: such an allocation fails
constexpr size_t kNear = 32 << 10;        // bytes past the buffer that are the heap's for certain
constexpr size_t kNearMapped = 4 << 10;   // the same for a buffer that is a mapping of its own
constexpr size_t kMapped = 128 << 10;     // bytes of such a buffer
constexpr size_t kFar = 1 << 20;          // bytes past the buffer that are not
constexpr uint64_t kFewNames = 1 << 20;   // strings for which there is time and memory
constexpr uint64_t kManyNames = 1 << 25;  // for which there is not
constexpr int32_t kBufferHeader = 48;
constexpr int32_t kLogId = 0x4d505a01, kBufferId = 0x4d504c01;

// Those of the counters that the report prints.
constexpr std::string_view kPrinted[] = {
    "Methods from AOT",
    "Methods JITted using mono JIT",
    "Methods JITted using LLVM",
    "Total time spent JITting (sec)",
    "User Time",
    "System Time",
    "Total Time",
    "Working Set",
    "Private Bytes",
    "Virtual Bytes",
    "Page Faults",
    "CPU Load Average - 1min",
    "CPU Load Average - 5min",
    "CPU Load Average - 15min",
};

struct Value {
    bool exists = false;
    bool is_null = false;    // it has no bytes
    uint8_t first_byte = 0;  // otherwise
};

struct Counter {
    uint64_t key = 0;  // its index of 32 bits and the next one
    int32_t type = 0;
    bool is_printed = false;
    Value last{};
    bool is_vacant() const { return key == 0; }
};

struct Thread {
    uint64_t key = 0;
    bool is_known = false;
    bool in_heapshot = false;
    bool is_vacant() const { return !is_known; }
};

class Report {
  public:
    explicit Report(FollowContext& context)
        : context_(context),
          memory_(context.budget),
          threads_(context.budget, context.work),
          counters_(context.budget, context.work) {}

    Followed run() {
        if (!header()) return end_.rule != nullptr ? end_ : refusal();
        while (buffer()) {
        }
        if (end_.rule == nullptr) print_counters();
        return end_;
    }

  private:
    // The memory of its buffer, and what is past it.
    uint8_t at(size_t index) const { return index < memory_.size() ? memory_[index] : 0; }
    uint8_t byte() { return at(at_++); }
    uint64_t unsigned_number() {
        uint64_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            const uint8_t one = byte();
            number |= uint64_t{one & 0x7fu} << shift % 64;  // as the processor shifts
            if (one < 0x80) return number;
        }
    }
    int64_t signed_number() {
        uint64_t number = 0;
        for (unsigned shift = 7;; shift += 7) {
            const uint8_t one = byte();
            number |= uint64_t{one & 0x7fu} << (shift - 7) % 64;
            if (one >= 0x80) continue;
            if (shift < 64 && (one & 0x40) != 0) number |= ~uint64_t{0} << shift;
            return static_cast<int64_t>(number);
        }
    }
    int32_t count() { return static_cast<int32_t>(unsigned_number()); }
    void text() {
        while (at(at_) != 0) ++at_;
        ++at_;
    }
    std::string name() {
        std::string name;
        for (; at(at_) != 0; ++at_)
            if (name.size() < 64) name += static_cast<char>(at(at_));
        ++at_;
        return name;
    }
    int32_t word(size_t index) const { return static_cast<int32_t>(load(&memory_[0] + index, 4, ByteOrder::little)); }

    // Reads so many bytes of the file to the start of its memory.
    bool load_bytes(int32_t size) {
        if (size < 0) return size == -1;  // the answer of zlib, which means success to it
        if (size >= kNotGiven) return fail(ReaderOutcome::crashes, kStrayCrash);
        const auto wanted = static_cast<size_t>(size);
        if (wanted > context_.file.size - std::min(file_at_, context_.file.size)) return false;
        if (context_.trace.affordable(wanted) < wanted) return context_.stop(Unpredicted::memory);
        const Bytes bytes = context_.trace.view(file_at_, wanted);
        if (bytes.size() < wanted) return false;
        if (!memory_.reserve(wanted)) return context_.stop(Unpredicted::memory);
        while (memory_.size() < wanted)
            if (!memory_.push_back(0)) return context_.stop(Unpredicted::memory);
        std::copy_n(bytes.begin(), wanted, memory_.begin());
        file_at_ += wanted;
        return true;
    }

    bool fail(ReaderOutcome outcome, const Rule& rule) {
        if (end_.rule == nullptr) end_ = {outcome, &rule, event_at_, event_length_};
        return false;
    }
    bool crash() { return fail(ReaderOutcome::crashes, kStrayCrash); }
    bool risk() { return fail(ReaderOutcome::may_crash, kStrayRisk); }
    // The forecast for a header that is refused; it may have any length.
    static Forecast refusal() { return {ReaderOutcome::refuses, &kStrayType, 0, kNone}; }

    bool header_string() { return load_bytes(4) && load_bytes(word(0)); }

    bool header() {
        if (!load_bytes(16) || word(0) != kLogId) return false;
        const uint8_t major = at(4);
        version_ = at(6);
        if (version_ > kNewest || at(7) > 8) return false;
        if (major >= 3 && !load_bytes(8)) return false;
        if (!load_bytes(14) || word(4) != 0) return false;
        event_at_ = file_at_;
        if (major == 0) return load_bytes(2);
        return header_string() && header_string() && header_string();
    }

    bool buffer() {
        event_at_ = file_at_;
        event_length_ = kBufferHeader;
        if (!load_bytes(kBufferHeader) || word(0) != kBufferId) return false;
        const int32_t length = word(4);
        const uint64_t thread = load(&memory_[0] + 32, 8, ByteOrder::little);
        thread_ = threads_.find_or_insert({thread, true});
        if (thread_ == nullptr) return context_.stop(Unpredicted::memory);
        const uint64_t start = file_at_;
        if (!load_bytes(length)) return false;
        event_length_ = 1;
        const size_t end = length < 0 ? 0 : static_cast<size_t>(length);
        for (at_ = 0; at_ < end;) {
            event_at_ = start + at_;
            const size_t before = at_;
            if (!event() || !is_in_memory()) return false;
            // What is past its memory is 0, and not looked at.
            if (!context_.spend(std::min(at_, memory_.size()) - before)) return false;
        }
        return context_.spend(kBufferHeader);
    }

    // Whether the last event ended in memory that there is.
    bool is_in_memory() {
        const size_t size = memory_.size();
        if (at_ > size + kFar) return crash();
        if (at_ > size + (size < kMapped ? kNear : kNearMapped)) return risk();
        return true;
    }
    bool is_far() const { return at_ > memory_.size() + kFar; }

    // False: it stops there, with or without an error.
    bool event() {
        const uint8_t op = at(at_), kind = op & 0xf0;
        switch (op & 0x0f) {
            case 0: return allocation(op);
            case 1: return collection(kind);
            case 2: return metadata(kind);
            case 3: return method(kind);
            case 4: return exception(op);
            case 5: return monitor(op);
            case 6: return heap(kind);
            case 7: return sample(kind);
            case 8: return runtime(kind);
            case 9: return coverage(kind);
            case 10: return meta(kind);
            default: return fail(ReaderOutcome::refuses, kStrayType);
        }
    }

    void time() {
        ++at_;
        unsigned_number();
    }
    // The time of the events that have one since version 13 only.
    void time_since_13() {
        ++at_;
        if (version_ > 12) unsigned_number();
    }
    uint64_t byte_or_number(bool is_byte) { return is_byte ? byte() : unsigned_number(); }

    bool backtrace() {
        if (version_ < 13) unsigned_number();
        const int32_t frames = count();
        if (frames > 8 && int64_t{8} * frames >= kNotGiven) return crash();
        return numbers(frames, 1);
    }
    // So many times a few numbers. Those past its memory take a byte each.
    bool numbers(int64_t times, unsigned each) {
        for (; times > 0 && at_ < memory_.size(); --times)
            for (unsigned k = 0; k < each; ++k) unsigned_number();
        if (times > 0) at_ += std::min(static_cast<size_t>(times), 2 * kFar) * each;
        return is_far() ? crash() : true;
    }

    bool allocation(uint8_t op) {
        time();
        for (int i = 0; i < 3; ++i) unsigned_number();
        return (op & 0x10) == 0 || backtrace();
    }

    bool collection(uint8_t kind) {
        time();
        switch (kind) {
            case 0x10: {
                const uint64_t step = byte_or_number(version_ > 12);
                const auto generation = static_cast<int32_t>(byte_or_number(version_ > 12));
                if (generation >= 0 || (step != 0 && step != 5)) return true;
                return generation < -kFewest ? crash() : risk();
            }
            case 0x20: unsigned_number(); return true;
            case 0x30: {
                const int32_t moves = count();
                return numbers((int64_t{moves} + 1) / 2, 2);
            }
            case 0x40:
            case 0x50:
            case 0x60:
            case 0x70: return handle(kind);
            case 0xa0:
            case 0xb0: unsigned_number(); return true;
            default: return true;
        }
    }

    bool handle(uint8_t kind) {
        const int32_t type = count();
        unsigned_number();
        if (kind == 0x40 || kind == 0x60) unsigned_number();
        if (kind >= 0x60 && !backtrace()) return false;
        if (type > 3) return false;
        if (type < 0) return type < -kFewest ? crash() : risk();
        return true;
    }

    bool metadata(uint8_t kind) {
        time();
        const uint8_t type = byte();
        unsigned_number();
        if (type == 1) unsigned_number();
        if (type == 3 && version_ > 13) unsigned_number();
        if (type >= 1 && type <= 6 && version_ < 13) unsigned_number();
        switch (type) {
            case 1:
            case 3: text(); break;
            case 2:
                text();
                if (version_ >= 16) text();
                break;
            case 4:
            case 5:
                if (kind == 0) text();
                break;
            case 6: unsigned_number(); break;
            case 7:
                unsigned_number();
                unsigned_number();
                break;
            default: break;
        }
        return true;
    }

    bool method(uint8_t kind) {
        time();
        unsigned_number();
        if (kind != 0x40) return true;
        unsigned_number();
        unsigned_number();
        text();
        return true;
    }

    bool exception(uint8_t op) {
        time();
        if ((op & 0x70) == 0x10) {
            const auto clause = static_cast<int32_t>(byte_or_number(version_ > 12));
            unsigned_number();
            unsigned_number();
            if (version_ > 13) unsigned_number();
            if (clause >= 0 && clause <= kLeastHarm) return true;
            return clause < 0 || clause > kFewest ? crash() : risk();
        }
        unsigned_number();
        return (op & 0x80) == 0 || backtrace();
    }

    bool monitor(uint8_t op) {
        time();
        if (version_ > 13) ++at_;
        unsigned_number();
        return (op & 0x80) == 0 || backtrace();
    }

    bool heap(uint8_t kind) {
        switch (kind) {
            case 0x00:
                time();
                thread_->in_heapshot = true;
                return true;
            case 0x10:
                time();
                thread_->in_heapshot = false;
                return true;
            case 0x20: return heap_object();
            case 0x30: return heap_roots();
            case 0x40:
                time();
                unsigned_number();
                unsigned_number();
                ++at_;
                unsigned_number();
                text();
                return true;
            case 0x50:
                time();
                unsigned_number();
                return true;
            default: return fail(ReaderOutcome::hangs, kStrayHang);
        }
    }

    bool heap_object() {
        time_since_13();
        unsigned_number();
        unsigned_number();
        const uint64_t size = unsigned_number();
        if (version_ >= 16) ++at_;
        const uint64_t references = unsigned_number();
        if (size != 0 && !thread_->in_heapshot) return crash();
        return numbers(static_cast<int64_t>(std::min(references, uint64_t{1} << 40)), version_ > 1 ? 2 : 1);
    }

    bool heap_roots() {
        time_since_13();
        const uint64_t roots = std::min(unsigned_number(), uint64_t{1} << 40);
        if (version_ > 14) return numbers(static_cast<int64_t>(roots), 2);
        unsigned_number();
        for (uint64_t i = 0; i < roots && !is_far(); ++i) {
            if (at_ >= memory_.size()) return numbers(static_cast<int64_t>(roots - i), 3);
            unsigned_number();
            byte_or_number(version_ == 13);
            unsigned_number();
        }
        return is_far() ? crash() : true;
    }

    bool sample(uint8_t kind) {
        switch (kind) {
            case 0x00: return hit();
            case 0x10:
                time_since_13();
                unsigned_number();
                unsigned_number();
                text();
                return true;
            case 0x20:
                time();
                for (int i = 0; i < 3; ++i) unsigned_number();
                text();
                return true;
            case 0x30: return descriptors();
            case 0x40: return counters();
            default: return false;  // it stops reading the file
        }
    }

    bool hit() {
        time_since_13();
        if (version_ < 14) byte_or_number(version_ == 13);
        if (version_ < 13) unsigned_number();
        if (version_ > 10) unsigned_number();
        if (!numbers(count(), 1)) return false;
        return version_ < 6 || numbers(count(), version_ < 13 ? 3 : 1);
    }

    static uint64_t key_of(int32_t index) { return uint64_t{static_cast<uint32_t>(index)} + 1; }
    bool has_bytes() const { return version_ == 13 || version_ == 14; }

    bool descriptors() {
        time_since_13();
        const uint64_t all = unsigned_number();
        for (uint64_t i = 0; i < all; ++i) {
            if (at_ > memory_.size() + kNear) {
                // Each name takes more memory than it has bytes, so that it never reaches the end.
                if (all - i < kFewNames) break;
                return all - i > kManyNames ? fail(ReaderOutcome::hangs, kStrayHang) : risk();
            }
            if (at_ >= memory_.size()) {
                // All of it is 0: a section, an empty name, a type, a unit, a variance and an index of a byte each.
                if (!describe(0, 0, false)) return false;
                const uint64_t times = std::min<uint64_t>(all - i, (memory_.size() + kNear - at_) / 6 + 1);
                at_ += static_cast<size_t>(6 * times);
                i += times - 1;
                continue;
            }
            if (unsigned_number() == 0x8000) text();
            const std::string named = name();
            const auto type = static_cast<int32_t>(byte_or_number(has_bytes()));
            byte_or_number(has_bytes());
            byte_or_number(has_bytes());
            const int32_t index = count();
            if (!describe(index, type, std::ranges::find(kPrinted, named) != std::end(kPrinted))) return false;
        }
        if (at_ > memory_.size() + kNear) at_ = memory_.size();
        return true;
    }

    // The first description of a counter is the one that stays.
    bool describe(int32_t index, int32_t type, bool is_printed) {
        return counters_.find_or_insert({key_of(index), type, is_printed}) != nullptr ||
               context_.stop(Unpredicted::memory);
    }

    bool counters() {
        time();
        Value before;
        while (!is_far()) {
            const uint64_t index = unsigned_number();
            if (index == 0) return true;
            Counter* const found = counters_.find(key_of(static_cast<int32_t>(index)));
            if (found != nullptr) before = found->last;
            const Value value = next_value(byte_or_number(has_bytes()), before);
            if (!value.exists) return crash();
            if (found != nullptr) found->last = value;
        }
        return crash();
    }

    // It does not exist if the program crashes on it.
    Value next_value(uint64_t type, const Value& before) {
        switch (type) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
            case 7: {
                const auto first = static_cast<uint8_t>(unsigned_number());
                return {!before.is_null, false, static_cast<uint8_t>(first + before.first_byte)};
            }
            case 5: at_ += 8; return {true, false, at(at_ - 8)};
            case 6: {
                if (byte() == 0) return {true, true};
                const uint8_t first = at(at_);
                text();
                return {true, false, first};
            }
            default: return {true, true};
        }
    }

    bool runtime(uint8_t kind) {
        time();
        if (kind != 0x10) return true;
        const auto type = static_cast<int32_t>(byte_or_number(version_ > 12));
        unsigned_number();
        unsigned_number();
        if (type == (version_ < 14 ? 6 : 5)) text();
        return true;
    }

    bool coverage(uint8_t kind) {
        constexpr std::array<std::array<uint8_t, 2>, 4> kParts = {{{3, 3}, {5, 3}, {0, 5}, {2, 3}}};  // texts, numbers
        if (kind > 0x30) return fail(ReaderOutcome::hangs, kStrayHang);
        time_since_13();
        for (int i = 0; i < kParts[kind >> 4][0]; ++i) text();
        for (int i = 0; i < kParts[kind >> 4][1]; ++i) unsigned_number();
        return true;
    }

    bool meta(uint8_t kind) {
        time();
        if (kind == 0x00) ++at_;
        if (kind == 0x10) text();
        return true;
    }

    // It uses the bytes of a string as a pointer to one.
    void print_counters() {
        event_at_ = 0;
        counters_.for_each([&](const Counter& counter) {
            if (counter.is_printed && counter.type == 6 && counter.last.first_byte != 0) crash();
        });
    }

    static constexpr int32_t kLeastHarm = 1 << 12;  // elements past a small table that do no harm
    static constexpr int32_t kFewest = 1 << 16;     // elements beyond which a small table is left for certain

    FollowContext& context_;
    BudgetedVector<uint8_t> memory_;
    uint64_t file_at_ = 0;
    size_t at_ = 0;  // in the memory
    uint64_t event_at_ = 0, event_length_ = kNone;
    uint8_t version_ = 0;
    Thread* thread_ = nullptr;  // of the buffer
    HashTable<Thread> threads_;
    HashTable<Counter> counters_;
    Forecast end_;
};

}  // namespace

Followed follow_mprof_report(FollowContext& context) {
    if (context.file.container == Container::zstd) return Forecast{ReaderOutcome::refuses, &kStrayType, 0, kNone};
    return Report(context).run();
}

}  // namespace tracelint::mlpd
