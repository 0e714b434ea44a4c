// The table interpreter and its inverse.
#include "validator/tables/decode.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "validator/tables/leb128.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

// Walks one record and the elements of its lists. Nesting is bounded by the tables.
class Interpreter {
  public:
    Interpreter(Bytes data, const Layout& layout, const std::function<void(const Leaf&)>& visit)
        : data_(data), layout_(layout), visit_(visit) {}

    // The layout with the running values as of now.
    const Layout& layout() const { return layout_; }

    // Reads a record at the cursor. All of it must be before `end`.
    bool walk(const Record& record, uint64_t end, const Field* list, uint64_t element, size_t depth) {
        Numbers numbers;
        const std::span<const Field> fields = record.fields();
        for (size_t i = 0; i < fields.size(); ++i) {
            const Field& field = fields[i];
            if (!field.exists_in(layout_.version) || !is_there(record, field, numbers)) continue;
            Leaf leaf;
            leaf.record = &record;
            leaf.field = &field;
            leaf.list = list;
            leaf.element = element;
            leaf.depth = depth;
            leaf.offset = cursor_;
            if (!read(record, leaf, end, numbers)) return false;
            numbers.set(i, leaf.number, cursor_);
        }
        return true;
    }

    uint64_t cursor() const { return cursor_; }

    void raw(const Record& record, const Field* field, uint64_t end) {
        if (cursor_ >= end) return;
        Leaf leaf;
        leaf.kind = Leaf::Kind::raw;
        leaf.record = &record;
        leaf.field = field;
        leaf.offset = cursor_;
        leaf.length = end - cursor_;
        visit_(leaf);
        cursor_ = end;
    }

  private:
    // The numbers of a record's fields so far. Made for each element of a list, so that making it must cost nothing.
    class Numbers {
      public:
        void set(size_t field, uint64_t number, uint64_t end) {
            values_[field] = number;
            ends_[field] = end;
            present_ |= uint64_t{1} << field;
        }
        // Where the field ends. It is present.
        uint64_t end_of(size_t field) const { return ends_[field]; }
        // Empty for an absent field.
        std::optional<uint64_t> get(size_t field) const {
            return (present_ >> field & 1) != 0 ? std::optional(values_[field]) : std::nullopt;
        }

      private:
        static_assert(kMaxFields <= 64);
        std::array<uint64_t, kMaxFields> values_, ends_;  // of those present
        uint64_t present_ = 0;                            // a bit for each field
    };

    // Names are unique within a version.
    std::optional<uint64_t> find_number(const Record& record, std::string_view name, const Numbers& numbers) const {
        const std::span<const Field> fields = record.fields();
        for (size_t i = 0; i < fields.size(); ++i)
            if (fields[i].name == name && fields[i].exists_in(layout_.version)) return numbers.get(i);
        return std::nullopt;
    }

    uint64_t number_of(const Record& record, std::string_view name, const Numbers& numbers) const {
        return find_number(record, name, numbers).value_or(0);
    }

