// Opens what the user named.
#include "validator/tool/inputs/inputs.hpp"

namespace tracelint {

std::unique_ptr<Source> open_input(const std::string& path) {
    return path == "-" ? open_standard_input() : open_file(path);
}

}  // namespace tracelint
