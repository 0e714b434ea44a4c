// One line per finding, for grep, editors and problem matchers.
#include "validator/tool/text.hpp"
#include "validator/tool/writer.hpp"

namespace tracelint {
namespace {

class ConciseWriter final : public Writer {
  public:
    ConciseWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const std::string path = shown_path(checked.path);
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            std::string line =
                path + ':' + hex(diagnostic.place.offset) + '+' + std::to_string(diagnostic.place.length);
            line += ": ";
            line += to_string(severity_of(diagnostic));
            line += ": " + message_of(diagnostic) + " [";
            line += diagnostic.rule->id;
            line += "]\n";
            sink_.write(line);
        }
        sink_.flush();
    }

  private:
    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_concise_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<ConciseWriter>(sink, options);
}

}  // namespace tracelint
