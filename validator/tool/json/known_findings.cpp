// What a baseline knows, in words.
#include "validator/tool/json/known_findings.hpp"

namespace tracelint {

std::string_view to_string(StaleEntry::Why why) {
    switch (why) {
        case StaleEntry::Why::fewer: return "fewer";
        case StaleEntry::Why::no_file: return "no file";
        case StaleEntry::Why::expired: return "expired";
    }
    return "";
}

}  // namespace tracelint
