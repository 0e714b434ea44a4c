// The seam of extension.hpp for generated files.
#pragma once

#include "validator/generator/model.hpp"

namespace tracelint::jitdump {

// What puts the extension's records into generated files.
class ExtensionModel {
  public:
    struct Function {
        uint64_t address, size;  // size 0: no code
    };

    virtual ~ExtensionModel() = default;

    // The records to write before the LOAD of the function, in this order; the base format's may stand
    // between them.
    virtual std::vector<const tracelint::Record*> plan(const Function& function) = 0;
    // The next one of them is written now. id, total_size and timestamp are not its business.
    virtual void begin() = 0;
    // As those of Model, for that record.
    virtual void fill(Value& value, const RecordValues& so_far) = 0;
    virtual uint64_t size_of(const Field& field, const RecordValues& so_far) = 0;
    virtual std::string padding_of(const Field& list, const RecordValues& so_far) = 0;
};

}  // namespace tracelint::jitdump
