// State machines as tables: state x symbol -> next state, or the rule that the pair violates and how to
// go on. Totality and reachability are proven at compile time; the table is printed in the docs.
#pragma once

#include <array>
#include <string_view>

#include "validator/rule.hpp"

namespace tracelint {

// What the walk does with the input of an edge.
enum class Recovery : uint8_t {
    accept,  // process it; with a rule: report, then process it all the same
    skip,    // step over it without looking inside
    stop,    // nothing after it can be trusted
};

// State and Symbol are enums that count up from 0 and end in `count_`; names_of(State{}) and
// names_of(Symbol{}) give their names.
template <class State, class Symbol>
struct Edge {
    State from;
    Symbol on;
    State to;
    Recovery recovery = Recovery::accept;
    const Rule* rule = nullptr;
};

template <class State, class Symbol>
struct Machine {
    static constexpr size_t kStates = static_cast<size_t>(State::count_);
    static constexpr size_t kSymbols = static_cast<size_t>(Symbol::count_);

    std::array<std::array<Edge<State, Symbol>, kSymbols>, kStates> table{};

    constexpr const Edge<State, Symbol>& at(State state, Symbol symbol) const {
        return table[static_cast<size_t>(state)][static_cast<size_t>(symbol)];
    }
};

// Refuses, at compile time, a table with a pair missing or given twice, a state that no edge reaches,
// or a state other than `last` that no edge leaves.
template <class State, class Symbol, size_t N>
consteval Machine<State, Symbol> make_machine(const Edge<State, Symbol> (&edges)[N], State first, State last) {
    using M = Machine<State, Symbol>;
    M machine;
    std::array<std::array<bool, M::kSymbols>, M::kStates> given{};
    std::array<bool, M::kStates> reached{}, left{};
    reached[static_cast<size_t>(first)] = true;
    for (const auto& edge : edges) {
        const auto from = static_cast<size_t>(edge.from), on = static_cast<size_t>(edge.on);
        if (given[from][on]) throw "a state and a symbol have two edges";
        given[from][on] = true;
        machine.table[from][on] = edge;
        reached[static_cast<size_t>(edge.to)] = true;
        if (edge.to != edge.from) left[from] = true;
    }
    for (size_t state = 0; state < M::kStates; ++state) {
        if (!reached[state]) throw "no edge reaches a state";
        if (state == static_cast<size_t>(last)) continue;
        if (!left[state]) throw "no edge leaves a state";
        for (bool pair : given[state])
            if (!pair) throw "a state has no edge for a symbol";
    }
    return machine;
}

// The same table without its types, for docs and generic tests.
struct MachineRow {
    std::string_view state, symbol, next;
    Recovery recovery;
    const Rule* rule;
};

}  // namespace tracelint
