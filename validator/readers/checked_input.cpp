// An input that is checked and then judged for its readers, and whose it is.
#include <sys/stat.h>

#include "validator/readers/reader_check.hpp"

#ifndef __wasi__
#include <unistd.h>
#endif

namespace tracelint {

// As perf asks before it opens one.
bool ReaderCheck::is_foreign([[maybe_unused]] const std::string& path) {
#ifdef __wasi__
    return false;  // which knows of no owners
#else
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    return is_foreign(status.st_uid, geteuid());
#endif
}

Outcome ReaderCheck::check(Source& source, const KeptInput* kept) {
    if (readers_.empty()) return tracelint::check(source, options_);
    Outcome outcome = tracelint::check(source, all_findings());
    if (kept != nullptr && kept->is_whole()) {
        MemorySource again(kept->bytes());
        judge(outcome, again);
    } else {
        judge(outcome, source);
    }
    return outcome;
}

}  // namespace tracelint
