// The conformance corpus: the cases of the rules and the exhibits of the museum as files that anyone may hold a reader
// or a writer against, each with what is to be found in it.
#pragma once

#include "validator/generator/case_file.hpp"

namespace tracelint {

// What a reader owes a file. By the worst of its findings: error, warning, none or notes.
enum class ReaderDuty : uint8_t {
    must_refuse,  // or say what is wrong; to take it without a word is a fault of the reader
    may_accept,
    must_accept,
};
std::string_view to_string(ReaderDuty duty);

// Of the cases that it is made of, which must outlive it.
struct ConformanceFile {
    std::string path;  // in the folder of the format
    const CaseFile* origin;
    const CaseBlock* block;

    ReaderDuty duty() const;
    std::string_view kind() const;  // violation, near miss, exhibit
    // As the command line of tracelint has them: --samply-260=tier, --as=xray.
    std::vector<std::string> options() const;
};

// The atomic ones of the cases: a rule is broken, or nearly so, and no other error or warning is there. Left out are
// files that need a limit of tracelint's own, and files larger than 64 KiB. Where nothing else shows a rule, the one
// that comes next is taken. In the order of the cases.
std::vector<ConformanceFile> conformance_files(const Format& format, const std::vector<CaseFile>& cases,
                                               const std::vector<CaseFile>& exhibits);

// The name of an exhibit's file, which stands beside its case: <slug>.<format>, or the one that the case gives it.
std::string exhibit_name(const Format& format, const CaseFile& exhibit);

}  // namespace tracelint
