// Planted faults of the file header.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {
namespace {

bool has_type(const FileRecords& file, uint64_t type) {
    return file.front().record == &kHeader && file.front().number("type") == type;
}

uint64_t swapped(uint64_t number) { return number >> 8 | (number & 0xff) << 8; }

// A number of 16 bits, often small, for which `fits(number)` holds.
template <class Fits>
uint64_t draw_number(Random& random, Fits fits) {
    uint64_t number = 0;
    do number = one_in(random, 2) ? below(random, 20) : edge_number(random, 16);
    while (!fits(number));
    return number;
}

constexpr FaultRow kHeaderRows[] = {
    // 8 bytes of magic make the file a profile.
    {"xray/truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t left = below(random, file.front().record == &kProfileHeader ? 8 : kHeaderSize);
         std::string bytes = bytes_of(file.front()).substr(0, left);
         file.assign(1, raw_record(std::move(bytes)));
         return at_bytes(0, 0, left);
     }},
    // The header must not look better in the other byte order.
    {"xray/unsupported-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         const uint64_t newest = has_type(file, kFdrType) ? kNewestFdr : kNewestBasic;
         const auto is_known = [](uint64_t number, uint64_t most) { return 1 <= number && number <= most; };
         file.front().set("version", draw_number(random, [&](uint64_t version) {
                              return !is_known(version, newest) && !is_known(swapped(version), kNewestFdr);
                          }));
         return at_field(0, "version");
     }},
    {"xray/unknown-file-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         file.front().set("type", draw_number(random, [](uint64_t type) { return type > 1 && swapped(type) > 1; }));
         return at_field(0, "type");
     }},
    {"xray/zero-cycle-frequency",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         file.front().set("cycle_frequency", 0);
         return at_field(0, "cycle_frequency");
     }},
    {"xray/empty-trace",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         erase(file, 1, file.size());
         return at_bytes(0, kHeaderSize, 0);
     }},
    {"xray/zero-buffer-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_type(file, kFdrType) || layout_of(file).version != 1) return std::nullopt;
         file.front().set("buffer_size", below(random, kLeastBufferSize));
         return at_field(0, "buffer_size");
     }},
};

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

}  // namespace tracelint::xray::faults
