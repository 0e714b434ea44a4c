// The oracles of the design: what must hold for any bytes, for any generated file, for any planted fault. Fuzz
// targets, the deterministic tests and the replay of the corpus ask the same functions.
#pragma once

#include "validator/generator/plant.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What is wrong, in words; nothing when all is well.
using Complaint = std::optional<std::string>;

// Bytes of a file, the format that the user insists on (null: it is recognised), and what else the user chose.
struct Input {
    Bytes bytes;
    const Format* format = nullptr;
    Settings settings = {};
    size_t kept_per_rule = 0;  // as in ReportOptions
};

// A check of `input`, which keeps every finding unless it says otherwise.
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

// What the generator writes has no error and no warning.
Complaint generated_is_clean(const Generator& generator, const GenerateOptions& options);
// That, and taken apart it has the values that it was generated with.
Complaint generated_is_sound(const Generator& generator, const GenerateOptions& options);

// The broken rule is found exactly where it was broken, and no other error or warning than the declared ones.
// `fitted` says whether the file offered a place.
Complaint planted_fault(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options,
                        bool* fitted = nullptr);
// The same for any file of the format without error or warning.
Complaint planted_fault(const Format& format, const PlantedFault& fault, Bytes file, uint64_t seed,
                        bool* fitted = nullptr);

// The same draws in the other byte order give the same findings at the same places.
Complaint mirrored(const Generator& generator, GenerateOptions options);
// A file without error or warning, mirrored value by value, has the same findings.
Complaint mirrored_file(const Format& format, Bytes file);

// Recognition: one format claims the bytes at most, bytes behind the opening have no say, and check() takes the
// format that claims, however the bytes come. `seed` chooses the pieces.
Complaint recognition(Bytes file, uint64_t seed);

// Whether the bytes are taken for a gzip container.
bool is_container(Bytes file);
// The file in a gzip container has the findings that it has without; or the container that is cut, followed by a
// byte or flipped in a bit has a finding of its own, unless the bit means nothing. `seed` chooses one of the four, how
// the file is packed and where the container is damaged.
Complaint container(const Input& input, uint64_t seed);

// Cutting a file keeps the findings that lie before the record that the cut hits.
Complaint prefix(const Format& format, Bytes file, uint64_t cut);

}  // namespace tracelint
