// Paths as machine outputs have them.
#include "validator/tool/writers/uri.hpp"

namespace tracelint {
namespace {

// RFC 3986, section 2.3.
bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

std::string_view repository_path(std::string_view path) {
    if (path == "-") return "<stdin>";
    while (path.starts_with("./")) {
        const size_t name = path.find_first_not_of('/', 1);
        if (name == std::string_view::npos) break;
        path.remove_prefix(name);
    }
    return path;
}

std::string repository_text(std::string_view path, PathEscapes escapes) {
    return path == "-" ? shown_path(path) : path_text(repository_path(path), escapes);
}

std::string uri_of(std::string_view path) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    const bool is_file = path != "-";
    path = repository_path(path);
    std::string uri = path.starts_with('/') ? "file://" : is_file && path == repository_path("-") ? "./" : "";
    for (const char c : path) {
        if (is_unreserved(c) || c == '/') {
            uri += c;
            continue;
        }
        const auto byte = static_cast<uint8_t>(c);
        uri.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
    return uri;
}

}  // namespace tracelint
