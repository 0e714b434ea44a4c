// nettrace, sections 2 and 3: the start of a file.
#pragma once

#include "grammars/nettrace/checks/session.hpp"

namespace tracelint::nettrace {

struct FileStart {
    bool is_readable = false;
    bool is_nettrace = false;  // its objects are those of versions 4 and 5
    bool is_plain = false;     // version 6
    uint64_t minor = 0;
    uint64_t size = 0;  // bytes
};

// Checks the header.
FileStart check_header(Session& session);

}  // namespace tracelint::nettrace
