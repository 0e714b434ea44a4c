// mlpd, section 4.2: reads the events of a buffer field by field and passes them on to the session.
//
// An event is a byte with type and subtype, a time difference, and the fields of its record. Which fields those are
// depends on the data version, so a Plan (lane.hpp) lists them once per event byte and version. EventReader follows the
// plan: it reads a field, checks it, and at the end gives the event as a whole to the Session, whose checks remember
// threads, methods and objects.
//
// Events have no length. After a fault that hides where the next event begins (a framing fault), the rest of the buffer
// is skipped, and later findings of the buffer are likely consequences.
#pragma once

#include "grammars/mlpd/checks/header.hpp"
#include "grammars/mlpd/checks/session.hpp"
#include "grammars/mlpd/checks/threads.hpp"
#include "grammars/mlpd/lane.hpp"

namespace tracelint::mlpd {

// A buffer, from its header. Offsets in the file; the time base in ns.
struct BufferFrame {
    uint64_t begin = 0, end = 0;  // of its events, by the length in the header
    uint64_t time_base = 0, ptr_base = 0, obj_base = 0, method_base = 0;
};

class EventReader {
  public:
    // Owned by the walk; any event may use it.
    struct Surroundings {
        Window& window;
        ValidationContext& context;
        Findings& findings;
        Session& session;
        ThreadTimes& times;
        Plans& plans;
    };
    EventReader(const Surroundings& with, const HeaderFacts& header, WalkMode mode);

    enum class How : uint8_t {
        complete,  // the whole buffer
        failed,    // up to a framing fault, which fault() holds
        cut,       // up to the end of the file
    };
    // `index`: of the first event; afterwards, of the one after the last.
    How read(const BufferFrame& buffer, uint64_t& index);
    // Where the event that could not be read began.
    uint64_t began_at() const { return event_.offset; }
    // The same, or a later offset if the event is larger than the limits allow: bytes from here on are in hand.
    uint64_t failed_at() const { return anchor_; }
    // The offset at which reading stopped.
    uint64_t stopped_at() const { return at(); }
    const Diagnostic& fault() const { return fault_; }

    // What reading a record leads to, and a field of it (event_actions.cpp).
    static const RecordActions& actions_of(const Record& record);
    static FieldAction action_of(const RecordActions& actions, std::string_view field);

  private:
    // Reads an event by the straight code of its plan, up to its last field.
    using StraightCode = bool (EventReader::*)(const Plan&);
    // The meaning of an event byte in this version or, of metadata, that of an event byte and a type of object.
    struct Op {
        bool known = false;  // has been looked up
        OpMeaning meaning;
        Plan* plan = nullptr;
        StraightCode code = nullptr;  // null: the plan is interpreted
    };

    // --- bytes (event_reader.cpp)
    uint64_t at() const { return data_at_ + static_cast<uint64_t>(cursor_ - data_); }
    bool has(size_t bytes) { return static_cast<size_t>(stop_ - cursor_) >= bytes || refill(bytes); }
    bool refill(size_t bytes);
    bool step();
    Op& op_of(uint8_t op);
    Op& metadata_of(uint8_t op, uint64_t mtype);
    const Op* metadata(uint8_t op, const Plan& front);
    const Op* straight_op(uint8_t op);
    bool fields(const Reading& reading, size_t from);
    bool field(const Reading& reading, const Step& step);
    bool fixed(const Reading& reading, const Step& step);
    bool leb(const Reading& reading, const Step& step);
    bool text(const Reading& reading, const Step& step);
    bool list(const Reading& reading, const Step& step);
    bool begin_list(const Reading& reading, const Step& step, uint64_t& count);
    bool fail(const Rule& rule, const Place& place, std::span<const uint64_t> numbers = {});
    template <const Rule& R, size_t N>
    bool fail(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        return fail(R, place, numbers);
    }
    bool overrun();

    // --- checks (event_checks.cpp)
    Place place(const Reading& reading, const Step& step) const;
    bool check_table(const Reading& reading, const Step& step);
    void check_distance(const Reading& reading, const Step& step, uint64_t distance);
    void check_utf8(const Reading& reading, const Step& step, uint64_t ill_formed);
    bool is_guid(uint64_t offset, uint64_t length);
    bool is_guid(const Reading& reading, const Step& step);
    // Actions of fields, once they were read.
    void check_time(const Reading& reading, const Step& step);
    void check_name(const Reading& reading, const Step& step);
    void check_mvid(const Reading& reading, const Step& step);
    void check_aot_id(const Reading& reading, const Step& step);
    void check_code_size(const Reading& reading, const Step& step);
    void check_offset(const Reading& reading, const Step& step);
    void use_frame(const Reading& reading, const Step& step);
    void take_reference(const Reading& reading, const Step& step);
    void take_root(const Reading& reading, const Step& step);
    void describe_counter(const Reading& reading, const Step& step);
    void sample_counter(const Reading& reading, const Step& step);
    void check_sample_type(const Reading& reading, const Step& step);

