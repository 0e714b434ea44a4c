// Writes jitdump files.
#pragma once

#include "grammars/jitdump/records.hpp"
#include "tests/files/output_file.hpp"

namespace tracelint::files {

class JitdumpFile : public OutputFile {
  public:
    static constexpr uint32_t kPid = 4242;

    explicit JitdumpFile(const Target& to) : OutputFile(to) { header(); }

    void header() {
        number(jitdump::kMagic, 4), number(1, 4), number(40, 4), number(62, 4), number(0, 4), number(kPid, 4);
        number(time_, 8), number(0, 8);
    }

    void prefix(uint32_t id, uint64_t total_size) {
        flush_if_large();
        number(id, 4), number(total_size, 4), number(time_ += 1000, 8);
    }
    void load_record(uint64_t address, uint64_t size, uint64_t index, const std::string& name, uint32_t pid = kPid) {
        prefix(jitdump::kLoadId, 57 + name.size() + size);
        number(pid, 4), number(pid + 1, 4), number(address, 8), number(address, 8), number(size, 8), number(index, 8);
        text(name);
        fill(size, '\x90');
    }
    void debug_record(uint64_t address, uint64_t size, unsigned entries, const std::string& name) {
        prefix(jitdump::kDebugInfoId, 32 + entries * (17 + name.size()));
        number(address, 8), number(entries, 8);
        for (unsigned i = 0; i < entries; ++i) {
            number(address + i * size / entries, 8), number(100 + i, 4), number(0, 4);
            text(name);
        }
    }
    void move_record(uint64_t from, uint64_t to, uint64_t size, uint64_t index) {
        prefix(jitdump::kMoveId, 64);
        number(kPid, 4), number(kPid + 1, 4), number(to, 8), number(from, 8), number(to, 8), number(size, 8),
            number(index, 8);
    }

  private:
    void text(const std::string& name) {
        bytes(name);
        number(0, 1);
    }

    uint64_t time_ = 1'000'000;
};

}  // namespace tracelint::files
