// Hostile Mono log-profiler files.
#include "tests/files/hostile.hpp"
#include "tests/files/mono_file.hpp"

namespace tracelint::files {
namespace mlpd_shapes {
namespace {

// A file of full buffers with the events that `events(file, number)` writes for consecutive numbers.
template <class Events>
void write_events(const Target& to, Events events) {
    MonoFile file(to);
    for (uint64_t number = 1; file.wants_more();) {
        file.open_buffer(1);
        while (!file.is_full()) events(file, number++);
        file.close_buffer();
    }
}

void methods(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) { file.call(kEnter, method_of(shuffled(number))); });
}

void colliding_methods(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) { file.call(kEnter, colliding(number)); });
}

void aligned_methods(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.call(kJit, number << 24);
        file.signed_number(0), file.unsigned_number(1), file.text("");
    });
}

// Calls and returns in random order.
void wild_calls(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t) {
        file.call(file.below(5) < 3 ? kEnter : kLeave, method_of(file.below(1000)));
    });
}

void deep_calls(const Target& to) {
    write_events(to, [&](MonoFile& file, uint64_t number) {
        const bool enters = number % 1000 < 900;
        file.call(enters ? kEnter : kLeave, method_of(enters ? shuffled(number) % 100'000 : file.below(200'000)));
    });
}

// Each call is followed by a return of a method that was never entered: the stack grows, and no return matches.
void absent_leaves(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.call(number % 2 == 0 ? kEnter : kLeave, kMethods + shuffled(number) % (1 << 26));
    });
}

void in_heapshot(const Target& to, void (*object)(MonoFile& file, uint64_t number)) {
    MonoFile file(to);
    file.open_buffer(1);
    file.simple(kHeapStart);
    file.close_buffer();
    for (uint64_t number = 1; file.wants_more();) {
        file.open_buffer(1);
        while (!file.is_full()) object(file, number++);
        file.close_buffer();
    }
    file.open_buffer(1);
    file.simple(kHeapEnd);
    file.close_buffer();
}

// A large heapshot in which every object is new and has a dangling reference.
void heap(const Target& to) {
    in_heapshot(to, [](MonoFile& file, uint64_t number) {
        file.heap_object(vtable_of(number % 500), kObjects + 16 * number, kObjects + 16 * number + 8);
    });
}

void heap_scattered(const Target& to) {
    in_heapshot(to, [](MonoFile& file, uint64_t number) {
        file.heap_object(vtable_of(number % 500), kObjects + 8 * shuffled(number), kObjects + 8 * shuffled(number + 1));
    });
}

void heap_collisions(const Target& to) {
    in_heapshot(to, [](MonoFile& file, uint64_t number) {
        file.heap_object(vtable_of(1), colliding(8 * number), colliding(8 * number + 8));
    });
}

void heap_references(const Target& to) {
    in_heapshot(to, [](MonoFile& file, uint64_t number) {
        file.begin(kHeapObject);
        file.object_at(kObjects + 8 * number), file.pointer(kVtables), file.unsigned_number(24), file.byte(0);
        constexpr uint64_t kReferences = 5000;
        file.unsigned_number(kReferences);
        for (uint64_t i = 0; i < kReferences; ++i)
            file.unsigned_number(8), file.object_at(kObjects + 8 * file.below(1'000'000));
    });
}

void roots(const Target& to) {
    in_heapshot(to, [](MonoFile& file, uint64_t) {
        constexpr uint64_t kRoots = 5000;
        file.begin(kHeapRoot), file.unsigned_number(kRoots);
        for (uint64_t i = 0; i < kRoots; ++i)
            file.pointer(kVtables + file.below(1'000'000)), file.object_at(kObjects + 8 * file.below(1'000'000));
    });
}

void registered_roots(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.begin(kRootRegister);
        file.pointer(shuffled(number)), file.unsigned_number(8), file.byte(0), file.pointer(0), file.text("");
    });
}

void handles(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.begin(number % 3 == 0 ? kHandleDestroyed : kHandleCreated);
        file.unsigned_number(0), file.unsigned_number(shuffled(number % 3 == 0 ? number / 2 : number));
        if (number % 3 != 0) file.object_at(kObjects);
    });
}

// Handles that are created and destroyed in different orders.
void live_handles(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        const bool created = number % 2 == 0;
        file.begin(created ? kHandleCreated : kHandleDestroyed);
        file.unsigned_number(0), file.unsigned_number(shuffled(created ? number : number / 4 * 2) % (1 << 28));
        if (created) file.object_at(kObjects);
    });
}

void moves(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t) {
        constexpr uint64_t kMoves = 10'000;
        file.begin(kGcMove), file.unsigned_number(kMoves);
        for (uint64_t i = 0; i < kMoves; ++i) file.object_at(kObjects + 8 * file.below(1'000'000));
    });
}

void finalizers(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.begin(kFinalizeObjectStart), file.object_at(kObjects + 8 * number);
    });
}

