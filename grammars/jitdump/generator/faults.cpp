// What planted faults share.
#include "grammars/jitdump/generator/faults.hpp"

#include "grammars/jitdump/samply/samply.hpp"

namespace tracelint::jitdump::faults {

RecordValues opaque_record(const Record& kind, uint64_t id, uint64_t timestamp, const std::string& body,
                           const Layout& layout) {
    const std::string bytes = std::string(fixed_size(kPrefix), '\0') + body;
    RecordValues record = decode_values(kind, as_bytes(bytes), layout, true);
    record.set("id", id);
    record.set("timestamp", timestamp);
    update_sizes(record);
    return record;
}

std::optional<size_t> next_load(const FileRecords& file, size_t after) {
    for (size_t i = after + 1; i < file.size(); ++i)
        if (file[i].record == &kLoad) return i;
    return std::nullopt;
}

bool has_pending_records(const FileRecords& file, size_t load) {
    for (size_t i = load; i-- > 0 && file[i].record != &kLoad;)
        if (file[i].record == &kDebugInfo || samply::kExtension.owns(file[i].number("id"))) return true;
    return false;
}

bool is_moved_later(const FileRecords& file, size_t record, uint64_t code_index) {
    for (size_t i = record + 1; i < file.size(); ++i)
        if (file[i].record == &kMove && file[i].number("code_index") == code_index) return true;
    return false;
}

bool is_moved_later(const FileRecords& file, size_t load_or_move) {
    return is_moved_later(file, load_or_move, file[load_or_move].number("code_index"));
}

size_t end_before_close(const FileRecords& file) {
    return file.back().record == &kClose ? file.size() - 1 : file.size();
}

uint64_t timestamp_before(const FileRecords& file, size_t at) {
    if (at > 1) return file[at - 1].number("timestamp");
    return at < file.size() ? file[at].number("timestamp") : 1;
}

}  // namespace tracelint::jitdump::faults
