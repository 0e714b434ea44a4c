// State machines as tables. A walk classifies the bytes at its cursor as a symbol, and the machine decides what
// happens.
//
// A cell of the table is an Edge: the next state, the rule that this symbol breaks in this state, if any, and the
// Recovery (check the input, skip it, take it again in the next state, or stop). take() executes a cell by calling the
// walk's report(), accept(), skip() or stop(); step() does it for a machine that only judges an order of events
// (Tracker).
//
// make_table() proves at compile time that every pair of state and symbol has exactly one row, and that every state can
// be reached and left. The end of the file is also a symbol, so "the file ends too early" is a row like any other. The
// reference of a format prints these tables: what it shows is what runs.
#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "validator/tables/rule.hpp"

namespace tracelint {

// What the walk does with the input after the edge's rule, if any, is reported.
enum class Recovery : uint8_t {
    accept,      // check the input and step over it
    skip,        // step over the input unchecked
    again,       // take the same input again, in the next state
    stop,        // end the walk: what follows cannot be trusted, or nothing follows
    impossible,  // the symbol cannot occur in this state
};

// The place of an edge whose rule is about the whole input: the walk knows it.
struct NoPlace {};

// A row of a machine: one state, and a set of symbols that share a next state. State and Symbol are enums that count
// from 0 and end with `count_`. Place is a function of the walk that knows where the rule is broken, for machines whose
// rules are about parts of the input.
template <class State, class Symbol, class Place = NoPlace>
struct Edge {
    State from;
    uint32_t on;  // a set of symbols, as on() makes it
    State to;
    Recovery recovery = Recovery::accept;
    const Rule* rule = nullptr;
    [[no_unique_address]] Place place{};
};

// A row of a tracker: the machine of one thread or object. It checks the order of events that the walk has already
// read, so it has no recovery.
template <class State, class Symbol>
struct Transition {
    State from;
    uint32_t on;
    State to;
    const Rule* rule = nullptr;
    bool is_possible = true;
};

// The row for events that cannot occur in a state.
template <class State, class Symbol>
consteval Transition<State, Symbol> never(State from, uint32_t events) {
    return {from, events, from, nullptr, false};
}

template <class... Symbols>
consteval uint32_t on(Symbols... symbols) {
    return ((uint32_t{1} << static_cast<unsigned>(symbols)) | ...);
}

// A dense table: one cell for each pair of state and symbol.
template <class RowType, class State, class Symbol>
struct Table {
    using Row = RowType;
    static constexpr size_t kStates = static_cast<size_t>(State::count_);
    static constexpr size_t kSymbols = static_cast<size_t>(Symbol::count_);
    static_assert(kSymbols <= 32, "a set of symbols is a 32-bit mask");

    std::array<std::array<Row, kSymbols>, kStates> table{};

