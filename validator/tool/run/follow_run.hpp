// --follow: checks files while their writers run, and folders for files that appear in them.
#pragma once

#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/status.hpp"

namespace tracelint {

// Until every file is finished, or a signal comes.
ExitStatus follow(const CheckLine& line);

}  // namespace tracelint
