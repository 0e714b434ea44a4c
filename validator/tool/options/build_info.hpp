// What --version says of the program. The definition is made when the program is built.
#pragma once

#include <string_view>

namespace tracelint {

struct BuildInfo {
    std::string_view commit;  // "13d01a3c2f6b of 2026-11-23", ", modified" after it if sources were; or "unknown"
    std::string_view documents_date;  // of the manual: "2026-11-23", the date of the commit if it is known
    std::string_view build;           // compiler, type of build, system
    std::string_view abi;             // of the libraries
};

const BuildInfo& build_info();

}  // namespace tracelint
