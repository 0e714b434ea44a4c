// perf.data: ways to break compressed records (section 3.9). Those inside of the stream need a build with zstd.
#include "grammars/perfdata/generator/edit_recording.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint::perfdata {
namespace {

using Plan = std::optional<Planted>;

bool is_compressed(const RecordValues& record) {
    return record.record == &kCompressed || record.record == &kCompressed2;
}

// The first compressed record; the size of the file if there is none.
size_t first_compressed(const FileRecords& file) {
    size_t at = 0;
    while (at < file.size() && !is_compressed(file[at])) ++at;
    return at;
}

// Appends a block of the stream that the file has, with plain bytes.
std::optional<size_t> put_block(FileRecords& file, std::string_view plain) {
    if (!has_zstd() || first_compressed(file) == file.size()) return std::nullopt;
    std::string block;
    for (int shift = 0; shift < 24; shift += 8) block += static_cast<char>(plain.size() << 3 >> shift);
    return put_last(file, kCompressedType, 0, block.append(plain));
}

uint64_t payload_offset(const RecordValues& record) { return record.record == &kCompressed ? 8 : 16; }

Planted at_record(const FileRecords& file, size_t at) { return at_bytes(at, 0, bytes_of(file[at]).size()); }

// clang-format off
constexpr FaultRow kCompressionRows[] = {
    {"perfdata/compressed-nested", [](FileRecords& file, Random&) -> Plan {
        const std::string nested = bytes_of(record_with(file, kCompressedType, 0, std::string(8, '\0')));
        const auto at = put_block(file, nested);
        if (!at) return std::nullopt;
        return at_record(file, *at);
    }},
    {"perfdata/compressed-no-frame", [](FileRecords& file, Random& random) -> Plan {
        const size_t at = first_compressed(file);
        if (at == file.size() || !has_zstd()) return std::nullopt;
        file[at].find("payload")->text[below(random, 4)] ^= '\x11';
        return at_bytes(at, payload_offset(file[at]), 4);
    }},
    // A block of the reserved type.
    {"perfdata/compressed-corrupt", [](FileRecords& file, Random& random) -> Plan {
        if (first_compressed(file) == file.size() || !has_zstd()) return std::nullopt;
        const std::string payload = std::string("\x06\0\0", 3) + std::string(below(random, 9), '\0');
        return at_bytes(put_last(file, kCompressedType, 0, payload), 8, payload.size());
    }},
    {"perfdata/compressed-tail", [](FileRecords& file, Random& random) -> Plan {
        const std::string whole = bytes_of(record_with(file, kFinishedInitType, 0, std::string(16, '\0')));
        const auto at = put_block(file, whole.substr(0, between(random, 1, whole.size() - 1)));
        if (!at) return std::nullopt;
        return at_record(file, *at);
    }},
    {"perfdata/compressed2-size", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kCompressed2, any);
        if (!at) return std::nullopt;
        file[*at].set("data_size", bytes_of(file[*at]).size() - 16 + between(random, 1, 100));
        return at_field(*at, "data_size");
    }},
    {"perfdata/compressed-feature", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose(file, random, kCompression, any);
        if (!section || first_compressed(file) == file.size()) return std::nullopt;
        file[*section].set(one_in(random, 2) ? "algorithm" : "mmap_len", 0);
        return at_bytes(*section, 0, 20);
    }},
    {"perfdata/compressed-feature", [](FileRecords& file, Random&) -> Plan {
        const auto section = section_place(file, kCompressedFeature);
        if (!section || first_compressed(file) == file.size()) return std::nullopt;
        erase(file, *section);
        erase(file, first_record(file, kFeatureEntry));
        file[0].set("features_0", file[0].number("features_0") & ~(uint64_t{1} << kCompressedFeature));
        fit(file);
        return at_bytes(first_compressed(file), 0, 8);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kCompressionFaults{kCompressionRows};

}  // namespace tracelint::perfdata
