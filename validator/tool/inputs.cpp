// Walks folders.
#include "validator/tool/inputs.hpp"

#include <algorithm>
#include <filesystem>

namespace tracelint {
namespace {

namespace fs = std::filesystem;

void walk(const fs::path& folder, size_t number, std::vector<Input>& inputs) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        entries.push_back(*at);
    if (error) inputs.push_back({folder.string(), number, "cannot list: " + error.message()});
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.path().native() < b.path().native(); });
    for (const fs::directory_entry& entry : entries) {
        std::error_code ignored;
        // A link to a folder may lead back to a folder above it.
        if (entry.is_directory(ignored)) {
            if (!entry.is_symlink(ignored)) walk(entry.path(), number, inputs);
        } else if (entry.is_regular_file(ignored)) {
            inputs.push_back({entry.path().string(), number, {}});
        }
    }
}

}  // namespace

std::vector<Input> find_inputs(const std::vector<std::string>& names, std::vector<std::string>& folders) {
    std::vector<Input> inputs;
    for (const std::string& name : names) {
        std::error_code ignored;
        if (name != "-" && fs::is_directory(name, ignored)) {
            walk(name, folders.size(), inputs);
            folders.push_back(name);
        } else {
            inputs.push_back({name, {}, {}});
        }
    }
    return inputs;
}

std::unique_ptr<Source> open_input(const std::string& path) {
    return path == "-" ? open_standard_input() : open_file(path);
}

}  // namespace tracelint
