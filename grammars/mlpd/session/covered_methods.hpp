// mlpd, section 5, rule 99: the statements of covered methods.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kCoverageDanglingStatement{
    .id = "mlpd/coverage-dangling-statement",
    .severity = Severity::warning,
    .statement = "a covered method has one COVERAGE_METHOD, and as many COVERAGE_STATEMENTs as that says",
    .message = "{1 COVERAGE_STATEMENT has|COVERAGE_STATEMENTs have} method_id {0}, and {2 is|are} announced",
    .why = "readers attach statements to no method, or wait for more; the covered share comes out wrong",
    .spec = "3.6.9 TYPE_COVERAGE (9)",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

inline constexpr const Rule* kCoverageRules[] = {&kCoverageDanglingStatement};

class Coverage {
  public:
    explicit Coverage(FileState& file) : file_(file), methods_(file.context.budget, file.context.work) {}

    // A COVERAGE_METHOD; `statements` as the writer's int (3.9).
    void method(uint64_t id, uint64_t statements, const Spot& event);
    void statement(uint64_t id, const Spot& event);
    void finish();

  private:
    struct Method {
        uint64_t key = 0;
        Spot event{};  // the COVERAGE_METHOD, or before it the first COVERAGE_STATEMENT
        bool is_method = false;
        uint64_t said = 0, found = 0;  // statements
    };
    Method* at(uint64_t id, const Spot& event);

    FileState& file_;
    IdTable<Method> methods_;
};

}  // namespace tracelint::mlpd
