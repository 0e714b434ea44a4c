// What is behind Session.
#pragma once

#include "validator/library/company.hpp"

namespace tracelint {

struct Session::State {
    // What the check points to. Its thread also owns it.
    struct Chosen {
        explicit Chosen(const Options& given) : options(given), prepared(options) {
            if (prepared.fault().empty()) company = std::make_unique<CompanyCheck>(prepared, options.file_name);
        }
        const Options options;
        PreparedOptions prepared;
        std::unique_ptr<CompanyCheck> company{};  // null: the options are wrong
    };
    explicit State(const Options& given)
        : chosen(std::make_shared<Chosen>(given)),
          check([of = chosen.get()](Source& source) { return of->company->check_input(source); }, PushedCheck::kQueue,
                chosen) {}
    // If on_finding destroys it on the thread of the check, that thread continues for a moment without it.
    ~State() {
        if (check.is_on_its_thread()) chosen->prepared.observer().end();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    std::shared_ptr<Chosen> chosen;
    PushedCheck check;
    Failure failed = Failure::none;  // of feed()
};

}  // namespace tracelint
