// Lays rows out in lines.
#include "validator/tool/dump/table_rows.hpp"

#include <algorithm>
#include <charconv>

#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/colours.hpp"

namespace tracelint {
namespace {

constexpr size_t kBytesOfLeaf = 8;  // bytes of one leaf that are shown
// Widths of the columns without a terminal, in characters.
constexpr size_t kOffsetWidth = 10, kBytesWidth = 3 * kBytesOfLeaf + 1, kFieldWidth = 28, kValueWidth = 40;
// On a terminal: narrower ones get lines that they wrap; below the second, the bytes are left out; from the third on,
// there are spaces between them.
constexpr size_t kLeastWidth = 60, kBytesFrom = 72, kSpacesFrom = 100;
// Columns that values have at the least: more than the digits of any number.
constexpr size_t kLeastRoom = 24;
constexpr size_t kShortestName = 8;

// The first bytes, with a space between them or without. Returns the end; there is room for kBytesWidth characters.
char* write_hex(char* to, Bytes bytes, bool has_spaces) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (size_t i = 0; i < bytes.size() && i < kBytesOfLeaf; ++i) {
        if (i != 0 && has_spaces) *to++ = ' ';
        *to++ = kDigits[bytes[i] >> 4];
        *to++ = kDigits[bytes[i] & 0xf];
    }
    return bytes.size() > kBytesOfLeaf ? std::fill_n(to, 2, '.') : to;
}

std::string hex_of(Bytes bytes, bool has_spaces) {
    char text[kBytesWidth];
    return {text, write_hex(text, bytes, has_spaces)};
}

// A character, or an escape, which is not divided.
struct Unit {
    size_t bytes = 0;
    size_t columns = 0;  // at the most: from U+1100 on, characters may be two columns wide
};

// The first one of a text that is printable, and not empty.
Unit first_unit(std::string_view text) {
    const auto lead = static_cast<uint8_t>(text[0]);
    if (lead == '\\' && text.size() > 1) {
        const size_t length = std::min<size_t>(text[1] == 'x' ? 4 : 2, text.size());
        return {length, length};
    }
    if (lead < 0x80) return {1, 1};
    const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const bool is_below_1100 = lead < 0xe1 || (lead == 0xe1 && text.size() > 1 && static_cast<uint8_t>(text[1]) < 0x84);
    return {std::min(length, text.size()), is_below_1100 ? size_t{1} : size_t{2}};
}

size_t columns_of(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return static_cast<uint8_t>(c) < 0x80 && c != '\\'; }))
        return text.size();
    size_t columns = 0;
    while (!text.empty()) {
        const Unit unit = first_unit(text);
        columns += unit.columns;
        text.remove_prefix(unit.bytes);
    }
    return columns;
}

// How many bytes of the text, which does not fit into `room` columns, go into this line: up to a comma in its second
// half, or to a space, but not the one after "=". Without either, none, or as many units as fit if the line is empty.
size_t bytes_for_line(std::string_view text, size_t room, bool is_empty_line) {
    size_t columns = 0, at = 0, after_comma = 0, before_space = 0;
    while (at < text.size()) {
        const Unit unit = first_unit(text.substr(at));
        if (text[at] == ' ' && at > 0) {
            if (text[at - 1] == ',' && columns > room / 2) after_comma = at;
            if (text[at - 1] != '=') before_space = at;
        }
        if (columns + unit.columns > room) break;
        columns += unit.columns;
        at += unit.bytes;
    }
    if (after_comma != 0) return after_comma;
    if (before_space != 0) return before_space;
    return is_empty_line ? std::max(at, first_unit(text).bytes) : 0;
}

// Lines on a terminal that are being made.
class Lines {
  public:
    explicit Lines(const TextStyle& style) : style_(style) {}

    size_t column() const { return column_; }
    size_t room() const { return style_.width > column_ ? style_.width - column_ : 0; }
    bool fits(std::string_view text) const { return columns_of(text) <= room(); }

    void pad_to(size_t column) {
        if (column_ >= column) return;
        text_.append(column - column_, ' ');
        column_ = column;
    }
    void start_line(size_t indent) {
        text_.erase(text_.find_last_not_of(' ') + 1);
        text_ += '\n';
        column_ = 0;
        pad_to(indent);
    }
    // Text that fits.
    void put(std::string_view text, std::string_view colour = {}) {
        append_painted(text_, text, colour, style_.colour);
        column_ += columns_of(text);
    }
    // Text in as many lines as it takes, those after the first with an indent.
    void flow(std::string_view text, size_t indent, std::string_view colour = {}) {
        while (!fits(text)) {
            const size_t bytes = bytes_for_line(text, room(), column_ <= indent);
            put(text.substr(0, bytes), colour);
            text.remove_prefix(bytes);
            text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
            start_line(indent);
        }
        put(text, colour);
    }
    std::string take() {
        start_line(0);
        return std::move(text_);
    }

  private:
    const TextStyle& style_;
    std::string text_;
    size_t column_ = 0;  // of the last line
};

}  // namespace

TableRows::TableRows(const TextStyle& style, Sink& sink)
    : style_{style.width == 0 ? 0 : std::max(style.width, kLeastWidth), style.colour}, sink_(sink) {}

void TableRows::add(Row&& row) {
    if (style_.width == 0) return write_line(row);
    rows_.push_back(std::move(row));
    if (rows_.size() == kMostKept) lay_out();
}

