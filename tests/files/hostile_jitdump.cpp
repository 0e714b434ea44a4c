// Hostile jitdumps.
#include "tests/files/hostile.hpp"
#include "tests/files/jitdump_file.hpp"

namespace tracelint::files {
namespace jitdump_shapes {
namespace {

// Random addresses and indices, ranges that replace each other, and moves, with a finding per record.
void scattered(const Target& to) {
    JitdumpFile file(to);
    while (file.wants_more()) {
        const uint64_t index = file.below(1'000'000), address = 0x1000 + file.below(uint64_t{1} << 26);
        if (file.below(2) == 0)
            file.load_record(address, 1, index, "");
        else
            file.move_record(address, file.below(uint64_t{1} << 26), 2, index);
    }
}

void orphans(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.debug_record(file.below(uint64_t{1} << 40), 1, 1, "");
        if (index % 64 == 0) file.load_record(1, 0, index, "");
    }
}

// Every other LOAD belongs to the oldest pending line table.
void late_loads(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.debug_record(0x1000 + 16 * index, 8, 3, "f");
        file.load_record(index % 2 == 0 ? 0x1000 + 16 * (index / 2) : 1, 0, index, "");
    }
}

void one_address(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.debug_record(0x1000, 8, 1, "f");
        if (index % 1000 == 0) file.load_record(0x1000, 8, index, "");
    }
}

void descending(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = uint64_t{1} << 40; file.wants_more(); --index) file.load_record(4 * index, 2, index, "");
}

void inserts_between(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t number = 0; file.wants_more(); ++number)
        file.load_record(0x1000 + 4 * shuffled(number), 2, shuffled(number), "");
}

// A thousand functions of one byte, then one that replaces all of them.
void swallowed(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index)
        if (index % 1000 == 0)
            file.load_record(0x1000, 2000, index, "");
        else
            file.load_record(0x1000 + 2 * (index % 1000), 1, index, "");
}

// Each range begins in the middle of the one before.
void overlapping(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) file.load_record(0x1000 + 8 * index, 16, index, "");
}

void processes(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t number = 1; file.wants_more(); ++number)
        file.load_record(0x1000, 2, 1, "", static_cast<uint32_t>(number % 3 == 0 ? number / 3 : shuffled(number)));
}

void moves(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 0; index < to.bytes / 400; ++index) file.load_record(0x1000 + 16 * index, 8, index, "");
    uint64_t at = 0x1000;
    while (file.wants_more()) {
        const uint64_t next = 0x1000 + 8 * file.below(to.bytes / 200 + 1);
        file.move_record(at, next, 8, 0);
        at = next;
    }
}

void long_name(const Target& to) {
    JitdumpFile file(to);
    file.load_record(0x1000, 16, 1, std::string(to.bytes, '\xc3'));
}

void many_lines(const Target& to) {
    JitdumpFile file(to);
    const auto entries = static_cast<unsigned>(to.bytes / 19 + 1);
    file.debug_record(0x1000, 16, entries, "\xff");
    file.load_record(0x1000, 16, 1, "");
}

void large_counts(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.prefix(jitdump::kDebugInfoId, 40);
        file.number(0x1000, 8), file.number(kNone / index, 8), file.number(0, 8);
        file.prefix(jitdump::kLoadId, 57);
        file.number(1, 4), file.number(1, 4), file.number(0, 8), file.number(0, 8), file.number(kNone / index, 8);
        file.number(index, 8), file.number(0, 1);
    }
}

// Entries of 8 bytes: first CIEs, then FDEs that point to one of them.
void unwinding(const Target& to) {
    JitdumpFile file(to);
    const uint64_t entries = to.bytes / 8, header = 4;
    file.prefix(jitdump::kUnwindingInfoId, 40 + 8 * entries + header);
    file.number(8 * entries + header, 8), file.number(header, 8), file.number(0, 8);
    for (uint64_t i = 0; i < entries; ++i) {
        const uint64_t cie = 8 * file.below(entries / 2);
        file.number(4, 4), file.number(i < entries / 2 ? 0 : 8 * i + 4 - cie, 4);
    }
    file.number(1, 1), file.fill(3, '\xff');
    file.load_record(0x1000, 16, 1, "");
}

