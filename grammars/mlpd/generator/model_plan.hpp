// Events that are planned before they are written, since one activity of a program makes several.
#pragma once

#include <deque>

#include "grammars/mlpd/records.hpp"
#include "validator/generator/random.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::mlpd {

// A record, and what of it is no matter of chance. The tables draw the other fields.
class Planned {
  public:
    explicit Planned(const Record& record) : record_(&record) {}

    Planned& with(std::string_view field, uint64_t number, uint64_t element = kNone);
    Planned& text(std::string_view field, std::string text, uint64_t element = kNone);
    Planned& list(std::string_view name, uint64_t count);

    const Record& record() const { return *record_; }
    void fill(Value& value) const;
    // 0 where nothing was said.
    uint64_t size_of(const Field& field) const;

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

// The buffers of a file: opens them for a thread and adds events, whose time goes on.
class SessionPlan {
  public:
    SessionPlan(Random& random, uint16_t version, uint8_t word_size);

    uint16_t version() const { return version_; }
    bool has(const Record& record) const { return record.exists_in(version_); }

    void open_buffer(uint64_t thread, uint64_t pointer, uint64_t object, uint64_t method);
    Planned& event(const Record& record);
    // One of several kinds that share the record.
    Planned& event(const Record& record, uint64_t op);
    // Of an event that is stored later than it happened (4.3, ordering facts).
    void make_earlier(Planned& event);
    Planned& add(const Record& record);

    bool is_empty() const { return waiting_.empty(); }
    Planned take();

    Random& random() { return random_; }
    // An address that fits the pointers of the file and was not drawn before.
    uint64_t new_pointer();
    // The address of an object: a multiple of 8, not 0.
    uint64_t object();

  private:
    Random& random_;
    uint16_t version_;
    uint64_t lowest_pointer_;
    uint64_t pointers_ = 0;
    uint64_t lowest_object_;
    uint64_t clock_ = 1'000'000'000;
    std::deque<Planned> waiting_;
};

}  // namespace tracelint::mlpd
