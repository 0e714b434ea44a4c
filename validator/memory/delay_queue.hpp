// Work that is done a little later than it comes up, once what it needs was prefetched.
#pragma once

#include <array>
#include <cstddef>

namespace tracelint {

#ifdef __wasi__

// WebAssembly has no prefetch instruction, so nothing waits.
template <class Item, size_t Most>
class DelayQueue {
  public:
    template <class Take>
    void add(const Item& item, Take take) {
        take(item);
    }
    template <class Halfway, class Take>
    void add(const Item& item, Halfway, Take take) {
        take(item);
    }
    template <class Take>
    void take_all(Take) {}
};

#else

// A queue of the last items: each waits until `Most` others were added, or until all are taken.
template <class Item, size_t Most>
class DelayQueue {
  public:
    template <class Take>
    void add(const Item& item, Take take) {
        add(item, [](const Item&) {}, take);
    }
    // Calls `halfway` for the item that has waited for half of the others, to prefetch what it could not say before.
    template <class Halfway, class Take>
    void add(const Item& item, Halfway halfway, Take take) {
        Item& place = items_[added_++ % Most];
        if (added_ - taken_ > Most / 2) halfway(items_[(added_ - Most / 2 - 1) % Most]);
        if (added_ - taken_ > Most) take(items_[taken_++ % Most]);
        place = item;
    }
    template <class Take>
    void take_all(Take take) {
        while (taken_ != added_) take(items_[taken_++ % Most]);
    }

  private:
    std::array<Item, Most> items_;
    size_t added_ = 0, taken_ = 0;
};

#endif

}  // namespace tracelint
