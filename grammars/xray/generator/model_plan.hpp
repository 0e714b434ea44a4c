// What the models of the three families share: records that are planned ahead, since the count in front of a buffer
// is that of all its records, and the calls of a thread.
#pragma once

#include <deque>

#include "grammars/xray/records.hpp"
#include "validator/generator/model.hpp"
#include "validator/generator/random.hpp"

namespace tracelint::xray {

// A record, and the numbers of it that are no matter of chance. The table draws the others.
struct Planned {
    struct Number {
        std::string_view field;
        uint64_t number;
    };
    const Record* record = nullptr;
    std::vector<Number> numbers;
    uint64_t bytes = 0;  // in its field of no fixed width

    uint64_t size(const Layout& layout) const { return fixed_size(*record, layout) + bytes; }
};

// Writes what a family plans: a header, then as much as is asked for.
class PlannedModel : public Model {
  public:
    PlannedModel(Random& random, ByteOrder order);

    const Layout& layout() const final { return layout_; }
    const Record* next(uint64_t written, uint64_t wanted) final;
    void fill(Value& value, const RecordValues& so_far) override;
    uint64_t size_of(const Field&, const RecordValues&) override { return current_.bytes; }

  protected:
    // The first record. `wanted`: the size of the file.
    virtual Planned plan_header(uint64_t wanted) = 0;
    // Adds one record at least. `room`: bytes that are left; the plan may take more.
    virtual void plan(uint64_t room) = 0;

    void add(Planned planned) { waiting_.push_back(std::move(planned)); }
    // The header of flight data recorder and basic files; the family's own numbers go behind.
    Planned file_header(uint64_t type);

    Random& random_;
    Layout layout_;

  private:
    // What is in bytes that nobody looks at (6 "reserved bytes").
    enum class Stale : uint8_t { zeros, pattern, memory };

    Stale stale_;
    bool has_body_ = false;
    std::deque<Planned> waiting_;
    Planned current_;
};

// The functions that are open on one thread.
class Calls {
  public:
    struct Call {
        Action action;
        uint64_t function;
    };

    // A few are open already: the thread was on its way when it was first seen.
    Calls(Random& random, uint64_t largest_id, bool tail_exits);

    // What the thread does next: mostly calls that nest, at times exceptions and functions that were never entered.
    Call next();
    // Calls that nobody recorded.
    void lose_some();

  private:
    uint64_t draw_function();
    Call enter();
    Call leave(Action action);

    Random* random_;
    uint64_t largest_id_;
    bool tail_exits_;
    bool enters_next_ = false;  // behind a tail exit
    std::vector<uint64_t> open_;
};

std::unique_ptr<Model> make_fdr_model(Random& random, ByteOrder order);
std::unique_ptr<Model> make_basic_model(Random& random, ByteOrder order);
std::unique_ptr<Model> make_profile_model(Random& random, ByteOrder order);

}  // namespace tracelint::xray
