// Mono log-profiler files of data version 17: calls and allocations, and files that are hard on what is remembered.
#include <vector>

#include "tests/bench/output_file.hpp"

namespace tracelint::bench {
namespace {

constexpr uint64_t kMethods = 0x7f1000000000, kVtables = 0x7f2000000000, kObjects = 0x7f3000000000;
constexpr uint64_t kFullBuffer = 65'000;

enum Event : uint8_t {
    kAlloc = 0x00,
    kLeave = 0x13,
    kEnter = 0x23,
    kJit = 0x43,
    kMetadataLoad = 0x22,
    kHeapObject = 0x26,
    kHeapStart = 0x06,
    kHeapEnd = 0x16,
};

// Collects the events of one buffer, then writes them behind their header.
class MonoFile {
  public:
    MonoFile(const std::string& path, uint64_t bytes) : file_(path, bytes) {
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
    uint64_t below(uint64_t limit) { return file_.below(limit); }
    bool is_full() const { return events_.size() >= kFullBuffer; }

    void open_buffer(uint64_t thread) {
        thread_ = thread;
        start_ = time_;
        method_ = kMethods;
        events_.clear();
    }
    void close_buffer() {
        file_.number(0x4D504C01, 4), file_.number(events_.size(), 4), file_.number(start_, 8);
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

  private:
    void begin(Event event) {
        events_ += static_cast<char>(event);
        const uint64_t passed = 20 + file_.below(500);
        time_ += passed;
        unsigned_number(passed);
    }
    void unsigned_number(uint64_t value) {
        for (; value >= 0x80; value >>= 7) events_ += static_cast<char>(value | 0x80);
        events_ += static_cast<char>(value);
    }
    void signed_number(int64_t value) {
        for (; value < -64 || value > 63; value >>= 7) events_ += static_cast<char>(value | 0x80);
        events_ += static_cast<char>(value & 0x7f);
    }
    void relative_method(uint64_t method) {
        signed_number(static_cast<int64_t>(method - method_));
        method_ = method;
    }
    void pointer(uint64_t value) { signed_number(static_cast<int64_t>(value - kVtables)); }
    void object_at(uint64_t object) {
        signed_number(static_cast<int64_t>(object >> 3) - static_cast<int64_t>(kObjects >> 3));
    }

    OutputFile file_;
    std::string events_;
    uint64_t time_ = 1'000'000, start_ = 0, method_ = kMethods, thread_ = 0;
};

uint64_t method_of(uint64_t number) { return kMethods + 48 * number; }
uint64_t vtable_of(uint64_t number) { return kVtables + 64 * number; }

constexpr uint64_t kMethodCount = 4000, kVtableCount = 500;

void definitions(MonoFile& file) {
    file.open_buffer(1);
    file.image_load(), file.class_load();
    for (uint64_t i = 0; i < kVtableCount; ++i) file.vtable_load(vtable_of(i));
    for (uint64_t i = 0; i < kMethodCount / 4; ++i) file.jit(method_of(i));
    file.close_buffer();
    for (uint64_t part = 1; part < 4; ++part) {
        file.open_buffer(1);
        for (uint64_t i = 0; i < kMethodCount / 4; ++i) file.jit(method_of(part * kMethodCount / 4 + i));
        file.close_buffer();
    }
}

// Calls and returns in random order with allocations among them, in four threads.
void calls(const std::string& path, uint64_t bytes) {
    MonoFile file(path, bytes);
    definitions(file);
    std::vector<uint64_t> open[4];
    for (uint64_t buffer = 0, object = 0; file.wants_more(); ++buffer) {
        std::vector<uint64_t>& stack = open[buffer % 4];
        file.open_buffer(100 + buffer % 4);
        while (!file.is_full()) {
            const uint64_t dice = file.below(10);
            if (dice < 2) {
                file.alloc(vtable_of(file.below(kVtableCount)), kObjects + 8 * (object++ % 100'000));
            } else if (stack.empty() || (stack.size() < 60 && dice < 6)) {
                stack.push_back(method_of(file.below(kMethodCount)));
                file.call(kEnter, stack.back());
            } else {
                file.call(kLeave, stack.back());
                stack.pop_back();
            }
        }
        file.close_buffer();
    }
}

// Every call is of another method, which nothing defines.
void methods(const std::string& path, uint64_t bytes) {
    MonoFile file(path, bytes);
    for (uint64_t next = 0; file.wants_more();) {
        file.open_buffer(1);
        while (!file.is_full()) file.call(kEnter, method_of(next++ * 0x9e3779b1 % 0xffffffff));
        file.close_buffer();
    }
}

// A heapshot without end, in which every object is new and refers to one that is not there.
void heap(const std::string& path, uint64_t bytes) {
    MonoFile file(path, bytes);
    definitions(file);
    file.open_buffer(1);
    file.simple(kHeapStart);
    file.close_buffer();
    for (uint64_t next = 1; file.wants_more();) {
        file.open_buffer(1);
        for (; !file.is_full(); ++next)
            file.heap_object(vtable_of(next % kVtableCount), kObjects + 16 * next, kObjects + 16 * next + 8);
        file.close_buffer();
    }
    file.open_buffer(1);
    file.simple(kHeapEnd);
    file.close_buffer();
}

// A thread for every buffer, with one event.
void threads(const std::string& path, uint64_t bytes) {
    MonoFile file(path, bytes);
    definitions(file);
    for (uint64_t thread = 1000; file.wants_more(); ++thread) {
        file.open_buffer(thread);
        file.call(kEnter, method_of(thread % kMethodCount));
        file.close_buffer();
    }
}

constexpr const char* kPeer = "mprof-report --reports=header";

constexpr File kFiles[] = {
    {"mono-calls",
     "calls, returns and allocations in four threads",
     500 * kMegabyte,
     calls,
     {{{kPeer, 50 * kMegabyte}}}},
    {"hostile-methods", "every call is of a method that nothing defines", 64 * kMegabyte, methods},
    {"hostile-heapshot", "a heapshot of objects whose references dangle", 64 * kMegabyte, heap},
    {"hostile-buffers", "a thread for every buffer, one event in each", 64 * kMegabyte, threads},
};

}  // namespace

std::span<const File> mlpd_files() { return kFiles; }

}  // namespace tracelint::bench
