// Prints records as a table: offset | bytes | field | value | meaning.
#include "validator/tool/dump/dump.hpp"

#include <fmt/core.h>

#include <utility>

#include "validator/tool/excerpt.hpp"
#include "validator/tool/dump/labels.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kBytesShown = 8;     // bytes of one leaf
constexpr size_t kTextShown = 160;    // bytes of one string
constexpr uint64_t kMostIndent = 40;  // levels of a tree
constexpr size_t kRow = 16;
constexpr size_t kRawRows = 4;         // rows of bytes that are not a record
constexpr uint64_t kAlsoInHex = 4096;  // numbers from here on are shown in hexadecimal as well
// Widths of the columns, in characters.
constexpr size_t kOffsetWidth = 10, kBytesWidth = 3 * kBytesShown + 1, kFieldWidth = 28, kValueWidth = 40;

// The name of the value, the names of the flags that are set, or the field's description.
std::string meaning_of(const Field& field, uint64_t number) {
    for (const NamedValue& named : field.names)
        if (named.value == number) return std::string(named.name);
    const auto is_mask = [](const Check& check) { return check.must == Check::Must::lie_in_mask; };
    std::string names;
    if (std::any_of(field.checks.begin(), field.checks.end(), is_mask)) {
        for (const NamedValue& named : field.names) {
            if (named.value == 0 || (number & named.value) != named.value) continue;
            if (!names.empty()) names += " | ";
            names += named.name;
        }
    }
    return names.empty() ? std::string(field.doc) : names;
}

bool is_signed(const Field& field) { return field.type == Type::signed_number || field.type == Type::sleb128; }

std::string value_of(const Leaf& leaf, Bytes bytes) {
    if (leaf.kind == Leaf::Kind::list) return leaf.number == kNone ? "list" : counted(leaf.number, "element");
    const std::string opaque = fmt::format("<{}>", counted(leaf.length, "byte"));
    if (leaf.kind == Leaf::Kind::raw || leaf.field->type == Type::bytes) return opaque;
    if (leaf.field->type == Type::string) {
        const Bytes text = bytes.first(bytes.size() - 1);  // without the NUL
        if (text.size() <= kTextShown) return quoted(as_text(text));
        return fmt::format("{}... {}", quoted(as_text(text.first(kTextShown))), opaque);
    }
    if (is_signed(*leaf.field) && static_cast<int64_t>(leaf.number) < 0)
        return std::to_string(static_cast<int64_t>(leaf.number));
    return leaf.number < kAlsoInHex ? std::to_string(leaf.number) : fmt::format("{0} = {0:#x}", leaf.number);
}

// `whole`: the record is not truncated.
std::string name_of(const Leaf& leaf, bool whole) {
    std::string name(2 * leaf.depth, ' ');
    if (leaf.list != nullptr) name += fmt::format("{}[{}].", leaf.list->name, leaf.element);
    if (leaf.field != nullptr) name += leaf.field->name;
    const bool pads_list = leaf.field != nullptr && leaf.field->type == Type::list;
    if (leaf.kind == Leaf::Kind::raw)
        name += !whole ? "(truncated)" : pads_list ? " (after the last)" : "(undescribed)";
    return name;
}

std::string hex_of(Bytes bytes) {
    std::string text;
    for (size_t i = 0; i < bytes.size() && i < kBytesShown; ++i)
        fmt::format_to(std::back_inserter(text), "{}{:02x}", i == 0 ? "" : " ", bytes[i]);
    if (bytes.size() > kBytesShown) text += "..";
    return text;
}

// The columns up to the field's name.
std::string left_columns(uint64_t offset, Bytes bytes, std::string_view name) {
    return fmt::format("  {:<{}} | {:<{}} | {:<{}} | ", hex(offset), kOffsetWidth, hex_of(bytes), kBytesWidth, name,
                       kFieldWidth);
}

