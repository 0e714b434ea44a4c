// XRay flight data recorder logs of version 5: function records with a call stack that branch predictors cannot learn,
// and hostile ones.
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/xray_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

constexpr uint32_t kFunctions = 4096;

// Calls and returns of random functions in random order. `event_every`: one in so many records is a custom event.
void write_calls(const Target& to, uint64_t event_every) {
    XrayFile file(to);
    for (uint32_t buffer = 0; file.wants_more(); ++buffer) {
        file.open_buffer(100 + buffer % 4);
        std::vector<uint32_t> open;
        while (!file.is_full()) {
            if (event_every != 0 && file.below(event_every) == 0) file.custom_event(1 + file.below(40));
            if (open.empty() || (open.size() < 60 && file.below(2) == 0)) {
                open.push_back(1 + static_cast<uint32_t>(file.below(kFunctions)));
                file.function(0, open.back());
            } else {
                file.function(1, open.back());
                open.pop_back();
            }
        }
        file.close_buffer();
    }
}

void calls(const Target& to) { write_calls(to, 0); }
void calls_and_events(const Target& to) { write_calls(to, 10); }

const File kFiles[] = {
    {"real-xray", "full buffers of function records", 256 * kMegabyte, xray_threads, xray_readers()},
    {"xray-calls", "function records, calls and returns in random order", 1000 * kMegabyte, calls, xray_readers()},
    {"xray-events", "a custom event for ten function records", 500 * kMegabyte, calls_and_events, xray_readers()},
    hostile("xray-exits"),
    hostile("xray-basic-absent-exits"),
    hostile("xray-threads"),
    hostile("xray-garbage"),
};

}  // namespace

std::span<const File> xray_files() { return kFiles; }

}  // namespace tracelint::bench
