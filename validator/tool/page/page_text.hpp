// The page of html reports in two halves; the report goes between them. scripts/embed-page.cmake builds it from the
// files of this folder.
#pragma once

#include <string_view>

namespace tracelint {

// Up to the report, which is in an element of type application/json.
std::string_view page_before_report();
// What follows the report.
std::string_view page_after_report();

}  // namespace tracelint