std::string line_of(const Leaf& leaf, Bytes record, uint64_t offset, bool whole) {
    const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record.subspan(leaf.offset, leaf.length);
    const std::string meaning = leaf.kind == Leaf::Kind::value ? meaning_of(*leaf.field, leaf.number) : "";
    std::string line = left_columns(offset + leaf.offset, bytes, name_of(leaf, whole)) +
                       fmt::format("{:<{}} | {}", value_of(leaf, bytes), kValueWidth, meaning);
    line.erase(line.find_last_not_of(" |") + 1);
    return line + '\n';
}

// Elements that consist of numbers and strings are shown in one line each.
bool fits_a_line(const Record& element) {
    return std::ranges::all_of(element.fields(), [](const Field& f) { return f.is_fixed() || f.type == Type::string; });
}

// Writes the leaves of one record. Gathers those of an element that is shown in one line.
class RecordLines {
  public:
    RecordLines(const Record& record, Bytes bytes, const Layout& layout, uint64_t offset, bool whole, Sink& sink,
                Budget& budget, WorkCounter& work)
        : labels_(record, bytes, layout, budget, work), bytes_(bytes), offset_(offset), whole_(whole), sink_(sink) {}
    ~RecordLines() { finish_element(); }
    RecordLines(const RecordLines&) = delete;
    RecordLines& operator=(const RecordLines&) = delete;

    bool has_labels() const { return !labels_.are_missing(); }

    void leaf(const Leaf& leaf) {
        const bool in_line = leaf.list != nullptr && leaf.kind == Leaf::Kind::value && fits_a_line(*leaf.record);
        if (in_line && leaf.list == list_ && leaf.element == element_) return append(leaf);
        finish_element();
        if (!in_line) return void(sink_.write(line_of(leaf, bytes_, offset_, whole_)));
        list_ = leaf.list;
        element_ = leaf.element;
        start_ = end_ = leaf.offset;
        depth_ = leaf.depth;
        append(leaf);
    }

  private:
    void append(const Leaf& leaf) {
        const Field& field = *leaf.field;
        const std::string value = value_of(leaf, bytes_.subspan(leaf.offset, leaf.length));
        if (field.nests) indent_ = std::min<uint64_t>(leaf.number, kMostIndent);
        if (!values_.empty()) values_ += ", ";
        values_ += leaf.record->count == 1 ? value : fmt::format("{} {}", field.name, value);
        std::string meaning = field.indexed.empty() ? std::string() : labels_.of(field.indexed, leaf.number);
        for (const NamedValue& named : field.names)
            if (named.value == leaf.number) meaning = named.name;
        if (!field.taken.empty()) meaning = take(field.taken, leaf.number);
        if (!meaning.empty()) values_ += fmt::format(" ({})", meaning);
        end_ = leaf.offset + leaf.length;
    }

    // The elements of another list that belong to this element: "range_list[2..3]".
    std::string take(std::string_view list, uint64_t count) {
        const uint64_t first = std::exchange(taken_[list], saturating_add(taken_[list], count));
        if (count == 0) return {};
        if (count == 1) return fmt::format("{}[{}]", list, first);
        return fmt::format("{}[{}..{}]", list, first, saturating_add(first, count - 1));
    }

    void finish_element() {
        if (list_ == nullptr) return;
        const std::string name = fmt::format("{:{}}{}[{}]", "", 2 * depth_, list_->name, element_);
        sink_.write(fmt::format("{}{:{}}{}\n",
                                left_columns(offset_ + start_, bytes_.subspan(start_, end_ - start_), name), "",
                                2 * indent_, values_));
        list_ = nullptr;
        values_.clear();
        indent_ = 0;
    }

    Labels labels_;
    Bytes bytes_;
    uint64_t offset_;  // of the record in the file
    bool whole_;
    Sink& sink_;
    const Field* list_ = nullptr;  // of the element being gathered; null: none
    uint64_t element_ = 0;
    uint64_t start_ = 0, end_ = 0;  // its bytes, from the start of the record
    size_t depth_ = 0;              // of nested lists
    uint64_t indent_ = 0;           // its depth in a tree
    std::string values_;
    std::map<std::string_view, uint64_t> taken_;  // elements claimed so far, by list
};

class Dumper {
  public:
    Dumper(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink)
        : window_(window), framer_(std::move(framer)), context_(context), sink_(sink), work_(context.work) {}

