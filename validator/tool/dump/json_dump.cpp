// Writes records as JSON, as dump.schema.json describes: one document, or one object per line. Nothing is kept, so that
// memory does not grow with the trace or with a record.
#include <fmt/core.h>

#include "validator/tables/text_scan.hpp"
#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

// Incremented by changes that break readers.
constexpr int kDumpSchemaVersion = 1;
// Above it, not every number is a double, which is all that many readers of JSON have.
constexpr uint64_t kMostExact = (uint64_t{1} << 53) - 1;
constexpr uint64_t kGapShown = 64;  // bytes that are not a record

// The first bytes in hexadecimal, in quotes.
void append_hex(std::string& text, Bytes bytes, size_t most) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += '"';
    for (const uint8_t byte : bytes.first(std::min(bytes.size(), most))) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 0xf];
    }
    text += '"';
}

void append_number(std::string& text, const Leaf& leaf) {
    const auto number = static_cast<int64_t>(leaf.number);
    const bool is_below_0 = is_negative(leaf);
    append_to(text, R"(,"value":)");
    is_below_0 ? append_to(text, number) : append_to(text, leaf.number);
    if ((is_below_0 ? 0 - leaf.number : leaf.number) <= kMostExact) return;
    append_to(text, R"(,"exact":")");
    is_below_0 ? append_to(text, number) : append_to(text, leaf.number);
    text += '"';
}

// `utf8`: what is shown of the text. `bytes`: all of it, as it is in the trace.
void append_string(std::string& text, std::string_view utf8, Bytes bytes, bool is_lost, bool is_cut) {
    append_to(text, R"(,"value":)", json_string(utf8));
    if (is_lost) {
        text += R"(,"bytes":)";
        append_hex(text, bytes, kTextShown);
    }
    if (is_cut) text += R"(,"cut":true)";
}

void append_text(std::string& to, Bytes text) {
    const Bytes shown = text.first(std::min(text.size(), kTextShown));
    append_string(to, as_text(shown), shown, scan_text(shown).ill_formed != kNone, shown.size() < text.size());
}

void append_text16(std::string& to, Bytes bytes) {
    const Bytes text = bytes.first(bytes.size() - 2);  // without the NUL
    const Bytes shown = text.first(std::min<size_t>(text.size(), kTextShown / 2 * 2));
    append_string(to, utf8_of_utf16(shown), shown, lone_surrogate(shown) != kNone, shown.size() < text.size());
}

// What the leaf holds: the members after its place.
void append_content(std::string& text, const Leaf& leaf, Bytes record, bool is_whole) {
    if (leaf.kind == Leaf::Kind::list) {
        text += R"(,"elements":)";
        return leaf.number == kNone ? append_to(text, "null") : append_to(text, leaf.number);
    }
    const Bytes bytes = record.subspan(leaf.offset, leaf.length);
    const bool is_raw = leaf.kind == Leaf::Kind::raw;
    if (is_raw || (leaf.field->type == Type::bytes && !leaf.field->is_text)) {
        text += R"(,"bytes":)";
        append_hex(text, bytes, kBytesShown);
        if (is_raw) text += is_whole ? R"(,"undescribed":true)" : R"(,"truncated":true)";
        return;
    }
    switch (leaf.field->type) {
        case Type::bytes: return append_text(text, bytes);
        case Type::string: return append_text(text, bytes.first(bytes.size() - 1));  // without the NUL
        case Type::string16: return append_text16(text, bytes);
        default: return append_number(text, leaf);
    }
}

// The members of records and gaps that both kinds of output write. Each object is written with `before` in front.
class JsonDump : public Renderer {
  public:
    JsonDump(const Dumped& dumped, const Selection& selection, DumpContext& context, Sink& sink)
        : Renderer(selection, context, sink), dumped_(dumped) {}

