// mlpd, section 4.2: reads the events of a buffer, field by field, and tells the session what they mean.
#pragma once

#include "grammars/mlpd/events/plan.hpp"
#include "grammars/mlpd/header.hpp"
#include "grammars/mlpd/session/session.hpp"
#include "grammars/mlpd/session/thread_times.hpp"

namespace tracelint::mlpd {

// A buffer whose header was read.
struct BufferFrame {
    uint64_t begin = 0, end = 0;  // of its events, as the header has it
    uint64_t time_base = 0, ptr_base = 0, obj_base = 0, method_base = 0;
};

class EventReader {
  public:
    // What the walk owns and every event may touch.
    struct Surroundings {
        Window& window;
        ValidationContext& context;
        Findings& findings;
        Session& session;
        ThreadTimes& times;
    };
    EventReader(const Surroundings& with, const HeaderFacts& header, uint16_t layout_version, WalkMode mode);

    enum class How : uint8_t {
        complete,  // up to its end
        failed,    // at a framing fault, which fault() holds
        cut,       // the file ends
    };
    // `index`: of the first event; of the one behind the last afterwards.
    How read(const BufferFrame& buffer, uint64_t& index);
    // Where the event began that could not be read; behind that where it is larger than a record may be.
    uint64_t failed_at() const { return anchor_; }
    // How far it was read.
    uint64_t stopped_at() const { return at(); }
    const Diagnostic& fault() const { return fault_; }

    // Events by name, in the order of the specification.
    void count(std::vector<std::pair<std::string_view, uint64_t>>& statistics) const;

  private:
    // The values of one record, by slot.
    struct Values {
        uint32_t present = 0;  // a bit for each slot
        std::array<uint32_t, kMaxFields> length{};
        std::array<uint64_t, kMaxFields> number{};
        std::array<uint64_t, kMaxFields> at{};

        bool has(uint8_t slot) const { return (present >> slot & 1) != 0; }
    };
    // A record that is being read, and where it belongs.
    struct Reading {
        const Plan& plan;
        Values& values;
        const Field* list = nullptr;
        uint64_t element = kNone;
    };
    // What an event byte means in this version.
    struct Op {
        bool known = false;  // looked up
        OpMeaning meaning;
        Plan* plan = nullptr;
    };
    enum class Lane : uint8_t { none, enter, leave, exception_leave, alloc };
    static constexpr size_t kLanes = 5;

    // --- bytes (event_reader.cpp)
    uint64_t at() const { return data_at_ + static_cast<uint64_t>(cursor_ - data_); }
    bool has(size_t bytes) { return static_cast<size_t>(stop_ - cursor_) >= bytes || refill(bytes); }
    bool refill(size_t bytes);
    bool step();
    Op& op_of(uint8_t op);
    Plan* plan_of(const Record& record);
    bool metadata(uint8_t op, Plan*& plan);
    bool fields(const Reading& reading, size_t from);
    bool field(const Reading& reading, const Step& step);
    bool fixed(const Reading& reading, const Step& step);
    bool leb(const Reading& reading, const Step& step);
    bool text(const Reading& reading, const Step& step);
    bool list(const Reading& reading, const Step& step);
    bool element(const Step& step, uint64_t number);
    bool fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {});
    bool overrun();

    // --- checks (event_checks.cpp)
    Place place(const Reading& reading, const Step& step) const;
    bool check_table(const Reading& reading, const Step& step);
    void check_distance(const Reading& reading, const Step& step, uint64_t distance);
    void check_time(const Reading& reading, const Step& step);
    void check_text(const Reading& reading, const Step& step, uint64_t ill_formed);
    void check_special(const Reading& reading, const Step& step);
    void check_offset(const Reading& reading, const Step& step);
    bool is_guid(uint64_t offset, uint64_t length) const;

    // --- effects (event_effects.cpp)
    void complete(Plan& plan, uint8_t op);
    void check_op(const Plan& plan, uint8_t op);
    static void (EventReader::* effect_of(const Record& record))();
    template <const Record& R, FixedName Name>
    uint64_t get() const;
    template <const Record& R, FixedName Name>
    bool holds() const;
    template <const Record& R>
    uint64_t type() const;
    template <const Record& R>
    void alloc();
    void gc_event();
    template <const Record& R>
    void handle_created();
    template <const Record& R>
    void handle_destroyed();
    void finalize_start();
    void finalize_end();
    void finalize_object_start();
    void finalize_object_end();
    template <const Record& R, Kind K>
    void metadata_event();
    void enter();
    template <const Record& R>
    void leave();
    void jit();
    void clause();
    void old_monitor();
    template <const Record& R>
    void monitor();
    void heap_start();
    void heap_end();
    void heap_object();
    void root_register();
    void root_unregister();
    void jit_helper();
    void coverage_method();
    void coverage_statement();
    void sync_point();

    // --- the fast lane (event_lane.cpp)
    void open_lanes();
    void run_lane();
    template <bool Narrow>
    void take_events();
    // What an ALLOC is read with.
    struct AllocLayout {
        uint64_t ptr_base, obj_base;
        uint64_t size_bits, least_size;
    };
    AllocLayout alloc_layout() const;
    template <bool Narrow>
    bool take_alloc(const AllocLayout& layout, const uint8_t*& cursor, uint64_t& time);

    Surroundings with_;
    const uint16_t version_;  // of the data
    Layout layout_;
    Plans plans_;
    std::array<Op, 256> ops_{};
    std::array<Lane, 256> lanes_{};  // by event byte
    std::array<Plan*, kLanes> lane_plans_{};

    // The buffer.
    const uint8_t* data_ = nullptr;  // bytes in hand, of the offset data_at_ and on
    uint64_t data_at_ = 0;
    const uint8_t* cursor_ = nullptr;
    const uint8_t* stop_ = nullptr;  // of the bytes in hand that belong to the buffer
    uint64_t end_ = 0;
    bool cut_ = false;  // the file ends before it
    uint64_t time_ = 0;

    // The event.
    Spot event_;
    uint64_t anchor_ = 0;  // bytes from here on are kept in hand
    Values values_, element_;
    uint64_t offset_sum_ = 0;  // rule 70
    bool offset_said_ = false;
    bool unloads_thread_ = false;
    Diagnostic fault_;
};

}  // namespace tracelint::mlpd
