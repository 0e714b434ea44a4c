// Jitdumps shaped like those of real runtimes, and hostile ones.
#include "tests/bench/jitdump_file.hpp"

namespace tracelint::bench {
namespace {

std::string name_of(uint64_t index) { return "Elixir.Module:function_" + std::to_string(index) + "/2"; }

// As Erlang's: two in five functions have lines, code of a few hundred bytes.
void small_records(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index) {
        const uint64_t size = 64 + file.below(256);
        if (file.below(5) < 2)
            file.debug_record(address, size, static_cast<unsigned>(2 + file.below(16)), "/usr/lib/erlang/lists.erl");
        file.load_record(address, size, index, name_of(index));
        address += (size + 15) / 16 * 16;
    }
}

// As an interpreter's trampolines: little but fixed fields and a name.
void tiny_records(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index, address += 32)
        file.load_record(address, 32, index, name_of(index));
}

// As a compiler's of whole modules.
void code_heavy(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index) {
        const uint64_t size = 16'384 + file.below(500'000);
        file.load_record(address, size, index, name_of(index));
        address += size;
    }
}

// Addresses and indices in no order, ranges that replace each other, moves, a finding for every record.
void scattered(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    while (file.wants_more()) {
        const uint64_t index = file.below(1'000'000), address = 0x1000 + file.below(uint64_t{1} << 26);
        if (file.below(2) == 0)
            file.load_record(address, 1, index, "");
        else
            file.move_record(address, file.below(uint64_t{1} << 26), 2, index);
    }
}

// DEBUG_INFO records whose LOADs never come.
void orphans(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.debug_record(file.below(uint64_t{1} << 40), 1, 1, "");
        if (index % 64 == 0) file.load_record(1, 0, index, "");
    }
}

constexpr File kFiles[] = {
    {"small-records", "functions of some hundred bytes, lines for two in five", 500 * kMegabyte, small_records},
    {"tiny-records", "functions of 32 bytes, nothing else", 500 * kMegabyte, tiny_records},
    {"code-heavy", "functions of 16 to 500 KB", 1000 * kMegabyte, code_heavy},
    {"hostile-scattered", "indices and addresses in no order, all with findings", 64 * kMegabyte, scattered},
    {"hostile-orphans", "line tables whose functions never come", 64 * kMegabyte, orphans},
};

}  // namespace

std::span<const File> jitdump_files() { return kFiles; }

}  // namespace tracelint::bench
