// Close-ups: the bytes around findings, and the records and fields that they belong to.
#pragma once

#include <deque>
#include <functional>

#include "validator/tool/dump/leaf_text.hpp"
#include "validator/tool/page/record_map.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// A part of a file to be shown.
struct ShownExtent {
    uint64_t start = 0, end = 0;
    Severity worst = Severity::note;  // of the findings in it
    bool has_first = false;           // one of the first findings of a rule is in it
};

// How many findings of a rule come first: the bytes around them are kept before those of all others.
inline constexpr size_t kFirstOfRule = 5;

// The extents around the shown findings and what they are related to, ascending and apart from each other. Those of
// findings about the container, whose offsets count in another file, or those of all others.
std::vector<ShownExtent> extents_of(const Report& report, const WriterOptions& options, bool of_container);

// A record that is in an extent, with those of its fields that are.
struct CloseRecord {
    std::string_view name;
    uint64_t offset = 0, length = 0;
    uint64_t index = kNone;  // records[index]
    std::vector<NamedField> fields;
};

// Visits all records of a file: draws the map, and names the fields in the extents.
class Surveyor final : public RecordVisitor {
  public:
    // Receives each extent with the records there, in file order.
    using Take = std::function<void(const ShownExtent&, const std::vector<CloseRecord>&)>;

    Surveyor(std::span<const ShownExtent> extents, RecordMap& map, DumpContext& context, Take take)
        : extents_(extents), map_(map), context_(context), take_(std::move(take)) {}

    // Passes on the extents that no record has completed.
    void finish() { finish_before(kNone); }

    bool is_done(uint64_t offset, uint64_t next_index) override;
    bool wants(const FramedRecord& record) override;
    void begin(const SeenRecord& record) override;
    bool wants_leaves() override { return is_near_; }
    void leaf(const SeenRecord& record, const Leaf& leaf) override;
    void end(const SeenRecord& record) override;
    void gap(const Gap& gap, GapBytes& bytes) override;

  private:
    static constexpr size_t kMostFields = 600;           // of one extent
    static constexpr uint64_t kMostForMoment = 1 << 14;  // bytes of a record that is read for its moment only

    void finish_before(uint64_t offset);
    void add(std::vector<CloseRecord>& records, const SeenRecord& record, const NamedField& field);

    std::span<const ShownExtent> extents_;  // those that are not passed on yet
    RecordMap& map_;
    DumpContext& context_;
    Take take_;
    std::deque<std::vector<CloseRecord>> found_;  // what is known of the first of the extents
    // Of the record that is visited.
    bool is_near_ = false;   // an extent has bytes of it
    bool is_timed_ = false;  // the map wants its moment
    std::optional<Meanings> meanings_;
};

}  // namespace tracelint
