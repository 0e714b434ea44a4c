// What a generator knows of a format that its tables cannot hold.
#pragma once

#include <memory>
#include <optional>

#include "validator/generator/random.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// The cross-record knowledge that a table cannot hold: produces meaningful files record by record.
// Everything that a model does not say is drawn from the tables.
class Model {
  public:
    virtual ~Model() = default;
    virtual const Layout& layout() const = 0;
    // The record to write now; null ends the file. `written`: bytes so far, `wanted`: bytes asked for.
    virtual const Record* next(uint64_t written, uint64_t wanted) = 0;
    // Gives the value its number or text, or leaves it to the table.
    virtual void fill(Value& value, const RecordValues& so_far) = 0;
    // How many elements a list has, how many bytes a field of bytes.
    virtual uint64_t size_of(const Field& field, const RecordValues& so_far) = 0;
    // The bytes between the last element of a list and the end that its size in bytes gives it.
    virtual std::string padding_of(const Field& list, const RecordValues& so_far) {
        (void)list, (void)so_far;
        return {};
    }
    // The finished record, sizes settled.
    virtual void written(RecordValues& draft) { (void)draft; }
    // The finished file: what earlier records say of later ones.
    virtual void finished(std::vector<RecordValues>& file) { (void)file; }
};

// Options of generated files that a test can pin down.
struct ModelOptions {
    std::optional<ByteOrder> byte_order;
};

}  // namespace tracelint
