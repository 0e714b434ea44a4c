// perf.data, section 3.8: the contents of feature sections.
#pragma once

#include "grammars/perfdata/checks/attrs.hpp"

namespace tracelint::perfdata {

inline constexpr uint64_t kFeatureBits = 256;

// "5.4.215" as three numbers.
using Release = std::array<uint32_t, 3>;

// Reports a build id that is shorter than most. `size`: as the record says.
void check_build_id(State& state, uint16_t misc, uint64_t size, const Place& place);
// Reports the size of a build id, at `place`, if no build id is so long.
void check_build_id_size(State& state, uint64_t size, const Place& place);

// A feature section of a file, or the one in a HEADER_FEATURE.
struct FeatureSection {
    uint64_t feature = 0;
    Bytes bytes;
    uint64_t offset = 0;                   // in the file
    const RecordInFile* record = nullptr;  // the HEADER_FEATURE that it is in

    // `length` bytes at `at`, of a field of its table if one is named.
    Place place(uint64_t at, uint64_t length, std::string_view field = {}) const;
    Place whole() const { return place(0, bytes.size()); }
};

class Features {
  public:
    Features(State& state, const Attrs& attrs) : state_(state), attrs_(attrs) {}

    // The bit of a feature, whose place is `place`.
    void note(uint64_t feature, const Place& place);
    bool has(uint64_t feature) const { return (seen_[feature / 64] >> feature % 64 & 1) != 0; }
    // Whether contents of the section are judged.
    static bool is_judged(uint64_t feature);
    // Whether the section is read as a whole, however large it is.
    static bool is_read_as_whole(uint64_t feature);
    void check(const FeatureSection& section);
    // A HEADER_FEATURE.
    void check_record(const RecordInFile& record);

    // The place of the fault in section COMPRESSED of a file with compressed records; empty if there is no fault.
    const std::optional<Place>& unusable_compression() const { return unusable_compression_; }
    // The perf that wrote the file, and the text that says so; empty: it is not known.
    const std::optional<Release>& version() const { return version_; }
    const Place& version_place() const { return version_place_; }

  private:
    void check_text(const FeatureSection& section);
    void check_command_line(const FeatureSection& section);
    void check_events(const FeatureSection& section);
    void check_build_ids(const FeatureSection& section);
    void check_clock(const FeatureSection& section);
    bool is_large_enough(const FeatureSection& section);
    // Reports that one or several strings do not fit into the section.
    void report_short(const Rule& rule, const FeatureSection& section, const Place& place, uint64_t needed,
                      uint64_t left);
    // Checks the string at `at` and returns where it ends; kNone if it does not fit.
    uint64_t check_string_at(const FeatureSection& section, uint64_t at, const Rule& too_long);
    uint64_t number(const FeatureSection& section, uint64_t at, unsigned width) const {
        return load(section.bytes.data() + at, width, state_.order);
    }

    State& state_;
    const Attrs& attrs_;
    std::array<uint64_t, kFeatureBits / 64> seen_{};
    std::optional<Place> unusable_compression_;
    std::optional<Release> version_;
    Place version_place_;
};

extern const RuleList kFeatureRules;

}  // namespace tracelint::perfdata
