#include "fuzz/tool/merge_oracle.hpp"

#include "fuzz/memory_file.hpp"
#include "validator/tool/fleet/part.hpp"
#include "validator/tool/fleet/rebuild.hpp"
#include "validator/tool/json/json_report.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

Complaint manifest_holds(std::string_view text, uint64_t seed) {
    Random random(seed);
    const char end = one_in(random, 2) ? '\n' : '\0';
    const uint64_t count = between(random, 1, 3);
    Manifest whole(end, {1, 1}), divided(end, {1, 1});
    if (whole.take(text)) whole.finish();
    for (std::string_view rest = text; !rest.empty();) {
        const size_t piece = between(random, 1, 1 + rest.size() / 4);
        if (!divided.take(rest.substr(0, piece))) break;
        rest.remove_prefix(piece);
    }
    if (divided.fault().empty()) divided.finish();
    if (whole.fault() != divided.fault() || whole.hash() != divided.hash())
        return "how the manifest is divided matters";
    if (printable(whole.fault()) != whole.fault()) return "the fault has unprintable characters: " + whole.fault();
    if (!whole.fault().empty()) return std::nullopt;
    if (whole.entries().size() + whole.repeated() != whole.count()) return "entries are lost";
    size_t entries = 0;
    for (uint64_t index = 1; index <= count; ++index) {
        Manifest shard(end, {index, count});
        if (shard.take(text)) shard.finish();
        if (!shard.fault().empty()) return "a shard has a fault that the whole has not: " + shard.fault();
        entries += shard.entries().size();
    }
    return entries == whole.entries().size() ? Complaint{} : "an entry is in no shard, or in several";
}

std::string part_of(const std::vector<PartFile>& files) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = make_ndjson_writer(sink, WriterOptions());
    Summary summary;
    PartSummary part{std::string(64, '0'), files.size(), 0, 1, {1}, "{}", {}};
    for (const PartFile& file : files) {
        MemorySource source(as_bytes(file.bytes));
        const Outcome outcome = check(source, CheckOptions());
        ManifestEntry entry;
        entry.number = ++summary.files;
        const Checked checked{file.path, outcome, nullptr, nullptr, &entry};
        part.sums.add(checked);
        writer->file(checked);
    }
    summary.part = &part;
    writer->finish(summary);
    return sink.text;
}

std::string lines_of(const RebuiltFile& file) {
    StringSink sink;
    write_file_lines(sink, Checked{file.path, *file.outcome, nullptr, nullptr, &file.entry}, WriterOptions());
    return sink.text;
}

Complaint part_holds(std::string_view bytes) {
    const MemoryFile memory(as_bytes(bytes));
    const Rebuilder rebuilder;
    try {
        PartReader reader(memory.path());
        while (reader.next_entry()) {
            const std::string lines = lines_of(rebuilder.file(reader.take_lines()));
            if (lines_of(rebuilder.file(lines)) != lines) return "a file of a part is written in another way: " + lines;
        }
    } catch (const PartFault& fault) {
        if (printable(fault.message) != fault.message) return "the fault has unprintable characters: " + fault.message;
    }
    return std::nullopt;
}

}  // namespace tracelint
