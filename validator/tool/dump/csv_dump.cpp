// Writes the records of one kind as CSV (RFC 4180, with the line ends of Unix): a line for each record, a column for
// each field of its table.
#include <fmt/core.h>

#include "validator/tables/text_scan.hpp"
#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

// In quotes if it needs them. Lines are those of records, so unprintable characters are escaped.
std::string cell(std::string_view text) {
    const std::string shown = printable(text);
    if (shown.find_first_of("\",") == shown.npos) return shown;
    std::string quoted = "\"";
    for (const char c : shown) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

// Numbers in decimal, bytes in hexadecimal, of a list the number of its elements.
std::string cell_of(const Leaf& leaf, Bytes record) {
    if (leaf.kind == Leaf::Kind::list) return leaf.number == kNone ? "" : std::to_string(leaf.number);
    const Bytes bytes = record.subspan(leaf.offset, leaf.length);
    switch (leaf.field->type) {
        case Type::string: return cell(as_text(bytes.first(std::min(bytes.size() - 1, kTextShown))));
        case Type::string16:
            return cell(utf8_of_utf16(bytes.first(std::min<size_t>(bytes.size() - 2, kTextShown / 2 * 2))));
        case Type::bytes: break;
        default:
            return is_negative(leaf) ? std::to_string(static_cast<int64_t>(leaf.number)) : std::to_string(leaf.number);
    }
    if (leaf.field->is_text) return cell(as_text(bytes.first(std::min(bytes.size(), kTextShown))));
    std::string digits;
    for (const uint8_t byte : bytes.first(std::min(bytes.size(), kBytesShown))) digits += fmt::format("{:02x}", byte);
    return digits;
}

class CsvDump final : public Renderer {
  public:
    using Renderer::Renderer;

    void begin(const SeenRecord& record) override {
        if (record_ == nullptr) write_header(*record.record);
        cells_.assign(columns_.size(), "");
    }

    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (!shows(record, leaf) || leaf.depth != 0 || leaf.field == nullptr || leaf.kind == Leaf::Kind::raw) return;
        const auto column = std::ranges::find(columns_, leaf.field->name);
        if (column != columns_.end())
            cells_[static_cast<size_t>(column - columns_.begin())] = cell_of(leaf, record.bytes);
    }

    void end(const SeenRecord& record) override {
        std::string line = record.index == kNone ? "" : std::to_string(record.index);
        line += fmt::format(",{},{}", record.offset, record.length);
        for (const std::string& one : cells_) line += ',' + one;
        sink_.write(line + "\n");
    }

    void selected_gap(const Gap&, GapBytes&) override {}

  private:
    // A field that several versions have with different layouts is one column.
    void write_header(const Record& record) {
        record_ = &record;
        std::string line = "record,offset,length";
        for (const Field& field : record.fields()) {
            if (std::ranges::count(columns_, field.name) != 0) continue;
            if (selection_.field.is_given() && selection_.field.text() != field.name) continue;
            columns_.push_back(field.name);
            line += ',' + cell(field.name);
        }
        sink_.write(line + "\n");
    }

    const Record* record_ = nullptr;  // of the first line
    std::vector<std::string_view> columns_;
    std::vector<std::string> cells_;  // of the record that is being visited
};

}  // namespace

std::unique_ptr<Renderer> make_csv_renderer(const Dumped&, const Selection& selection, DumpContext& context,
                                            Sink& sink) {
    return std::make_unique<CsvDump>(selection, context, sink);
}

}  // namespace tracelint
