// perf and one record or feature: how it handles each, with what it knows from earlier ones.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "grammars/perfdata/readers/perf_model.hpp"
#include "grammars/perfdata/records.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {

// 6.1 and the features of a recording (section 3.8): which it makes sense of, and what it keeps of them.
class PerfFeatures {
  public:
    explicit PerfFeatures(FollowContext& context) : context_(context) {}

    void begin(ByteOrder order) { order_ = order; }

    // The sections of a file: the table is at `at`, with an entry for each bit. perf reads as far as the first one that
    // it cannot make sense of.
    void take_sections(Bytes file, uint64_t at, uint64_t bits);

    // The fields of a feature, from `at` of `bytes` on; it has `size` bytes. False: perf cannot make sense of it.
    bool take(unsigned feature, Bytes bytes, uint64_t at, uint64_t size);

    // Bytes of a decompressed payload; 0: nothing is decompressed.
    uint64_t most_plain() const { return most_plain_; }

    struct Overrun {
        ReaderOutcome outcome;  // crashes, or may crash
        uint64_t offset;
    };
    // While it reads the sections, and after all has been read.
    std::optional<Overrun> overrun() const { return overrun_; }
    std::optional<Overrun> later_overrun() const;

  private:
    bool take_build_ids(Bytes file, uint64_t at, uint64_t size);
    bool take_pmu_names(Bytes bytes, uint64_t at);
    bool take_memory_nodes(Bytes bytes, uint64_t at);
    bool take_event_desc(Bytes bytes, uint64_t at);

    FollowContext& context_;
    ByteOrder order_ = ByteOrder::little;
    uint64_t most_plain_ = 0, processors_ = 0;
    std::optional<std::string_view> architecture_, processor_;  // of the machine that recorded
    uint64_t pmu_names_at_ = 0, unread_pmu_names_ = 0;
    std::optional<Overrun> overrun_;
};

// What 7.2 keeps of the features. It refuses a recording with one that it cannot make sense of.
struct PerfEnvironment {
    explicit PerfEnvironment(FollowContext& with) : context(with), listed(with.budget, with.work) {}

    FollowContext& context;
    uint64_t events = 0;  // that the recording has, set by the caller
    uint64_t processors = 0, online_processors = 0;
    uint64_t most_plain = 0;        // bytes of a decompressed payload; 0: nothing is decompressed
    bool has_capabilities = false;  // of a PMU
    uint64_t named_events = 0;      // the first so many events have names

    // Adds a processor to the last list of domains. False: it is there already, or the model must end.
    bool list(uint64_t processor);

    struct Processor {
        uint64_t key = 0;      // its number
        uint64_t in_list = 0;  // the last list that has it, from 1 on
        bool is_vacant() const { return in_list == 0; }
    };
    HashTable<Processor> listed;
    uint64_t lists = 0;
};

inline constexpr unsigned kPerf7_2Features = 35;  // numbers that it knows

// Whether it can make sense of the feature. `in_file`: it is a section of a file, not a record of a stream.
bool take_strictly(unsigned feature, Bytes section, ByteOrder order, bool in_file, PerfEnvironment& environment);

