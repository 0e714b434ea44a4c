// Tables in the order of their keys, within a budget, and sorting in linear time.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "validator/memory/limits.hpp"
#include "validator/memory/pages.hpp"

namespace tracelint {

// Sorting in linear time, whatever the input.

// One pass of a radix sort: by the `Digit` bits of the key at `shift`.
template <unsigned Digit, class T, class KeyOf>
void sort_by_digit(std::span<const T> from, std::span<T> to, unsigned shift, KeyOf key_of) {
    std::array<size_t, (size_t{1} << Digit) + 1> starts{};
    const auto digit_of = [&](const T& item) { return uint64_t{key_of(item)} >> shift & ((1u << Digit) - 1); };
    for (const T& item : from) ++starts[digit_of(item) + 1];
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const T& item : from) to[starts[digit_of(item)]++] = item;
}

// Sorts stably by the unsigned integer `key_of(element)`. Many elements that are not sorted already need `scratch`,
// which becomes as long as `items`.
template <class T, class Vector, class KeyOf>
void sort_by_key(std::span<T> items, Vector& scratch, KeyOf key_of, WorkCounter& work) {
    constexpr size_t kFew = 24;     // up to this many, an insertion sort is faster
    constexpr size_t kMany = 2048;  // from this many on, larger digits pay off
    work.add(items.size());
    uint64_t differing = 0;  // bits in which keys differ
    bool in_order = true;
    for (size_t i = 1; i < items.size(); ++i) {
        const uint64_t before = key_of(items[i - 1]), key = key_of(items[i]);
        differing |= before ^ key;
        in_order = in_order && before <= key;
    }
    if (in_order) return;
    if (items.size() <= kFew) {
        work.add(kFew / 4 * items.size());
        for (size_t i = 1; i < items.size(); ++i)
            for (size_t at = i; at > 0 && key_of(items[at]) < key_of(items[at - 1]); --at)
                std::swap(items[at], items[at - 1]);
        return;
    }
    scratch.resize(items.size());
    std::span<T> from = items, to(scratch.data(), scratch.size());
    const unsigned digit = items.size() < kMany ? 8 : 11;
    for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += digit) {
        if ((differing >> shift & ((1u << digit) - 1)) == 0) continue;
        work.add(items.size());
        digit == 8 ? sort_by_digit<8, T>(from, to, shift, key_of) : sort_by_digit<11, T>(from, to, shift, key_of);
        std::swap(from, to);
    }
    if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

// An ordered table of small entries. Lookups and inserts near the previous one take a few steps, all others a binary
// search; unlike a hash table it has no worst-case input. Grows within a budget.

// Entry has a member `key` with <=>; keys are unique. Entries are stored in blocks and blocks in groups, so that an
// insert moves at most one block, one group's index and, once in hundreds of inserts, the list of groups. Smaller
// blocks and groups are faster where keys come in random order and are prefetched, and take more memory.
template <class Entry, size_t PerBlock = 64, size_t PerGroup = 128>
class SortedTable {
  public:
    using Key = decltype(Entry::key);

    SortedTable(Budget& budget, WorkCounter& work) : budget_(budget), work_(work) {}
    SortedTable(const SortedTable&) = delete;
    SortedTable& operator=(const SortedTable&) = delete;
    ~SortedTable() { clear(); }

    bool empty() const { return size_ == 0; }
    size_t size() const { return size_; }
    // Whether it may be more than fits into the processor's caches, so that announcing keys pays off.
    bool is_large() const { return size_ > 4096; }

    // The entry with this key, or null. Pointers stay valid until the next insert or erase.
    Entry* find(const Key& key) {
        Entry* found = at_or_after(key);
        return found != nullptr && found->key == key ? found : nullptr;
    }

    // The entry with the smallest key >= `key`, or null.
    Entry* at_or_after(const Key& key) { return around(key).at_or_after; }

    // The entry with the largest key < `key`, or null.
    Entry* before(const Key& key) { return around(key).before; }

    // Both of them, by one search.
    struct Neighbours {
        Entry* before;
        Entry* at_or_after;
    };
    Neighbours around(const Key& key) {
        if (size_ == 0) return {nullptr, nullptr};
        locate(key);
        const size_t at = at_ = position(block(), key);
        return {at > 0 ? &block().entries[at - 1] : last_before_block(),
                at < block().count ? &block().entries[at] : first_after_block()};
    }

    // Prefetches the block of a key that is looked up soon. Always inlined, since g++ drops calls without effects.
    [[gnu::always_inline]] void prefetch(const Key& key) const {
        if (size_ == 0) return;
        const Group& in = group_of(key);
        prefetch_lines(in.blocks[last_not_above(in.firsts.data(), in.count, key)].get());
    }

