// A new folder among the system's temporary ones, which is removed with what is in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tracelint {

// Why a folder could not be made.
inline constexpr const char* kNoScratch = "no scratch folder can be made; TMPDIR names where";

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::error_code failure;
        path_ = (std::filesystem::temp_directory_path(failure) / "tracelint-conform-XXXXXX").string();
        if (failure || mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    // Empty if the folder could not be made.
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace tracelint
