// Plans the edits that leave records out of a file: damaged ones, with whatever depends on them, or any that the caller
// chooses.
#pragma once

#include "validator/readers/record_walk.hpp"
#include "validator/salvage/composition.hpp"
#include "validator/salvage/damage.hpp"
#include "validator/salvage/edits.hpp"

namespace tracelint {

// How much is left out around a damage. Each step is tried if the one before it does not suffice.
enum class Reach : uint8_t {
    records,  // the records in its range
    groups,   // also their groups; and the last record, for what is missing at the end
};

// What cannot be left out or set right.
struct Obstacle {
    enum class Kind : uint8_t {
        none,
        essential,   // a record without which the file cannot be read is damaged
        fatal,       // a rule of Composition::fatal is broken
        memory,      // a limit was reached
        no_records,  // nothing remains
    };
    Kind kind = Kind::none;
    uint64_t offset = 0;
    const Rule* rule = nullptr;
    const Record* record = nullptr;
};

// What a caller wants to be left out and changed, whatever is damaged. Nothing is repaired then: a total that is wrong
// by some bytes stays wrong by as many.
struct Choice {
    struct Range {
        uint64_t begin = 0, end = 0;  // offsets
    };
    std::span<const Range> left_out;  // sorted, apart from each other: records within one of them are left out
    std::span<const Edit> changes;    // sorted, each within a record, with at most as many bytes as they replace
    // Also leaves out what the records that stay cannot be read without.
    bool is_exact = false;
};

struct PlannedRecords {
    uint64_t kept = 0;
    uint64_t dropped = 0;
};

// Plans one file.
class Planner final : public RecordVisitor {
  public:
    // `damages` are sorted by offset. All must outlive this.
    Planner(const Composition& composition, std::span<const Damage> damages, Reach reach, Budget& budget, Edits& edits);
    // Plans what `choice` says instead.
    Planner(const Composition& composition, const Choice& choice, Budget& budget, Edits& edits);

    // Walks over the records of the trace, which is at its start, and plans the edits.
    Obstacle plan(Source& trace, const Limits& limits, const Settings& settings);
    const PlannedRecords& records() const { return records_; }
    uint64_t size() const { return size_; }  // of the trace

    // What the walk calls.
    bool is_done(uint64_t, uint64_t) override { return obstacle_.kind != Obstacle::Kind::none; }
    bool wants(const FramedRecord& record) override;
    void begin(const SeenRecord& record) override;
    bool wants_leaves() override { return false; }
    void gap(const Gap& gap, GapBytes& bytes) override;

  private:
    // Why something is left out.
    struct Reason {
        bool is_given = false;
        Cause cause = Cause::error;
        const Rule* rule = nullptr;
        uint64_t related = kNone;
    };
    // A number of a record, and where it is in the file.
    struct Number {
        const Field* field = nullptr;  // null: there is none
        uint64_t offset = 0;
        uint64_t value = 0;
        uint64_t others = 0;  // the bits of the number that are not the field's
        unsigned width = 0;
    };
    // A record or a gap.
    struct Piece {
        const Record* record = nullptr;   // null: a gap
        const RecordRole* row = nullptr;  // null: it is not listed
        Role role = Role::alone;
        uint64_t offset = 0;
        uint64_t length = 0;
        Layout layout{};
        Number total{};                        // of a group
        const Rule* total_wrong_by = nullptr;  // the rule that it breaks; null: none

