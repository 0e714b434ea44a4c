// Prints records as a table: offset | bytes | field | value | meaning.
#include <fmt/core.h>

#include "validator/tool/dump/dump.hpp"
#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/excerpt.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kBytesShown = 8;     // bytes of one leaf
constexpr uint64_t kMostIndent = 40;  // levels of a tree
constexpr size_t kRow = 16;
constexpr size_t kRawRows = 4;  // rows of bytes that are not a record
// Widths of the columns, in characters.
constexpr size_t kOffsetWidth = 10, kBytesWidth = 3 * kBytesShown + 1, kFieldWidth = 28, kValueWidth = 40;

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

// Writes the leaves of one record. Gathers those of an element that is shown in one line.
class RecordLines {
  public:
    RecordLines(const SeenRecord& record, DumpContext& context, Sink& sink)
        : record_(record), meanings_(record, context), sink_(sink) {}

    void leaf(const Leaf& leaf) {
        const bool in_line = leaf.list != nullptr && leaf.kind == Leaf::Kind::value && fits_a_line(*leaf.record);
        if (in_line && leaf.list == list_ && leaf.element == element_) return append(leaf);
        finish_element();
        if (!in_line) return line(leaf);
        list_ = leaf.list;
        element_ = leaf.element;
        start_ = end_ = leaf.offset;
        depth_ = leaf.depth;
        append(leaf);
    }

    void finish_element() {
        if (list_ == nullptr) return;
        const std::string name = fmt::format("{:{}}{}[{}]", "", 2 * depth_, list_->name, element_);
        const Bytes bytes = record_.bytes.subspan(start_, end_ - start_);
        sink_.write(
            fmt::format("{}{:{}}{}\n", left_columns(record_.offset + start_, bytes, name), "", 2 * indent_, values_));
        list_ = nullptr;
        values_.clear();
        indent_ = 0;
    }

  private:
    void line(const Leaf& leaf) {
        const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record_.bytes.subspan(leaf.offset, leaf.length);
        std::string text = left_columns(record_.offset + leaf.offset, bytes, name_of(leaf, record_.is_whole())) +
                           fmt::format("{:<{}} | {}", value_of(leaf, bytes), kValueWidth, meanings_.of(leaf));
        text.erase(text.find_last_not_of(" |") + 1);
        sink_.write(text + '\n');
    }

    void append(const Leaf& leaf) {
        const Field& field = *leaf.field;
        const std::string value = value_of(leaf, record_.bytes.subspan(leaf.offset, leaf.length));
        if (field.nests) indent_ = std::min<uint64_t>(leaf.number, kMostIndent);
        if (!values_.empty()) values_ += ", ";
        values_ += leaf.record->count == 1 ? value : fmt::format("{} {}", field.name, value);
        if (const std::string meaning = meanings_.of(leaf); !meaning.empty()) values_ += fmt::format(" ({})", meaning);
        end_ = leaf.offset + leaf.length;
    }

    const SeenRecord& record_;
    Meanings meanings_;
    Sink& sink_;
    const Field* list_ = nullptr;  // of the element being gathered; null: none
    uint64_t element_ = 0;
    uint64_t start_ = 0, end_ = 0;  // its bytes, from the start of the record
    size_t depth_ = 0;              // of nested lists
    uint64_t indent_ = 0;           // its depth in a tree
    std::string values_;
};

class TextDump final : public RecordVisitor {
  public:
    TextDump(DumpContext& context, Sink& sink) : context_(context), sink_(sink) {}

    bool is_done(uint64_t, uint64_t) override { return sink_.failure() != 0; }
    bool wants(const FramedRecord&) override { return true; }

    void begin(const SeenRecord& record) override {
        if (record.index != kNone) sink_.write(fmt::format("records[{}] ", record.index));
        sink_.write(
            fmt::format("{} at {:#x}, {}\n", record.record->name, record.offset, counted(record.length, "byte")));
        lines_.emplace(record, context_, sink_);
    }

    void leaf(const SeenRecord&, const Leaf& leaf) override { lines_->leaf(leaf); }

    void end(const SeenRecord& record) override {
        lines_->finish_element();
        lines_.reset();
        if (record.is_whole()) return;
        sink_.write(fmt::format("  ... {} {}\n", counted(record.length - record.bytes.size(), "byte"),
                                record.ends_early ? "missing: the file ends here" : "not shown"));
    }

    // Shows the first rows.
    void gap(const Gap& gap, GapBytes& bytes) override {
        const Bytes seen = bytes.read(gap.offset, std::min<uint64_t>(gap.length, kRawRows * kRow + 1));
        const std::string size = gap.length == kNone ? "" : ", " + counted(gap.length, "byte");
        sink_.write(fmt::format("not recognised at {:#x}{}\n", gap.offset, size));
        for (size_t at = 0; at < std::min(seen.size(), kRawRows * kRow); at += kRow)
            sink_.write("  " + hex_line(gap.offset + at, seen.subspan(at, std::min(kRow, seen.size() - at))));
        if (seen.size() > kRawRows * kRow) sink_.write("  ... the rest is not shown\n");
    }

  private:
    DumpContext& context_;
    Sink& sink_;
    std::optional<RecordLines> lines_;  // of the record that is being visited
};

}  // namespace

void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink) {
    TextDump visitor(context, sink);
    walk_records(window, *framer, context, visitor);
}

}  // namespace tracelint
