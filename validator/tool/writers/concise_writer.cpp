// One line per new finding, and before them one per reader that the user named, for grep, editors and problem matchers.
#include <fmt/core.h>

#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

class ConciseWriter final : public Writer {
  public:
    ConciseWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const std::string path = shown_path(checked.path);
        for (const ReaderVerdict& verdict : checked.readers)
            sink_.write(fmt::format("{}: {}\n", path, sentence_of(verdict)));
        if (!options_.is_live)
            for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) line(checked, diagnostic);
        sink_.flush();
    }

    void found(const Checked& so_far, const Diagnostic& diagnostic) override {
        line(so_far, diagnostic);
        sink_.flush();
    }

  private:
    void line(const Checked& checked, const Diagnostic& diagnostic) {
        if (!is_shown_as_new(checked, diagnostic, options_)) return;
        const std::string with =
            diagnostic.related_file.empty() ? "" : fmt::format(" (with {})", related_text(diagnostic));
        sink_.write(fmt::format("{}:{:#x}+{}: {}: {}{} [{}]\n", shown_path(checked.path), diagnostic.place.offset,
                                diagnostic.place.length, to_string(severity_of(diagnostic)), message_of(diagnostic),
                                with, diagnostic.rule->id));
    }

    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_concise_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<ConciseWriter>(sink, options);
}

}  // namespace tracelint