// FDEs of one CIE, all for the same code, and a table that leads to them at random.
void searched_frame(const Target& to) {
    JitdumpFile file(to);
    const uint64_t fdes = to.bytes / 28 + 1, code = 16;
    const uint64_t frame = 20 + 20 * fdes, header = 12 + 8 * fdes;
    file.prefix(jitdump::kUnwindingInfoId, 40 + frame + header);
    file.number(frame + header, 8), file.number(header, 8), file.number(0, 8);
    file.number(16, 4), file.number(0, 4);                                                // a CIE
    file.number(1, 1), file.number(0x00527a, 3);                                          // version, "zR"
    file.number(1, 1), file.number(0x78, 1), file.number(16, 1), file.number(0x1b01, 2);  // factors, encoding
    file.fill(3, 0);
    for (uint64_t i = 0; i < fdes; ++i) {
        const uint64_t at = 20 + 20 * i;
        file.number(16, 4), file.number(at + 4, 4), file.number(0 - code - (at + 8), 4), file.number(code, 4);
        file.fill(4, 0);
    }
    file.number(0x3b031b01, 4), file.number(0 - (frame + 4), 4), file.number(fdes, 4);
    for (uint64_t i = 0; i < fdes; ++i)
        file.number(0 - code - frame, 4), file.number(20 + 20 * file.below(fdes) - frame, 4);
    file.load_record(0x1000, code, 1, "");
}

void small_records(const Target& to) {
    JitdumpFile file(to);
    while (file.wants_more()) file.prefix(file.below(2) == 0 ? uint32_t{jitdump::kCloseId} : 77, 16);
}

void no_records(const Target& to) {
    JitdumpFile file(to);
    while (file.wants_more()) file.prefix(0x01010101, file.below(16));
}

void zeros(const Target& to) {
    JitdumpFile file(to);
    file.fill(to.bytes, '\0');
}

void joined(const Target& to) {
    JitdumpFile file(to);
    while (file.wants_more()) {
        file.load_record(0x1000, 2, 1, "f");
        file.prefix(jitdump::kCloseId, 16);
        file.header();
    }
}

constexpr HostileFile kFiles[] = {
    {"jitdump-scattered", "random indices and addresses, with a finding per record", scattered},
    {"jitdump-orphans", "line tables whose functions never come", orphans},
    {"jitdump-late-loads", "line tables whose functions come ever later", late_loads},
    {"jitdump-one-address", "many pending line tables of one address", one_address},
    {"jitdump-descending", "descending addresses", descending},
    {"jitdump-inserts-between", "addresses inserted between others", inserts_between},
    {"jitdump-swallowed", "code ranges that replace a thousand others each", swallowed},
    {"jitdump-overlapping", "code ranges that overlap their neighbours", overlapping},
    {"jitdump-processes", "an index in very many processes", processes},
    {"jitdump-moves", "a function moved through all others", moves},
    {"jitdump-long-name", "a name as long as the file, not UTF-8", long_name},
    {"jitdump-many-lines", "one line table in which all entries repeat a name", many_lines},
    {"jitdump-large-counts", "counts and sizes up to 2^64", large_counts},
    {"jitdump-unwinding", "CIEs and FDEs of 8 bytes", unwinding},
    {"jitdump-searched-frame", "FDEs of one CIE, and a table that leads to them at random", searched_frame},
    {"jitdump-small-records", "records without a body", small_records},
    {"jitdump-no-records", "record sizes that lead nowhere", no_records},
    {"jitdump-zeros", "only zeros after the header", zeros},
    {"jitdump-joined", "concatenated small files", joined},
};

}  // namespace
}  // namespace jitdump_shapes

std::span<const HostileFile> hostile_jitdump() { return jitdump_shapes::kFiles; }

}  // namespace tracelint::files
