// mlpd: GC handles and roots.
#pragma once

#include "grammars/mlpd/checks/state.hpp"
#include "validator/memory/delay_queue.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.9: GC handles.

class Handles {
  public:
    explicit Handles(FileState& file) : file_(file), live_(file.context.budget, file.context.work) {}

    void create(uint64_t type, uint64_t handle, const Spot& event);
    void destroy(uint64_t type, uint64_t handle, const Spot& event);
    // Reports everything that the events so far give rise to: at the end of a buffer.
    void take_all();

  private:
    // Slots are reused, so a number is not enough to identify a handle.
    struct Handle {
        struct Key {
            uint64_t type,
                number;  // the number of the handle plus 1, which never wraps as that is an int (section 3.9)
            bool operator==(const Key&) const = default;
            uint64_t hash_with(uint64_t seed) const { return seeded(number ^ seeded(type, seed), seed); }
        } key;
        bool is_vacant() const { return key.number == 0; }
    };
    // An event that enters the table later, once the prefetched slot has arrived in the cache.
    struct Use {
        Handle::Key key;
        bool creates;
        Spot event;
    };
    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::handles); }
    void note(const Use& use);
    void take(const Use& use);

    FileState& file_;
    HashTable<Handle> live_;
    DelayQueue<Use, 16> uses_;
};

extern const RuleList kHandlesAndRootsRules;

// mlpd, section 4.3.9: memory areas that are registered as roots.

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
    DelayQueue<Use, 16> uses_;
};

}  // namespace tracelint::mlpd
