// `dump`: opens the file and its container, recognises the format, writes the table.
#include "validator/gzip.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/commands.hpp"
#include "validator/tool/dump.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

// Gives on what a window shows, so that a container's first bytes can be looked at before.
class WindowSource final : public Source {
  public:
    explicit WindowSource(Window& window) : window_(window) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const Bytes piece = window_.view(at_, 1);
        const size_t got = std::min(bytes, piece.size());
        std::copy_n(piece.begin(), got, to);
        at_ += got;
        return got;
    }
    std::string failure() const override { return window_.source().failure(); }

  private:
    Window& window_;
    uint64_t at_ = 0;
};

const Format* format_of(Window& window, const CommandLine& line) {
    if (line.as != nullptr) return line.as;
    const Bytes in_hand = window.view(0, kDetectionBytes);
    const std::string_view path = line.files[0];
    const std::string_view base_name = path == "-" ? "" : path.substr(path.rfind('/') + 1);
    return recognise(formats(), {in_hand.first(std::min(in_hand.size(), kDetectionBytes)), base_name});
}

// Dumps what is no container; says on standard error why not.
ExitStatus dump_plain(Window& window, const CommandLine& line) {
    const std::string path = shown_path(line.files[0]);
    const Format* format = format_of(window, line);
    FileSink sink;
    if (format != nullptr) dump(window, format->framer(line.settings), line.limits, sink);
    const std::string failure = window.source().failure();
    if (!failure.empty()) {
        complain(path + ": " + failure);
        return finish_output(sink, "", kUnreadable);
    }
    if (format == nullptr) {
        complain(path + ": no trace of a known format; --as names one");
        return kFindings;
    }
    return finish_output(sink, "", kClean);
}

}  // namespace

ExitStatus run_dump(const CommandLine& line) {
    const std::string& path = line.files[0];
    const std::unique_ptr<Source> source = path == "-" ? open_standard_input() : open_file(path);
    Window window(*source);
    const Bytes first = window.view(0, kGzipMagic.size());
    if (first.size() < kGzipMagic.size() || !std::equal(kGzipMagic.begin(), kGzipMagic.end(), first.begin()))
        return dump_plain(window, line);
    WindowSource packed(window);
    GzipSource unpacked(packed);
    Window inner(unpacked);
    const ExitStatus status = dump_plain(inner, line);
    if (unpacked.fault()) complain(shown_path(path) + ": " + message_of(*unpacked.fault()));
    return status;
}

}  // namespace tracelint
