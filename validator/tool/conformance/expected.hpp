// expected.json: what a check finds in each file of a folder, and what a reader must do with it. The exported
// conformance corpus has one for each format; so have the folders that generate and mutate fill. expected.schema.json
// describes it.
#pragma once

#include <string>
#include <vector>

#include "validator/generator/conformance.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

struct ExpectedFile {
    std::string file;  // path relative to the folder
    std::string kind;  // violation, near miss, exhibit, mutant, valid
    std::string shows;
    std::string rule;  // that the file is about; empty: null
    std::string spec;
    ReaderDuty duty = ReaderDuty::must_accept;
    std::vector<std::string> options{};  // of tracelint, that the file needs
    std::vector<Expectation> findings{};
    std::string report{}, story{}, cost{};  // of exhibits
};

// Writes the document, one line for each file.
class ExpectedWriter {
  public:
    ExpectedWriter(Sink& sink, const Format& format);
    void add(const ExpectedFile& file);
    void finish();

  private:
    Sink& sink_;
    bool any_file_ = false;
};

}  // namespace tracelint
