// perf.data: what the model knows of an event, and the bytes that depend on it: the fields of a SAMPLE and the trailer
// (sections 3.5 and 3.6).
#pragma once

#include <string>
#include <vector>

#include "grammars/perfdata/records.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::perfdata {

// Numbers of a byte order, one after the other.
class Encoder {
  public:
    explicit Encoder(ByteOrder order) : order_(order) {}
    Encoder& number(uint64_t value, unsigned width = 8);
    Encoder& bytes(std::string_view text);
    // Zeros up to a multiple of 8.
    Encoder& align();
    const std::string& text() const { return text_; }
    ByteOrder order() const { return order_; }

  private:
    ByteOrder order_;
    std::string text_;
};

// An event, as its attribute describes it.
struct Event {
    uint64_t sample_type = 0;
    uint64_t read_format = 0;
    uint64_t branch_sample_type = 0;
    uint64_t regs_user = 0, regs_intr = 0;
    bool has_trailers = false;  // sample_id_all
    uint16_t version = 0;       // of the attribute
    bool uses_clockid = false;
    std::vector<uint64_t> ids;

    bool has(unsigned bit) const { return (sample_type >> bit & 1) != 0; }
};

// Whose record it is, and when it was written.
struct Moment {
    uint64_t pid = 0, tid = 0, time = 0, id = 0, cpu = 0;
};

// Where a field of a SAMPLE begins, from the start of the record, header included.
struct SampleField {
    unsigned bit;
    uint64_t offset;
};

// The fields of a SAMPLE. `places`, if given, receives each field that is there, in order.
std::string sample_fields(Random& random, const Event& event, const Moment& moment, ByteOrder order,
                          std::vector<SampleField>* places = nullptr);

// The trailer of another kernel record; empty without sample_id_all.
std::string trailer(const Event& event, const Moment& moment, ByteOrder order);

}  // namespace tracelint::perfdata
