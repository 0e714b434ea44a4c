// The text output of `tracelint merge`: how many files there are, and which rules they violate.
#pragma once

#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// Takes memory by rules, not by files.
std::unique_ptr<Writer> make_overview_writer(Sink& sink, const WriterOptions& options);

}  // namespace tracelint
