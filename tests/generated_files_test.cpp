// A seed gives the same file whatever compiler built the generator: what it draws depends on no order of evaluation
// that C++ leaves open. tests/generated-files.txt lists checksums; `scripts/bless` writes it.
#include <doctest/doctest.h>
#include <zlib.h>

#include "fuzz/findings.hpp"
#include "tests/oracle_files.hpp"
#include "validator/generator/plant.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSeeds = 40;
const std::filesystem::path kList = kRoot / "tests" / "generated-files.txt";

class Checksum {
  public:
    void add(const std::string& bytes) {
        sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    }
    std::string text() const { return hex_of(sum_); }

  private:
    uLong sum_ = crc32(0, nullptr, 0);
};

// Of valid files, then of those with each of the planted faults, in the order of their table.
std::string checksums_of(const Format& format) {
    Checksum valid;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) valid.add(generated_bytes(format, seed));
    std::string text = std::string(format.id) + ": " + valid.text() + '\n';
    for (const PlantedFault& fault : faults_of(format)) {
        Checksum broken;
        for (uint64_t seed = 1; seed <= kSeeds; ++seed)
            if (const auto planted = plant(generator_of(format), fault, nth_file(seed))) broken.add(planted->bytes);
        text += "    " + std::string(fault.rule->id) + ": " + broken.text() + '\n';
    }
    return text;
}

}  // namespace

TEST_CASE("a seed gives the same file whatever compiler built the generator") {
    std::string all;
    for (const Format* format : formats()) all += checksums_of(*format);
    if (is_blessing()) write_file(kList, all);
    const std::string listed = read_file(kList).value_or("");
    CHECK_MESSAGE((listed == all),
                  "not up to date (scripts/bless), or a matter of the compiler: " << difference(listed, all));
}

}  // namespace tracelint
