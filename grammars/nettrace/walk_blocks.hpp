// nettrace, section 4.3: the walk over the blocks of version 6.
#pragma once

#include "grammars/nettrace/checks/session.hpp"
#include "grammars/nettrace/machine_blocks.hpp"

namespace tracelint::nettrace {

class BlockWalk {
  public:
    using State = plain_blocks::State;
    using Symbol = plain_blocks::Symbol;

    // `begin`: of the first block.
    BlockWalk(Session& session, uint64_t begin, uint64_t minor) : session_(session), offset_(begin), minor_(minor) {}

    void run() {
        while (state_ != State::stopped) take(kBlockMachine, state_, look(), *this);
    }

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    Symbol look();
    Symbol look_at_block();
    void walk_block();
    void look_ahead();

    Session& session_;
    State state_ = State::first_block;
    uint64_t offset_;  // of the cursor
    const uint64_t minor_;
    Block block_;
    uint64_t kind_ = 0;  // as in the file
    BlockEnd ended_;
    uint64_t ahead_at_ = 0;  // where look_ahead() is
};

// Data behind the end of the stream.
void report_trailing(Session& session, uint64_t end);

}  // namespace tracelint::nettrace
