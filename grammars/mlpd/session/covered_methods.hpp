// mlpd, section 4.3.11: the methods that code coverage lists, and their statements.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"

namespace tracelint::mlpd {

class CoveredMethods {
  public:
    explicit CoveredMethods(FileState& file) : file_(file), methods_(file.context.budget, file.context.work) {}

    // A COVERAGE_METHOD; `statements` as the writer's int (section 3.9).
    void method(uint64_t id, uint64_t statements, const Spot& event);
    // A COVERAGE_STATEMENT.
    void statement(uint64_t id, const Spot& event);
    // The end of the file.
    void finish();

  private:
    struct Method {
        uint64_t key = 0;
        Spot event{};  // the COVERAGE_METHOD, or before it the first COVERAGE_STATEMENT
        bool is_method = false;
        uint64_t announced = 0, found = 0;  // statements
    };
    Method* at(uint64_t id, const Spot& event);

    FileState& file_;
    IdTable<Method> methods_;
};

extern const RuleList kCoverageRules;

}  // namespace tracelint::mlpd
