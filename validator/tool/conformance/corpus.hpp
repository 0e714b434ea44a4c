// A conformance corpus as `conform` uses it: files, and what a reader must do with each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "validator/tool/conformance/expected.hpp"

namespace tracelint {

struct ConformanceEntry {
    const Format* format = nullptr;
    std::string file;  // relative to the folder of the format
    std::string rule;  // that it is about; for an exhibit that of its worst finding; may be empty
    std::string shows;
    ReaderDuty duty = ReaderDuty::must_accept;
};

class ConformanceCorpus {
  public:
    virtual ~ConformanceCorpus() = default;
    // In the order of the corpus.
    const std::vector<ConformanceEntry>& entries() const { return entries_; }
    // The path of a file, which is there until release(). Empty if it cannot be written.
    virtual std::string place(size_t entry) = 0;
    virtual void release(size_t entry) { (void)entry; }

  protected:
    std::vector<ConformanceEntry> entries_;
};

// What the program carries: the cases of all rules and the museum, as exported. Files are written to a scratch folder
// for as long as they are in use. `only`: null for all formats. Null, with a reason, if there is no scratch folder.
std::unique_ptr<ConformanceCorpus> embedded_corpus(const Format* only, std::string& failure);

// An exported corpus, or one of the folders in it, or a folder that `generate` or `mutate` has filled. Null, with a
// reason, if the folder is none of these. Paths that lead out of the folder are refused.
std::unique_ptr<ConformanceCorpus> corpus_in(const std::string& folder, const Format* only, std::string& failure);

}  // namespace tracelint
