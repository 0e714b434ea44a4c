// The least that any reader of a format must do: find every record and add up its fields, without a single check. What
// tracelint takes is compared with this.
#pragma once

namespace tracelint::bench {

// Reads the file, or all files of a folder, and returns an exit status.
int bare_loop(const char* path);

}  // namespace tracelint::bench
