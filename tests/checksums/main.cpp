// Prints a checksum of the generated files of each format, and of those with each planted fault. The lists of two
// builds are equal: a seed gives the same file whatever compiler built the generator, since what it draws depends on no
// order of evaluation that C++ leaves open. scripts/check.d/same-files compares them.
//   tracelint_checksums [SEEDS]    default 40
#include <zlib.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz/soak.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint {
namespace {

class Checksum {
  public:
    void add(const std::string& bytes) {
        sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    }
    void print(std::string_view name) const {
        std::printf("%.*s: 0x%lx\n", static_cast<int>(name.size()), name.data(), static_cast<unsigned long>(sum_));
    }

  private:
    uLong sum_ = crc32(0, nullptr, 0);
};

void print_checksums(const Format& format, uint64_t seeds) {
    Checksum valid;
    for (uint64_t seed = 1; seed <= seeds; ++seed) valid.add(bytes_of(generate(format, nth_file(seed))));
    valid.print(format.id);
    for (const PlantedFault& fault : faults_of(format)) {
        Checksum broken;
        for (uint64_t seed = 1; seed <= seeds; ++seed)
            if (const auto planted = plant(generator_of(format), fault, nth_file(seed))) broken.add(planted->bytes);
        broken.print(fault.rule->id);
    }
}

}  // namespace
}  // namespace tracelint

int main(int count, char** arguments) {
    const uint64_t seeds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 40;
    for (const tracelint::Format* format : tracelint::formats()) tracelint::print_checksums(*format, seeds);
}
