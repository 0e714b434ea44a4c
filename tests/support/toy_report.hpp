// A toy file with findings of every severity, and what the writers make of it.
#pragma once

#include <doctest/doctest.h>

#include "tests/toy/formats.hpp"
#include "validator/generator/case_file.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// Findings in a line, over two lines, longer than an excerpt and at the end, one of them with a hint and a related
// place.
inline const std::string& toy_bytes() {
    static const std::string bytes = [] {
        Errors errors;
        const std::string text = R"(
"1YOT" | 02 00 | 00 00
01 | 0e 00 | 05 | "run" 00 | 00 | 00 01 7f ff "!"   # TASK 5, and five bytes after its last field
02 | 0e 00 | 00*8 | 10 00 | 05                      # worker 1 starts it
02 | 0e 00 | 00*8 | 20 00 | 05                      # worker 2 starts it again
03 | ed 03 | 00 00 | 2e*1000                       # COUNTERS, and 1000 bytes after its last field
)";
        return read_hex(text, "", errors).bytes;
    }();
    return bytes;
}

inline Outcome toy_outcome(size_t kept_per_rule = kShownPerRule) {
    CheckOptions options;
    options.format = &kToy;
    options.report.kept_per_rule = kept_per_rule;
    MemorySource source(as_bytes(toy_bytes()));
    return check(source, options);
}

inline std::string written(const char* kind, const std::string& path, const Outcome& outcome,
                           const WriterOptions& options = {},
                           const Summary& summary = {
                               .files = 1, .clean = 0, .with_findings = 1, .unreadable = 0, .skipped = 0}) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind(kind)->make(sink, options);
    writer->begin();
    writer->file({path, outcome});
    writer->finish(summary);
    return sink.text;
}

}  // namespace tracelint
