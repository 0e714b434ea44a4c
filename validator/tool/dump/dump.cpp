// The kinds of dumps, and the dump of everything as text.
#include "validator/tool/dump/dump.hpp"

namespace tracelint {
namespace {

constexpr DumpKind kKinds[] = {
    {"text", make_text_renderer}, {"json", make_json_renderer}, {"ndjson", make_ndjson_renderer}};

}  // namespace

std::span<const DumpKind> dump_kinds() { return kKinds; }

void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink) {
    const Selection all;
    walk_records(window, *framer, context, *make_text_renderer({}, all, context, sink));
}

}  // namespace tracelint
