// A file as edits of another one: ranges that are left out or replaced. Whatever no edit covers is kept.
#pragma once

#include <array>
#include <optional>

#include "validator/input/window.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/report/report.hpp"

namespace tracelint {

// Why bytes are left out or changed.
enum class Cause : uint8_t {
    error,       // a rule is broken here
    dependence,  // on a record that is left out
    end,         // the file ends inside of the record
    unknown,     // the bytes are not a record
    setting,     // a number or a closing record that the other edits make necessary
    choice,      // the caller chose to
};

struct Edit {
    static constexpr size_t kMostBytes = 24;

    uint64_t offset = 0;         // in the file
    uint64_t length = 0;         // bytes that are left out or replaced; 0: bytes are inserted
    const Rule* rule = nullptr;  // that is broken, here or where `related` says; null if none
    uint64_t related = kNone;    // the record that this one depends on; kNone: none
    const Record* record = nullptr;
    const Field* field = nullptr;  // that is set; null: none
    uint64_t records = 0;          // that are left out
    uint64_t shift = 0;            // bytes before this edit that the edited file lacks, modulo 2^64
    Cause cause = Cause::error;
    uint8_t size = 0;  // of the bytes that take the place
    std::array<uint8_t, kMostBytes> bytes{};

    uint64_t end() const { return offset + length; }
    uint64_t new_offset() const { return offset - shift; }
    uint64_t new_end() const { return new_offset() + size; }
    Bytes replacement() const { return {bytes.data(), size}; }
    bool is_drop() const { return size == 0; }
};

// Sorted by offset, without overlaps.
class Edits {
  public:
    explicit Edits(Budget& budget) : list_(budget) {}

    // False: the budget does not allow for it.
    [[nodiscard]] bool add(const Edit& edit);
    // Takes the edits from number `count` on away.
    void keep_first(size_t count) { list_.keep_first(count); }
    size_t size() const { return list_.size(); }
    void clear() { list_.clear(); }
    // Sorts the edits, and joins what touches. Before it, nothing below may be called.
    void finish();

    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    bool empty() const { return list_.empty(); }
    // Where a byte of the file is in the edited file. One that is left out: where the next one is.
    uint64_t new_offset(uint64_t offset) const;
    // The other way round. One that was inserted: where in the file.
    uint64_t old_offset(uint64_t offset) const;
    // The first edit that ends after this offset of the edited file.
    size_t first_after(uint64_t new_offset) const;
    const Edit& operator[](size_t index) const { return list_[index]; }

  private:
    BudgetedVector<Edit> list_;
};

// The edited file. Reads the file once, if nobody seeks back.
class EditedSource final : public Source {
  public:
    // `trace` is at its start. Both must outlive this.
    EditedSource(Source& trace, const Edits& edits, Budget& budget);

    size_t read(uint8_t* to, size_t bytes) override;
    bool seek(uint64_t offset) override;
    uint64_t size() const override;
    std::string failure() const override { return trace_.failure(); }
    bool has_changed() const override { return trace_.has_changed(); }
    void end_waiting_at(int descriptor) override { trace_.end_waiting_at(descriptor); }

  private:
    Source& trace_;
    const Edits& edits_;
    Budget& budget_;
    std::optional<Window> window_;
    uint64_t at_ = 0;  // in the edited file
    size_t next_ = 0;  // the first edit that ends after at_
};

}  // namespace tracelint