    void run() {
        while (sink_.failure() == 0) {
            Bytes opening = window_.view(offset_, kDetectionBytes);
            if (opening.empty()) return;
            Framer::Frame frame = framer_->next(opening);
            while (frame.needs > opening.size()) {
                const size_t before = opening.size();
                opening = window_.view(offset_, most_in_view(frame.needs));
                work_.add(opening.size());
                frame = framer_->next(opening);
                if (opening.size() == before) {
                    note_limit(frame.needs);
                    break;
                }
            }
            const bool recognised = frame.record != nullptr && frame.length != 0;
            if (recognised)
                record(*frame.record, frame.length);
            else
                raw(frame.length);
            // Without a length, the next record cannot be found.
            if (frame.length == 0) return;
            offset_ = saturating_add(offset_, frame.length);
        }
    }

  private:
    // As many of `wanted` bytes as the limits allow to be in view.
    size_t most_in_view(uint64_t wanted) const {
        return static_cast<size_t>(window_.affordable(std::min(wanted, context_.limits.record)));
    }

    void record(const Record& record, uint64_t length) {
        const size_t most = most_in_view(length);
        const Bytes seen = window_.view(offset_, most);
        const Bytes bytes = seen.first(std::min(seen.size(), most));
        const bool whole = bytes.size() == length;
        heading(record, length);
        {
            RecordLines lines(record, bytes, framer_->layout(), offset_, whole, sink_, context_.budget, work_);
            if (!lines.has_labels()) leave_out("the names that indexes stand for are left out: --max-memory");
            decode(record, bytes, framer_->layout(), true, [&](const Leaf& leaf) {
                work_.add(leaf.length + 1);
                lines.leaf(leaf);
            });
        }
        if (whole) return;
        const uint64_t missing = length - bytes.size();
        const bool is_limited = bytes.size() == most;
        const bool is_there = window_.reaches(saturating_add(offset_, length)) || is_limited;
        sink_.write(fmt::format("  ... {} {}\n", counted(missing, "byte"),
                                is_there ? "not shown" : "missing: the file ends here"));
        if (is_limited) note_limit(length);
    }

    // A record of which `wanted` bytes should be in view is not shown as a whole if a limit is below that.
    void note_limit(uint64_t wanted) {
        if (wanted > context_.limits.record)
            leave_out("not all of a record is shown: --max-record");
        else if (most_in_view(wanted) < wanted)
            leave_out("not all of a record is shown: --max-memory");
    }

    // Remembers the first limit that is reached.
    void leave_out(std::string_view what) {
        if (context_.left_out.empty()) context_.left_out = what;
    }

    void heading(const Record& record, uint64_t length) {
        if (record.numbered) sink_.write(fmt::format("records[{}] ", index_++));
        sink_.write(fmt::format("{} at {:#x}, {}\n", record.name, offset_, counted(length, "byte")));
    }

    // The first rows of bytes that are not a record: `length` of them, or all that follow if it is 0.
    void raw(uint64_t length) {
        const uint64_t wanted = length == 0 ? kNone : length;
        const Bytes seen = window_.view(offset_, std::min<uint64_t>(wanted, kRawRows * kRow + 1));
        const Bytes bytes = seen.first(std::min<uint64_t>(seen.size(), wanted));
        const std::string size = length == 0 ? "" : ", " + counted(length, "byte");
        sink_.write(fmt::format("not recognised at {:#x}{}\n", offset_, size));
        for (size_t at = 0; at < std::min(bytes.size(), kRawRows * kRow); at += kRow)
            sink_.write("  " + hex_line(offset_ + at, bytes.subspan(at, std::min(kRow, bytes.size() - at))));
        if (bytes.size() > kRawRows * kRow) sink_.write("  ... the rest is not shown\n");
    }

    Window& window_;
    std::unique_ptr<Framer> framer_;
    DumpContext& context_;
    Sink& sink_;
    WorkCounter& work_;
    uint64_t offset_ = 0;
    uint64_t index_ = 0;
};

}  // namespace

void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink) {
    Dumper(window, std::move(framer), context, sink).run();
}

}  // namespace tracelint
