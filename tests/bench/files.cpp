// The files that the benchmark runs on: jitdumps shaped like those of real runtimes, and hostile ones.
#include "tests/bench/files.hpp"

#include <cstdio>
#include <random>

#include "grammars/jitdump/records.hpp"
#include "validator/bytes.hpp"

namespace tracelint::bench {
namespace {

constexpr uint32_t kPid = 4242;
constexpr uint64_t kMegabyte = 1'000'000;

// Appends records to a file, 8 MiB at a time.
class JitdumpFile {
  public:
    JitdumpFile(const std::string& path, uint64_t bytes) : file_(std::fopen(path.c_str(), "wb")), wanted_(bytes) {
        number(jitdump::kMagic, 4), number(1, 4), number(40, 4), number(62, 4), number(0, 4), number(kPid, 4);
        number(time_, 8), number(0, 8);
    }
    ~JitdumpFile() {
        flush();
        std::fclose(file_);
    }
    JitdumpFile(const JitdumpFile&) = delete;
    JitdumpFile& operator=(const JitdumpFile&) = delete;

    bool wants_more() const { return written_ + buffer_.size() < wanted_; }
    uint64_t below(uint64_t limit) { return random_() % limit; }

    void number(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        buffer_.append(reinterpret_cast<const char*>(bytes), width);
    }
    void prefix(uint32_t id, uint64_t total_size) {
        if (buffer_.size() > 8 * kMegabyte) flush();
        number(id, 4), number(total_size, 4), number(time_ += 1000, 8);
    }
    void load_record(uint64_t address, uint64_t size, uint64_t index, const std::string& name) {
        prefix(jitdump::kLoadId, 57 + name.size() + size);
        number(kPid, 4), number(kPid + 1, 4), number(address, 8), number(address, 8), number(size, 8), number(index, 8);
        buffer_ += name;
        buffer_ += '\0';
        buffer_.append(size, '\x90');
    }
    void debug_record(uint64_t address, uint64_t size, unsigned entries, const std::string& name) {
        prefix(jitdump::kDebugInfoId, 32 + entries * (17 + name.size()));
        number(address, 8), number(entries, 8);
        for (unsigned i = 0; i < entries; ++i) {
            number(address + i * size / entries, 8), number(100 + i, 4), number(0, 4);
            buffer_ += name;
            buffer_ += '\0';
        }
    }
    void move_record(uint64_t from, uint64_t to, uint64_t size, uint64_t index) {
        prefix(jitdump::kMoveId, 64);
        number(kPid, 4), number(kPid + 1, 4), number(to, 8), number(from, 8), number(to, 8), number(size, 8),
            number(index, 8);
    }

  private:
    void flush() {
        std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
        written_ += buffer_.size();
        buffer_.clear();
    }

    std::FILE* file_;
    std::string buffer_;
    uint64_t written_ = 0, wanted_, time_ = 1'000'000;
    std::mt19937_64 random_{7};
};

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

}  // namespace

const File kFiles[] = {
    {"small-records", "functions of some hundred bytes, lines for two in five", 500 * kMegabyte, small_records},
    {"tiny-records", "functions of 32 bytes, nothing else", 500 * kMegabyte, tiny_records},
    {"code-heavy", "functions of 16 to 500 KB", 1000 * kMegabyte, code_heavy},
    {"hostile-scattered", "indices and addresses in no order, all with findings", 64 * kMegabyte, scattered, true},
    {"hostile-orphans", "line tables whose functions never come", 64 * kMegabyte, orphans, true},
};
const unsigned kFileCount = sizeof(kFiles) / sizeof(kFiles[0]);

}  // namespace tracelint::bench