    // Prefetches in two steps: call prefetch_group() first and prefetch() some lookups later, so that neither waits for
    // the index of the group.
    [[gnu::always_inline]] void prefetch_group(const Key& key) const {
        if (size_ != 0) prefetch_lines(&group_of(key));
    }

    // Adds an entry. Its key must not be in the table yet. False: the budget is spent.
    bool insert(Entry added) {
        if (groups_.empty() && !begin(added.key)) return false;
        locate(added.key);
        if (block().count == kPerBlock && !split_block(added.key)) return false;
        insert_at(position(block(), added.key), std::move(added));
        return true;
    }

    // Inserts without a search, if the last call was around(added.key).
    bool insert_there(Entry added) {
        if (size_ == 0 || block().count == kPerBlock) return insert(std::move(added));
        insert_at(at_, std::move(added));
        return true;
    }

    // The last entry of the block that was used last. Null if the block is full or empty, or if a key up to `last` may
    // be in a block after it.
    Entry* tail_before(const Key& last) {
        if (size_ == 0) return nullptr;
        const Group& in = group();
        const bool is_last = block_ + 1 == in.count;
        if (is_last ? group_ + 1 < groups_.size() && !(last < firsts_[group_ + 1]) : !(last < in.firsts[block_ + 1]))
            return nullptr;
        Block& tail = block();
        return tail.count == 0 || tail.count == kPerBlock ? nullptr : last_of(tail);
    }

    // Adds an entry right after the one that tail_before() has just returned for its key.
    void append(Entry added) { insert_at(block().count, std::move(added)); }

    // Removes the entry with this key, if there is one.
    void erase(const Key& key) {
        if (size_ == 0) return;
        locate(key);
        Block& from = block();
        const size_t at = position(from, key);
        if (at == from.count || !(from.entries[at].key == key)) return;
        std::move(from.entries.begin() + at + 1, from.entries.begin() + from.count, from.entries.begin() + at);
        --from.count;
        --size_;
        if (from.count == 0 && (group().count > 1 || groups_.size() > 1)) drop_block();
    }

    // Visits all entries in the order of their keys.
    template <class Visit>
    void for_each(Visit visit) {
        for (const auto& group : groups_)
            for (size_t b = 0; b < group->count; ++b)
                for (size_t i = 0; i < group->blocks[b]->count; ++i) visit(group->blocks[b]->entries[i]);
    }

    void clear() {
        groups_.clear();
        firsts_.clear();
        slabs_.clear();
        free_ = next_in_slab_ = slab_end_ = nullptr;
        budget_.give_back(std::exchange(charged_, 0));
        size_ = group_ = block_ = 0;
    }

  private:
    static constexpr size_t kPerBlock = PerBlock;
    static constexpr size_t kPerGroup = PerGroup;
    struct Block {
        uint32_t count = 0;
        bool is_in_slab = false;
        Block* next_free = nullptr;
        std::array<Entry, kPerBlock> entries;
    };
    static_assert(std::is_trivially_destructible_v<Entry>);
    struct Release {
        void operator()(Block* block) const {
            if (!block->is_in_slab) delete block;
        }
    };
    using BlockPointer = std::unique_ptr<Block, Release>;
    // Block i holds the keys in [firsts[i], firsts[i + 1]). The very first block also holds lower keys.
    struct Group {
        size_t count = 0;
        std::array<Key, kPerGroup> firsts;
        std::array<BlockPointer, kPerGroup> blocks;
    };
    static constexpr uint64_t kGroupCost = sizeof(Group) + sizeof(Key) + sizeof(void*);
    static constexpr size_t kInSingleBlocks = size_t{1} << 16;    // entries
    static constexpr size_t kPerSlab = 6 * kMiB / sizeof(Block);  // blocks
    static constexpr uint64_t kSlabCost = Pages::cost(kPerSlab * sizeof(Block)) + 3 * sizeof(Pages);

    const Group& group_of(const Key& key) const {
        return *groups_[last_not_above(firsts_.data(), firsts_.size(), key)];
    }
    template <class Part>
    [[gnu::always_inline]] static void prefetch_lines(const Part* part) {
        const auto* const bytes = reinterpret_cast<const char*>(part);
        for (size_t line = 0; line < sizeof(Part); line += 64) __builtin_prefetch(bytes + line, 1);
    }

    Group& group() { return *groups_[group_]; }
    Block& block() { return *group().blocks[block_]; }
    static Entry* last_of(Block& block) { return &block.entries[block.count - 1]; }

