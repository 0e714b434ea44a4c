// Measures tracelint, the bare loop and the other readers on one file, in turn, as whole processes.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/small_files.hpp"

namespace tracelint::bench {

// The programs that are compared.
struct Programs {
    std::string tracelint;
    std::string bare_loop;  // this program
};

// The results of one program on one file, or on one folder of files.
struct Measured {
    uint64_t bytes = 0;           // of the file
    std::vector<double> seconds;  // of each run
    double megabytes = 0;         // the most resident memory of any run
    int status = 0;               // of the last run

    double best() const;
    double gigabytes_per_second() const { return static_cast<double>(bytes) / 1e9 / best(); }
};

struct ReaderResult {
    const Reader* reader = nullptr;
    Measured measured;

    bool is_read() const { return measured.status == 0; }
    // Why there is no result: the reader is absent, or does not take the file.
    std::string reason() const;
};

struct Comparison {
    Measured tracelint, bare_loop;
    std::vector<ReaderResult> readers;

    // Processor time of the bare loop per time of tracelint: of the best runs, and the median of the pairs.
    double share() const { return bare_loop.best() / tracelint.best(); }
    double median_share() const;
    // The one that reads most bytes in a second; null if none reads the file.
    const ReaderResult* fastest() const;
    // How many bytes tracelint checks while the reader reads one.
    double lead_over(const ReaderResult& result) const {
        return tracelint.gigabytes_per_second() / result.measured.gigabytes_per_second();
    }
};

// Makes the files that are missing in `folder` and runs all programs on them seven times.
Comparison compare(const File& file, const Programs& programs, const std::string& folder);
// The same for a folder of small files, which no other reader takes at once.
Comparison compare_small_files(const SmallFiles& files, const Programs& programs, const std::string& folder);

}  // namespace tracelint::bench
