// Reads bytes a second time and prints them in hex.
#include "validator/tool/writers/excerpt.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include <utility>

#include "validator/input/container.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/inputs/source_chain.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kRow = 16;
constexpr size_t kRows = 3;  // the most of one window
// A compressed file is decompressed again from its start. Beyond this offset no bytes are shown, so that one finding at
// the end does not double the time.
constexpr uint64_t kDecompressedReach = 64 * kMiB;

// Column of a byte's first digit in a hex line.
size_t column(size_t byte, size_t offset_digits) { return offset_digits + 2 + 3 * byte + (byte >= kRow / 2 ? 1 : 0); }

// The number of digits that the offsets of a window need.
int digits_of(uint64_t offset) {
    int digits = 8;
    while (digits < 16 && (offset >> (4 * digits)) != 0) ++digits;
    return digits;
}

struct Span {
    uint64_t start, end;
};

// The marks below the row at offset `row`: at least one, even for a place without bytes.
std::string marks(uint64_t row, const Span& place, size_t offset_digits) {
    const uint64_t from = std::max(place.start, row) - row;
    const uint64_t to = std::min(saturating_sub(place.end, row), uint64_t{kRow});
    const size_t left = column(from, offset_digits);
    const size_t right = to > from ? column(to - 1, offset_digits) + 2 : left + 1;
    return std::string(left, ' ') + std::string(right - left, '^');
}

// A file that can be read again; null if it cannot. Standard input can if it is a regular file.
std::unique_ptr<Source> open_again(const std::string& path) {
    struct stat status;
    const int failed = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
    if (failed != 0 || !S_ISREG(status.st_mode)) return nullptr;
    return open_input(path);
}

}  // namespace

Excerpts::Excerpts(const std::string& path, Container container) : file_(open_again(path)) { open(container); }

ReadAgain read_again(const Checked& checked) {
    if (checked.is_elsewhere()) return {};
    if (checked.kept == nullptr) return {open_again(checked.path)};
    return {std::make_unique<MemorySource>(checked.kept->bytes()), !checked.kept->is_whole()};
}

Excerpts::Excerpts(const Checked& checked, Container container) {
    ReadAgain again = read_again(checked);
    file_ = std::move(again.source);
    is_part_ = again.is_part;
    open(container);
}

void Excerpts::open(Container container) {
    if (file_ == nullptr || !file_->failure().empty()) return;
    if (container == Container::none) {
        window_.emplace(*file_, &work_);
        return;
    }
    decompressed_ = open_container(container, *file_, budget_);
    window_.emplace(*decompressed_, &work_);
    reach_ = kDecompressedReach;
}

Excerpts::Excerpts(std::unique_ptr<Source> source) : file_(std::move(source)) { window_.emplace(*file_, &work_); }

Bytes Excerpts::read(uint64_t offset, size_t count) {
    if (!window_ || saturating_add(offset, count) > reach_ || offset < passed_) return {};
    passed_ = offset;
    const Bytes bytes = window_->view(offset, count);
    if (is_part_ && bytes.size() < count) return {};  // the file continues, but its bytes are not known
    return bytes.first(std::min(bytes.size(), count));
}

std::string hex_line(uint64_t offset, Bytes bytes, int offset_digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string line = fmt::format("{:0{}x}", offset, offset_digits);
    bytes = bytes.first(std::min(bytes.size(), kRow));
    if (bytes.empty()) return line + '\n';
    const size_t width = static_cast<size_t>(offset_digits);
    line.resize(column(kRow, width) + 1, ' ');
    for (size_t i = 0; i < bytes.size(); ++i) {
        line[column(i, width)] = kDigits[bytes[i] >> 4];
        line[column(i, width) + 1] = kDigits[bytes[i] & 0xf];
    }
    line += '|';
    for (const uint8_t byte : bytes) line += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
    return line + "|\n";
}

std::string hex_window(Excerpts& excerpts, uint64_t offset, uint64_t length, std::string_view indent,
                       const MarkStyle& style) {
    const Span place{offset, saturating_add(offset, std::max<uint64_t>(length, 1))};
    uint64_t first = offset / kRow * kRow;
    const uint64_t last = (place.end - 1) / kRow * kRow;
    // The line before is always read, so that the windows of sorted findings never go back in the file. It is shown if
    // the place is in a single line.
    const uint64_t before = saturating_sub(first, kRow);
    Bytes bytes = excerpts.read(before, (kRows + 1) * kRow);
    if (bytes.empty()) return {};
    if (first == last)
        first = before;
    else
        bytes = bytes.subspan(std::min<size_t>(first - before, bytes.size()));
    const size_t rows = std::clamp<uint64_t>((last - first) / kRow + 1, 2, kRows);
    bytes = bytes.first(std::min(bytes.size(), rows * kRow));

    const int digits = digits_of(saturating_add(first, kRows * kRow));
    // Bytes beyond the end of the file are marked only if the place has no bytes at all.
    const Span seen{place.start, std::min(place.end, std::max(place.start, first + bytes.size()))};
    std::string text;
    for (size_t at = 0; at < rows * kRow; at += kRow) {
        const uint64_t row = first + at;
        const bool starts_here = place.start >= row && place.start - row < kRow;
        const bool marked = starts_here || (seen.start < row && seen.end > row);
        if (at >= bytes.size() && !starts_here) break;
        const size_t there = std::min(at, bytes.size());
        text += indent;
        text += hex_line(row, bytes.subspan(there, std::min(kRow, bytes.size() - there)), digits);
        if (marked)
            text += fmt::format("{}{}{}{}\n", indent, style.start, marks(row, seen, static_cast<size_t>(digits)),
                                style.end);
    }
    const uint64_t shown_end = first + rows * kRow;
    if (length != 0 && place.end > shown_end && bytes.size() == rows * kRow)
        text += fmt::format("{}... and {}\n", indent, counted(place.end - shown_end, "more byte"));
    return text;
}

}  // namespace tracelint