    // How long a field is that fills what the number of another one leaves. Nothing: the former fields exceed it.
    std::optional<uint64_t> left_of(const Record& record, std::string_view name, const Numbers& numbers) const {
        const std::span<const Field> fields = record.fields();
        for (size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].name != name || !fields[i].exists_in(layout_.version)) continue;
            const uint64_t size = numbers.get(i).value_or(0), taken = cursor_ - numbers.end_of(i);
            return size < taken ? std::nullopt : std::optional(size - taken);
        }
        return std::nullopt;
    }

    bool is_there(const Record& record, const Field& field, const Numbers& numbers) const {
        if (!field.is_optional()) return true;
        const std::optional<uint64_t> decides = find_number(record, field.condition.field, numbers);
        return decides && field.condition.holds_for(*decides);
    }

    bool read(const Record& record, Leaf& leaf, uint64_t end, const Numbers& numbers) {
        const Field& field = *leaf.field;
        const uint64_t left = end - cursor_;
        uint64_t bound = left;
        if (!field.sizer.empty()) bound = number_of(record, field.sizer, numbers);
        if (field.type == Type::bytes && field.width != 0) bound = field.width;
        if (!field.filled.empty()) {
            const std::optional<uint64_t> rest = left_of(record, field.filled, numbers);
            if (!rest) return false;
            bound = *rest;
        }
        switch (field.type) {
            case Type::list: return bound <= left && read_list(record, leaf, cursor_ + bound, numbers);
            case Type::bytes: leaf.length = bound; break;
            case Type::string: {
                const Bytes rest = data_.subspan(cursor_, left);
                const void* nul = rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size());
                if (nul == nullptr) return false;
                leaf.length = static_cast<uint64_t>(static_cast<const uint8_t*>(nul) - rest.data()) + 1;
                break;
            }
            case Type::string16: {
                const uint64_t length = length_to_nul16(data_.subspan(cursor_, left));
                if (length == kNone) return false;
                leaf.length = length + 2;
                break;
            }
            case Type::uleb128:
            case Type::sleb128: return read_leb_field(leaf, end);
            default: leaf.length = width_of(field, layout_); break;
        }
        if (leaf.length > left) return false;
        if (field.is_fixed()) leaf.number = read_fixed(field, layout_, data_.data() + cursor_);
        visit_(leaf);
        if (ends_its_number(field)) cursor_ += leaf.length;
        return true;
    }

    bool read_list(const Record& record, Leaf& leaf, uint64_t end, const Numbers& numbers) {
        const Field& field = *leaf.field;
        const uint64_t count = field.counter.empty() ? kNone : number_of(record, field.counter, numbers);
        leaf.kind = Leaf::Kind::list;
        leaf.number = count;
        visit_(leaf);
        if (count != kNone && !field.ends_with_zero && is_one_leb(*field.element))
            return read_lebs(*field.element, leaf, count, end);
        for (uint64_t i = 0; i < count; ++i) {
            if (field.counter.empty() && !field.ends_with_zero && cursor_ == end) break;
            const bool last = field.ends_with_zero && is_zero(*field.element, end);
            const uint64_t before = cursor_;
            if (!walk(*field.element, end, &field, i, leaf.depth + 1)) return false;
            if (last || (count == kNone && cursor_ == before))
                break;  // elements are never empty; guards against an endless loop
        }
        if (!field.sizer.empty()) raw(record, &field, end);
        return true;
    }

    // Elements of one number, which may be single bytes: nothing is made anew for each.
    bool is_one_leb(const Record& element) const {
        const Field& only = element.fields()[0];
        return element.fields().size() == 1 && only.is_leb() && !only.is_optional() && only.exists_in(layout_.version);
    }
    bool read_lebs(const Record& element, const Leaf& list, uint64_t count, uint64_t end) {
        const Field& field = element.fields()[0];
        Leaf leaf;
        leaf.record = &element;
        leaf.field = &field;
        leaf.list = list.field;
        leaf.depth = list.depth + 1;
        for (leaf.element = 0; leaf.element < count; ++leaf.element)
            if (!read_leb_field(leaf, end)) return false;
        if (!list.field->sizer.empty()) raw(*list.record, list.field, end);
        return true;
    }

    // Reads the number of the leaf's field at the cursor and shows it.
    bool read_leb_field(Leaf& leaf, uint64_t end) {
        const Field& field = *leaf.field;
        const LebNumber read = read_leb(data_.subspan(cursor_, end - cursor_), field.type == Type::sleb128);
        if (read.fault != LebNumber::Fault::none) return false;
        leaf.offset = cursor_;
        leaf.length = read.length;
        leaf.written = read.value;
        leaf.number = resolved(field, layout_, read.value);
        if (field.is_running) layout_.bases[field.base] = leaf.number;
        visit_(leaf);
        cursor_ += leaf.length;
        return true;
    }

    // Whether the first number of the element at the cursor is 0, which ends a list `to_zero`.
    bool is_zero(const Record& element, uint64_t end) const {
        const Field& first = element.fields()[0];
        const Bytes rest = data_.subspan(cursor_, end - cursor_);
        if (first.is_fixed())
            return width_of(first, layout_) <= rest.size() && read_fixed(first, layout_, rest.data()) == 0;
        const LebNumber number = read_leb(rest, false);
        return number.fault == LebNumber::Fault::none && number.value == 0;
    }

    Bytes data_;
    Layout layout_;
    const std::function<void(const Leaf&)>& visit_;
    uint64_t cursor_ = 0;
};

}  // namespace

bool holds_text(const Leaf& leaf) {
    if (leaf.kind == Leaf::Kind::raw) return true;
    return leaf.field->is_string() || leaf.field->type == Type::bytes;
}

Decoding decode(const Record& record, Bytes data, const Layout& layout, bool bounded,
                const std::function<void(const Leaf&)>& visit) {
    Interpreter interpreter(data, layout, visit);
    Decoding result;
    result.complete = interpreter.walk(record, data.size(), nullptr, kNone, 0);
    if (bounded || !result.complete) interpreter.raw(record, nullptr, data.size());
    result.length = interpreter.cursor();
    result.after = interpreter.layout();
    return result;
}

uint64_t interpreted(const Record& record, std::string_view name, const Layout& layout, const uint8_t* data) {
    uint64_t cursor = 0;
    for (const Field& field : record.fields()) {
        if (!field.exists_in(layout.version)) continue;
        if (field.name == name) return read_fixed(field, layout, data + cursor);
        if (ends_its_number(field)) cursor += width_of(field, layout);
    }
    return 0;
}

void agree(uint64_t interpreted_value, uint64_t fast_value) {
    if (interpreted_value == fast_value) return;
    std::fputs("tracelint: the fast path and the table interpreter disagree\n", stderr);
    std::abort();
}

}  // namespace tracelint
