// jitdump: the model of a dump, and the interface through which an extension adds its records.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::jitdump {

// The interface through which an extension adds its records to generated files.

// Generates the records of the extension.
class ExtensionModel {
  public:
    struct Function {
        uint64_t address, size;  // size 0: no code
    };

    virtual ~ExtensionModel() = default;

    // The records to write before the LOAD of the function, in this order. Records of the base format may come between
    // them.
    virtual std::vector<const tracelint::Record*> plan(const Function& function) = 0;
    // Called before each of these records is generated. The base format sets id, total_size and timestamp.
    virtual void begin() = 0;
    // As the functions of Model, for the record that begin() announced.
    virtual void fill(Value& value, const RecordValues& so_far) = 0;
    virtual uint64_t size_of(const Field& field, const RecordValues& so_far) = 0;
    virtual std::string padding_of(const Field& list, const RecordValues& so_far) = 0;
};

// The model of jitdump files, with the records of the extension.

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::jitdump
