// The engine's own rules: about the input itself and about its container.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint {

RuleList input_rules();
extern const Rule kUnknownFormat;
extern const Rule kEmptyInput;
extern const Rule kGitLfsPointer;
extern const Rule kInputChanged;
extern const Rule kInputGrowing;
extern const Rule kTextMangled;
extern const Rule kGzipTruncated;
extern const Rule kGzipCorrupt;
extern const Rule kGzipTrailingData;
extern const Rule kGzipTooLarge;
extern const Rule kZstdTruncated;
extern const Rule kZstdCorrupt;
extern const Rule kZstdTrailingData;
extern const Rule kZstdTooLarge;
extern const Rule kZstdWindowTooLarge;
extern const Rule kZstdTrackingLimit;

}  // namespace tracelint
