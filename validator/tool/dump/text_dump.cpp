// Prints records as a table: offset | bytes | field | value | meaning.
#include <fmt/core.h>

#include <utility>
#include <vector>

#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/dump/table_rows.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/colours.hpp"
#include "validator/tool/writers/excerpt.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMostIndent = 40;  // levels of a tree
constexpr uint64_t kRow = 16;
constexpr size_t kPiece = 4096;   // bytes of a long text
constexpr uint64_t kRawRows = 4;  // rows of bytes that are not a record

// `whole`: the record is not truncated.
std::string name_of(const Leaf& leaf, bool whole) {
    std::string name(2 * leaf.depth, ' ');
    if (leaf.list != nullptr) {
        append_element(name, *leaf.list, leaf.element);
        name += '.';
    }
    if (leaf.field != nullptr) name += leaf.field->name;
    const bool pads_list = leaf.field != nullptr && leaf.field->type == Type::list;
    if (leaf.kind == Leaf::Kind::raw)
        name += !whole ? "(truncated)" : pads_list ? " (after the last)" : "(undescribed)";
    return name;
}

// How much of a long text is shown at a time: it ends before a character.
size_t piece_of_utf8(Bytes text) {
    if (text.size() <= kPiece) return text.size();
    for (size_t end = kPiece; end > kPiece - 4; --end)
        if ((text[end] & 0xc0) != 0x80) return end;
    return kPiece;  // it is no UTF-8
}
size_t piece_of_utf16(Bytes text) {
    if (text.size() <= kPiece) return text.size();
    const bool ends_in_half = (text[kPiece - 1] & 0xfc) == 0xd8;  // the first half of a surrogate pair
    return ends_in_half ? kPiece - 2 : kPiece;
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
    RecordLines(const SeenRecord& record, const Selection& selection, DumpContext& context, TableRows& rows)
        : record_(record), selection_(selection), meanings_(record, context), rows_(rows) {}

    void leaf(const Leaf& leaf, bool is_selected) {
        if (!is_selected) return leave_out(leaf);
        is_leaving_out_ = false;
        if (!flags_.empty() && is_plain_flag(leaf) && leaf.offset == flags_.back().offset) return append_flag(leaf);
        const bool in_line = !selection_.field.is_given() && leaf.list != nullptr && leaf.kind == Leaf::Kind::value &&
                             fits_a_line(*leaf.record);
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
        std::string name(2 * depth_, ' ');
        append_element(name, *list_, element_);
        const Bytes bytes = record_.bytes.subspan(start_, end_ - start_);
        Row row = row_of(start_, bytes, std::move(name));
        row.value = std::move(values_);
        row.indent = 2 * indent_;
        rows_.add(std::move(row));
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
        if (!std::exchange(is_leaving_out_, true) && !selection_.field.is_given()) rows_.text("  ...\n");
    }

    // A row without its value. `at`: from the start of the record.
    Row row_of(uint64_t at, Bytes bytes, std::string name) const {
        const uint64_t offset = record_.offset + at;
        return {.is_marked = selection_.marks(offset, bytes.size()),
                .offset = offset,
                .bytes = bytes,
                .name = std::move(name)};
    }

    void line(const Leaf& leaf) {
        const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record_.bytes.subspan(leaf.offset, leaf.length);
        Row row = row_of(leaf.offset, bytes, name_of(leaf, record_.is_whole()));
        row.value = value_of(leaf, bytes);
        row.meaning = meanings_.of(leaf);
        if (leaf.kind == Leaf::Kind::value) row.doc = leaf.field->doc;
        // What is too long to be a value follows the row.
        const bool is_opaque =
            leaf.kind == Leaf::Kind::raw || (leaf.kind == Leaf::Kind::value && leaf.field->type == Type::bytes);
        const bool is_long_text = is_text(leaf) && bytes.size() > kTextOfLeaf;
        const bool is_whole = selection_.field.is_given() && (is_long_text || (is_opaque && !is_text(leaf)));
        if (is_whole) row.value = fmt::format("<{}>", counted(leaf.length, "byte"));
        rows_.add(std::move(row));
        if (is_whole) is_long_text ? whole_text(leaf, bytes) : whole_bytes(record_.offset + leaf.offset, bytes);
    }

    // In quotes, in one line however long it is, so that it can be copied.
    void whole_text(const Leaf& leaf, Bytes bytes) {
        const bool is_wide = leaf.field->type == Type::string16;
        rows_.text("  \"");
        for (Bytes text = text_in(leaf, bytes); !text.empty();) {
            const Bytes piece = text.first(is_wide ? piece_of_utf16(text) : piece_of_utf8(text));
            const std::string shown = tracelint::quoted(is_wide ? utf8_of_utf16(piece) : std::string(as_text(piece)));
            rows_.text(shown.substr(1, shown.size() - 2));
            text = text.subspan(piece.size());
        }
        rows_.text("\"\n");
    }

    void whole_bytes(uint64_t offset, Bytes bytes) {
        for (size_t at = 0; at < bytes.size(); at += kRow)
            rows_.text("  " + hex_line(offset + at, bytes.subspan(at, std::min<size_t>(kRow, bytes.size() - at))));
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
        Row row = row_of(first.offset, bytes, fmt::format("{:{}}flags", "", 2 * first.depth));
        row.value = fmt::format("{:#x}", number);
        row.meaning = names.empty() ? "none" : names;
        rows_.add(std::move(row));
    }

    void append(const Leaf& leaf) {
        const Field& field = *leaf.field;
        const std::string value = value_of(leaf, record_.bytes.subspan(leaf.offset, leaf.length));
        if (field.nests) indent_ = std::min<uint64_t>(leaf.number, kMostIndent);
        if (!values_.empty()) values_ += ", ";
        if (leaf.record->fields().size() != 1) append_to(values_, field.name, " ");
        values_ += value;
        if (const std::string meaning = meanings_.of(leaf); !meaning.empty()) append_to(values_, " (", meaning, ")");
        end_ = leaf.offset + leaf.length;
    }

    const SeenRecord& record_;
    const Selection& selection_;
    Meanings meanings_;
    TableRows& rows_;
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
    TextDump(const TextStyle& style, const Selection& selection, DumpContext& context, Sink& sink)
        : Renderer(selection, context, sink), rows_(style, sink) {}

    void begin(const SeenRecord& record) override {
        std::string heading;
        if (record.index != kNone) append_to(heading, "records[", record.index, "] ");
        append_to(heading, record.record->name, " at ", hex(record.offset), ", ", counted(record.length, "byte"), "\n");
        rows_.text(heading, kBold);
        lines_.emplace(record, selection_, context_, rows_);
    }

    void leaf(const SeenRecord& record, const Leaf& leaf) override { lines_->leaf(leaf, shows(record, leaf)); }

    void end(const SeenRecord& record) override {
        lines_->finish_line();
        if (!record.is_whole())
            rows_.text(fmt::format("  ... {} {}\n", counted(record.length - record.bytes.size(), "byte"),
                                   record.ends_early ? "missing: the file ends here" : "not shown"));
        rows_.flush();  // as long as there are the bytes
        lines_.reset();
    }

    // The first rows, or those around the offset.
    void selected_gap(const Gap& gap, GapBytes& bytes) override {
        const std::string size = gap.length == kNone ? "" : ", " + counted(gap.length, "byte");
        rows_.text(fmt::format("not recognised at {:#x}{}\n", gap.offset, size), kRed);
        const uint64_t start = first_shown(gap);
        const Bytes seen = bytes.read(start, std::min(gap.length - (start - gap.offset), kRawRows * kRow + 1));
        if (start != gap.offset) rows_.text("  ...\n");
        for (size_t at = 0; at < std::min<size_t>(seen.size(), kRawRows * kRow); at += kRow) {
            const Bytes row = seen.subspan(at, std::min<size_t>(kRow, seen.size() - at));
            rows_.text((selection_.marks(start + at, row.size()) ? "> " : "  ") + hex_line(start + at, row));
        }
        if (seen.size() > kRawRows * kRow) rows_.text("  ... the rest is not shown\n");
        rows_.flush();
    }

  private:
    // Where the rows of a gap begin.
    uint64_t first_shown(const Gap& gap) const {
        if (!selection_.around) return gap.offset;
        const uint64_t before = saturating_sub(*selection_.around, kRow);
        return before <= gap.offset ? gap.offset : gap.offset + (before - gap.offset) / kRow * kRow;
    }

    TableRows rows_;
    std::optional<RecordLines> lines_;  // of the record that is being visited
};

}  // namespace

std::unique_ptr<Renderer> make_text_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                             Sink& sink) {
    return std::make_unique<TextDump>(dumped.style, selection, context, sink);
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
