// The oracles: properties that hold for any bytes, any generated file or any planted fault. Fuzz targets, deterministic
// tests and the replay of the corpus share these functions.
#pragma once

#include "validator/generator/generator.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What is wrong, as a sentence; nothing if the property holds.
using Complaint = std::optional<std::string>;

// The bytes of a file, the format if it is given rather than recognised, and the options of the check.
struct Input {
    Bytes bytes;
    const Format* format = nullptr;  // null: recognise it
    Settings settings = {};
    size_t kept_per_rule = 0;  // as in ReportOptions
    Limits limits = {};
};

// Checks the input. Keeps every finding unless the input limits them.
Outcome check_all(const Input& input);

// Bounds on work: per byte of input, and for recognition, whatever the size.
inline constexpr uint64_t kWorkPerByte = 8;
inline constexpr uint64_t kWorkAtLeast = kDetectionBytes;
// The most memory that a check may take from its budget, for each byte of the file, when it keeps the default number of
// findings. Tables double when they are full and hold the old one meanwhile, so it grows in steps.
inline constexpr uint64_t kMemoryPerByte = 32;

// The check ends within the bound on work, decompresses no more than the size of the file allows, in all layers of it,
// and every finding is in the file.
Complaint never_crash(const Input& input);

// With less memory, or a lower limit on records, no finding is new but the notes about the limit; and where a finding
// is missing, or counted without being listed, such a note is there and the outcome says that a limit was hit. What is
// found of the input and its container is listed, whatever the limit. `seed` chooses limits that are low enough
// to matter, and the sizes of the reads.
Complaint within_limits(const Input& input, uint64_t seed);

// Any splitting of the input, seekable or not, gives the same report, also within limits as above.
Complaint chunks_agree(const Input& unlimited, uint64_t seed);

// Feeding the input in pieces gives the same report as reading it from a pipe, with and without a thread.
Complaint pushes_agree(const Input& input, uint64_t seed);

// Every read by name equals that of the table interpreter. Builds with TRACELINT_AGREEMENT compare each read and abort
// on a difference; in other builds this oracle complains that nothing was compared.
Complaint fast_equals_plain(const Input& input);

// Decoding a file and encoding the records reproduces its bytes.
Complaint round_trip(const Format& format, Bytes file);

// A generated file has no error and no warning.
Complaint generated_is_clean(const Generator& generator, const GenerateOptions& options);
// As above, and decoding it returns the values that it was generated with.
Complaint generated_is_sound(const Generator& generator, const GenerateOptions& options);

// The planted fault is reported exactly where it was planted, along with no errors or warnings except its declared
// consequences. `fitted` receives whether the file has a place for the fault.
Complaint planted_fault(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options,
                        bool* fitted = nullptr);
// The same for a given file of the format, which must have no error and no warning.
Complaint planted_fault(const Format& format, const PlantedFault& fault, Bytes file, uint64_t seed,
                        bool* fitted = nullptr);

// Files generated from the same seed in either byte order have the same findings at the same places.
Complaint mirrored(const Generator& generator, GenerateOptions options);
// A file without errors and warnings has the same findings after the byte order of every value is reversed.
Complaint mirrored_file(const Format& format, Bytes file);

// At most one format claims the bytes with the highest confidence, bytes after the opening do not matter, and check()
// chooses that format however the file is read. `seed` chooses the sizes of the reads.
Complaint recognition(Bytes file, uint64_t seed);

// Whether the bytes are recognised as a container, gzip or zstd.
bool is_container(Bytes file);
// A file in a container, of one member or frame or of several, has the same findings as without it; and a trace's
// container that is truncated, followed by a byte, or has a flipped bit has a finding of its own, unless the bit has no
// effect. `seed` chooses one of the five, the container, its compression, and the place of the damage.
Complaint container(const Input& input, uint64_t seed);

// Truncating a file keeps all findings before the truncated record.
Complaint prefix(const Format& format, Bytes file, uint64_t cut);
// A file without errors and warnings has none while it is being written, with `growing`: nothing is reported for what
// is not there yet.
Complaint growing(const Format& format, Bytes file, uint64_t cut);

}  // namespace tracelint