    // The entry before the first one of the current block, and the one after its last one; null if absent.
    Entry* last_before_block() {
        if (block_ > 0) return last_of(*group().blocks[block_ - 1]);
        return group_ > 0 ? last_of(*groups_[group_ - 1]->blocks[groups_[group_ - 1]->count - 1]) : nullptr;
    }
    Entry* first_after_block() {
        if (block_ + 1 < group().count) return &group().blocks[block_ + 1]->entries[0];
        return group_ + 1 < groups_.size() ? &groups_[group_ + 1]->blocks[0]->entries[0] : nullptr;
    }

    // The number of the last of `count` ascending keys that is not above `key`, 0 if all are. Without a branch on how
    // keys compare, because that is unpredictable where keys come in random order.
    static size_t last_not_above(const Key* keys, size_t count, const Key& key) {
        size_t at = 0;
        for (size_t left = count; left > 1;) {
            const size_t half = left / 2;
            at = key < keys[at + half] ? at : at + half;
            left -= half;
        }
        return at;
    }

    void insert_at(size_t at, Entry&& added) {
        Block& into = block();
        rising_ = follows_last_insert(at) ? rising_ + 1 : 0;
        falling_ = precedes_last_insert(at) ? falling_ + 1 : 0;
        last_block_ = &into;
        next_at_ = at + 1;
        std::move_backward(into.entries.begin() + at, into.entries.begin() + into.count,
                           into.entries.begin() + into.count + 1);
        into.entries[at] = std::move(added);
        ++into.count;
        ++size_;
    }

    // Whether this place in the current block is right after the last insert, or right before it.
    bool follows_last_insert(size_t at) { return at == next_at_ && last_block_ == &block(); }
    bool precedes_last_insert(size_t at) { return at + 1 == next_at_ && last_block_ == &block(); }

    // Points group_ and block_ at the block that holds `key` if any does. Usually they already do.
    void locate(const Key& key) {
        work_.add(1);
        const bool group_starts_before = group_ == 0 || !(key < firsts_[group_]);
        if (!group_starts_before || (group_ + 1 < groups_.size() && !(key < firsts_[group_ + 1]))) {
            group_ = last_not_above(firsts_.data(), firsts_.size(), key);
            block_ = 0;
        }
        const Group& in = group();
        const bool block_starts_before = block_ == 0 || !(key < in.firsts[block_]);
        if (block_starts_before && (block_ + 1 == in.count || key < in.firsts[block_ + 1])) return;
        block_ = last_not_above(in.firsts.data(), in.count, key);
    }

    static size_t position(const Block& in, const Key& key) {
        if (in.count == 0 || in.entries[in.count - 1].key < key) return in.count;
        size_t at = 0;
        for (size_t left = in.count; left > 0;) {
            const size_t half = left / 2;
            const bool is_below = in.entries[at + half].key < key;
            at = is_below ? at + half + 1 : at;
            left = is_below ? left - half - 1 : half;
        }
        return at;
    }

    // An empty block. Null: the budget is spent. A large table takes its blocks from slabs of huge pages: page faults
    // would take longer than the inserts.
    BlockPointer make_block() {
        if (free_ == nullptr && next_in_slab_ == slab_end_ && size_ >= kInSingleBlocks) add_slab();
        if (free_ != nullptr) return in_slab(std::exchange(free_, free_->next_free));
        if (next_in_slab_ != slab_end_) return in_slab(next_in_slab_++);
        return BlockPointer(take(sizeof(Block)) ? new Block : nullptr);
    }
    static BlockPointer in_slab(Block* place) {
        Block* const made = new (place) Block;
        made->is_in_slab = true;
        return BlockPointer(made);
    }
    void add_slab() {
        if (!take(kSlabCost)) return;
        slabs_.emplace_back(kPerSlab * sizeof(Block));
        next_in_slab_ = static_cast<Block*>(slabs_.back().data());
        slab_end_ = next_in_slab_ + kPerSlab;
    }
    void drop(BlockPointer dropped) {
        if (!dropped->is_in_slab) return give_back(sizeof(Block));
        dropped->next_free = free_;
        free_ = dropped.get();
    }
    bool take(uint64_t bytes) {
        if (!budget_.take(bytes)) return false;
        charged_ += bytes;
        return true;
    }
    void give_back(uint64_t bytes) {
        budget_.give_back(bytes);
        charged_ -= bytes;
    }

    // Creates the first block.
    bool begin(const Key& key) {
        if (!take(kGroupCost)) return false;
        auto first = std::make_unique<Group>();
        first->firsts[0] = key;
        first->blocks[0] = make_block();
        if (first->blocks[0] == nullptr) {
            give_back(kGroupCost);
            return false;
        }
        first->count = 1;
        firsts_.push_back(key);
        groups_.push_back(std::move(first));
        return true;
    }

