// Files and folders of a test's own, gone when the test is over.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace tracelint {

class ScratchFile {
  public:
    explicit ScratchFile(std::string_view content = {}) {
        path_ = (std::filesystem::temp_directory_path() / "tracelint-test-XXXXXX").string();
        const int descriptor = mkstemp(path_.data());
        if (descriptor >= 0) close(descriptor);
        append(content);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() { unlink(path_.c_str()); }

    void append(std::string_view content) const {
        std::FILE* const file = std::fopen(path_.c_str(), "ab");
        if (file == nullptr) return;
        std::fwrite(content.data(), 1, content.size(), file);
        std::fclose(file);
    }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "tracelint-test-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace tracelint
