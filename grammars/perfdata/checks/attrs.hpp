// perf.data: the attributes of events, and their ids.
#pragma once

#include <optional>

#include "grammars/perfdata/checks/state.hpp"
#include "grammars/perfdata/records.hpp"
#include "validator/input/window.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::perfdata {

// The part of a file that stays in view until the records are walked: the attributes and their ids are in any order.
// A small file stays in view as a whole.

class Front {
  public:
    // Files up to this size are in view as a whole, whatever the budget.
    static constexpr uint64_t kWhole = kFreeWindow / 2;

    // `most`: bytes that may be in view of a larger file.
    Front(Window& window, uint64_t most) : window_(window), most_(most), bytes_(window.view(0, kWhole)) {}

    // Brings what is before `end` into view, if the input has so much. False: the limits do not allow for it.
    bool hold(uint64_t end) {
        if (end <= bytes_.size() || window_.size() != kNone) return true;
        const uint64_t affordable = window_.affordable(std::min(end, most_));
        if (affordable > bytes_.size()) bytes_ = window_.view(0, affordable);
        return end <= affordable || window_.size() != kNone;
    }
    // The bytes of a range that hold() brought into view, as far as the input has them.
    Bytes part(uint64_t offset, uint64_t length) const {
        if (offset >= bytes_.size()) return {};
        return bytes_.subspan(offset, std::min<uint64_t>(length, bytes_.size() - offset));
    }
    // Whether the range, which hold() was asked for, is in the file.
    bool has(uint64_t offset, uint64_t length) const {
        return offset <= bytes_.size() && length <= bytes_.size() - offset;
    }
    // Whether all of the file is in view, and stays there.
    bool is_whole() const { return window_.size() == bytes_.size(); }
    Bytes bytes() const { return bytes_; }

  private:
    Window& window_;
    const uint64_t most_;
    Bytes bytes_;
};

// perf.data, sections 3.2 and 3.6: the attributes, and which one a record belongs to.

// A word of a record that is not there.
inline constexpr uint8_t kNoWord = 0xff;

// An attribute, and what follows from it for the records.
struct Attr {
    uint64_t sample_type = 0;
    uint64_t read_format = 0;
    uint64_t branch_sample_type = 0;
    uint64_t first_id = 0, id_count = 0;  // in Attrs::ids()
    int32_t clockid = 0;                  // counts with uses_clockid
    bool is_sample_id_all = false;
    bool uses_clockid = false;
    bool excludes_user = false;
    uint8_t user_registers = 0, interrupt_registers = 0;  // in a sample
    // Section 3.5: words of 8 bytes after the header of a SAMPLE.
    uint8_t fixed_words = 0;  // those that are one word in every sample
    // What follows them.
    enum class Shape : uint8_t { first_words, call_chain, other };
    Shape shape = Shape::other;
    uint8_t ip_word = kNoWord, thread_word = kNoWord, time_word = kNoWord, id_word = kNoWord;
    // Section 3.6: words of the trailer, from its start; the id's counts from the end, from 1.
    uint8_t trailer_words = 0;
    uint8_t trailer_thread_word = kNoWord, trailer_time_word = kNoWord, trailer_id_word = kNoWord;

    bool has(unsigned bit) const { return (sample_type >> bit & 1) != 0; }
    bool reads(unsigned bit) const { return (read_format >> bit & 1) != 0; }
    uint64_t trailer_bytes() const { return is_sample_id_all ? 8u * trailer_words : 0; }
};

// The attributes of a file, in file order. Those that cannot be read are left out.
class Attrs {
  public:
    explicit Attrs(State& state)
        : state_(state),
          attrs_(state.context.budget),
          ids_(state.context.budget),
          owners_(state.context.budget, state.context.work) {}

    // An entry of attrs (section 3.1): `own` bytes of the attribute, then where its ids are. Returns the range of the
    // ids if it counts.
    struct Section {
        uint64_t offset = 0, size = 0;
    };
    std::optional<Section> add_entry(Front& front, uint64_t offset, uint64_t own, uint64_t index);
    // A HEADER_ATTR. In a pipe the attribute is added.
    void add_record(const RecordInFile& record);
    // Reports an attribute of a file without times, which is legal in a recording of perf stat.
    void judge_time(bool is_stat);

    bool empty() const { return attrs_.empty(); }
    size_t size() const { return attrs_.size(); }
    const Attr& operator[](size_t i) const { return attrs_[i]; }
    std::span<const uint64_t> ids_of(const Attr& attr) const {
        return attr.id_count == 0 ? std::span<const uint64_t>() : std::span(&ids_[attr.first_id], attr.id_count);
    }
    // Whether all attributes and their ids could be remembered.
    bool is_complete() const { return is_complete_; }
    // The memory does not allow for the attributes.
    void give_up(const Place& place) { lose(place); }
    // Where the first attribute leaves user space out, if all do.
    const std::optional<Place>& without_user() const { return without_user_; }
    // Where the first tracepoint is, and its number.
    const std::optional<Place>& tracepoint() const { return tracepoint_; }
    uint64_t tracepoint_number() const { return tracepoint_number_; }
    // Whether the layout of kernel records is known: the attributes agree about where ids are.
    bool has_known_layout() const { return agree_ && is_complete_; }
    // Whether an attribute uses a clock other than this.
    bool use_clock_other_than(int32_t clock) const { return clock_ && (clocks_differ_ || *clock_ != clock); }

    // The attribute of this id; null if absent.
    const Attr* of_id(uint64_t id) {
        if (id == last_id_ && last_ != nullptr) [[likely]]
            return last_;
        return look_up(id);
    }
    // The attribute of a kernel record that is no SAMPLE (section 3.6); null without any attribute.
    const Attr* of_record(Bytes record) {
        if (attrs_.size() <= 1) return attrs_.empty() ? nullptr : &attrs_[0];
        return of_record_by_id(record);
    }

  private:
    struct Owner {
        uint64_t key = 0;
        uint64_t attr_number = 0;  // from 1
        bool is_vacant() const { return attr_number == 0; }
    };
    template <class V>
    Attr read(const V& attr, uint64_t own);
    template <class V>
    void judge_bits(const V& attr, uint64_t own);
    template <class V>
    bool keep(const V& attr, Attr& read);
    void add_ids(Bytes ids, uint64_t offset, const RecordInFile* record);
    template <class V>
    void tell(const V& attr, const Attr& read);
    void lose(const Place& place);
    const Attr* look_up(uint64_t id);
    const Attr* of_record_by_id(Bytes record);

    State& state_;
    BudgetedVector<Attr> attrs_;
    BudgetedVector<uint64_t> ids_;
    HashTable<Owner> owners_;
    std::optional<Place> without_time_;  // sample_type of the first attribute without times
    std::optional<Place> without_user_, tracepoint_;
    uint64_t tracepoint_number_ = 0;
    uint64_t last_id_ = 0;
    const Attr* last_ = nullptr;
    uint64_t ids_read_ = 0;  // bytes
    bool is_complete_ = true;
    bool agree_ = true;
    std::optional<int32_t> clock_;  // of the first attribute that uses one
    bool clocks_differ_ = false;
};

extern const RuleList kAttrRules;

}  // namespace tracelint::perfdata