// What the kernel's tracing data begin with.
inline constexpr uint8_t kTracingMagic[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
constexpr bool begins_like_tracing_data(Bytes bytes) {
    return bytes.size() >= sizeof kTracingMagic && std::ranges::equal(bytes.first(sizeof kTracingMagic), kTracingMagic);
}

struct Attribute {
    uint64_t type = 0, sample_type = 0, read_format = 0, branches = 0, user_registers = 0, own_registers = 0;
    bool has_trailers = false;
    bool is_streamed = false;       // by a HEADER_ATTR
    bool is_first_of_type = false;  // set when it is added
    bool has(unsigned bit) const { return (sample_type >> bit & 1) != 0; }
};

// `field`: the number of a width at an offset of the attribute. Bit-fields of a big-endian writer are mirrored.
template <typename Field>
Attribute attribute_with(const Field& field, bool is_big_endian) {
    Attribute a;
    a.type = field(0, 4);
    a.sample_type = field(24, 8);
    a.read_format = field(32, 8);
    a.has_trailers = (field(40, 8) >> (is_big_endian ? 63 - 18 : 18) & 1) != 0;
    a.branches = field(72, 8);
    a.user_registers = field(80, 8);
    a.own_registers = field(96, 8);
    return a;
}

struct EventOutcome {
    ReaderOutcome outcome = ReaderOutcome::loads;  // refuses: an error ends the processing
    uint64_t more = 0;                             // bytes after the record that belong to it
    bool is_late = false;                          // only where the sample is delivered
    bool is_round = false;                         // ends a round
    bool is_packed = false;                        // holds records, which come next
    std::string_view why{};                        // it is bad, as a part of a sentence
    bool is_bad() const { return outcome != ReaderOutcome::loads; }
};

constexpr EventOutcome refused(std::string_view why) { return {.outcome = ReaderOutcome::refuses, .why = why}; }
constexpr EventOutcome crash(std::string_view why) { return {.outcome = ReaderOutcome::crashes, .why = why}; }
constexpr EventOutcome risk(std::string_view why) { return {.outcome = ReaderOutcome::may_crash, .why = why}; }
// What a count or size in the record makes perf read: more bytes than the file has from the record on.
constexpr EventOutcome past_file(uint64_t bytes, Bytes rest, std::string_view why) {
    constexpr uint64_t kMapped = uint64_t{3} * 4096;  // the end of the file's page, and what is next to it
    if (bytes <= rest.size()) return {};
    return bytes > rest.size() + kMapped ? crash(why) : risk(why);
}
constexpr EventOutcome late(EventOutcome event) {
    event.is_late = true;
    return event;
}

// Why an event ends the reading, where both versions look at the same.
inline constexpr std::string_view kUnknownType = "it does not know records of this type",
                                  kNoAttributes = "no attribute describes the records of the kernel",
                                  kUnknownId = "no attribute has the id in it",
                                  kSampleTooShort = "the fields of the sample do not fit into the record",
                                  kCountTooLarge = "its count exceeds the record",
                                  kNoAddresses =
                                      "the samples of an event have neither IP nor ADDR, and it prints addresses",
                                  kBadFeature = "it cannot make sense of the feature",
                                  kMappedBuildIdTooLong = "it prints the build id of a mapping over its stack";

class Session {
  public:
    explicit Session(FollowContext& context)
        : context_(context),
          features_(context),
          environment_(context),
          attributes_(context.budget),
          by_id_(context.budget, context.work),
          types_(context.budget, context.work) {}

    void begin(PerfVersion version, bool is_swapped, bool is_script, bool is_stream) {
        version_ = version;
        is_stream_ = is_stream;
        is_swapped_ = is_swapped;
        is_script_ = is_script;
        features_.begin(is_swapped ? ByteOrder::big : ByteOrder::little);
    }
    // False: the model must end.
    [[nodiscard]] bool add(Attribute attribute);
    // An id of the attribute that was added last. If several attributes share it, it belongs to the last one.
    [[nodiscard]] bool add_id(uint64_t id);
    // Prefetches what is known of an id that is added soon.
    void announce_id(uint64_t id) const { by_id_.prefetch(id); }
    PerfFeatures& features() { return features_; }
    // Bytes of a decompressed payload; 0: nothing is decompressed.
    uint64_t most_plain() const { return is_6_1() ? features_.most_plain() : environment_.most_plain; }
    // 7.2: a feature of a file. False: perf cannot make sense of it.
    bool take_section(unsigned feature, Bytes section);

    bool has_tracepoints() const;
    bool attributes_agree() const;
    // Whether perf script finds an address to print in the samples.
    bool shows_addresses() const;

    // `rest`: the record and what follows it.
    EventOutcome event(Bytes record, Bytes rest);

  private:
    uint64_t number(Bytes record, uint64_t at, unsigned width = 8) const;
    // The word at this index of perf's in-memory array of 64-bit words.
    uint64_t word(Bytes record, uint64_t index) const;
    const Attribute* attribute_of(Bytes record, uint32_t type);
    const Attribute* by_id(uint64_t id);
    bool is_6_1() const { return version_ == PerfVersion::v6_1; }
    ByteOrder order() const { return is_swapped_ ? ByteOrder::big : ByteOrder::little; }
    EventOutcome kernel(Bytes record, Bytes rest, uint32_t type);
    EventOutcome own(Bytes record, Bytes rest, uint32_t type);
    EventOutcome sample(Bytes record, Bytes rest, const Attribute& attribute);
    bool add_with_ids(const Attribute& attribute, Bytes record, uint64_t at);
    EventOutcome swap_unchecked(const Attribute& attribute, uint64_t size_of_fields, Bytes rest) const;
    EventOutcome stream_attribute(Bytes record);
    EventOutcome stream_feature(Bytes record);
    EventOutcome trace_info(Bytes record);
    EventOutcome core_sight(Bytes record);
    bool breaks_swap(Bytes record, uint32_t type) const;
    bool is_queued(Bytes record, uint32_t type, const Attribute& attribute) const;
    EventOutcome packed() const;
    // What 6.1 reads or writes past its buffers.
    EventOutcome mapping_overrun(Bytes record, uint32_t type, bool waits);
    EventOutcome kernel_overrun(Bytes record, Bytes rest, uint32_t type) const;
    EventOutcome processors_overrun(Bytes record, Bytes rest) const;
    EventOutcome build_id_overrun(Bytes record) const;
    EventOutcome settings_overrun(Bytes record, Bytes rest) const;

    // What 7.2 does otherwise.
    EventOutcome checked_event(Bytes record, Bytes rest, uint32_t type);
    EventOutcome checked_own(Bytes record, Bytes rest, uint32_t type);
    EventOutcome checked_attribute(Bytes record);
    EventOutcome checked_feature(Bytes record);
    EventOutcome checked_update(Bytes record);
    EventOutcome checked_processors(Bytes record);
    bool cannot_swap(Bytes record, uint32_t type) const;
    bool compares_no_names();
    static bool has_branch_counters(const Attribute& a) { return (a.branches >> kCountersBit & 1) != 0; }
    static constexpr unsigned kCountersBit = 19;

    FollowContext& context_;
    PerfVersion version_ = PerfVersion::v6_1;
    bool is_swapped_ = false, is_script_ = false, is_stream_ = false;
    bool decodes_trace_ = false;     // of an AUX area, for perf script
    bool may_refuse_trace_ = false;  // the decoder fails on some data
    bool has_threads_ = false, has_cpus_ = false;
    bool has_long_build_id_ = false;  // 6.1: of a mapping that perf script has delivered
    PerfFeatures features_;
    PerfEnvironment environment_;
    uint64_t last_feature_ = 0;        // of a stream, as perf counts them
    bool are_names_compared_ = false;  // of the events that count in branches

    struct Owner {
        uint64_t key = 0;
        uint64_t attribute = 0;  // its place among all, from 1 on
        bool is_vacant() const { return attribute == 0; }
    };
    struct Type {
        uint64_t key = 0;  // the type, of 32 bits, and 1
        bool is_vacant() const { return key == 0; }
    };
    BudgetedVector<Attribute> attributes_;
    HashTable<Owner> by_id_;
    HashTable<Type> types_;
};

}  // namespace tracelint::perfdata
