// Prints records as a table: offset | bytes | field | value | meaning.
#include <fmt/core.h>

#include <utility>
#include <vector>

#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/excerpt.hpp"

namespace tracelint {
namespace {

constexpr size_t kBytesOfLeaf = 8;    // bytes of one leaf
constexpr uint64_t kMostIndent = 40;  // levels of a tree
constexpr uint64_t kRow = 16;
constexpr uint64_t kRawRows = 4;  // rows of bytes that are not a record
// Widths of the columns, in characters.
constexpr size_t kOffsetWidth = 10, kBytesWidth = 3 * kBytesOfLeaf + 1, kFieldWidth = 28, kValueWidth = 40;

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
    for (size_t i = 0; i < bytes.size() && i < kBytesOfLeaf; ++i)
        text += fmt::format("{}{:02x}", i == 0 ? "" : " ", bytes[i]);
    if (bytes.size() > kBytesOfLeaf) text += "..";
    return text;
}

// Whether the leaf is a flag whose name says all: those of one number are shown in one line.
bool is_plain_flag(const Leaf& leaf) {
    if (leaf.kind != Leaf::Kind::value) return false;
    const Field& field = *leaf.field;
    const bool is_bit = field.type == Type::bits && field.bit_width == 1;
    return is_bit && field.doc.empty() && field.names.empty() && field.checks[0].must == Check::Must::nothing;
}

// Writes the leaves of one record. Gathers those of an element, and flags, that are shown in one line.
class RecordLines {
  public:
    RecordLines(const SeenRecord& record, const Selection& selection, DumpContext& context, Sink& sink)
        : record_(record), selection_(selection), meanings_(record, context), sink_(sink) {}

    void leaf(const Leaf& leaf) {
        if (!selection_.has(record_, leaf)) return leave_out(leaf);
        is_leaving_out_ = false;
        if (!flags_.empty() && is_plain_flag(leaf) && leaf.offset == flags_.back().offset) return append_flag(leaf);
        const bool in_line = leaf.list != nullptr && leaf.kind == Leaf::Kind::value && fits_a_line(*leaf.record);
        if (in_line && leaf.list == list_ && leaf.element == element_) return append(leaf);
        finish_line();
        if (!in_line) return is_plain_flag(leaf) ? append_flag(leaf) : line(leaf);
        list_ = leaf.list;
        element_ = leaf.element;
        start_ = end_ = leaf.offset;
        depth_ = leaf.depth;
        append(leaf);
    }

    // Writes what was gathered.
    void finish_line() {
        finish_flags();
        finish_element();
    }

  private:
    void finish_element() {
        if (list_ == nullptr) return;
        const std::string name = fmt::format("{:{}}{}[{}]", "", 2 * depth_, list_->name, element_);
        const Bytes bytes = record_.bytes.subspan(start_, end_ - start_);
        sink_.write(fmt::format("{}{:{}}{}\n", left_columns(start_, bytes, name), "", 2 * indent_, values_));
        list_ = nullptr;
        values_.clear();
        indent_ = 0;
    }

    // A flag on its own is a line like any other.
    void finish_flags() {
        if (flags_.size() == 1) line(flags_.front());
        if (flags_.size() > 1) flags_line();
        flags_.clear();
    }

    // A run of leaves that are not selected is one line.
    void leave_out(const Leaf& leaf) {
        finish_line();
        meanings_.pass(leaf);
        if (!std::exchange(is_leaving_out_, true)) sink_.write("  ...\n");
    }

    // The columns up to the field's name. `at`: from the start of the record.
    std::string left_columns(uint64_t at, Bytes bytes, std::string_view name) const {
        const uint64_t offset = record_.offset + at;
        return fmt::format("{} {:<{}} | {:<{}} | {:<{}} | ", selection_.marks(offset, bytes.size()) ? '>' : ' ',
                           hex(offset), kOffsetWidth, hex_of(bytes), kBytesWidth, name, kFieldWidth);
    }

    void line(const Leaf& leaf) {
        const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record_.bytes.subspan(leaf.offset, leaf.length);
        std::string meaning = meanings_.of(leaf);
        if (meaning.empty() && leaf.kind == Leaf::Kind::value) meaning = leaf.field->doc;
        std::string text = left_columns(leaf.offset, bytes, name_of(leaf, record_.is_whole())) +
                           fmt::format("{:<{}} | {}", value_of(leaf, bytes), kValueWidth, meaning);
        text.erase(text.find_last_not_of(" |") + 1);
        sink_.write(text + '\n');
    }

