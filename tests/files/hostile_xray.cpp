// Hostile XRay logs of all three families.
#include "tests/files/hostile.hpp"
#include "tests/files/xray_file.hpp"

namespace tracelint::files {
namespace xray_shapes {
namespace {

// Deeply nested entries, then exits of functions that were never entered.
void orphan_exits(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        for (uint32_t i = 0; i < 1000; ++i) file.function(0, 1 + i);
        while (!file.is_full()) file.function(1, 100'000 + static_cast<uint32_t>(file.below(1000)));
        file.close_buffer();
    }
}

// Exits that close half of the open calls at once.
void deep_exits(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        while (!file.is_full()) {
            for (uint32_t i = 0; i < 64; ++i) file.function(0, 1 + i);
            file.function(1, 32);
        }
        file.close_buffer();
    }
}

// Deep stacks of distinct functions, closed from far below the top.
void deep_stacks(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        const uint32_t first = 1 + static_cast<uint32_t>(file.below(1'000'000));
        for (uint32_t i = 0; !file.is_full(); ++i) {
            file.function(0, first + 7 * i);
            if (i % 1000 == 999) file.function(1, first + 7 * (i - 900));
        }
        file.close_buffer();
    }
}

void many_threads(const Target& to) {
    XrayFile file(to);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(1 + buffer);
        file.close_buffer();
    }
}

void scattered_threads(const Target& to) {
    XrayFile file(to);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(static_cast<uint32_t>(shuffled(buffer)), static_cast<uint32_t>(shuffled(buffer + 7)), buffer,
                         1000 * shuffled(buffer));
        file.function(1, 1);  // a first orphan of its thread
        file.close_buffer();
    }
}

// Buffers of one thread that overlap in time, in random order and with duplicates.
void one_thread(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(1, 1, file.below(1000), file.below(1000));
        file.function(0, 1);
        file.close_buffer();
    }
}

// Buffers that begin with bytes that are not a record.
void garbage(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        while (!file.is_full()) file.function(5, 1);
        file.close_buffer();
    }
}

void empty_buffers(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) file.close_buffer();
}

void small_events(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        while (!file.is_full()) file.custom_event(file.below(8) == 0 ? 1 : 0);
        file.close_buffer();
    }
}

void large_counts(const Target& to) {
    OutputFile file(to);
    file.number(5, 2), file.number(1, 2), file.number(3, 4), file.number(0, 8), file.number(kNone, 8);
    file.number(0, 8);
    while (file.wants_more()) {
        file.number(uint64_t{kExtents} << 1 | 1, 1), file.number(kNone >> file.below(64), 8), file.fill(7, '\0');
        file.number(uint64_t{kCustomEvent} << 1 | 1, 1), file.number(kNone >> file.below(64), 4), file.fill(11, '\0');
    }
}

