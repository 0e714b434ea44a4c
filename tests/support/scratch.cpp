#include "tests/support/scratch.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

namespace tracelint {
namespace {

std::string scratch_name() { return (std::filesystem::temp_directory_path() / "tracelint-test-XXXXXX").string(); }

}  // namespace

ScratchFile::ScratchFile(std::string_view content) : path_(scratch_name()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor >= 0) close(descriptor);
    append(content);
}

ScratchFile::~ScratchFile() { unlink(path_.c_str()); }

void ScratchFile::append(std::string_view content) const {
    std::FILE* const file = std::fopen(path_.c_str(), "ab");
    if (file == nullptr) return;
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
}

ScratchFolder::ScratchFolder() {
    std::string name = scratch_name();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace tracelint
