// Generates files, plants faults in them, and counts how many are found.
#include "fuzz/soak.hpp"

#include <algorithm>
#include <chrono>

#include "fuzz/salvage_oracle.hpp"
#include "fuzz/shrink_oracle.hpp"

namespace tracelint {
namespace {

constexpr size_t kComplaints = 20;  // that are kept

class Clock {
  public:
    explicit Clock(double seconds) : seconds_(seconds) {}
    bool is_over() const {
        if (seconds_ <= 0) return false;
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > seconds_;
    }

  private:
    double seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void complain(std::vector<std::string>& complaints, std::string text) {
    if (complaints.size() < kComplaints) complaints.push_back(std::move(text));
}

void try_fault(const Generator& generator, const PlantedFault& fault, uint64_t seed, FaultTally& tally,
               SoakResult& result) {
    bool fitted = false;
    const Complaint complaint = planted_fault(generator, fault, nth_file(seed), &fitted);
    ++tally.tried;
    if (!fitted) return;
    ++tally.planted;
    if (complaint)
        complain(result.complaints, *complaint);
    else
        ++tally.found;
}

void try_repairs(const Generator& generator, const PlantedFault& fault, uint64_t seed, SoakResult& result) {
    const std::optional<PlantedFile> planted = plant(generator, fault, nth_file(seed));
    if (!planted) return;
    const Input input{as_bytes(planted->bytes), generator.format};
    ++result.repairs.files;
    SalvageOutcome salvaged;
    Complaint complaint = salvages(input, &salvaged);
    if (!complaint) complaint = shrinks(input, seed % 2 == 0);
    if (complaint) {
        ++result.repairs.wrong;
        complain(result.complaints,
                 std::string(fault.rule->id) + " at seed " + std::to_string(seed) + ": " + *complaint);
    }
    if (salvaged.verdict == SalvageVerdict::salvaged && salvaged.size != 0)
        result.repairs.kept.push_back(salvaged.new_size * 1000 / salvaged.size);
}

// 971 is "97.1 %".
std::string percent(uint64_t thousandths) {
    return std::to_string(thousandths / 10) + "." + std::to_string(thousandths % 10) + " %";
}

std::string line_of(RepairTally repairs) {
    std::string line =
        "salvaged and shrunk: " + std::to_string(repairs.files) + ", wrong: " + std::to_string(repairs.wrong);
    if (!repairs.kept.empty()) {
        std::ranges::sort(repairs.kept);
        line += "; salvage keeps " + percent(repairs.kept[repairs.kept.size() / 2]) + " of the bytes in the median, " +
                percent(repairs.kept.front()) + " at worst";
    }
    return line + '\n';
}

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

}  // namespace

uint64_t SoakResult::planted() const {
    uint64_t sum = 0;
    for (const FaultTally& tally : faults) sum += tally.planted;
    return sum;
}

uint64_t SoakResult::found() const {
    uint64_t sum = 0;
    for (const FaultTally& tally : faults) sum += tally.found;
    return sum;
}

GenerateOptions nth_file(uint64_t seed) {
    static constexpr uint64_t kSizes[] = {40, 200, 500, 1000, 2000, 4000};
    GenerateOptions options;
    options.seed = seed;
    options.size = kSizes[seed % std::size(kSizes)];
    return options;
}

SoakResult soak(const Generator& generator, const SoakOptions& options) {
    SoakResult result;
    const std::vector<PlantedFault> faults = faults_of(generator);
    for (const PlantedFault& fault : faults) result.faults.push_back({fault.rule});
    const Clock clock(options.seconds);
    const uint64_t rounds = std::max(options.clean_files, options.seeds_per_fault);
    for (uint64_t round = 0; round < rounds && !clock.is_over(); ++round) {
        const uint64_t seed = options.first_seed + round;
        if (round < options.clean_files) {
            ++result.clean_files;
            if (const Complaint complaint = generated_is_clean(generator, nth_file(seed))) {
                ++result.not_clean;
                complain(result.complaints, *complaint);
            }
        }
        if (round >= options.seeds_per_fault) continue;
        for (size_t i = 0; i < faults.size(); ++i) {
            try_fault(generator, faults[i], seed, result.faults[i], result);
            if (options.salvaged_every != 0 && (seed + i) % options.salvaged_every == 0)
                try_repairs(generator, faults[i], seed, result);
        }
    }
    return result;
}

GroupSoakResult soak_groups(const std::vector<std::vector<GroupFile>>& groups, uint64_t count, uint64_t first_seed) {
    GroupSoakResult result;
    for (uint64_t seed = first_seed; result.groups < count && !groups.empty(); ++seed, ++result.groups) {
        const MutatedGroup group = mutated(groups[seed % groups.size()], seed);
        const Complaint complaint = group_holds(group.files, seed);
        if (!complaint) continue;
        ++result.failed;
        complain(result.complaints, "group " + std::to_string(seed) + ": " + *complaint);
    }
    return result;
}

std::string table_of(const SoakResult& result) {
    std::string text = padded("rule", 44) + padded("tried", 10) + padded("planted", 10) + "found\n";
    for (const FaultTally& tally : result.faults)
        text += padded(std::string(tally.rule->id), 44) + padded(std::to_string(tally.tried), 10) +
                padded(std::to_string(tally.planted), 10) + std::to_string(tally.found) + '\n';
    text += "generated files: " + std::to_string(result.clean_files) +
            ", not clean: " + std::to_string(result.not_clean) + '\n';
    text += "planted faults: " + std::to_string(result.planted()) + ", found: " + std::to_string(result.found()) + '\n';
    return text + line_of(result.repairs);
}

}  // namespace tracelint
