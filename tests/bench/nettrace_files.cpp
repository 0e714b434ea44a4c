// Files of .NET's event pipe: all events of the runtime, samples, and hostile files.
#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/nettrace_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

// The samples of a thread that the sampler's thread captures: events of 12 bytes.
void sampler(const Target& to) {
    constexpr uint64_t kStacks = 1000, kFrames = 20, kEvents = 8000;  // of a block
    constexpr uint64_t kTick = 10'000'000;                            // ns
    NettraceFile file(to);
    file.block("MetadataBlock", NettraceFile::events(NettraceFile::row(1, NettraceFile::little(0, 4))));
    std::string stacks = NettraceFile::little(1, 4) + NettraceFile::little(kStacks, 4);
    for (uint64_t i = 0; i < kStacks; ++i) {
        stacks += NettraceFile::little(8 * kFrames, 4);
        for (uint64_t frame = 0; frame < kFrames; ++frame)
            stacks += NettraceFile::little(0x7f0000000000 + file.below(1 << 24), 8);
    }
    file.block("StackBlock", stacks);
    uint64_t time = 0;
    for (uint64_t number = 1; file.wants_more(); number += kEvents) {
        // Metadata 1, a number, the sampler's thread, no processor, the thread; then what each event has.
        std::string events("\xCF\1");
        events += NettraceFile::varint(number - 1) + NettraceFile::varint(71) + NettraceFile::varint(0xffffffff) +
                  NettraceFile::varint(70) + NettraceFile::varint(1) + NettraceFile::varint(time) + "\4\1" +
                  std::string(3, '\0');
        for (uint64_t i = 1; i < kEvents; ++i) {
            const uint64_t delta = kTick + file.below(kTick / 10);
            time += delta;
            events += "\x88" + NettraceFile::varint(128 + file.below(kStacks - 127)) + NettraceFile::varint(delta) +
                      "\4\1" + std::string(3, '\0');
        }
        file.block("EventBlock", NettraceFile::events(events));
    }
}

const File kFiles[] = {
    {"real-nettrace", "all events of .NET's runtime, repeated", 64 * kMegabyte, dotnet_events, nettrace_readers()},
    {"nettrace-sampler", "samples of 12 bytes of one thread", 64 * kMegabyte, sampler, nettrace_readers()},
    hostile("nettrace-small-events"),
    hostile("nettrace-many-threads"),
    hostile("nettrace-many-rows"),
    hostile("nettrace-sequence-points"),
};

}  // namespace

std::span<const File> nettrace_files() { return kFiles; }

}  // namespace tracelint::bench