    constexpr const Row& at(State state, Symbol symbol) const {
        return table[static_cast<size_t>(state)][static_cast<size_t>(symbol)];
    }
};

template <class State, class Symbol, class Place = NoPlace>
using Machine = Table<Edge<State, Symbol, Place>, State, Symbol>;
template <class State, class Symbol>
using Tracker = Table<Transition<State, Symbol>, State, Symbol>;

template <class State, class Symbol, class Place>
constexpr bool is_possible(const Edge<State, Symbol, Place>& edge) {
    return edge.recovery != Recovery::impossible;
}
template <class State, class Symbol>
constexpr bool is_possible(const Transition<State, Symbol>& transition) {
    return transition.is_possible;
}

// Taking an input again in the same state would never end.
template <class State, class Symbol, class Place>
constexpr bool loops(const Edge<State, Symbol, Place>& edge) {
    return edge.recovery == Recovery::again && edge.to == edge.from;
}
template <class State, class Symbol>
constexpr bool loops(const Transition<State, Symbol>&) {
    return false;
}

// Expands rows into a table. Compile error: a pair without a row or with two, a state that no row reaches, a state
// other than `last` that no row leaves. Nothing is read in `last`. A state whose rows are all impossible does not exist
// in this version of the format, and no row may lead to it.
template <class State, class Symbol, class Row, size_t N>
consteval Table<Row, State, Symbol> make_table(const Row (&rows)[N], State first, State last) {
    using T = Table<Row, State, Symbol>;
    T made;
    std::array<std::array<bool, T::kSymbols>, T::kStates> given{};
    std::array<bool, T::kStates> reached{}, left{}, exists{};
    reached[static_cast<size_t>(first)] = exists[static_cast<size_t>(last)] = true;
    for (const auto& row : rows) {
        const auto from = static_cast<size_t>(row.from);
        if (loops(row)) throw "an input is taken again in the same state";
        for (size_t symbol = 0; symbol < T::kSymbols; ++symbol) {
            if ((row.on >> symbol & 1) == 0) continue;
            if (given[from][symbol]) throw "a state and a symbol have two rows";
            given[from][symbol] = true;
            made.table[from][symbol] = row;
        }
        if (!is_possible(row)) continue;
        exists[from] = true;
        reached[static_cast<size_t>(row.to)] = true;
        if (row.to != row.from) left[from] = true;
    }
    for (size_t state = 0; state < T::kStates; ++state) {
        if (reached[state] != exists[state]) throw "no row reaches a state, or one that does not exist";
        if (state == static_cast<size_t>(last)) continue;
        if (exists[state] && !left[state]) throw "no row leaves a state";
        for (bool pair : given[state])
            if (!pair) throw "a state has no row for a symbol";
    }
    return made;
}

template <class State, class Symbol, class Place, size_t N>
consteval Machine<State, Symbol, Place> make_machine(const Edge<State, Symbol, Place> (&edges)[N], State first,
                                                     State last) {
    return make_table<State, Symbol>(edges, first, last);
}

template <class State, class Symbol, size_t N>
consteval Tracker<State, Symbol> make_tracker(const Transition<State, Symbol> (&rows)[N], State first, State last) {
    return make_table<State, Symbol>(rows, first, last);
}

// Something happened that a table calls impossible. Aborts in builds with agreement checks.
inline void refuse_impossible() {
#ifdef TRACELINT_AGREEMENT
    std::abort();
#endif
}

// Feeds one symbol to a machine: reports the rule of its edge, moves to the next state and carries out the recovery.
// `walk` has these members:
//   report(rule, symbol)   report the edge's rule, with its place and numbers; report(edge, symbol) where edges have
//   places accept(symbol)         check the input and step over it skip(symbol)           step over the input unchecked
//   stop(symbol)           end the walk
// `state` is already the next state when accept, skip or stop is called.
template <class State, class Symbol, class Place, class Walk>
void take(const Table<Edge<State, Symbol, Place>, State, Symbol>& machine, State& state, Symbol symbol, Walk&& walk) {
    while (true) {
        const Edge<State, Symbol, Place>& edge = machine.at(state, symbol);
        if (edge.rule != nullptr) [[unlikely]] {
            if constexpr (std::is_same_v<Place, NoPlace>)
                walk.report(*edge.rule, symbol);
            else
                walk.report(edge, symbol);
        }
        state = edge.to;
        switch (edge.recovery) {
            case Recovery::accept: return walk.accept(symbol);
            case Recovery::skip: return walk.skip(symbol);
            case Recovery::again: break;
            case Recovery::impossible: refuse_impossible(); [[fallthrough]];
            case Recovery::stop: return walk.stop(symbol);
        }
    }
}

// Feeds one event to a tracker. Returns the rule that it violates, or null.
template <class State, class Symbol>
const Rule* step(const Tracker<State, Symbol>& tracker, State& state, Symbol event) {
    const Transition<State, Symbol>& row = tracker.at(state, event);
    if (!row.is_possible) refuse_impossible();
    state = row.to;
    return row.rule;
}

// One cell of a table without its types, for the reference and generic tests.
struct MachineRow {
    std::string_view state, symbol, next;
    std::optional<Recovery> recovery;  // empty in a tracker
    const Rule* rule = nullptr;
    bool is_possible = true;
};

template <class State, class Symbol, class Place>
constexpr std::optional<Recovery> recovery_of(const Edge<State, Symbol, Place>& edge) {
    return edge.recovery;
}
template <class State, class Symbol>
constexpr std::optional<Recovery> recovery_of(const Transition<State, Symbol>&) {
    return std::nullopt;
}

// The cells of a machine or tracker, those of `last` left out. `states` and `symbols` are the names, indexed by enum.
template <class Row, class State, class Symbol>
std::vector<MachineRow> rows_of(const Table<Row, State, Symbol>& machine, std::span<const std::string_view> states,
                                std::span<const std::string_view> symbols, State last) {
    using T = Table<Row, State, Symbol>;
    std::vector<MachineRow> rows;
    for (size_t state = 0; state < T::kStates; ++state) {
        if (state == static_cast<size_t>(last)) continue;
        for (size_t symbol = 0; symbol < T::kSymbols; ++symbol) {
            const auto& row = machine.table[state][symbol];
            rows.push_back({states[state], symbols[symbol], states[static_cast<size_t>(row.to)], recovery_of(row),
                            row.rule, is_possible(row)});
        }
    }
    return rows;
}

}  // namespace tracelint
