// Hostile groups of files: what many pairs of them have to go through again and again.
#include <algorithm>

#include "tests/files/hostile.hpp"
#include "tests/files/jitdump_file.hpp"
#include "tests/files/perfdata_file.hpp"

namespace tracelint::files {
namespace siblings_shapes {
namespace {

constexpr uint32_t kPid = JitdumpFile::kPid;
constexpr uint64_t kBegin = 500'000, kLoaded = 1'001'000, kEnd = 2'000'000;  // times; the dumps load from kLoaded on
constexpr uint64_t kCode = 0x100000;
const std::string kMarker = "/tmp/jit-" + std::to_string(kPid) + ".dump";

// Files up to a size together.
class Group {
  public:
    explicit Group(uint64_t bytes) : bytes_(bytes) {}

    bool wants_more() const { return written_ < bytes_; }
    // Whether less than half is written.
    bool wants_half() const { return written_ < bytes_ / 2; }

    template <class Write>
    void recording(Write write) {
        std::string memory;
        {
            MonotonicFile file(memory, kPid);
            file.event(1);
            write(file);
        }
        add(std::to_string(++recordings_) + "/perf.data", std::move(memory));
    }
    template <class Write>
    void dump(Write write) {
        std::string memory;
        {
            JitdumpFile file({kNone, nullptr, &memory});
            write(file);
        }
        add(std::to_string(++dumps_) + "/jit-" + std::to_string(kPid) + ".dump", std::move(memory));
    }
    void small_dump() {
        dump([](JitdumpFile& file) { file.load_record(kCode, 16, 0, "f"); });
    }
    void small_recording(bool is_mapped) {
        recording([&](MonotonicFile& file) {
            file.comm(kBegin, false);
            if (is_mapped) file.mapping(kMarker, kBegin);
            file.sampled(kCode, kEnd);
        });
    }
    void small_map() { add(std::to_string(++maps_) + "/perf-" + std::to_string(kPid) + ".map", "100000 10 f\n"); }
    std::vector<NamedFile> take() { return std::move(files_); }

  private:
    void add(std::string name, std::string bytes) {
        written_ += bytes.size();
        files_.push_back({std::move(name), std::move(bytes)});
    }

