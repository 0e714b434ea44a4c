// Jitdump files of real runtimes.
#include <algorithm>

#include "grammars/formats.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/tree_record.hpp"

namespace tracelint::bench {
namespace {

using files::OutputFile;
using files::Target;
using files::Tree;

struct Range {
    uint64_t first = kNone, end = 0;
    void add(uint64_t from, uint64_t size) {
        first = std::min(first, from);
        end = std::max(end, from + size);
    }
    uint64_t size() const { return end - first; }
};

bool is_address(std::string_view field) { return field == "vma" || field == "code_addr" || field == "addr"; }

// All records of the file but the header and CLOSE. Each repetition has later times, higher addresses and new code
// indexes.
void repeat_jitdump(const char* path, const Target& to) {
    constexpr uint64_t kPage = 4096;
    const RealFile file = real_file(kJitdump, path);
    Range addresses, times, indexes;
    for (size_t i = 1; i < file.records.size(); ++i) {
        const RecordValues& record = file.records[i];
        times.add(record.number("timestamp"), 1);
        if (record.find("code_index") == nullptr) continue;
        addresses.add(record.number("code_addr"), record.number("code_size"));
        indexes.add(record.number("code_index"), 1);
    }
    OutputFile out(to);
    out.bytes(std::string(file.bytes_of(0)));
    Block block;
    for (size_t i = 1; i < file.records.size(); ++i) {
        if (file.records[i].record->name == "JIT_CODE_CLOSE") continue;
        const size_t begin = block.append(file.bytes_of(i));
        for (const Value& value : file.records[i].values) {
            if (value.leaf.field == nullptr) continue;
            const std::string_view name = value.leaf.field->name;
            const uint64_t step = is_address(name)       ? (addresses.size() / kPage + 1) * kPage
                                  : name == "timestamp"  ? times.size()
                                  : name == "code_index" ? indexes.size()
                                                         : 0;
            if (step != 0) block.grow(begin + value.leaf.offset, 8, step);
        }
    }
    block.repeat(out);
}

void append(files::Numbers& to, std::initializer_list<uint32_t> numbers) { to.insert(to.end(), numbers); }

// A tree for code of `size` bytes: in every 128 bytes a function is inlined, and another one into that. A line begins
// wherever the function changes.
Tree tree_for(uint32_t size) {
    Tree tree;
    files::add_string(tree.files, tree.file_count, "/srv/app/node_modules/parser/index.js");
    const auto new_function = [&] {
        const uint32_t function = tree.name_count;
        files::add_string(tree.names, tree.name_count, "parseExpression" + std::to_string(function));
        append(tree.functions, {function, 0, 10 * function + 1, 4, 0});
        return function;
    };
    const auto line = [&](uint32_t offset, uint32_t function) {
        append(tree.lines, {offset, 0, 10 * function + 1, offset % 80});
    };
    const uint32_t whole = new_function();
    line(0, whole);
    for (uint32_t start = 32; start + 96 <= size; start += 128) {
        const uint32_t outer = new_function(), inner = new_function();
        append(tree.calls, {0, 1, outer, 7, 3, 1, 1, inner, 8, 5});
        append(tree.ranges, {start, 80, start + 16, 48});
        line(start, outer), line(start + 16, inner), line(start + 64, outer), line(start + 80, whole);
    }
    files::pad(tree.files);
    files::pad(tree.names);
    return tree;
}

}  // namespace

void erlang(const Target& to) { repeat_jitdump("corpus/jitdump/real/erlang-25.dump.gz", to); }
void node(const Target& to) { repeat_jitdump("corpus/jitdump/real/node-26.dump", to); }
void java(const Target& to) { repeat_jitdump("corpus/jitdump/real/java-17.dump.gz", to); }

// The functions of Bun, which has WebKit's engine, with inline trees as WebKit writes them for optimised code.
void webkit(const Target& to) {
    const RealFile file = real_file(kJitdump, "corpus/jitdump/real/bun-1.dump");
    files::JitdumpFile out(to);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; out.wants_more();) {
        for (size_t i = 1; i < file.records.size(); ++i, ++index) {
            const uint64_t size = file.records[i].number("code_size");
            if (size >= 128) files::tree_record(out, tree_for(static_cast<uint32_t>(size)));
            const Value* const name = file.records[i].find("name");
            out.load_record(address, size, index, name->text.substr(0, name->text.find('\0')));
            address += (size + 15) / 16 * 16;
        }
    }
}

}  // namespace tracelint::bench