    void append_flag(const Leaf& leaf) { flags_.push_back(leaf); }

    void flags_line() {
        const Leaf& first = flags_.front();
        uint64_t number = 0;
        std::string names;
        for (const Leaf& flag : flags_) {
            number |= flag.number << flag.field->bit_offset;
            if (flag.number != 0) names += fmt::format("{}{}", names.empty() ? "" : " | ", flag.field->name);
        }
        const Bytes bytes = record_.bytes.subspan(first.offset, first.length);
        const std::string name = fmt::format("{:{}}flags", "", 2 * first.depth);
        sink_.write(fmt::format("{}{:<{}} | {}\n", left_columns(first.offset, bytes, name),
                                fmt::format("{:#x}", number), kValueWidth, names.empty() ? "none" : names));
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
    const Selection& selection_;
    Meanings meanings_;
    Sink& sink_;
    std::vector<Leaf> flags_;      // those being gathered, of one number
    const Field* list_ = nullptr;  // of the element being gathered; null: none
    uint64_t element_ = 0;
    uint64_t start_ = 0, end_ = 0;  // its bytes, from the start of the record
    size_t depth_ = 0;              // of nested lists
    uint64_t indent_ = 0;           // its depth in a tree
    std::string values_;
    bool is_leaving_out_ = false;
};

class TextDump final : public Renderer {
  public:
    using Renderer::Renderer;

    void begin(const SeenRecord& record) override {
        if (record.index != kNone) sink_.write(fmt::format("records[{}] ", record.index));
        sink_.write(
            fmt::format("{} at {:#x}, {}\n", record.record->name, record.offset, counted(record.length, "byte")));
        lines_.emplace(record, selection_, context_, sink_);
    }

    void leaf(const SeenRecord&, const Leaf& leaf) override { lines_->leaf(leaf); }

    void end(const SeenRecord& record) override {
        lines_->finish_line();
        lines_.reset();
        if (record.is_whole()) return;
        sink_.write(fmt::format("  ... {} {}\n", counted(record.length - record.bytes.size(), "byte"),
                                record.ends_early ? "missing: the file ends here" : "not shown"));
    }

    // The first rows, or those around the offset.
    void selected_gap(const Gap& gap, GapBytes& bytes) override {
        const std::string size = gap.length == kNone ? "" : ", " + counted(gap.length, "byte");
        sink_.write(fmt::format("not recognised at {:#x}{}\n", gap.offset, size));
        const uint64_t start = first_shown(gap);
        const Bytes seen = bytes.read(start, std::min(gap.length - (start - gap.offset), kRawRows * kRow + 1));
        if (start != gap.offset) sink_.write("  ...\n");
        for (size_t at = 0; at < std::min<size_t>(seen.size(), kRawRows * kRow); at += kRow) {
            const Bytes row = seen.subspan(at, std::min<size_t>(kRow, seen.size() - at));
            sink_.write(selection_.marks(start + at, row.size()) ? "> " : "  ");
            sink_.write(hex_line(start + at, row));
        }
        if (seen.size() > kRawRows * kRow) sink_.write("  ... the rest is not shown\n");
    }

  private:
    // Where the rows of a gap begin.
    uint64_t first_shown(const Gap& gap) const {
        if (!selection_.around) return gap.offset;
        const uint64_t before = saturating_sub(*selection_.around, kRow);
        return before <= gap.offset ? gap.offset : gap.offset + (before - gap.offset) / kRow * kRow;
    }

    std::optional<RecordLines> lines_;  // of the record that is being visited
};

}  // namespace

std::unique_ptr<Renderer> make_text_renderer(const Dumped&, const Selection& selection, DumpContext& context,
                                             Sink& sink) {
    return std::make_unique<TextDump>(selection, context, sink);
}

namespace {

constexpr DumpKind kKinds[] = {{"text", make_text_renderer},
                               {"json", make_json_renderer},
                               {"ndjson", make_ndjson_renderer},
                               {"csv", make_csv_renderer}};

}  // namespace

std::span<const DumpKind> dump_kinds() { return kKinds; }

void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink) {
    const Selection all;
    walk_records(window, *framer, context, *make_text_renderer({}, all, context, sink));
}

}  // namespace tracelint
