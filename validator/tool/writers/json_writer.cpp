// The JSON outputs of the tool's own schema: json and ndjson, which consist of the same objects
// (json_report.hpp). They are written piece by piece, so that memory does not grow with the number of files or
// findings.
#include "validator/tool/json/json_document.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

class JsonWriter final : public Writer {
  public:
    JsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), document_(sink, options) {}

    void begin() override { document_.begin(); }
    void file(const Checked& checked) override { document_.file(checked); }
    void finish(const Summary& summary) override {
        document_.finish(summary);
        sink_.flush();
    }

  private:
    Sink& sink_;
    JsonDocument document_;
};

// One object per line: the findings of a file, then the file; at the end the summary.
class NdjsonWriter final : public Writer {
  public:
    NdjsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        if (checked.is_elsewhere()) return sink_.write(checked.lines);
        write_file_lines(sink_, checked, options_);
        sink_.flush();
    }

    void found(const Checked& so_far, const Diagnostic& diagnostic) override {
        write_finding_line(sink_, so_far, diagnostic, options_);
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        JsonObject object{{"type", "summary"}, {"schema_version", kSchemaVersion}, {"tool", tool_object()}};
        add_summary(object, summary);
        sink_.write(object.text() + '\n');
        sink_.flush();
    }

  private:
    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<JsonWriter>(sink, options);
}

std::unique_ptr<Writer> make_ndjson_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<NdjsonWriter>(sink, options);
}

}  // namespace tracelint
