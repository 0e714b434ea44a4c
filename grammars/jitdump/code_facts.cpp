// What a dump says to the checks between files.
#include "grammars/jitdump/code_facts.hpp"

#include "grammars/jitdump/unwinding_range.hpp"

namespace tracelint::jitdump {

void tell_header(CodeDump& dump, const View<kHeader>& header) {
    const View<kLoad> first(nullptr, 0, header.order(), 0);
    dump.is_present = true;
    dump.pid = static_cast<uint32_t>(header.get<"pid">());
    dump.has_counter_times = (header.get<"flags">() & 1) != 0;
    dump.magic = header.place<"magic">();
    dump.pid_place = header.place<"pid">();
    dump.flags = header.place<"flags">();
    dump.record = &kLoad;
    dump.function_pid = first.place<"pid">();
    dump.function_time = first.place<"timestamp">();
    dump.function_index = first.place<"code_index">();
}

void tell_load(CodeDump& dump, const View<kLoad>& load, uint64_t total_size) {
    const uint64_t start = load.get<"code_addr">(), size = load.get<"code_size">();
    if (size > total_size || ends_above_2_64(start, size)) return;
    dump.functions.add({.at = {load.offset(), load.record_index(), static_cast<uint32_t>(total_size), false},
                        .time = load.get<"timestamp">(),
                        .start = start,
                        .index = load.get<"code_index">(),
                        .size = static_cast<uint32_t>(size),
                        .pid = static_cast<uint32_t>(load.get<"pid">())});
}

}  // namespace tracelint::jitdump
