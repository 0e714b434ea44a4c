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
std::string hex_string(Bytes bytes, size_t most) {
    std::string text = "\"";
    for (const uint8_t byte : bytes.first(std::min(bytes.size(), most))) text += fmt::format("{:02x}", byte);
    return text + '"';
}

std::string number_members(const Leaf& leaf) {
    if (is_negative(leaf)) {
        const auto number = static_cast<int64_t>(leaf.number);
        const std::string exact = 0 - leaf.number <= kMostExact ? "" : fmt::format(R"(,"exact":"{}")", number);
        return fmt::format(R"(,"value":{}{})", number, exact);
    }
    const std::string exact = leaf.number <= kMostExact ? "" : fmt::format(R"(,"exact":"{}")", leaf.number);
    return fmt::format(R"(,"value":{}{})", leaf.number, exact);
}

std::string text_members(Bytes text) {
    const Bytes shown = text.first(std::min(text.size(), kTextShown));
    const char* cut = shown.size() < text.size() ? R"(,"cut":true)" : "";
    const bool is_lost = scan_text(shown).ill_formed != kNone;
    const std::string all = is_lost ? fmt::format(R"(,"bytes":{})", hex_string(shown, kTextShown)) : "";
    return fmt::format(R"(,"value":{}{}{})", json_string(as_text(shown)), all, cut);
}

std::string text16_members(Bytes bytes) {
    const Bytes text = bytes.first(bytes.size() - 2);  // without the NUL
    const Bytes shown = text.first(std::min<size_t>(text.size(), kTextShown / 2 * 2));
    const char* cut = shown.size() < text.size() ? R"(,"cut":true)" : "";
    const bool is_lost = lone_surrogate(shown) != kNone;
    const std::string all = is_lost ? fmt::format(R"(,"bytes":{})", hex_string(shown, kTextShown)) : "";
    return fmt::format(R"(,"value":{}{}{})", json_string(utf8_of_utf16(shown)), all, cut);
}

// What the leaf holds: the members after its place.
std::string content_of(const Leaf& leaf, Bytes record, bool is_whole) {
    if (leaf.kind == Leaf::Kind::list)
        return leaf.number == kNone ? R"(,"elements":null)" : fmt::format(R"(,"elements":{})", leaf.number);
    const Bytes bytes = record.subspan(leaf.offset, leaf.length);
    if (leaf.kind == Leaf::Kind::raw)
        return fmt::format(R"(,"bytes":{},"{}":true)", hex_string(bytes, kBytesShown),
                           is_whole ? "undescribed" : "truncated");
    switch (leaf.field->type) {
        case Type::bytes:
            return leaf.field->is_text ? text_members(bytes)
                                       : fmt::format(R"(,"bytes":{})", hex_string(bytes, kBytesShown));
        case Type::string: return text_members(bytes.first(bytes.size() - 1));  // without the NUL
        case Type::string16: return text16_members(bytes);
        default: return number_members(leaf);
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
        const std::string path =
            record.index == kNone ? std::string(record.record->name) : fmt::format("records[{}]", record.index);
        open_object();
        sink_.write(fmt::format(R"({{"type":"record","path":{},"name":{},"offset":{},"length":{})", json_string(path),
                                json_string(record.record->name), record.offset, record.length));
        if (!record.is_whole())
            sink_.write(fmt::format(R"(,"missing":{},"missing_because":"{}")", record.length - record.bytes.size(),
                                    record.ends_early ? "end of trace" : "limit"));
        sink_.write(R"(,"fields":[)");
    }

    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (!shows(record, leaf)) {
            meanings_->pass(leaf);
            ++left_out_;
            return;
        }
        sink_.write(is_first_field_ ? "{" : ",{");
        is_first_field_ = false;
        const std::string path = path_of(leaf);
        sink_.write(fmt::format(R"("field":{},"offset":{},"length":{}{})", path.empty() ? "null" : json_string(path),
                                record.offset + leaf.offset, leaf.length,
                                content_of(leaf, record.bytes, record.is_whole())));
        if (const std::string meaning = meanings_->of(leaf); !meaning.empty())
            sink_.write(fmt::format(R"(,"meaning":{})", json_string(meaning)));
        sink_.write("}");
    }

    void end(const SeenRecord&) override {
        sink_.write(left_out_ == 0 ? "]}" : fmt::format(R"(],"fields_left_out":{}}})", left_out_));
        meanings_.reset();
        close_object();
    }

    void selected_gap(const Gap& gap, GapBytes& bytes) override {
        const Bytes seen = bytes.read(gap.offset, std::min(gap.length, kGapShown));
        open_object();
        sink_.write(fmt::format(R"({{"type":"gap","offset":{},"length":{},"bytes":{}}})", gap.offset,
                                gap.length == kNone ? "null" : std::to_string(gap.length),
                                hex_string(seen, kGapShown)));
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
