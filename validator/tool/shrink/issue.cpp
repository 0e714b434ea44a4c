// A finding with all that shows it, as markdown.
#include <fmt/core.h>

#include "validator/tool/catalogue/explanation.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/shrink/shrink_report.hpp"
#include "validator/tool/writers/excerpt.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostShown = 4096;       // bytes of the file as a hex dump
constexpr size_t kMostIncluded = 30'000;  // as base64: issue trackers take some 64,000 characters
constexpr size_t kBase64Line = 57;        // bytes of a line of 76 characters

std::string base64(std::string_view bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t at = 0; at < bytes.size(); at += 3) {
        uint32_t group = 0;
        const size_t count = std::min<size_t>(3, bytes.size() - at);
        for (size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < count ? static_cast<uint8_t>(bytes[at + i]) : uint32_t{0});
        for (size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

// A name that any shell takes as it is.
std::string plain_name(const ShrunkFile& file) {
    const size_t slash = file.path.rfind('/');
    std::string name = file.path.substr(slash == file.path.npos ? 0 : slash + 1);
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    };
    return !name.empty() && std::ranges::all_of(name, is_plain) && name[0] != '-' ? name : "trace";
}

std::string fenced(std::string_view language, std::string_view text) {
    return fmt::format("```{}\n{}```\n", language, text);
}

std::string bytes_section(const ShrunkFile& file) {
    const Bytes bytes = as_bytes(file.shrink.bytes());
    std::string dump;
    for (size_t at = 0; at < std::min(bytes.size(), kMostShown); at += 16)
        dump += hex_line(at, bytes.subspan(at, std::min<size_t>(16, bytes.size() - at)));
    std::string text = fmt::format(
        "## The file\n\n{} in {}, {}.", counted(bytes.size(), "byte"), counted(file.shrink.records(), "record"),
        file.shrink.others() == 0
            ? "without another error or warning"
            : "with " + counted(file.shrink.others(), "error or warning") + " that always comes with it");
    text +=
        " `tracelint report` made it from a larger file, and replaced names, paths, code and payloads. "
        "Numbers that the finding needs are those of that file.\n\n";
    if (!file.shrink.kept_texts().empty()) {
        text += "The finding needs these bytes of the original file:\n\n";
        for (const KeptText& kept : file.shrink.kept_texts())
            text += fmt::format("- {:#x}: {} of {}\n", kept.offset, counted(kept.length, "byte"),
                                kept.field.empty() ? "data that no table describes" : kept.field);
        text += "\n";
    }
    return text + fenced("", dump) +
           (bytes.size() > kMostShown ? fmt::format("\nThe first {} are shown.\n", counted(kMostShown, "byte")) : "");
}

std::string command_section(const ShrunkFile& file) {
    const std::string_view bytes = file.shrink.bytes();
    const std::string name = plain_name(file);
    if (bytes.size() > kMostIncluded)
        return fmt::format("\nIt is too large for this report; `tracelint shrink --redact` writes it to a file:\n\n{}",
                           fenced("sh", fmt::format("tracelint shrink {} --keep {} --redact -o small-{}\n", name,
                                                    file.rule.id, name)));
    std::string command = fmt::format("base64 -d >{} <<'END'\n", name);
    for (size_t at = 0; at < bytes.size(); at += kBase64Line) command += base64(bytes.substr(at, kBase64Line)) + '\n';
    command += fmt::format("END\ntracelint {}\n", name);
    return "\nThese commands recreate it and show the finding:\n\n" + fenced("sh", command);
}

}  // namespace

void write_issue(const ShrunkFile& file, Sink& sink) {
    const Diagnostic& finding = file.shrink.new_finding();
    const std::string message = printable(message_of(finding));
    sink.write(fmt::format("# {}: {}\n\n", file.rule.id, message));
    sink.write(fmt::format("A {} file breaks the rule `{}`, at offset {:#x}, {} ({}): {}.\n\n",
                           file.shrink.format()->title, file.rule.id, finding.place.offset,
                           counted(finding.place.length, "byte"), to_string(severity_of(finding)), message));
    if (const std::string help = help_of(finding); !help.empty())
        sink.write(fmt::format("What this does to its readers: {}.\n\n", printable(help)));
    Excerpts excerpts(std::make_unique<MemorySource>(as_bytes(file.shrink.bytes())));
    sink.write(fenced("", hex_window(excerpts, finding.place.offset, finding.place.length, "", {})));
    sink.write("\n## The rule\n\n" + fenced("", explanation_of(file.rule)) + "\n");
    sink.write(bytes_section(file));
    sink.write(command_section(file));
    sink.write(fmt::format("\ntracelint {}\n", TRACELINT_VERSION));
}

}  // namespace tracelint
