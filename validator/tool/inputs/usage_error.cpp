// Reads the files that a command line names.
#include "validator/tool/inputs/usage_error.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "validator/input/source.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {

void refuse(std::string message) { throw UsageError{std::move(message)}; }

std::string working_folder() {
    std::error_code failed;
    return std::filesystem::current_path(failed).string();
}

std::string content_of(const std::string& path, size_t most) {
    const std::unique_ptr<Source> source = open_file(path);
    std::string text(most + 1, '\0');
    size_t filled = 0;
    while (filled < text.size()) {
        const size_t got = source->read(reinterpret_cast<uint8_t*>(text.data()) + filled, text.size() - filled);
        if (got == 0) break;
        filled += got;
    }
    if (!source->failure().empty()) refuse(fmt::format("{}: {}", printable(path), source->failure()));
    text.resize(filled);
    return text;
}

}  // namespace tracelint
