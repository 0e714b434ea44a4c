// Dates as text.
#include "validator/tool/json/date.hpp"

#include <fmt/core.h>

namespace tracelint {

std::string date_text(std::chrono::sys_days date) {
    const std::chrono::year_month_day parts(date);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(parts.year()), static_cast<unsigned>(parts.month()),
                       static_cast<unsigned>(parts.day()));
}

}  // namespace tracelint
