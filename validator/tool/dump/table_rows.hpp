// The table of a text dump: offset | bytes | field | value | meaning. For programs, a row is a line, however long, and
// the columns have fixed widths. On a terminal, columns are as wide as their content needs, and what does not fit into
// the width of the terminal continues in the next line, below its column; but what a field is for in general is left
// out if it does not fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/dump/renderer.hpp"

namespace tracelint {

struct Row {
    bool is_marked = false;
    uint64_t offset = 0;  // in the trace
    Bytes bytes{};        // of which the first are shown; must stay valid until the row is written
    std::string name{};
    std::string value{};
    std::string meaning{};   // of this value; may be empty
    std::string_view doc{};  // what the field holds, shown where there is no meaning; may be empty
    size_t indent = 0;       // columns before the value

    std::string_view explanation() const { return meaning.empty() ? doc : std::string_view(meaning); }
};

class TableRows {
  public:
    // The sink must outlive the rows.
    TableRows(const TextStyle& style, Sink& sink);

    // Keeps at most kMostKept rows, to find out how wide the columns must be.
    void add(Row&& row);
    // A text that is not a row, after the rows so far. It ends in a newline if it has a colour.
    void text(std::string_view lines, std::string_view colour = {});
    // Writes all that is kept into the sink. To be called before the bytes of the rows go away, and at the end.
    void flush();

  private:
    static constexpr size_t kMostKept = 64;
    static constexpr size_t kMostText = 16 << 10;  // bytes

    void lay_out();
    void write(std::string_view text);
    void write_line(const Row& row);
    void write_for_terminal(const Row& row);
    void widen_columns();
    // Where the names and the values begin on a terminal.
    size_t names_column() const;
    size_t values_column() const { return names_column() + name_width_ + kGap; }

    static constexpr size_t kGap = 2;  // between columns

    const TextStyle style_;
    Sink& sink_;
    std::vector<Row> rows_;
    std::string text_;  // that is to be written
    // The widths of the columns on a terminal. They only grow, so that records of different kinds line up.
    size_t offset_width_ = 0, bytes_width_ = 0, name_width_ = 0, value_width_ = 0;
};

}  // namespace tracelint
