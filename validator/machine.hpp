// State machines as tables: state x symbol -> next state, or the rule that the pair violates and how to
// go on. Totality and reachability are proven at compile time; the table is printed in the docs.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "validator/rule.hpp"

namespace tracelint {

// What the walk does with the input of an edge, after reporting the edge's rule if it has one.
enum class Recovery : uint8_t {
    accept,      // look into it
    skip,        // step over it without looking inside
    again,       // take the same input once more in the next state
    stop,        // nothing after it can be trusted, or nothing is left
    impossible,  // the symbol cannot be met in this state
};

// State and Symbol are enums that count up from 0 and end in `count_`.
template <class State, class Symbol>
struct Edge {
    State from;
    uint32_t on;  // a set of symbols, made by on()
    State to;
    Recovery recovery = Recovery::accept;
    const Rule* rule = nullptr;
};

template <class... Symbols>
consteval uint32_t on(Symbols... symbols) {
    return ((uint32_t{1} << static_cast<unsigned>(symbols)) | ...);
}

template <class State, class Symbol>
struct Machine {
    static constexpr size_t kStates = static_cast<size_t>(State::count_);
    static constexpr size_t kSymbols = static_cast<size_t>(Symbol::count_);
    static_assert(kSymbols <= 32, "a set of symbols is a 32-bit mask");

    std::array<std::array<Edge<State, Symbol>, kSymbols>, kStates> table{};

    constexpr const Edge<State, Symbol>& at(State state, Symbol symbol) const {
        return table[static_cast<size_t>(state)][static_cast<size_t>(symbol)];
    }
};

// Refuses, at compile time, a pair without an edge or with two, a state that no edge reaches, and a
// state other than `last` that no edge leaves. Nothing is read in `last`. A state of which all edges are
// impossible does not exist (in this version of a format), and must not be reached.
template <class State, class Symbol, size_t N>
consteval Machine<State, Symbol> make_machine(const Edge<State, Symbol> (&edges)[N], State first, State last) {
    using M = Machine<State, Symbol>;
    M machine;
    std::array<std::array<bool, M::kSymbols>, M::kStates> given{};
    std::array<bool, M::kStates> reached{}, left{}, exists{};
    reached[static_cast<size_t>(first)] = exists[static_cast<size_t>(last)] = true;
    for (const auto& edge : edges) {
        const auto from = static_cast<size_t>(edge.from);
        for (size_t symbol = 0; symbol < M::kSymbols; ++symbol) {
            if ((edge.on >> symbol & 1) == 0) continue;
            if (given[from][symbol]) throw "a state and a symbol have two edges";
            given[from][symbol] = true;
            machine.table[from][symbol] = edge;
        }
        if (edge.recovery == Recovery::impossible) continue;
        exists[from] = true;
        reached[static_cast<size_t>(edge.to)] = true;
        if (edge.to != edge.from) left[from] = true;
    }
    for (size_t state = 0; state < M::kStates; ++state) {
        if (reached[state] != exists[state]) throw "no edge reaches a state, or one that does not exist";
        if (state == static_cast<size_t>(last)) continue;
        if (exists[state] && !left[state]) throw "no edge leaves a state";
        for (bool pair : given[state])
            if (!pair) throw "a state has no edge for a symbol";
    }
    return machine;
}

// One pair of a table without its types, for docs and generic tests.
struct MachineRow {
    std::string_view state, symbol, next;
    Recovery recovery;
    const Rule* rule;
};

// The rows of a machine, `last` left out. The names are indexed by the enums.
template <class State, class Symbol>
constexpr auto rows_of(const Machine<State, Symbol>& machine, std::span<const std::string_view> states,
                       std::span<const std::string_view> symbols, State last) {
    using M = Machine<State, Symbol>;
    std::array<MachineRow, (M::kStates - 1) * M::kSymbols> rows{};
    size_t row = 0;
    for (size_t state = 0; state < M::kStates; ++state) {
        if (state == static_cast<size_t>(last)) continue;
        for (size_t symbol = 0; symbol < M::kSymbols; ++symbol) {
            const auto& edge = machine.table[state][symbol];
            rows[row++] = {states[state], symbols[symbol], states[static_cast<size_t>(edge.to)], edge.recovery,
                           edge.rule};
        }
    }
    return rows;
}

}  // namespace tracelint