void zeros(const Target& to) {
    OutputFile file(to);
    file.number(5, 2), file.number(1, 2), file.number(3, 4), file.number(3'000'000'000, 8);
    file.number(kBufferBytes, 8), file.number(0, 8), file.fill(to.bytes, '\0');
}

void joined(const Target& to) {
    XrayFile file(to);
    while (file.wants_more()) {
        file.open_buffer(100);
        file.function(0, 1);
        file.close_buffer();
        file.header();
    }
}

class BasicFile : public OutputFile {
  public:
    explicit BasicFile(const Target& to) : OutputFile(to) {
        number(3, 2), number(0, 2), number(3, 4), number(3'000'000'000, 8), number(0, 8), number(0, 8);
    }
    void function(uint64_t action, uint64_t id, uint64_t thread, uint64_t process = 1) {
        flush_if_large();
        number(0, 2), number(0, 1), number(action, 1), number(id, 4), number(time_ += 10, 8), number(thread, 4);
        number(process, 4), number(0, 8);
    }

  private:
    uint64_t time_ = 0;
};

// Threads that share a slot in the table of recent threads.
void basic_threads(const Target& to) {
    BasicFile file(to);
    for (uint64_t number = 1; file.wants_more(); ++number) {
        const uint64_t key = colliding(number);
        file.function(0, 1, key & 0xffffffff, key >> 32);
    }
}

void basic_deep(const Target& to) {
    BasicFile file(to);
    const uint64_t records = to.bytes / 32;
    for (uint64_t i = 0; i < records / 2; ++i) file.function(0, 1 + shuffled(i) % 1'000'000, 1);
    while (file.wants_more()) file.function(1, file.below(4) == 0 ? 1 + file.below(1'000'000) : 2'000'000, 1);
}

// Entries of random functions, each with an exit of one that was never entered.
void basic_absent_exits(const Target& to) {
    BasicFile file(to);
    for (uint64_t number = 1; file.wants_more(); ++number)
        file.function(number % 2, 1 + shuffled(number) % 0x7fffffff, 1);
}

// Four threads with entries and exits in random order.
void basic_mismatches(const Target& to) {
    BasicFile file(to);
    while (file.wants_more()) file.function(file.below(5) < 3 ? 0 : 1, 1 + file.below(1000), file.below(4));
}

class XrayProfile : public OutputFile {
  public:
    explicit XrayProfile(const Target& to) : OutputFile(to) {
        number(0x7872617970726f66, 8), number(0x20180424, 8), number(1, 8), number(1, 8);
    }
    // A block with these paths.
    void block(const std::string& paths) {
        number(16 + paths.size(), 4), number(blocks_, 4), number(++blocks_, 8);
        bytes(paths);
        flush_if_large();
    }

  private:
    uint64_t blocks_ = 0;
};

void add_path(std::string& paths, const std::vector<uint32_t>& ids) {
    const auto add = [&](uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        paths.append(reinterpret_cast<const char*>(bytes), width);
    };
    for (const uint32_t id : ids) add(id, 4);
    add(0, 4), add(1, 8), add(1, 8);
}

// Random paths of one to three ids, with duplicates.
void profile_short_paths(const Target& to) {
    XrayProfile file(to);
    std::string paths;
    while (paths.size() < to.bytes) {
        std::vector<uint32_t> ids(1 + file.below(3));
        for (uint32_t& id : ids) id = 1 + static_cast<uint32_t>(file.below(uint64_t{1} << (4 * ids.size())));
        add_path(paths, ids);
    }
    file.block(paths);
}

// Paths of 1000 ids that differ only in the ids compared last.
void profile_alike_paths(const Target& to) {
    XrayProfile file(to);
    std::string paths;
    std::vector<uint32_t> ids(1000, 7);
    while (paths.size() < to.bytes) {
        ids[0] = 1 + static_cast<uint32_t>(file.below(1'000'000));
        ids[1] = 1 + static_cast<uint32_t>(file.below(2));
        add_path(paths, ids);
    }
    file.block(paths);
}

// Each path is the one before with one more id.
void profile_growing_paths(const Target& to) {
    XrayProfile file(to);
    std::string paths;
    for (std::vector<uint32_t> ids{1}; paths.size() < to.bytes; ids.push_back(1)) add_path(paths, ids);
    file.block(paths);
}

void profile_endless_path(const Target& to) {
    XrayProfile file(to);
    std::string paths;
    add_path(paths, std::vector<uint32_t>(to.bytes / 4, 7));
    file.block(paths);
}

void profile_blocks(const Target& to) {
    XrayProfile file(to);
    std::string paths;
    add_path(paths, {1});
    while (file.wants_more()) file.block(paths);
}

constexpr HostileFile kFiles[] = {
    {"xray-exits", "exits without entries over a deep stack", orphan_exits},
    {"xray-deep-exits", "exits that close many calls at once", deep_exits},
    {"xray-deep-stacks", "exits far below the top of deep stacks", deep_stacks},
    {"xray-threads", "a thread per buffer", many_threads},
    {"xray-scattered", "threads and processes in random order", scattered_threads},
    {"xray-one-thread", "overlapping buffers of one thread", one_thread},
    {"xray-garbage", "buffers of bytes that are not records", garbage},
    {"xray-empty-buffers", "empty buffers", empty_buffers},
    {"xray-events", "empty events", small_events},
    {"xray-large-counts", "extents and sizes up to 2^64", large_counts},
    {"xray-zeros", "only zeros after the header", zeros},
    {"xray-joined", "concatenated small files", joined},
    {"xray-basic-threads", "a thread per record, with colliding ids", basic_threads},
    {"xray-basic-deep", "one deep stack, and exits that do not match its top", basic_deep},
    {"xray-basic-absent-exits", "exits of functions that were never entered, over a deep stack", basic_absent_exits},
    {"xray-basic-mismatches", "entries and exits in random order", basic_mismatches},
    {"xray-profile-short", "short paths in random order, with duplicates", profile_short_paths},
    {"xray-profile-alike", "paths that differ in the ids compared last", profile_alike_paths},
    {"xray-profile-growing", "paths that are prefixes of others", profile_growing_paths},
    {"xray-profile-endless", "a path as long as the file", profile_endless_path},
    {"xray-profile-blocks", "a block per path", profile_blocks},
};

}  // namespace
}  // namespace xray_shapes

std::span<const HostileFile> hostile_xray() { return xray_shapes::kFiles; }

}  // namespace tracelint::files
