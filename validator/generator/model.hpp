// What a generator knows about a format beyond its tables.
#pragma once

#include <memory>
#include <optional>

#include "validator/generator/random.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// Knowledge that spans records, which tables cannot hold: produces a meaningful file record by record. Everything
// the model leaves open is drawn from the tables.
class Model {
  public:
    virtual ~Model() = default;
    virtual const Layout& layout() const = 0;
    // The record to write next; null ends the file. `written` and `wanted` are sizes of the file in bytes.
    virtual const Record* next(uint64_t written, uint64_t wanted) = 0;
    // Sets the value's number or text, or leaves it as drawn from the table.
    virtual void fill(Value& value, const RecordValues& so_far) = 0;
    // The number of elements of a list, or of bytes of a field.
    virtual uint64_t size_of(const Field& field, const RecordValues& so_far) = 0;
    // The bytes between the last element of a list and its end, for lists whose size is given in bytes.
    virtual std::string padding_of(const Field& list, const RecordValues& so_far) {
        (void)list, (void)so_far;
        return {};
    }
    // Called with each finished record, after its counts and sizes are set.
    virtual void written(RecordValues& record) { (void)record; }
    // Called with the finished file, to fill in what earlier records say about later ones.
    virtual void finished(FileRecords& file) { (void)file; }
};

// Choices that a test can fix; those left empty are drawn.
struct ModelOptions {
    std::optional<ByteOrder> byte_order;
};

}  // namespace tracelint
