// Writes Mono log-profiler files of data version 17.
#pragma once

#include <algorithm>

#include "tests/files/output_file.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::files {

inline constexpr uint64_t kMethods = 0x7f1000000000, kVtables = 0x7f2000000000, kObjects = 0x7f3000000000;
inline constexpr uint64_t kFullBuffer = 65'000;

enum Event : uint8_t {
    kHandleCreated = 0x41,
    kHandleDestroyed = 0x51,
    kAllocBacktrace = 0x10,
    kGcMove = 0x31,
    kFinalizeObjectStart = 0xA1,
    kMonitor = 0x05,
    kHeapRoot = 0x36,
    kRootRegister = 0x46,
    kSampleHit = 0x07,
    kCountersDescription = 0x37,
    kCounters = 0x47,
    kSyncPoint = 0x0A,
    kAlloc = 0x00,
    kLeave = 0x13,
    kEnter = 0x23,
    kJit = 0x43,
    kMetadataLoad = 0x22,
    kHeapObject = 0x26,
    kHeapStart = 0x06,
    kHeapEnd = 0x16,
};

// Collects the events of one buffer, then writes the buffer header and the events.
class MonoFile {
  public:
    explicit MonoFile(const Target& to) : file_(to) { header(); }

    void header() {
        file_.number(0x4D505A01, 4), file_.number(3, 1), file_.number(0, 1), file_.number(17, 1), file_.number(8, 1);
        file_.number(1'700'000'000'000, 8), file_.number(1'000, 8), file_.number(20, 4), file_.number(0, 4);
        file_.number(4242, 4), file_.number(0, 2);
        for (const char* text : {"prog.exe", "x86-64", "linux"}) {
            const std::string with_nul = std::string(text) + '\0';
            file_.number(with_nul.size(), 4);
            file_.bytes(with_nul);
        }
    }

    bool wants_more() const { return file_.wants_more(); }
    uint64_t wanted() const { return file_.wanted(); }  // bytes still wanted
    uint64_t below(uint64_t limit) { return file_.below(limit); }
    // Whether the buffer or the file has its wanted size.
    bool is_full() const { return events_.size() >= std::min(kFullBuffer, file_.wanted()); }

    void open_buffer(uint64_t thread) {
        thread_ = thread;
        start_ = time_;
        method_ = kMethods;
        events_.clear();
    }
    void close_buffer() { close_buffer(events_.size()); }
    // With a length in the header that may be wrong.
    void close_buffer(uint64_t length) {
        file_.number(0x4D504C01, 4), file_.number(length, 4), file_.number(start_, 8);
        file_.number(kVtables, 8), file_.number(kObjects >> 3, 8), file_.number(thread_, 8);
        file_.number(kMethods, 8);
        file_.bytes(events_);
        file_.flush_if_large();
    }

    void call(Event event, uint64_t method) {
        begin(event);
        relative_method(method);
    }
    void jit(uint64_t method) {
        call(kJit, method);
        signed_number(64), unsigned_number(100);
        events_ += std::string("Program:Main ()") + '\0';
    }
    void vtable_load(uint64_t vtable) {
        begin(kMetadataLoad);
        events_ += '\x07';
        pointer(vtable), pointer(0), pointer(1);
    }
    void class_load() {
        begin(kMetadataLoad);
        events_ += '\x01';
        pointer(1), pointer(2);
        events_ += std::string("Some.Class") + '\0';
    }
    void image_load() {
        begin(kMetadataLoad);
        events_ += '\x02';
        pointer(2);
        events_ += std::string("prog.exe") + '\0' + '\0';
    }
    void alloc(uint64_t vtable, uint64_t object) {
        begin(kAlloc);
        pointer(vtable), object_at(object), unsigned_number(24);
    }
    void heap_object(uint64_t vtable, uint64_t object, uint64_t reference) {
        begin(kHeapObject);
        object_at(object), pointer(vtable), unsigned_number(24);
        events_ += '\0';
        unsigned_number(1), unsigned_number(0), object_at(reference);
    }
    void simple(Event event) { begin(event); }

    // Parts of events.
    void begin(Event event) {
        events_ += static_cast<char>(event);
        const uint64_t passed = 20 + file_.below(500);
        time_ += passed;
        unsigned_number(passed);
    }
    void byte(uint8_t value) { events_ += static_cast<char>(value); }
    void text(const std::string& value) { events_ += value + '\0'; }
    void unsigned_number(uint64_t value) { append_leb(events_, value, false); }
    void signed_number(int64_t value) { append_leb(events_, static_cast<uint64_t>(value), true); }
    void relative_method(uint64_t method) {
        signed_number(static_cast<int64_t>(method - method_));
        method_ = method;
    }
    void pointer(uint64_t value) { signed_number(static_cast<int64_t>(value - kVtables)); }
    void object_at(uint64_t object) {
        signed_number(static_cast<int64_t>(object >> 3) - static_cast<int64_t>(kObjects >> 3));
    }

  private:
    OutputFile file_;
    std::string events_;
    uint64_t time_ = 1'000'000, start_ = 0, method_ = kMethods, thread_ = 0;
};

inline uint64_t method_of(uint64_t number) { return kMethods + 48 * number; }
inline uint64_t vtable_of(uint64_t number) { return kVtables + 64 * number; }

}  // namespace tracelint::files
