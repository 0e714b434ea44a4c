// State machines: what take() and step() do with the rows of the toy's tables, and that the tables of every format are
// whole.
#include "validator/tables/machine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/toy/checks/tasks.hpp"
#include "tests/toy/formats.hpp"
#include "tests/toy/machine.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using toy::kMachine;
using toy::kTaskTracker;
using toy::State;
using toy::Symbol;
using toy::TaskEvent;
using toy::TaskState;

// Writes down what take() calls.
struct Recorder {
    std::string calls;
    void report(const Rule& rule, Symbol) { calls += "report " + std::string(rule.id) + ", "; }
    void accept(Symbol) { calls += "accept"; }
    void skip(Symbol) { calls += "skip"; }
    void stop(Symbol) { calls += "stop"; }
};

TEST_CASE("take() reports the rule of an edge, moves, and carries out the recovery") {
    struct Step {
        State from;
        Symbol on;
        State to;
        std::string_view calls;
    };
    const Step steps[] = {
        {State::header, Symbol::header, State::records, "accept"},
        {State::header, Symbol::foreign_magic, State::stopped, "report toy/bad-magic, stop"},
        {State::records, Symbol::record, State::records, "accept"},
        {State::records, Symbol::close, State::closed, "accept"},
        {State::records, Symbol::unknown_kind, State::records, "report toy/unknown-kind, skip"},
        {State::records, Symbol::end_of_file, State::stopped, "report toy/not-closed, stop"},
        {State::closed, Symbol::end_of_file, State::stopped, "stop"},
        {State::closed, Symbol::record, State::records, "report toy/record-after-close, accept"},
        {State::closed, Symbol::close, State::closed, "report toy/record-after-close, accept"},
        {State::closed, Symbol::unknown_kind, State::records,
         "report toy/record-after-close, report toy/unknown-kind, skip"},
        {State::closed, Symbol::cut_record, State::stopped,
         "report toy/record-after-close, report toy/truncated-record, stop"},
    };
    for (const Step& step : steps) {
        CAPTURE(step.calls);
        State state = step.from;
        Recorder recorder;
        take(kMachine, state, step.on, recorder);
        CHECK(state == step.to);
        CHECK(recorder.calls == step.calls);
    }
}

// Looks at the state of the machine when it is called.
struct Witness {
    const State& state;
    State reported = State::count_, stopped = State::count_;
    void report(const Rule&, Symbol) { reported = state; }
    void accept(Symbol) {}
    void skip(Symbol) {}
    void stop(Symbol) { stopped = state; }
};

TEST_CASE("an edge is reported in its own state, and carried out in the next one") {
    State state = State::records;
    Witness witness{state};
    take(kMachine, state, Symbol::short_size, witness);
    CHECK(witness.reported == State::records);
    CHECK(witness.stopped == State::stopped);
}

TEST_CASE("step() moves a tracker and returns the rule that the event violates") {
    TaskState state = TaskState::idle;
    CHECK(step(kTaskTracker, state, TaskEvent::finish) == &toy::kFinishWithoutStart);
    CHECK(state == TaskState::idle);
    CHECK(step(kTaskTracker, state, TaskEvent::start) == nullptr);
    CHECK(state == TaskState::running);
    CHECK(step(kTaskTracker, state, TaskEvent::start) == &toy::kStartedTwice);
    CHECK(state == TaskState::running);
    CHECK(step(kTaskTracker, state, TaskEvent::end_of_file) == &toy::kNeverFinished);
    CHECK(state == TaskState::over);
}

TEST_CASE("a table answers at compile time, and its rows are listed by name") {
    static_assert(kMachine.at(State::header, Symbol::header).to == State::records);
    static_assert(kMachine.at(State::closed, Symbol::record).recovery == Recovery::again);
    static_assert(!is_possible(kMachine.at(State::records, Symbol::header)));
    const auto rows = rows_of(kTaskTracker, toy::kTaskStateNames, toy::kTaskEventNames, TaskState::over);
    REQUIRE(rows.size() == 6);
    CHECK(rows[1].state == "idle");
    CHECK(rows[1].symbol == "finish");
    CHECK(rows[1].next == "idle");
    CHECK(rows[1].rule == &toy::kFinishWithoutStart);
    CHECK_FALSE(rows[1].recovery.has_value());
    const auto of_file = rows_of(kMachine, toy::kStateNames, toy::kSymbolNames, State::stopped);
    CHECK(of_file.size() == 30);
    CHECK(of_file[1].recovery == Recovery::stop);
}

void check_total(const MachineTable& machine, const std::vector<const Rule*>& rules) {
    std::set<std::string> states, symbols, pairs;
    const std::vector<MachineRow> rows = machine.rows();
    for (const MachineRow& row : rows) {
        states.emplace(row.state);
        symbols.emplace(row.symbol);
        CHECK(pairs.insert(std::string(row.state) + " x " + std::string(row.symbol)).second);
        if (row.rule != nullptr) CHECK(std::ranges::find(rules, row.rule) != rules.end());
        if (row.recovery == Recovery::again) CHECK(row.rule != nullptr);
        // What is skipped in silence in one state has its rule in another.
        const auto names_it = [&](const MachineRow& other) {
            return other.symbol == row.symbol && other.rule != nullptr;
        };
        if (row.recovery == Recovery::skip) CHECK(std::ranges::any_of(rows, names_it));
    }
    CHECK(pairs.size() == states.size() * symbols.size());
}

void check_total(const Format& format) {
    const std::vector<const Rule*> rules = rules_of(format);
    for (const Grammar* grammar : format.grammars)
        for (const MachineTable& machine : grammar->machines) {
            CAPTURE(grammar->id);
            CAPTURE(machine.about);
            check_total(machine, rules);
        }
}

TEST_CASE("the machines of every format are total, and its rules are in the catalogue") {
    check_total(kToy);
    for (const Format* format : formats()) check_total(*format);
}

}  // namespace
}  // namespace tracelint
