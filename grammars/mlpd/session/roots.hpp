// mlpd, section 4.3.9: memory areas that are registered as roots.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/waiting.hpp"

namespace tracelint::mlpd {

class Roots {
  public:
    explicit Roots(FileState& file) : file_(file), live_(file.context.budget, file.context.work) {}

    // `start`: the first address of the area.
    void enter(uint64_t start, const Spot& event);
    void leave(uint64_t start, const Spot& event);
    // Reports everything that the events so far give rise to: at the end of a buffer.
    void take_all();

  private:
    struct Root {
        uint64_t key = 0;  // first address
        bool is_registered = false;
        bool is_vacant() const { return !is_registered; }
    };
    // An event that enters the table later, once the prefetched slot has arrived in the cache.
    struct Use {
        uint64_t start;
        bool registers;
        Spot event;
    };
    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::roots); }
    void note(const Use& use);
    void take(const Use& use);

    FileState& file_;
    HashTable<Root> live_;
    Waiting<Use, 16> uses_;
};

extern const RuleList kRootRules;

}  // namespace tracelint::mlpd
