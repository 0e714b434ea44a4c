// The table: offset | bytes | field | value | meaning.
#include "validator/tool/dump.hpp"

#include "validator/tool/excerpt.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kBytesShown = 8;   // of one leaf
constexpr size_t kTextShown = 160;  // bytes of one string
constexpr size_t kRow = 16;
constexpr size_t kRawRows = 4;  // of bytes that nobody recognises
// Numbers from here on are easier to read in hexadecimal as well.
constexpr uint64_t kAlsoInHex = 4096;

// "number", or the names of the flags that are set.
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
    const std::string opaque = '<' + counted(leaf.length, "byte") + '>';
    if (leaf.kind == Leaf::Kind::raw || leaf.field->type == Type::bytes) return opaque;
    if (leaf.field->type == Type::string) {
        const Bytes text = bytes.first(bytes.size() - 1);  // without the NUL
        if (text.size() <= kTextShown) return quoted(as_text(text));
        return quoted(as_text(text.first(kTextShown))) + "... " + opaque;
    }
    if (is_signed(*leaf.field) && static_cast<int64_t>(leaf.number) < 0)
        return std::to_string(static_cast<int64_t>(leaf.number));
    std::string text = std::to_string(leaf.number);
    if (leaf.number >= kAlsoInHex) text += " = " + hex(leaf.number);
    return text;
}

// `whole`: all bytes of the record are there.
std::string name_of(const Leaf& leaf, bool whole) {
    std::string name(2 * leaf.depth, ' ');
    if (leaf.list != nullptr) {
        name += leaf.list->name;
        name += '[' + std::to_string(leaf.element) + "].";
    }
    if (leaf.field != nullptr) name += leaf.field->name;
    if (leaf.kind == Leaf::Kind::raw) name += whole ? "(not explained)" : "(cut)";
    return name;
}

std::string hex_of(Bytes bytes) {
    std::string text;
    for (size_t i = 0; i < bytes.size() && i < kBytesShown; ++i) {
        constexpr char kDigits[] = "0123456789abcdef";
        if (i != 0) text += ' ';
        text += kDigits[bytes[i] >> 4];
        text += kDigits[bytes[i] & 15];
    }
    if (bytes.size() > kBytesShown) text += "..";
    return text;
}

// Appends `text` and blanks up to `width` characters.
void cell(std::string& line, std::string_view text, size_t width) {
    line += text;
    if (text.size() < width) line.append(width - text.size(), ' ');
}

std::string line_of(const Leaf& leaf, Bytes record, uint64_t offset, bool whole) {
    const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record.subspan(leaf.offset, leaf.length);
    std::string line = "  ";
    cell(line, hex(offset + leaf.offset), 10);
    line += " | ";
    cell(line, hex_of(bytes), 3 * kBytesShown + 1);
    line += " | ";
    cell(line, name_of(leaf, whole), 28);
    line += " | ";
    cell(line, value_of(leaf, bytes), 40);
    line += " | ";
    if (leaf.kind == Leaf::Kind::value) line += meaning_of(*leaf.field, leaf.number);
    line.erase(line.find_last_not_of(" |") + 1);
    return line + '\n';
}

class Dumper {
  public:
    Dumper(Window& window, const Format& format, const Limits& limits, Sink& sink)
        : window_(window), framer_(format.framer()), limits_(limits), sink_(sink) {}

    void run() {
        while (sink_.failure() == 0) {
            const Bytes opening = window_.view(offset_, kDetectionBytes);
            if (opening.empty()) return;
            const Framer::Frame frame = framer_->next(opening);
            const bool recognised = frame.record != nullptr && frame.length != 0;
            if (recognised)
                record(*frame.record, frame.length);
            else
                raw(frame.length);
            // Without a length nobody knows where the next record would be.
            if (frame.length == 0) return;
            offset_ = saturating_add(offset_, frame.length);
        }
    }

  private:
    void record(const Record& record, uint64_t length) {
        const Bytes seen = window_.view(offset_, std::min(length, limits_.record));
        const Bytes bytes = seen.first(std::min({seen.size(), length, limits_.record}));
        const bool whole = bytes.size() == length;
        heading(record, length);
        decode(record, bytes, framer_->layout(), true,
               [&](const Leaf& leaf) { sink_.write(line_of(leaf, bytes, offset_, whole)); });
        if (whole) return;
        const uint64_t missing = length - bytes.size();
        sink_.write(window_.reaches(saturating_add(offset_, length)) || bytes.size() == limits_.record
                        ? "  ... " + counted(missing, "byte") + " not shown\n"
                        : "  ... " + counted(missing, "byte") + " missing: the file ends here\n");
    }

    void heading(const Record& record, uint64_t length) {
        std::string line;
        if (record.numbered) line = "records[" + std::to_string(index_++) + "] ";
        line += record.name;
        sink_.write(line + " at " + hex(offset_) + ", " + counted(length, "byte") + '\n');
    }

    // The first lines of bytes that nobody recognises; `length` of them, or all that follow.
    void raw(uint64_t length) {
        const uint64_t wanted = length == 0 ? kNone : length;
        const Bytes seen = window_.view(offset_, std::min<uint64_t>(wanted, kRawRows * kRow + 1));
        const Bytes bytes = seen.first(std::min<uint64_t>(seen.size(), wanted));
        sink_.write("not recognised at " + hex(offset_) + (length == 0 ? "" : ", " + counted(length, "byte")) + '\n');
        for (size_t at = 0; at < std::min(bytes.size(), kRawRows * kRow); at += kRow)
            sink_.write("  " + hex_line(offset_ + at, bytes.subspan(at, std::min(kRow, bytes.size() - at))));
        if (bytes.size() > kRawRows * kRow) sink_.write("  ... the rest is not shown\n");
    }

    Window& window_;
    std::unique_ptr<Framer> framer_;
    const Limits& limits_;
    Sink& sink_;
    uint64_t offset_ = 0;
    uint64_t index_ = 0;
};

}  // namespace

void dump(Window& window, const Format& format, const Limits& limits, Sink& sink) {
    Dumper(window, format, limits, sink).run();
}

}  // namespace tracelint