    // Makes room for `key` in its full block. The entries after it move to a new block if keys rise or fall, so that
    // blocks become full; else half of the entries do. A quarter of a block must have risen or fallen: else an input
    // could give each key a block of its own.
    bool split_block(const Key& key) {
        if (group().count == kPerGroup && !split_group(key)) return false;
        const bool was_near = &group() == split_group_ && (block_ == split_block_ || block_ == split_block_ + 1);
        splits_ = was_near ? splits_ + 1 : 0;
        split_group_ = &group();
        split_block_ = block_;
        BlockPointer fresh = make_block();
        if (fresh == nullptr) return false;
        Block& old = block();
        const bool is_last = block_ + 1 == group().count && group_ + 1 == groups_.size();
        const size_t at = position(old, key);
        const bool rises = follows_last_insert(at) && rising_ >= kPerBlock / 4;
        // What stays is not filled up if keys fall, so that it must not be much.
        const bool falls = precedes_last_insert(at) && falling_ >= kPerBlock / 4 && at < kPerBlock / 2;
        const size_t stay = rises || falls || (is_last && at == kPerBlock) ? at : kPerBlock / 2;
        std::move(old.entries.begin() + stay, old.entries.end(), fresh->entries.begin());
        fresh->count = static_cast<uint32_t>(kPerBlock - stay);
        old.count = static_cast<uint32_t>(stay);
        const Key first = fresh->count == 0 ? key : fresh->entries[0].key;
        insert_block(block_ + 1, first, std::move(fresh));
        if (!(key < first)) ++block_;
        return true;
    }

    void insert_block(size_t at, const Key& first, BlockPointer fresh) {
        Group& in = group();
        std::move_backward(in.firsts.begin() + at, in.firsts.begin() + in.count, in.firsts.begin() + in.count + 1);
        std::move_backward(in.blocks.begin() + at, in.blocks.begin() + in.count, in.blocks.begin() + in.count + 1);
        in.firsts[at] = first;
        in.blocks[at] = std::move(fresh);
        ++in.count;
    }

    // The same one level up: the blocks after the current one move if the last splits were also there.
    bool split_group(const Key& key) {
        if (!take(kGroupCost)) return false;
        Group& old = group();
        auto fresh = std::make_unique<Group>();
        const bool appends = group_ + 1 == groups_.size() && block_ + 1 == kPerGroup;
        const bool is_run = splits_ >= kPerGroup / 2;
        const size_t stay = appends || is_run ? std::min(block_ + 1, kPerGroup - 1) : kPerGroup / 2;
        std::move(old.firsts.begin() + stay, old.firsts.end(), fresh->firsts.begin());
        std::move(old.blocks.begin() + stay, old.blocks.end(), fresh->blocks.begin());
        fresh->count = kPerGroup - stay;
        old.count = stay;
        firsts_.insert(firsts_.begin() + static_cast<std::ptrdiff_t>(group_) + 1, fresh->firsts[0]);
        groups_.insert(groups_.begin() + static_cast<std::ptrdiff_t>(group_) + 1, std::move(fresh));
        work_.add(groups_.size() - group_);
        locate(key);
        return true;
    }

    // Removes the empty block at group_ and block_, and its group if no other block is in it.
    void drop_block() {
        Group& in = group();
        drop(std::move(in.blocks[block_]));
        std::move(in.firsts.begin() + block_ + 1, in.firsts.begin() + in.count, in.firsts.begin() + block_);
        std::move(in.blocks.begin() + block_ + 1, in.blocks.begin() + in.count, in.blocks.begin() + block_);
        in.blocks[--in.count] = nullptr;
        if (in.count == 0) {
            work_.add(groups_.size() - group_);
            firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(group_));
            groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group_));
            give_back(kGroupCost);
        }
        group_ = block_ = 0;
    }

    Budget& budget_;
    WorkCounter& work_;
    uint64_t charged_ = 0;  // bytes taken from the budget
    std::vector<Pages> slabs_;
    Block *next_in_slab_ = nullptr, *slab_end_ = nullptr;  // in the last slab: those never used
    Block* free_ = nullptr;                                // in slabs: those that were dropped
    std::vector<Key> firsts_;                              // the first key of each group
    std::vector<std::unique_ptr<Group>> groups_;
    size_t size_ = 0;
    size_t group_ = 0, block_ = 0;  // where the last call found its key
    size_t at_ = 0;                 // where around() found it in its block
    // The place after the last insert, and how many earlier inserts each went right after, or right before, the last
    // one.
    const Block* last_block_ = nullptr;
    size_t next_at_ = 0, rising_ = 0, falling_ = 0;
    // The block that was split last, and how many earlier splits were there or in the block before it.
    const Group* split_group_ = nullptr;
    size_t split_block_ = 0, splits_ = 0;
};

}  // namespace tracelint
