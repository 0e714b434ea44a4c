#include "tests/support/goldens.hpp"

#include <algorithm>
#include <memory>

#include "validator/tables/decode.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

Values asserted(const Golden& golden) {
    Values values;
    for (const Assertion& assertion : golden.file.assertions) values.push_back(assertion.field + "=" + assertion.value);
    return values;
}

Values decoded(const Golden& golden, const Tables& tables, bool with_lengths) {
    Values values;
    for (const Golden::Part& part : golden.parts) {
        const Bytes bytes = golden.bytes_of(part);
        const auto visit = [&](const Leaf& leaf) {
            if (leaf.kind == Leaf::Kind::list) return;
            const bool pads_list = leaf.field != nullptr && leaf.field->type == Type::list;  // of a size of its own
            if (leaf.kind == Leaf::Kind::raw) return pads_list ? void() : values.push_back("?");
            const bool opaque = leaf.field->type == Type::bytes;
            if (opaque && !with_lengths) return;
            const std::string value = opaque ? text_of(leaf.length)
                                      : leaf.field->type == Type::string
                                          ? text_of(as_text(bytes.subspan(leaf.offset, leaf.length - 1)))
                                      : leaf.field->type == Type::string16
                                          ? text_of(utf8_of_utf16(bytes.subspan(leaf.offset, leaf.length - 2)))
                                          : text_of(leaf.number);
            values.push_back(std::string(leaf.field->name) + "=" + value);
        };
        if (part.record == nullptr || !decode(*tables.of(part.record), bytes, part.layout, true, visit).complete)
            values.push_back("?");
    }
    return values;
}

std::vector<Golden> goldens_of(const Format& format, Errors& errors, const CorpusFolder& corpus) {
    std::vector<Golden> goldens;
    const Tables tables(format);
    for (const auto& path : corpus.files(format, "base", ".hex")) {
        Golden golden;
        golden.path = corpus.shown(path);
        golden.file = read_hex(read_file(path).value_or(""), golden.path, errors);
        const std::unique_ptr<Framer> framer = format.framer({});
        for (uint64_t at = 0; at < golden.file.bytes.size();) {
            const Bytes rest = as_bytes(golden.file.bytes).subspan(at);
            const Framer::Frame frame = framer->next_of_all(rest);
            const bool known = frame.record != nullptr && frame.length > 0;
            const uint64_t length = known ? std::min<uint64_t>(frame.length, rest.size()) : rest.size();
            golden.parts.push_back({known ? frame.record : nullptr, framer->layout(), at, length});
            at += length;
        }
        golden.shows_lengths = decoded(golden, tables, true) == asserted(golden);
        goldens.push_back(std::move(golden));
    }
    return goldens;
}

bool agrees(const Golden& golden, const Tables& tables) {
    return decoded(golden, tables, golden.shows_lengths) == asserted(golden);
}

}  // namespace tracelint
