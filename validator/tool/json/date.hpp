// Dates as text.
#pragma once

#include <chrono>
#include <string>

namespace tracelint {

// "2027-01-31".
std::string date_text(std::chrono::sys_days date);

}  // namespace tracelint
