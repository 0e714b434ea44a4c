// Asks the system for device and inode.
#include "validator/tool/inputs/file_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace tracelint {
namespace {

std::optional<FileIdentity> identity_of(const struct stat& status) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

std::optional<FileIdentity> regular_file(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? identity_of(status) : std::nullopt;
}

std::optional<FileIdentity> regular_file(const std::string& path) {
    if (path == "-") return regular_file(STDIN_FILENO);
    struct stat status;
    return stat(path.c_str(), &status) == 0 ? identity_of(status) : std::nullopt;
}

}  // namespace tracelint
