// A large perf.data: the stream of a pipe, which needs no sizes before its records.
#pragma once

#include "tests/files/output_file.hpp"

namespace tracelint::files {

class PerfdataFile : public OutputFile {
  public:
    // Of samples: IP, TID, TIME, IDENTIFIER. Of attr flags: sample_id_all.
    static constexpr uint64_t kSampleType = 1 | 2 | 4 | 1 << 16, kFlags = 1 << 18;
    static constexpr uint64_t kAttrBytes = 128;

    explicit PerfdataFile(const Target& to) : OutputFile(to) {
        bytes("PERFILE2");
        number(16, 8);
    }

    void prefix(uint64_t type, uint64_t size, uint64_t misc = 0) { number(type, 4), number(misc, 2), number(size, 2); }
    // An event with `ids` ids, which follow.
    void attr(uint64_t ids) {
        prefix(64, 8 + kAttrBytes + 8 * ids);
        number(1, 4), number(kAttrBytes, 4), number(0, 8), number(1000, 8), number(kSampleType, 8), number(4, 8);
        number(kFlags, 8);
        fill(kAttrBytes - 48, '\0');
    }
    void sample(uint64_t id, uint64_t time, uint64_t address = 0x1000) {
        prefix(9, 40, 2);
        number(id, 8), number(address, 8), number(7, 4), number(7, 4), number(time, 8);
        flush_if_large();
    }
    void round() { prefix(68, 8), flush_if_large(); }
    void mmap(uint64_t pid, uint64_t start, const std::string& name, uint64_t time) {
        const uint64_t padded = name.size() / 8 * 8 + 8;
        prefix(1, 40 + padded + 24, 2);
        number(pid, 4), number(pid, 4), number(start, 8), number(0x1000, 8), number(0, 8);
        bytes(name);
        fill(padded - name.size(), '\0');
        number(pid, 4), number(pid, 4), number(time, 8), number(1, 8);
        flush_if_large();
    }
};

// A recording of one process on CLOCK_MONOTONIC, as dumps need it.
class MonotonicFile : public PerfdataFile {
  public:
    MonotonicFile(std::string& memory, uint32_t pid) : PerfdataFile({kNone, nullptr, &memory}), pid_(pid) {}

    // An event with `ids` ids from `id` on.
    void event(uint64_t id, uint64_t ids = 1) {
        prefix(64, 8 + kAttrBytes + 8 * ids);
        number(1, 4), number(kAttrBytes, 4), number(0, 8), number(1000, 8), number(kSampleType, 8), number(4, 8);
        number(kFlags | 1 << 25, 8);  // use_clockid
        fill(44, '\0');
        number(1, 4);  // CLOCK_MONOTONIC
        fill(kAttrBytes - 96, '\0');
        for (uint64_t i = 0; i < ids; ++i) number(id + i, 8);
    }
    void mapping(const std::string& name, uint64_t time, uint64_t start = 0x100000) {
        const uint64_t padded = name.size() / 8 * 8 + 8;
        prefix(1, 40 + padded + 24, 2);
        number(pid_, 4), number(pid_, 4), number(start, 8), number(0x1000, 8), number(0, 8);
        bytes(name);
        fill(padded - name.size(), '\0');
        trailer(time);
    }
    void comm(uint64_t time, bool is_exec) {
        prefix(3, 8 + 8 + 8 + 24, is_exec ? 1 << 13 : 0);
        number(pid_, 4), number(pid_, 4);
        bytes({"app\0\0\0\0\0", 8});
        trailer(time);
    }
    void sampled(uint64_t address, uint64_t time) {
        prefix(9, 40, 2);
        number(1, 8), number(address, 8), number(pid_, 4), number(pid_, 4), number(time, 8);
        flush_if_large();
    }

  private:
    // Of records that are no samples.
    void trailer(uint64_t time) {
        number(pid_, 4), number(pid_, 4), number(time, 8), number(1, 8);
        flush_if_large();
    }

    uint32_t pid_;
};

}  // namespace tracelint::files
