// A visitor that writes what it sees, and the kinds that there are.
#pragma once

#include "validator/tool/dump/selection.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

// Writes the selected part of a trace. Derived classes define how.
class Renderer : public RecordVisitor {
  public:
    // All must outlive the renderer.
    Renderer(const Selection& selection, DumpContext& context, Sink& sink)
        : selection_(selection), context_(context), sink_(sink) {}

    // Written before and after the records.
    virtual void start() {}
    virtual void finish() {}
    // Whether anything of the trace was selected: a record or a gap, or if a field is asked for, a leaf.
    bool has_written() const { return selection_.field.is_given() ? has_shown_ : has_written_; }

    bool is_done(uint64_t offset, uint64_t next_index) final {
        return sink_.failure() != 0 || selection_.is_over(offset, next_index);
    }
    bool wants(const FramedRecord& record) final { return note(selection_.has(record)); }
    void gap(const Gap& gap, GapBytes& bytes) final {
        if (note(selection_.has(gap))) selected_gap(gap, bytes);
    }

  protected:
    // Whether the leaf is selected. Asked for each leaf.
    bool shows(const SeenRecord& record, const Leaf& leaf) {
        const bool is_selected = selection_.has(record, leaf);
        has_shown_ |= is_selected;
        return is_selected;
    }
    virtual void selected_gap(const Gap& gap, GapBytes& bytes) = 0;

    const Selection& selection_;
    DumpContext& context_;
    Sink& sink_;

  private:
    bool note(bool is_selected) {
        has_written_ |= is_selected;
        return is_selected;
    }

    bool has_written_ = false, has_shown_ = false;
};

// How text looks. Without a width, a row of the table is a line, so that grep finds all of it.
struct TextStyle {
    size_t width = 0;  // columns of the terminal; 0: it is no terminal
    bool colour = false;
};

// What a dump says of itself, and how.
struct Dumped {
    std::string_view path;    // as the user named it, any bytes
    std::string_view format;  // the id
    TextStyle style{};        // of text
};

// A kind of output of dump. To add one, write a source file with its class and factory, and add a line to kKinds in
// text_dump.cpp.
struct DumpKind {
    std::string_view name;
    std::unique_ptr<Renderer> (*make)(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                      Sink& sink);
};
std::span<const DumpKind> dump_kinds();

std::unique_ptr<Renderer> make_text_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                             Sink& sink);
std::unique_ptr<Renderer> make_json_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                             Sink& sink);
std::unique_ptr<Renderer> make_ndjson_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                               Sink& sink);
// Of a selection of one kind of records.
std::unique_ptr<Renderer> make_csv_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                            Sink& sink);

// Of a selection of one field. Not in the list, because its output is no text.
std::unique_ptr<Renderer> make_bytes_renderer(const Dumped& dumped, const Selection& selection, DumpContext& context,
                                              Sink& sink);

// Writes all records that the framer finds in the window as text. The window is at its start. Stops if the sink
// fails.
void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink);

}  // namespace tracelint