    uint64_t bytes_, written_ = 0;
    uint64_t recordings_ = 0, dumps_ = 0, maps_ = 0;
    std::vector<NamedFile> files_;
};

// One recording of half the bytes, made up of what `write` adds for each number, and small dumps.
template <class Write>
std::vector<NamedFile> one_recording(uint64_t bytes, uint64_t record_bytes, Write write) {
    Group group(bytes);
    group.recording([&](MonotonicFile& file) {
        file.mapping(kMarker, kBegin);
        for (uint64_t i = 0; i < bytes / 2 / record_bytes; ++i) write(file, i);
        file.sampled(kCode, kEnd);
    });
    while (group.wants_more()) group.small_dump();
    return group.take();
}

std::vector<NamedFile> pairs(uint64_t bytes) {
    Group group(bytes);
    while (group.wants_more()) group.small_recording(false), group.small_dump();
    return group.take();
}

std::vector<NamedFile> mapped_pairs(uint64_t bytes) {
    Group group(bytes);
    while (group.wants_more()) group.small_recording(true), group.small_dump();
    return group.take();
}

std::vector<NamedFile> recordings_of_one_dump(uint64_t bytes) {
    Group group(bytes);
    group.small_dump();
    while (group.wants_more()) group.small_recording(true);
    return group.take();
}

std::vector<NamedFile> events(uint64_t bytes) {
    return one_recording(bytes, 152, [](MonotonicFile& file, uint64_t i) { file.event(i + 2); });
}

std::vector<NamedFile> births(uint64_t bytes) {
    return one_recording(bytes, 48, [](MonotonicFile& file, uint64_t) { file.comm(0, true); });
}

std::vector<NamedFile> images(uint64_t bytes) {
    const std::string name = "/j/jitted-" + std::to_string(kPid) + "-";
    return one_recording(bytes, 88, [&](MonotonicFile& file, uint64_t i) {
        file.mapping(name + std::to_string(i) + ".so", kLoaded + i, kCode + 0x1000 * i);
    });
}

// All of them of the only function of each dump.
std::vector<NamedFile> same_image(uint64_t bytes) {
    const std::string name = "/j/jitted-" + std::to_string(kPid) + "-0.so";
    return one_recording(bytes, 88, [&](MonotonicFile& file, uint64_t i) { file.mapping(name, kLoaded + i); });
}

std::vector<NamedFile> missing_dumps(uint64_t bytes) {
    return one_recording(bytes, 80, [](MonotonicFile& file, uint64_t i) {
        file.mapping("/tmp/jit-" + std::to_string(kPid + 1 + i) + ".dump", kBegin);
    });
}

std::vector<NamedFile> samples(uint64_t bytes) {
    return one_recording(bytes, 40, [](MonotonicFile& file, uint64_t i) { file.sampled(kCode + i % 16, kLoaded + i); });
}

// One dump with a process for each function, and small recordings.
std::vector<NamedFile> functions(uint64_t bytes) {
    Group group(bytes);
    group.dump([&](JitdumpFile& file) {
        for (uint64_t i = 0; i < bytes / 2 / 58; ++i)
            file.load_record(kCode + 16 * i, 0, i, "f", kPid + static_cast<uint32_t>(i * 7919 % 1'000'003));
    });
    for (uint64_t i = 0; group.wants_more(); ++i) group.small_recording(i % 2 == 0);
    return group.take();
}

// The same, all of the recorded process.
std::vector<NamedFile> functions_of_one(uint64_t bytes) {
    Group group(bytes);
    group.dump([&](JitdumpFile& file) {
        for (uint64_t i = 0; i < bytes / 2 / 58; ++i) file.load_record(kCode + 16 * shuffled(i), 0, i, "f");
    });
    while (group.wants_more()) group.small_recording(true);
    return group.take();
}

std::vector<NamedFile> maps_and_dumps(uint64_t bytes) {
    Group group(bytes);
    while (group.wants_more()) group.small_map(), group.small_dump();
    return group.take();
}

std::vector<NamedFile> maps(uint64_t bytes) {
    Group group(bytes);
    group.recording([&](MonotonicFile& file) {
        file.mapping("//anon", kBegin);
        for (uint64_t i = 0; i < bytes / 2 / 40; ++i) file.sampled(kCode + i % 4096, kLoaded + i);
    });
    while (group.wants_more()) group.small_map();
    return group.take();
}

constexpr uint64_t kWide = uint64_t{4} << 20;  // bytes of groups of small files, which take more memory than that
constexpr HostileGroup kGroups[] = {
    {"siblings-pairs", "as many small dumps as small recordings", pairs, kWide},
    {"siblings-pairs-found", "the same, found in a folder", pairs, kWide, true},
    {"siblings-mapped-pairs", "as many small dumps as recordings that map all of them", mapped_pairs, kWide},
    {"siblings-mapped-pairs-found", "the same, found in a folder", mapped_pairs, kWide, true},
    {"siblings-recordings", "one small dump, and small recordings that map it", recordings_of_one_dump, kWide},
    {"siblings-events", "a recording of many events, and small dumps", events, kWide},
    {"siblings-births", "a recording of many births without a time, and small dumps", births, kWide},
    {"siblings-images", "a recording with images of many functions, and small dumps of their process", images, kWide},
    {"siblings-same-image", "a recording with many images of one function, and small dumps of it", same_image, kWide},
    {"siblings-missing-dumps", "a recording that maps many other dumps, and small dumps", missing_dumps, kWide},
    {"siblings-samples", "a recording with many samples, and small dumps of their process", samples, kWide},
    {"siblings-functions", "a dump with a process for each function, and small recordings", functions, kWide},
    {"siblings-functions-of-one", "a dump of many functions, and small recordings of it", functions_of_one, kWide},
    {"siblings-maps-and-dumps", "as many small maps as small dumps, of one process", maps_and_dumps, kWide / 4},
    {"siblings-maps", "a recording with many samples, and small maps of their process", maps, kWide / 4},
};

}  // namespace
}  // namespace siblings_shapes

std::span<const HostileGroup> hostile_siblings() { return siblings_shapes::kGroups; }

}  // namespace tracelint::files
