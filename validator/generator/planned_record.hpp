// Records that a model plans before they are generated, since one step of a model often produces several records.
#pragma once

#include <deque>

#include "validator/generator/generator.hpp"

namespace tracelint {

// A record and the values that the model sets. All other values are drawn from the record's table.
class PlannedRecord {
  public:
    struct Number {
        std::string_view field;
        uint64_t number;
    };
    explicit PlannedRecord(const Record& record, std::initializer_list<Number> numbers = {});

    // Each of these returns the record itself. The last value given for a field counts.
    PlannedRecord& with(std::string_view field, uint64_t number, uint64_t element = kNone);
    // Text of a string field, without its NUL. In a field of UTF-16, one of Latin 1.
    PlannedRecord& text(std::string_view field, std::string text, uint64_t element = kNone);
    // The content of a field of bytes.
    PlannedRecord& bytes(std::string_view field, std::string bytes, uint64_t element = kNone);
    // The number of elements of a list, or of bytes of a field whose bytes are drawn.
    PlannedRecord& size(std::string_view field, uint64_t size);

    const Record& record() const { return *record_; }
    // As the functions of Model, for this record.
    void fill(Value& value) const;
    uint64_t size_of(const Field& field) const;  // 0 unless size() was called for the field

  private:
    struct Given {
        std::string_view field;
        uint64_t element;
        uint64_t number;
        std::string text;
    };
    const Record* record_;
    std::vector<Given> given_;
    std::vector<std::pair<std::string_view, uint64_t>> sizes_;
};

using PlannedRecords = std::deque<PlannedRecord>;

// A model that plans some records at a time, in file order.
class PlannedModel : public Model {
  public:
    const Layout& layout() const final { return layout_; }
    const Record* next(uint64_t written, uint64_t wanted) final;
    void fill(Value& value, const RecordValues& so_far) override;
    uint64_t size_of(const Field& field, const RecordValues& so_far) override;

  protected:
    explicit PlannedModel(Random& random) : random_(random) {}

    // Called when no planned record is left: adds records to waiting_, or none to end the file. `written` and `wanted`
    // are sizes of the file in bytes.
    virtual void plan(uint64_t written, uint64_t wanted) = 0;

    Random& random_;
    Layout layout_;
    PlannedRecords waiting_;

  private:
    std::optional<PlannedRecord> current_;
};

}  // namespace tracelint
