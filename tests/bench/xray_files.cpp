// XRay flight data recorder logs of version 5: function records with a call stack that no predictor can
// learn, and hostile ones.
#include <vector>

#include "tests/bench/output_file.hpp"

namespace tracelint::bench {
namespace {

constexpr uint64_t kBufferBytes = 16384;  // the runtime's default
constexpr uint32_t kFunctions = 4096;

enum Kind : uint8_t { kNewBuffer = 0, kNewCpu = 2, kWallClock = 4, kCustomEvent = 5, kExtents = 7, kPid = 9 };

// Collects the records of one buffer, then writes them behind their extents.
class XrayFile {
  public:
    XrayFile(const std::string& path, uint64_t bytes) : file_(path, bytes) {
        file_.number(5, 2), file_.number(1, 2), file_.number(3, 4), file_.number(3'000'000'000, 8);
        file_.number(kBufferBytes, 8), file_.number(0, 8);
    }

    bool wants_more() const { return file_.wants_more(); }
    uint64_t below(uint64_t limit) { return file_.below(limit); }
    bool is_full() const { return buffer_.size() + 16 > kBufferBytes; }

    void open_buffer(uint32_t thread) {
        buffer_.clear();
        metadata(kNewBuffer, {{thread, 4}});
        metadata(kWallClock, {{++seconds_, 8}, {5, 4}});
        metadata(kPid, {{4242, 4}});
        metadata(kNewCpu, {{0, 2}, {time_ += 1'000'000, 8}});
    }
    void function(uint32_t action, uint32_t id) {
        append(action << 1 | id << 4, 4);
        append(below(100), 4);
        time_ += 100;
    }
    void custom_event(uint64_t size) {
        metadata(kCustomEvent, {{size, 4}, {10, 4}});
        buffer_.append(size, 'e');
    }
    void close_buffer() {
        std::string records;
        records.swap(buffer_);
        metadata(kExtents, {{records.size(), 8}});
        file_.bytes(buffer_);
        file_.bytes(records);
        file_.flush_if_large();
    }

  private:
    struct Number {
        uint64_t value;
        unsigned width;
    };
    void append(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        buffer_.append(reinterpret_cast<const char*>(bytes), width);
    }
    void metadata(Kind kind, std::initializer_list<Number> numbers) {
        const size_t end = buffer_.size() + 16;
        append(kind << 1 | 1, 1);
        for (const Number& number : numbers) append(number.value, number.width);
        buffer_.resize(end);
    }

    OutputFile file_;
    std::string buffer_;
    uint64_t time_ = 1'000'000, seconds_ = 10;
};

// Calls and returns in random order, of random functions; `event_every`: a custom event among as many records.
void write_calls(const std::string& path, uint64_t bytes, uint64_t event_every) {
    XrayFile file(path, bytes);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(100 + buffer % 4);
        std::vector<uint32_t> open;
        while (!file.is_full()) {
            if (event_every != 0 && file.below(event_every) == 0) file.custom_event(1 + file.below(40));
            if (open.empty() || (open.size() < 60 && file.below(2) == 0)) {
                open.push_back(1 + static_cast<uint32_t>(file.below(kFunctions)));
                file.function(0, open.back());
            } else {
                file.function(1, open.back());
                open.pop_back();
            }
        }
        file.close_buffer();
    }
}

void calls(const std::string& path, uint64_t bytes) { write_calls(path, bytes, 0); }
void calls_and_events(const std::string& path, uint64_t bytes) { write_calls(path, bytes, 10); }

// Entries that nest without end, then exits of functions that were never entered.
void orphan_exits(const std::string& path, uint64_t bytes) {
    XrayFile file(path, bytes);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(100);
        for (uint32_t i = 0; i < 1000; ++i) file.function(0, 1 + i);
        while (!file.is_full()) file.function(1, 100'000 + static_cast<uint32_t>(file.below(1000)));
        file.close_buffer();
    }
}

// A thread for every buffer, and nothing in it.
void many_threads(const std::string& path, uint64_t bytes) {
    XrayFile file(path, bytes);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(1 + buffer);
        file.close_buffer();
    }
}

// Bytes that begin no record, each buffer anew.
void garbage(const std::string& path, uint64_t bytes) {
    XrayFile file(path, bytes);
    while (file.wants_more()) {
        file.open_buffer(100);
        while (!file.is_full()) file.function(5, 1);
        file.close_buffer();
    }
}

constexpr const char* kPeer = "llvm-xray-19 convert -f raw -o /dev/null";

constexpr File kFiles[] = {
    {"xray-calls",
     "function records, calls and returns in random order",
     1000 * kMegabyte,
     calls,
     {{{kPeer, 4 * kMegabyte}}}},
    {"xray-events",
     "a custom event for ten function records",
     500 * kMegabyte,
     calls_and_events,
     {{{kPeer, 4 * kMegabyte}}}},
    {"hostile-exits", "exits that match nothing over a deep stack", 64 * kMegabyte, orphan_exits},
    {"hostile-threads", "a thread for every buffer", 64 * kMegabyte, many_threads},
    {"hostile-garbage", "buffers of bytes that begin no record", 64 * kMegabyte, garbage},
};

}  // namespace

std::span<const File> xray_files() { return kFiles; }

}  // namespace tracelint::bench
