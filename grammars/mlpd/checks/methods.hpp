// mlpd: methods, and what code coverage says of them.
#pragma once

#include "grammars/mlpd/checks/id_table.hpp"
#include "grammars/mlpd/checks/state.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.7: methods, which JIT events define.

class Methods {
  public:
    explicit Methods(FileState& file)
        : file_(file), settled_(16384, file.context.work), methods_(file.context.budget, file.context.work) {}

    // The last methods whose uses add nothing new.
    const SettledIds& settled() const { return settled_; }
    bool step_use(uint64_t method) const { return settled_.holds(method); }
    // A method is used at `place`; null is not a use.
    void use(uint64_t method, const Place& place) {
        if (!step_use(method)) note_use(method, place);
    }
    // Notes the use of a method that is not settled.
    [[gnu::noinline]] void note_use(uint64_t method, const Place& place);
    // Notes the use of a method that is not at home among the settled ones.
    void use_at_home(uint64_t method, const Place& place) {
        if (!settled_.bring_home(method)) note_use(method, place);
    }
    // A JIT event.
    void define(uint64_t method, const Spot& event);
    // Reports everything that the events so far give rise to: at the end of a buffer.
    void take_all();
    // The end of the file.
    void finish();

  private:
    struct Method {
        uint64_t key = 0;
        [[no_unique_address]] ShortPlace first_use{};  // not set: none so far
        bool is_defined = false;
    };
    static_assert(sizeof(Method) == 32);
    // A use or a definition. It enters the table later, once the prefetched slot has arrived in the cache.
    struct Noted {
        uint64_t method;
        bool is_definition;
        Place place;
    };
    void note(const Noted& noted);
    void take(const Noted& noted);
    void take_definition(Method& defined, const Place& place);

    FileState& file_;
    SettledIds settled_;
    IdTable<Method> methods_;
    PlaceKinds kinds_;
    DelayQueue<Noted, 32> noted_;
};

extern const RuleList kMethodsRules;

// mlpd, section 4.3.11: the methods that code coverage lists, and their statements.

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

}  // namespace tracelint::mlpd
