// Files and folders of a test's own, gone when the test is over.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tracelint {

class ScratchFile {
  public:
    explicit ScratchFile(std::string_view content = {});
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile();

    void append(std::string_view content) const;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

class ScratchFolder {
  public:
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace tracelint
