// The oracles of the design: what must hold for any bytes, for any generated file, for any planted fault. Fuzz
// targets, the deterministic tests and the replay of the corpus ask the same functions.
#pragma once

#include "fuzz/plant.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What is wrong, in words; nothing when all is well.
using Complaint = std::optional<std::string>;

// Bytes of a file, and the format that the user insists on; null: it is recognised.
struct Input {
    Bytes bytes;
    const Format* format = nullptr;
};

// A check of `input` with everything kept.
Outcome check_all(const Input& input);

// The bound of work: so much for each byte, and the opening, which is looked at whatever the size.
inline constexpr uint64_t kWorkPerByte = 8;
inline constexpr uint64_t kWorkAtLeast = kDetectionBytes;

// It ends, within the bound of work, and every range lies in the file.
Complaint never_crash(const Input& input);

// Any splitting of the input, seekable or not, gives the same report.
Complaint chunks_agree(const Input& input, uint64_t seed);

// Every read by name equals the table interpreter's. The reads compare themselves in a build with
// TRACELINT_AGREEMENT and end the program; in any other build this complains that nothing was compared.
Complaint fast_equals_plain(const Input& input);

// Taking a file apart and putting it together gives the same bytes.
Complaint round_trip(const Format& format, Bytes file);
// A generated file, taken apart, has the values that it was generated with.
Complaint generated_round_trip(const Format& format, const GenerateOptions& options);

// What the generator writes has no error and no warning.
Complaint generated_is_clean(const Format& format, const GenerateOptions& options);

// The broken rule is found exactly where it was broken, and no other error or warning than the declared ones.
// `fitted` says whether the file offered a place.
Complaint planted_fault(const Format& format, const PlantedFault& fault, const GenerateOptions& options,
                        bool* fitted = nullptr);

// The same draws in the other byte order give the same findings at the same places.
Complaint mirrored(const Format& format, GenerateOptions options);
// A file without error or warning, mirrored value by value, has the same findings.
Complaint mirrored_file(const Format& format, Bytes file);

// Cutting a file keeps the findings that lie before the record that the cut hits.
Complaint prefix(const Format& format, Bytes file, uint64_t cut);

}  // namespace tracelint
