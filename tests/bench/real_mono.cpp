// Mono log-profiler files. Numbers of events are relative to the header of their buffer, so a run is repeated with new
// addresses by changing its buffer headers alone.
#include <algorithm>
#include <random>

#include "grammars/formats.hpp"
#include "tests/bench/real_files.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::bench {
namespace {

using files::OutputFile;
using files::Target;

constexpr uint64_t kAddresses = uint64_t{1} << 28;  // of one repetition
constexpr uint64_t kNanoseconds = 10'000'000'000;
constexpr size_t kFullBuffer = 60'000;
// Where the header of a buffer has its fields (3.3 of the specification).
enum HeaderOffset : size_t { kLength = 4, kTime = 8, kPointers = 16, kObjects = 24, kThread = 32, kMethod = 40 };

void put(std::string& bytes, size_t at, unsigned width, uint64_t value) {
    store(reinterpret_cast<uint8_t*>(bytes.data()) + at, width, ByteOrder::little, value);
}

bool is_buffer(const RecordValues& record) { return record.record != nullptr && record.record->name == "buffer"; }

// Several processes would give their counters the same numbers.
bool is_left_out(const RecordValues& record) {
    return record.record->name == "SAMPLE_COUNTERS_DESC" || record.record->name == "SAMPLE_COUNTERS";
}

// Collects the buffers of `count` runs, and moves them, in turn, to times and addresses of their own.
class Runs {
  public:
    explicit Runs(uint64_t count) : count_(count) {}

    void begin(const RealFile& file) {
        first_time_ = kNone;
        for (const RecordValues& record : file.records)
            if (is_buffer(record)) first_time_ = std::min(first_time_, record.number("time_base"));
        ++runs_;
    }
    void buffer(std::string header, const std::string& events) {
        const auto move = [&](size_t field, uint64_t by) {
            put(header, field, 8,
                load(reinterpret_cast<const uint8_t*>(header.data()) + field, 8, ByteOrder::little) + by);
        };
        put(header, kLength, 4, events.size());
        move(kTime, runs_ * kNanoseconds - first_time_);
        move(kObjects, runs_ * kAddresses >> 3);
        for (const size_t field : {kPointers, kThread, kMethod}) move(field, runs_ * kAddresses);
        const size_t begin = block_.append(header);
        block_.append(events);
        block_.grow(begin + kTime, 8, count_ * kNanoseconds);
        block_.grow(begin + kObjects, 8, count_ * kAddresses >> 3);
        for (const size_t field : {kPointers, kThread, kMethod}) block_.grow(begin + field, 8, count_ * kAddresses);
    }
    void repeat(OutputFile& to) { block_.repeat(to); }

  private:
    Block block_;
    uint64_t count_, runs_ = 0, first_time_ = 0;
};

void append_run(Runs& runs, const RealFile& file) {
    runs.begin(file);
    for (size_t at = 1; at < file.records.size();) {
        const std::string header(file.bytes_of(at++));
        std::string events;
        for (; at < file.records.size() && !is_buffer(file.records[at]); ++at)
            if (!is_left_out(file.records[at])) events += file.bytes_of(at);
        if (!events.empty()) runs.buffer(header, events);
    }
}

// Writes the buffers of a run, in which calls are repeated: a program calls its methods more than once.
class BusyRun {
  public:
    BusyRun(Runs& runs, const RealFile& file) : runs_(runs), file_(file) {}

    void write() {
        runs_.begin(file_);
        for (size_t at = 1; at < file_.records.size();) {
            if (is_buffer(file_.records[at]))
                begin_buffer(at++);
            else
                at = write_events(at);
        }
        end_buffer();
    }

  private:
    static constexpr int kRepetitions = 100;

    bool is_call(size_t at) const {
        if (at >= file_.records.size()) return false;
        const std::string_view name = file_.records[at].record->name;
        return name == "ENTER" || name == "LEAVE";
    }
    uint64_t method(size_t at) const { return file_.records[at].number("method"); }

    // The end of the calls from `at` on that return before anything else happens; `at` if there are none.
    size_t end_of_calls(size_t at) const {
        std::vector<uint64_t> open;
        size_t end = at;
        for (size_t i = at; is_call(i); ++i) {
            if (file_.records[i].record->name == "ENTER") {
                open.push_back(method(i));
            } else {
                if (open.empty() || open.back() != method(i)) break;
                open.pop_back();
                if (open.empty()) end = i + 1;
            }
        }
        return end;
    }

    size_t write_events(size_t at) {
        const size_t end = end_of_calls(at);
        if (end == at) {
            write_event(at);
            return at + 1;
        }
        for (size_t i = at; i < end; ++i) write_event(i);
        for (int n = 0; n < kRepetitions; ++n)
            for (size_t i = at; i < end; ++i) write_call(i);
        return end;
    }

    void write_event(size_t at) {
        const RecordValues& event = file_.records[at];
        if (is_left_out(event)) return;
        events_ += file_.bytes_of(at);
        time_ += event.number("time");
        if (is_call(at)) method_ = method(at);
    }

    // A repeated call takes less time than the first one, as its code is compiled and in the cache.
    void write_call(size_t at) {
        if (events_.size() > kFullBuffer) split_buffer();
        const uint64_t passed = 20 + random_() % 100;
        events_ += file_.bytes_of(at).front();
        append_leb(events_, passed, false);
        append_leb(events_, method(at) - method_, true);
        time_ += passed;
        method_ = method(at);
    }

    void begin_buffer(size_t at) {
        end_buffer();
        header_ = file_.bytes_of(at);
        time_ = file_.records[at].number("time_base");
        method_ = file_.records[at].number("method_base");
    }
    void end_buffer() {
        if (!events_.empty()) runs_.buffer(header_, events_);
        events_.clear();
    }
    void split_buffer() {
        end_buffer();
        put(header_, kTime, 8, time_);
        put(header_, kMethod, 8, method_);
    }

    Runs& runs_;
    const RealFile& file_;
    std::string header_, events_;
    uint64_t time_ = 0, method_ = 0;
    std::mt19937_64 random_{7};
};

}  // namespace

void mono_calls(const Target& to) {
    const RealFile file = real_file(kMlpd, "corpus/mlpd/real/mono-6.8-calls.mlpd");
    OutputFile out(to);
    out.bytes(std::string(file.bytes_of(0)));
    Runs runs(1);
    BusyRun(runs, file).write();
    runs.repeat(out);
}

void mono_runs(const Target& to) {
    constexpr const char* kPaths[] = {
        "corpus/mlpd/real/mono-6.8-allocations.mlpd.gz", "corpus/mlpd/real/mono-6.8-heapshots.mlpd.gz",
        "corpus/mlpd/real/mono-6.8-sample-real-1000.mlpd.gz", "corpus/mlpd/real/mono-6.8-calls.mlpd"};
    OutputFile out(to);
    Runs runs(std::size(kPaths));
    for (const char* path : kPaths) {
        const RealFile file = real_file(kMlpd, path);
        if (path == kPaths[0]) out.bytes(std::string(file.bytes_of(0)));
        append_run(runs, file);
    }
    runs.repeat(out);
}

}  // namespace tracelint::bench
