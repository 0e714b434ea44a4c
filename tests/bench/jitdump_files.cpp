// Jitdump files similar to those of real runtimes, and hostile ones.
#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/jitdump_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

std::string name_of(uint64_t index) { return "Elixir.Module:function_" + std::to_string(index) + "/2"; }

// As from Erlang: some hundred bytes of code, and lines for two in five functions.
void small_records(const Target& to) {
    JitdumpFile file(to);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index) {
        const uint64_t size = 64 + file.below(256);
        if (file.below(5) < 2)
            file.debug_record(address, size, static_cast<unsigned>(2 + file.below(16)), "/usr/lib/erlang/lists.erl");
        file.load_record(address, size, index, name_of(index));
        address += (size + 15) / 16 * 16;
    }
}

// As for the trampolines of an interpreter: little more than fixed fields and a name.
void tiny_records(const Target& to) {
    JitdumpFile file(to);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index, address += 32)
        file.load_record(address, 32, index, name_of(index));
}

// As from a compiler of whole modules.
void code_heavy(const Target& to) {
    JitdumpFile file(to);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index) {
        const uint64_t size = 16'384 + file.below(500'000);
        file.load_record(address, size, index, name_of(index));
        address += size;
    }
}

const File kFiles[] = {
    {"real-erlang", "Erlang's file: small functions, lines for some", 128 * kMegabyte, erlang, jitdump_readers()},
    {"real-node", "Node's file: lines and unwinding information for each function", 128 * kMegabyte, node,
     jitdump_readers()},
    {"real-java", "Java's file: functions of a kilobyte", 128 * kMegabyte, java, jitdump_readers()},
    {"small-records", "functions of some hundred bytes, lines for two in five", 500 * kMegabyte, small_records},
    {"tiny-records", "functions of 32 bytes, nothing else", 500 * kMegabyte, tiny_records},
    {"code-heavy", "functions of 16 to 500 KB", 1000 * kMegabyte, code_heavy},
    hostile("jitdump-scattered"),
    hostile("jitdump-orphans"),
};

}  // namespace

std::span<const File> jitdump_files() { return kFiles; }

}  // namespace tracelint::bench