        uint64_t end() const { return saturating_add(offset, length); }
    };
    struct Group {
        bool is_open = false;
        uint64_t start = 0, content = 0;  // offsets
        size_t first_edit = 0;
        uint64_t dropped = 0;            // bytes of the content
        const Rule* wrong_by = nullptr;  // the rule that its total breaks; null: none
        bool is_ended = false;           // its end has come
        bool is_wanted = false;          // a part of it is not chosen to be left out
        Number total{};
        Layout layout{};
        const Record* record = nullptr;
        Reason lost{};  // if it is left out as a whole
        uint64_t pieces = 0, dropped_pieces = 0;
    };
    struct Located {
        Number offset, size;
        const Record* record = nullptr;
        Layout layout{};
        bool is_wrong = false;    // the size, as a rule found
        bool is_lost = false;     // nothing is left of what it locates
        size_t entry = kNoEntry;  // that locates it
        uint64_t entry_end = 0;
        uint64_t new_start = 0, new_size = 0;  // in the edited file
    };
    static constexpr size_t kNoEntry = ~size_t{0};

    const RecordRole* row_of(const Record& record, uint16_t version) const;
    Number number_of(const SeenRecord& record, std::string_view field) const;
    void settle(bool is_whole);
    void settle_gap();
    Reason reason_for(bool is_whole);
    bool concerns_piece(const Damage& damage) const;
    bool is_missing_end(const Damage& damage) const;
    bool repairs(const Damage& damage);
    std::optional<uint64_t> repaired(const Damage& damage, uint64_t value) const;
    void drop(const Reason& reason, bool breaks_chain);
    void drop_range(uint64_t offset, uint64_t length, uint64_t records, const Reason& reason,
                    std::string_view placeholder = {});
    void keep();
    void set(const Number& number, uint64_t value, const Record* record, const Layout& layout, const Rule* rule);
    void add(const Edit& edit);
    void open_group();
    void open_content();
    void end_group(uint64_t end);
    void judge_group_end(const Reason& reason);
    void close_group(uint64_t end);
    void lose_group(const Reason& reason);
    void judge_member(const Reason& reason);
    bool is_header_missing() const;
    void judge_essential(const Reason& reason);
    void hold_ahead();
    void release_ahead(const Reason& reason);
    void close_part(uint64_t offset);
    void end_at(uint64_t size);
    void judge_entry(const Reason& reason);
    void retract(size_t entry);
    void set_flags();
    uint64_t end_of(const Located& located) const;
    bool is_lost(const Located& located) const;
    void drop_entries();
    void set_extents();
    void set_padding();
    Reason dependence_on(const Reason& reason, uint64_t offset) const;
    void settle_chosen();
    bool is_chosen();
    bool is_needed() const;
    void change_piece();

    const Composition& composition_;
    std::span<const Damage> damages_;
    const Reach reach_;
    Edits& edits_;
    Framer* framer_ = nullptr;
    Obstacle obstacle_;
    PlannedRecords records_;
    uint64_t size_ = 0;
    const Choice* choice_ = nullptr;  // null: what is damaged decides
    size_t next_range_ = 0, next_change_ = 0;
    const Record* awaited_ = nullptr;  // belongs to one that stays; null: none
    size_t next_damage_ = 0;
    uint64_t damaged_to_ = 0;  // up to here a damage reaches
    const Rule* damaged_by_ = nullptr;

    std::optional<Piece> piece_;  // the one that is not settled yet: whether it is whole shows the next one
    Piece last_;                  // the one before it that is not behind another
    Reason last_reason_;          // why that one is left out
    bool has_opening_ = false;    // whether an essential record has come
    Group group_;
    uint8_t broken_ = 0;  // the rank from which an anchor helps; 0: members can be read
    Reason broken_by_;
    BudgetedVector<Edit> ahead_;       // of a record that has not come yet
    const Record* closing_ = nullptr;  // the record that must still come; null: none
    Layout closing_layout_{};
    BudgetedVector<Located> located_;
    BudgetedVector<Edit> padded_;                                   // the padding of records that were kept
    std::array<Number, Announcement::kMostNumbers> flags_{};        // as in the file
    std::array<uint64_t, Announcement::kMostNumbers> retracted_{};  // bits whose entries are gone
    size_t entries_ = 0;                                            // that have come
    const Record* flagged_ = nullptr;
    Layout flagged_layout_{};
};

}  // namespace tracelint
