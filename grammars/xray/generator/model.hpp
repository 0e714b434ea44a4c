// What the models of the three families share: the file header, unused bytes, and the calls of a thread.
#pragma once

#include "grammars/xray/records.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/planned_record.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::xray {

// The model of a family: a header, then records until the file is as large as wanted.
class FamilyModel : public PlannedModel {
  public:
    FamilyModel(Random& random, ByteOrder order);

    void fill(Value& value, const RecordValues& so_far) override;

  protected:
    // The first record. `wanted` is the size of the file in bytes.
    virtual PlannedRecord plan_header(uint64_t wanted) = 0;
    // Adds at least one record. `room` is the number of bytes left; the records may take more.
    virtual void plan_body(uint64_t room) = 0;

    void add(PlannedRecord record) { waiting_.push_back(std::move(record)); }
    // The header of flight data recorder and basic files, without the fields in which they differ.
    PlannedRecord file_header(uint64_t type);

  private:
    // The content of unused bytes, which writers leave uninitialised.
    enum class Unused : uint8_t { zeros, pattern, memory };

    void plan(uint64_t written, uint64_t wanted) final;

    Unused unused_;
    bool has_body_ = false;
};

// The calls of one thread.
class Calls {
  public:
    struct Call {
        Action action;
        uint64_t function;
    };

    // Some calls are open already, since recording starts in the middle of the program.
    Calls(Random& random, uint64_t largest_id, bool tail_exits);

    // The next call or return. Most nest; some return through an exception or from functions never entered.
    Call next();
    // Calls and returns that were not recorded.
    void lose_some();

  private:
    uint64_t draw_function();
    Call enter();
    Call leave(Action action);

    Random* random_;
    uint64_t largest_id_;
    bool tail_exits_;
    bool enters_next_ = false;  // after a tail exit
    std::vector<uint64_t> open_;
};

std::unique_ptr<Model> make_fdr_model(Random& random, ByteOrder order);
std::unique_ptr<Model> make_basic_model(Random& random, ByteOrder order);
std::unique_ptr<Model> make_profile_model(Random& random, ByteOrder order);

// The model of XRay files.

// A file of a random family of the three.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::xray
