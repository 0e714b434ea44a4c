// An ordered table of small entries, in blocks: lookups and inserts near the last one are a few steps, any
// other is a binary search, and no input can make it slower than that (a hash table has bad inputs).
// Grows under a budget.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "validator/limits.hpp"

namespace tracelint {

// Entry has a member `key` with <=>; keys are unique.
template <class Entry>
class SortedTable {
  public:
    using Key = decltype(Entry::key);

    SortedTable(Budget& budget, WorkCounter& work) : budget_(budget), work_(work) {}

    bool empty() const { return size_ == 0; }
    size_t size() const { return size_; }

    // The entry with this key, or null. Pointers are valid until the next insert or erase.
    Entry* find(const Key& key) {
        Entry* found = at_or_after(key);
        return found != nullptr && found->key == key ? found : nullptr;
    }

    // The entry with the smallest key that is not below `key`, or null.
    Entry* at_or_after(const Key& key) {
        if (size_ == 0) return nullptr;
        const size_t block = locate(key);
        return entry(block, position(block, key));
    }

    // The entry with the largest key that is below `key`, or null.
    Entry* before(const Key& key) {
        if (size_ == 0) return nullptr;
        const size_t block = locate(key);
        const size_t at = position(block, key);
        if (at > 0) return &blocks_[block]->entries[at - 1];
        return block == 0 ? nullptr : &blocks_[block - 1]->entries[blocks_[block - 1]->count - 1];
    }

    // Adds an entry whose key is not there yet. False when the budget is spent.
    bool insert(Entry added) {
        size_t block = blocks_.empty() ? kNoBlock : locate(added.key);
        if (block == kNoBlock || blocks_[block]->count == kPerBlock) {
            block = make_room(block, added.key);
            if (block == kNoBlock) return false;
        }
        Block& into = *blocks_[block];
        const size_t at = position(block, added.key);
        std::move_backward(into.entries.begin() + at, into.entries.begin() + into.count,
                           into.entries.begin() + into.count + 1);
        into.entries[at] = std::move(added);
        ++into.count;
        ++size_;
        last_ = block;
        return true;
    }

    // Takes out the entry with this key, if it is there.
    void erase(const Key& key) {
        if (size_ == 0) return;
        const size_t block = locate(key);
        Block& from = *blocks_[block];
        const size_t at = position(block, key);
        if (at == from.count || !(from.entries[at].key == key)) return;
        std::move(from.entries.begin() + at + 1, from.entries.begin() + from.count, from.entries.begin() + at);
        --from.count;
        --size_;
        if (from.count == 0 && blocks_.size() > 1) drop(block);
    }

    // Visits every entry in the order of keys.
    template <class Visit>
    void for_each(Visit visit) {
        for (const auto& block : blocks_)
            for (uint32_t i = 0; i < block->count; ++i) visit(block->entries[i]);
    }

    void clear() {
        budget_.give_back(blocks_.size() * kBlockCost);
        blocks_.clear();
        firsts_.clear();
        size_ = 0;
        last_ = 0;
    }

  private:
    static constexpr size_t kPerBlock = 64;
    static constexpr size_t kNoBlock = ~size_t{0};
    struct Block {
        uint32_t count = 0;
        std::array<Entry, kPerBlock> entries;
    };
    static constexpr uint64_t kBlockCost = sizeof(Block) + 2 * (sizeof(Key) + sizeof(void*));

    // The block that holds `key` if any does. Block i holds keys from firsts_[i] to below firsts_[i + 1].
    size_t locate(const Key& key) {
        work_.add(1);
        const bool here =
            (last_ == 0 || !(key < firsts_[last_])) && (last_ + 1 == blocks_.size() || key < firsts_[last_ + 1]);
        if (!here) {
            const auto after = std::upper_bound(firsts_.begin() + 1, firsts_.end(), key);
            last_ = static_cast<size_t>(after - firsts_.begin()) - 1;
        }
        return last_;
    }

    size_t position(size_t block, const Key& key) const {
        const Block& in = *blocks_[block];
        if (in.count == 0 || in.entries[in.count - 1].key < key) return in.count;
        const auto found = std::lower_bound(in.entries.begin(), in.entries.begin() + in.count, key,
                                            [](const Entry& entry, const Key& wanted) { return entry.key < wanted; });
        return static_cast<size_t>(found - in.entries.begin());
    }

    Entry* entry(size_t block, size_t at) {
        if (at < blocks_[block]->count) return &blocks_[block]->entries[at];
        return block + 1 < blocks_.size() ? &blocks_[block + 1]->entries[0] : nullptr;
    }

    // A block with room for `key`: a fresh one behind the last where keys ascend, else half of the full one.
    size_t make_room(size_t full, const Key& key) {
        if (!budget_.take(kBlockCost)) return kNoBlock;
        auto fresh = std::make_unique<Block>();
        if (full == kNoBlock) {
            firsts_.push_back(key);
            blocks_.push_back(std::move(fresh));
            return 0;
        }
        Block& old = *blocks_[full];
        const bool append = full + 1 == blocks_.size() && old.entries[kPerBlock - 1].key < key;
        if (!append) {
            fresh->count = kPerBlock / 2;
            old.count = kPerBlock / 2;
            std::move(old.entries.begin() + old.count, old.entries.end(), fresh->entries.begin());
        }
        const Key first = append ? key : fresh->entries[0].key;
        firsts_.insert(firsts_.begin() + static_cast<std::ptrdiff_t>(full) + 1, first);
        blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(full) + 1, std::move(fresh));
        return key < first ? full : full + 1;
    }

    void drop(size_t block) {
        firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(block));
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(block));
        last_ = 0;
        budget_.give_back(kBlockCost);
    }

    Budget& budget_;
    WorkCounter& work_;
    std::vector<Key> firsts_;
    std::vector<std::unique_ptr<Block>> blocks_;
    size_t size_ = 0;
    size_t last_ = 0;  // the block that the last call used
};

}  // namespace tracelint