void monitors(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.begin(kMonitor), file.byte(static_cast<uint8_t>(1 + file.below(3))), file.object_at(kObjects + 8 * number);
    });
}

// Types that are loaded, and used without being loaded.
void loads(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.vtable_load(colliding(number / 2));
        file.alloc(vtable_of(shuffled(number)), kObjects + 8 * number);
    });
}

// A type is used, and loaded after that, which makes earlier uses of all types count anew.
void late_loads(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        if (number <= 10'000) return file.alloc(vtable_of(number), kObjects);
        file.alloc(vtable_of(number % 10'000), kObjects);
        file.vtable_load(vtable_of(number % 10'000));
    });
}

void backtraces(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        file.begin(kAllocBacktrace);
        file.pointer(kVtables), file.object_at(kObjects + 8 * number), file.unsigned_number(24);
        file.unsigned_number(32);
        for (uint64_t i = 0; i < 32; ++i) file.relative_method(method_of(shuffled(32 * number + i)));
    });
}

void samples(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        constexpr uint64_t kFrames = 1000;
        file.begin(kSampleHit), file.pointer(number), file.unsigned_number(kFrames);
        for (uint64_t i = 0; i < kFrames; ++i) file.pointer(shuffled(i));
        file.unsigned_number(kFrames);
        for (uint64_t i = 0; i < kFrames; ++i) file.relative_method(method_of(shuffled(kFrames * number + i)));
    });
}

void counters(const Target& to) {
    write_events(to, [](MonoFile& file, uint64_t number) {
        if (number % 2 == 0) {
            file.begin(kCountersDescription), file.unsigned_number(1), file.unsigned_number(uint64_t{1} << 9);
            file.text("c"), file.unsigned_number(0), file.unsigned_number(0), file.unsigned_number(1);
            file.unsigned_number(shuffled(number));
        } else {
            file.begin(kCounters);
            for (uint64_t i = 0; i < 20; ++i)
                file.unsigned_number(1 + shuffled(20 * number + i)), file.unsigned_number(0), file.signed_number(1);
            file.unsigned_number(0);
        }
    });
}

void long_names(const Target& to) {
    MonoFile file(to);
    file.open_buffer(1);
    file.call(kJit, method_of(1));
    file.signed_number(64), file.unsigned_number(100), file.text(std::string(to.bytes, '\xc3'));
    file.close_buffer();
}

// A thread per buffer, with one event.
void threads(const Target& to) {
    MonoFile file(to);
    for (uint64_t thread = 1000; file.wants_more(); ++thread) {
        file.open_buffer(thread);
        file.call(kEnter, method_of(thread % 4000));
        file.close_buffer();
    }
}

void colliding_threads(const Target& to) {
    MonoFile file(to);
    for (uint64_t thread = 1; file.wants_more(); ++thread) {
        file.open_buffer(colliding(thread));
        file.call(kEnter, method_of(1));
        file.close_buffer();
    }
}

// A thread per buffer, with a heapshot that does not end.
void heapshots(const Target& to) {
    MonoFile file(to);
    for (uint64_t thread = 1000; file.wants_more(); ++thread) {
        file.open_buffer(thread);
        file.simple(kHeapStart);
        file.close_buffer();
    }
}

void empty_buffers(const Target& to) {
    MonoFile file(to);
    file.open_buffer(1);
    while (file.wants_more()) file.close_buffer();
}