    void begin(const SeenRecord& record) override {
        meanings_.emplace(record, context_);
        is_first_field_ = true;
        left_out_ = 0;
        open_object();
        text_ = R"({"type":"record","path":)";
        if (record.index == kNone)
            text_ += json_string(record.record->name);
        else
            append_to(text_, "\"records[", record.index, "]\"");
        append_to(text_, R"(,"name":)", json_string(record.record->name), R"(,"offset":)", record.offset,
                  R"(,"length":)", record.length);
        if (!record.is_whole())
            append_to(text_, R"(,"missing":)", record.length - record.bytes.size(), R"(,"missing_because":")",
                      record.ends_early ? "end of trace" : "limit", R"(")");
        text_ += R"(,"fields":[)";
        sink_.write(text_);
    }

    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (!shows(record, leaf)) {
            meanings_->pass(leaf);
            ++left_out_;
            return;
        }
        text_ = is_first_field_ ? "{" : ",{";
        is_first_field_ = false;
        const std::string path = path_of(leaf);
        append_to(text_, R"("field":)", path.empty() ? "null" : json_string(path), R"(,"offset":)",
                  record.offset + leaf.offset, R"(,"length":)", leaf.length);
        append_content(text_, leaf, record.bytes, record.is_whole());
        if (const std::string meaning = meanings_->of(leaf); !meaning.empty())
            append_to(text_, R"(,"meaning":)", json_string(meaning));
        text_ += '}';
        sink_.write(text_);
    }

    void end(const SeenRecord&) override {
        sink_.write(left_out_ == 0 ? "]}" : fmt::format(R"(],"fields_left_out":{}}})", left_out_));
        meanings_.reset();
        close_object();
    }

    void selected_gap(const Gap& gap, GapBytes& bytes) override {
        const Bytes seen = bytes.read(gap.offset, std::min(gap.length, kGapShown));
        open_object();
        text_.clear();
        append_to(text_, R"({"type":"gap","offset":)", gap.offset, R"(,"length":)",
                  gap.length == kNone ? "null" : std::to_string(gap.length), R"(,"bytes":)");
        append_hex(text_, seen, kGapShown);
        text_ += '}';
        sink_.write(text_);
        close_object();
    }

  protected:
    virtual void open_object() = 0;
    virtual void close_object() = 0;

    // The members that describe the dump as a whole.
    std::string head() const {
        return fmt::format(R"("schema_version":{},"tool":{{"name":"tracelint","version":"{}"}},"path":{},"format":{})",
                           kDumpSchemaVersion, TRACELINT_VERSION, JsonText::path(dumped_.path).text(),
                           json_string(dumped_.format));
    }
    // What a limit left out; null: nothing.
    std::string tail() const {
        return fmt::format(R"("left_out":{})", context_.left_out.empty() ? "null" : json_string(context_.left_out));
    }

  private:
    const Dumped dumped_;
    std::optional<Meanings> meanings_;  // of the record that is being visited
    std::string text_;                  // that is being written
    bool is_first_field_ = true;
    uint64_t left_out_ = 0;  // fields of the record that are not selected
};

// {..., "records": [record or gap, ...], "left_out": ...}, each record on a line of its own.
class OneDocument final : public JsonDump {
  public:
    using JsonDump::JsonDump;
    void start() override { sink_.write(fmt::format(R"({{{},"records":[)", head())); }
    void finish() override { sink_.write(fmt::format("\n],{}}}\n", tail())); }

  private:
    void open_object() override {
        sink_.write(is_first_ ? "\n" : ",\n");
        is_first_ = false;
    }
    void close_object() override {}

    bool is_first_ = true;
};

// The dump, its records and gaps, the end.
class ObjectPerLine final : public JsonDump {
  public:
    using JsonDump::JsonDump;
    void start() override { sink_.write(fmt::format("{{\"type\":\"dump\",{}}}\n", head())); }
    void finish() override { sink_.write(fmt::format("{{\"type\":\"end\",{}}}\n", tail())); }

  private:
    void open_object() override {}
    void close_object() override { sink_.write("\n"); }
};

}  // namespace

std::unique_ptr<Renderer> make_json_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                             Sink& sink) {
    return std::make_unique<OneDocument>(dumped, selection, context, sink);
}

std::unique_ptr<Renderer> make_ndjson_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                               Sink& sink) {
    return std::make_unique<ObjectPerLine>(dumped, selection, context, sink);
}

}  // namespace tracelint