void TableRows::lay_out() {
    if (rows_.empty()) return;
    widen_columns();
    for (const Row& row : rows_) write_for_terminal(row);
    rows_.clear();
}

void TableRows::flush() {
    lay_out();
    sink_.write(text_);
    text_.clear();
}

void TableRows::text(std::string_view lines, std::string_view colour) {
    lay_out();
    if (colour.empty()) return write(lines);
    append_painted(text_, lines.substr(0, lines.size() - 1), colour, style_.colour);
    write("\n");
}

void TableRows::write(std::string_view text) {
    text_ += text;
    if (text_.size() < kMostText) return;
    sink_.write(text_);
    text_.clear();
}

// Most of a dump are such lines, so their first columns, which have no colour, are made at once.
void TableRows::write_line(const Row& row) {
    constexpr std::string_view kSeparator = " | ", kHex = "0x";
    char front[kHex.size() + 16 + kSeparator.size() + kBytesWidth + kSeparator.size()];
    char* end = std::ranges::copy(kHex, front).out;
    end = std::to_chars(end, std::end(front), row.offset, 16).ptr;
    const auto finish_column = [&](const char* start, size_t width) {
        while (end < start + width) *end++ = ' ';
        end = std::ranges::copy(kSeparator, end).out;
    };
    finish_column(front, kOffsetWidth);
    const char* const bytes = end;
    end = write_hex(end, row.bytes, true);
    finish_column(bytes, kBytesWidth);

    // Padding has no colour.
    const auto put = [&](std::string_view text, std::string_view colour) {
        append_painted(text_, text, colour, style_.colour);
    };
    const auto pad = [&](size_t columns, size_t width) {
        if (columns < width) text_.append(width - columns, ' ');
        text_ += kSeparator;
    };
    put(row.is_marked ? ">" : " ", kYellow);
    text_ += ' ';
    text_.append(front, end);
    put(row.name, kCyan);
    pad(columns_of(row.name), kFieldWidth);
    text_.append(row.indent, ' ');
    text_ += row.value;
    if (const std::string_view explanation = row.explanation(); !explanation.empty()) {
        pad(columns_of(row.value), kValueWidth);
        put(explanation, row.meaning.empty() ? std::string_view() : kGreen);
    }
    text_.erase(text_.find_last_not_of(kSeparator) + 1);
    write("\n");
}

size_t TableRows::names_column() const {
    return kGap + offset_width_ + kGap + (bytes_width_ == 0 ? 0 : bytes_width_ + kGap);
}

void TableRows::widen_columns() {
    for (const Row& row : rows_) {
        offset_width_ = std::max(offset_width_, hex(row.offset).size());
        if (style_.width >= kBytesFrom)
            bytes_width_ = std::max(bytes_width_, hex_of(row.bytes, style_.width >= kSpacesFrom).size());
    }
    // A name or a value that is longer than most does not move the column after it.
    const size_t left = names_column() + kGap + kLeastRoom;
    const size_t most_name = std::max(kShortestName, style_.width > left ? style_.width - left : 0);
    for (const Row& row : rows_)
        if (const size_t columns = columns_of(row.name); columns <= most_name)
            name_width_ = std::max(name_width_, columns);
    name_width_ = std::min(name_width_, most_name);
    const size_t most_value = (style_.width - std::min(style_.width, values_column())) / 2;
    for (const Row& row : rows_)
        if (const size_t columns = row.indent + columns_of(row.value);
            !row.explanation().empty() && columns <= most_value)
            value_width_ = std::max(value_width_, columns);
}

void TableRows::write_for_terminal(const Row& row) {
    Lines lines(style_);
    if (row.is_marked) lines.put(">", kYellow);
    lines.pad_to(kGap);
    lines.put(hex(row.offset));
    if (bytes_width_ != 0) {
        lines.pad_to(kGap + offset_width_ + kGap);
        lines.put(hex_of(row.bytes, style_.width >= kSpacesFrom));
    }
    lines.pad_to(names_column());
    lines.flow(row.name, names_column(), kCyan);
    const size_t values = values_column();
    if (lines.column() + kGap > values && lines.column() + kGap + columns_of(row.value) > style_.width)
        lines.start_line(values);
    lines.pad_to(std::max(values, lines.column() + kGap));
    // A tree that is too deep for its values is shown less deep.
    lines.pad_to(std::min(lines.column() + row.indent, std::max(lines.column(), style_.width - kLeastRoom)));
    lines.flow(row.value, std::max(values, std::min(lines.column(), style_.width - kLeastRoom)));
    const std::string_view explanation = row.explanation();
    if (explanation.empty()) return write(lines.take());
    const bool is_doc = row.meaning.empty();
    const size_t aligned = std::max(values + value_width_ + kGap, lines.column() + kGap);
    const size_t columns = columns_of(explanation);
    const bool fits = lines.column() + kGap + columns <= style_.width;
    if (fits)
        lines.pad_to(aligned + columns > style_.width ? lines.column() + kGap : aligned);
    else if (!is_doc)
        lines.start_line(values + kGap);
    if (fits || !is_doc) lines.flow(explanation, values + kGap, is_doc ? std::string_view() : kGreen);
    write(lines.take());
}

}  // namespace tracelint
