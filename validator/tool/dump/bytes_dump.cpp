// Writes the bytes of the selected field, as they are in the trace.
#include "validator/tool/dump/renderer.hpp"

namespace tracelint {
namespace {

class BytesDump final : public Renderer {
  public:
    using Renderer::Renderer;

    void begin(const SeenRecord&) override { written_ = 0; }

    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (leaf.kind == Leaf::Kind::list || !shows(record, leaf)) return;
        // Several leaves may be bits of one number.
        const uint64_t end = leaf.offset + leaf.length;
        if (end <= written_) return;
        written_ = end;
        sink_.write(as_text(record.bytes.subspan(leaf.offset, leaf.length)));
    }

    void selected_gap(const Gap&, GapBytes&) override {}

  private:
    uint64_t written_ = 0;  // end of the last leaf, from the start of the record
};

}  // namespace

std::unique_ptr<Renderer> make_bytes_renderer(const Dumped&, const Selection& selection, DumpContext& context,
                                              Sink& sink) {
    return std::make_unique<BytesDump>(selection, context, sink);
}

}  // namespace tracelint
