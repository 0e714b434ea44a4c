// The conformance corpus: the cases of the rules and the exhibits of the museum as files with their expected findings,
// for testing any reader or writer.
#pragma once

#include <span>

#include "validator/generator/case_file.hpp"

namespace tracelint {

// What a reader must do with a file. Follows from the worst finding: error, warning, or neither.
enum class ReaderDuty : uint8_t {
    must_refuse,  // or report the fault; accepting the file silently is a defect of the reader
    may_accept,
    must_accept,
};
std::string_view to_string(ReaderDuty duty);
ReaderDuty duty_of(std::span<const Expectation> findings);

// One file. Refers to the case it is made from, which must outlive it.
struct ConformanceFile {
    std::string path;  // relative to the folder of the format
    const CaseFile* origin;
    const CaseBlock* block;

    ReaderDuty duty() const { return duty_of(block->expected); }
    std::string_view kind() const;  // violation, near miss, exhibit
    // For the command line of tracelint: --samply-260=tier, --as=xray.
    std::vector<std::string> options() const;
};

// The atomic cases in corpus order: those that break one rule, or nearly break it, and have no other error or warning.
// Files that need one of tracelint's limits and files larger than 64 KiB are left out. If a rule has no atomic case,
// its case with the fewest other errors and warnings is used.
std::vector<ConformanceFile> conformance_files(const Format& format, const std::vector<CaseFile>& cases,
                                               const std::vector<CaseFile>& exhibits);

// The name of an exhibit's file, which is in the folder of its case: <slug>.<format>, or the name given in the case.
std::string exhibit_name(const Format& format, const CaseFile& exhibit);

}  // namespace tracelint