// Buffers with huge lengths, each with a list that takes the rest of the file.
void add_endless_buffers(MonoFile& file) {
    while (file.wants_more()) {
        file.open_buffer(1), file.simple(kHeapStart), file.close_buffer();
        file.open_buffer(1), file.begin(kGcMove), file.unsigned_number(1'000'000'000), file.close_buffer(0x7fffffff);
    }
}

void endless_buffers(const Target& to) {
    MonoFile file(to);
    add_endless_buffers(file);
}

// The same after as many valid bytes, so that as many bytes may be read again.
void late_endless_buffers(const Target& to) {
    MonoFile file(to);
    while (file.wanted() > to.bytes / 2) {
        file.open_buffer(1);
        for (int i = 0; i < 1000; ++i) file.simple(kHeapStart), file.simple(kHeapEnd);
        file.close_buffer();
    }
    add_endless_buffers(file);
}

void wrong_lengths(const Target& to) {
    MonoFile file(to);
    while (file.wants_more()) {
        file.open_buffer(1);
        file.simple(kHeapStart);
        file.close_buffer(file.below(2000));
    }
}

void bad_events(const Target& to) {
    MonoFile file(to);
    while (file.wants_more()) {
        file.open_buffer(1);
        for (int i = 0; i < 100; ++i) file.byte(0xff);
        file.close_buffer();
    }
}

void joined(const Target& to) {
    MonoFile file(to);
    while (file.wants_more()) {
        file.open_buffer(1);
        file.call(kEnter, method_of(1));
        file.close_buffer();
        file.header();
    }
}

// One buffer of half the file, and many small ones: mprof-report keeps its bytes, and an event that does not end in a
// small buffer continues in what the large one left.
template <class Large, class Small>
void stale_buffer(const Target& to, Large large, Small small) {
    MonoFile file(to);
    file.open_buffer(1), large(file, to.bytes / 2), file.close_buffer();
    while (file.wants_more()) file.open_buffer(1), small(file, to.bytes / 2), file.close_buffer();
}

void backtrace(MonoFile& file, uint64_t frames) {
    file.begin(kAllocBacktrace);
    file.pointer(kVtables), file.object_at(kObjects), file.unsigned_number(24), file.unsigned_number(frames);
}

void stale_frames(const Target& to) {
    stale_buffer(
        to,
        [](MonoFile& file, uint64_t bytes) {
            backtrace(file, bytes);
            for (uint64_t i = 0; i < bytes; ++i) file.signed_number(1);
        },
        [](MonoFile& file, uint64_t bytes) { backtrace(file, bytes - 64); });
}

void stale_text(const Target& to) {
    const auto named = [](MonoFile& file, const std::string& name) {
        file.call(kJit, kMethods), file.pointer(0), file.unsigned_number(8);
        for (const char one : name) file.byte(static_cast<uint8_t>(one));
    };
    stale_buffer(
        to, [&](MonoFile& file, uint64_t bytes) { named(file, std::string(bytes, 'a') + '\0'); },
        [&](MonoFile& file, uint64_t) { named(file, "a"); });
}

// Descriptions of counters that continue past the memory of the reader.
void descriptions_past_the_end(const Target& to) {
    MonoFile file(to);
    while (file.wants_more()) {
        file.open_buffer(1);
        file.begin(kCountersDescription), file.unsigned_number(1 << 19);
        file.close_buffer();
    }
}

constexpr HostileFile kFiles[] = {
    {"mlpd-methods", "calls of undefined methods", methods},
    {"mlpd-colliding-methods", "the same with ids that share a slot in hash tables", colliding_methods},
    {"mlpd-aligned-methods", "methods that are multiples of 2^24", aligned_methods},
    {"mlpd-wild-calls", "calls and returns in random order", wild_calls},
    {"mlpd-deep-calls", "deep stacks, and returns that do not match their top", deep_calls},
    {"mlpd-absent-leaves", "calls, each with a return of a method that was never entered", absent_leaves},
    {"mlpd-heap", "a heapshot of objects with dangling references", heap},
    {"mlpd-heap-scattered", "a heapshot of objects in random order", heap_scattered},
    {"mlpd-heap-collisions", "a heapshot of objects that share a slot in hash tables", heap_collisions},
    {"mlpd-heap-references", "objects with 5000 references", heap_references},
    {"mlpd-heap-roots", "lists of 5000 roots", roots},
    {"mlpd-registered-roots", "roots registered in random order", registered_roots},
    {"mlpd-handles", "handles in random order", handles},
    {"mlpd-live-handles", "handles created and destroyed in different orders", live_handles},
    {"mlpd-moves", "lists of 5000 moves", moves},
    {"mlpd-finalizers", "finalizers that start and never end", finalizers},
    {"mlpd-monitors", "waits that end in random order", monitors},
    {"mlpd-loads", "loads of ids that share a slot in hash tables", loads},
    {"mlpd-late-loads", "loads of types that are in use", late_loads},
    {"mlpd-backtraces", "backtraces of 32 distinct methods", backtraces},
    {"mlpd-samples", "samples of 1000 distinct frames", samples},
    {"mlpd-counters", "very many counters", counters},
    {"mlpd-long-name", "a name as long as the file, not UTF-8", long_names},
    {"mlpd-threads", "a thread per buffer, with one event each", threads},
    {"mlpd-colliding-threads", "the same with ids that share a slot in hash tables", colliding_threads},
    {"mlpd-heapshots", "a thread per buffer, with a heapshot that does not end", heapshots},
    {"mlpd-empty-buffers", "buffers without events", empty_buffers},
    {"mlpd-endless-buffers", "truncated buffers and lists", endless_buffers},
    {"mlpd-late-endless-buffers", "the same after as much valid data", late_endless_buffers},
    {"mlpd-wrong-lengths", "buffers with wrong lengths", wrong_lengths},
    {"mlpd-bad-events", "small buffers of bytes that are not events", bad_events},
    {"mlpd-stale-frames", "small buffers whose backtrace goes on in what a large one left", stale_frames},
    {"mlpd-stale-text", "the same with a name", stale_text},
    {"mlpd-descriptions", "small buffers with very many descriptions of counters that are not there",
     descriptions_past_the_end},
    {"mlpd-joined", "concatenated small files", joined},
};

}  // namespace
}  // namespace mlpd_shapes

std::span<const HostileFile> hostile_mlpd() { return mlpd_shapes::kFiles; }

}  // namespace tracelint::files