    // --- actions of events (event_actions.cpp)
    struct ActionTable;
    void complete(const Op& kind, uint8_t op);
    void check_op(const OpMeaning& meaning, uint8_t op);
    template <const auto& R, FixedName Name>
    uint64_t get() const;
    template <const auto& R, FixedName Name>
    bool holds() const;
    template <const auto& R>
    uint64_t type() const;
    template <const auto& R>
    void alloc();
    void gc_event();
    template <const auto& R>
    void handle_created();
    template <const auto& R>
    void handle_destroyed();
    void finalize_start();
    void finalize_end();
    void finalize_object_start();
    void finalize_object_end();
    template <const auto& R, Kind K>
    void metadata_event();
    void enter();
    template <const auto& R, bool ByException>
    void leave();
    void jit();
    void clause();
    void old_monitor();
    template <const auto& R>
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

    // --- plans as straight code (straight_code.cpp)
    template <const auto& R, uint16_t V, size_t I>
    struct At;
    static StraightCode straight_code(const Record& record, uint16_t version);
    template <const auto& R>
    static StraightCode straight_code_of(uint16_t version);
    template <const auto&... Rs>
    static StraightCode any_of(const Record& record, uint16_t version);
    template <const auto& R, uint16_t V>
    bool straight(const Plan& plan);
    template <const auto& R, uint16_t V, size_t I>
    bool straight_from(const Reading& reading, const uint8_t*& cursor);
    template <class Here, uint16_t V>
    bool straight_field(const Reading& reading, const uint8_t*& cursor);
    template <class Here>
    bool straight_number(const Reading& reading, const uint8_t*& cursor);
    template <class Here>
    bool straight_fixed(const Reading& reading, const uint8_t*& cursor);
    template <class Here>
    bool straight_text(const Reading& reading, const uint8_t*& cursor);
    template <class Here>
    uint64_t straight_numbers(const Reading& first, uint64_t most, const uint8_t*& cursor);
    template <class Here, uint16_t V>
    bool straight_list(const Reading& reading, const uint8_t*& cursor);
    template <class Here>
    bool straight_action(const Reading& reading);
    template <class Here>
    bool enter_number(const Reading& reading, const uint8_t* from, uint64_t written, unsigned bytes);
    template <class Here>
    bool is_in_reach(uint64_t written) const;
    template <class Read>
    bool plainly(const uint8_t*& cursor, Read read);

    // --- the fast lane (fast_lane.cpp)
    void open_lanes();
    void run_lane();
    void look_ahead();
    template <bool Narrow>
    void take_events();
    template <bool Narrow>
    void take_calls(const uint8_t* last);
    template <bool Narrow>
    bool take_call(Lane lane);
    // What the fast lane reads an ALLOC with.
    struct AllocLayout {
        uint64_t ptr_base, obj_base;
        uint64_t size_bits, least_size;
    };
    AllocLayout alloc_layout() const;
    template <bool Narrow>
    bool take_allocs(const uint8_t* last);
    template <bool Narrow>
    bool take_alloc(const AllocLayout& layout, const uint8_t*& cursor, uint64_t& time);
    uint64_t& taken(Lane lane) { return lane_plans_[static_cast<size_t>(lane)]->count; }

    Surroundings with_;
    const uint16_t version_;  // of the data
    Layout layout_;
    const WalkMode mode_;
    std::array<Op, 256> ops_{};
    std::array<Op, 64> metadata_ops_{};  // by event byte and mtype
    std::array<Lane, 256> lanes_{};      // by event byte
    std::array<Plan*, kLanes> lane_plans_{};

    // The buffer.
    const uint8_t* data_ = nullptr;  // bytes in hand, from offset data_at_ on
    uint64_t data_at_ = 0;
    const uint8_t* cursor_ = nullptr;
    const uint8_t* stop_ = nullptr;  // of the bytes in hand that belong to the buffer
    uint64_t end_ = 0;
    bool cut_ = false;    // the file ends before it
    uint64_t time_ = 0;   // ns
    uint64_t ahead_ = 0;  // offset: the calls before it are prefetched

    // The event.
    Spot event_;
    uint64_t anchor_ = 0;  // bytes from this offset on are kept in hand
    Values values_, element_;
    uint64_t offset_sum_ = 0;  // of the references so far
    bool offset_is_reported_ = false;
    bool unloads_thread_ = false;
    Diagnostic fault_;
};

extern const RuleList kWalkEventsRules, kFieldCheckRules, kEventActionRules;

}  // namespace tracelint::mlpd
