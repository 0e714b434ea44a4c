// nettrace, section 3.3: the Trace.
#include "grammars/nettrace/checks/block_rules.hpp"
#include "grammars/nettrace/checks/session.hpp"

namespace tracelint::nettrace {

constexpr Rule kSyncTimeInvalid{
    .id = "nettrace/sync-time-invalid",
    .severity = Severity::error,
    .statement = "the start of the trace is a date and a time of day",
    .message = "{text} of the start of the trace is {0}, which no date has",
    .why =
        "TraceEvent throws an ArgumentOutOfRangeException: PerfView, Visual Studio and dotnet-trace cannot open the "
        "file",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kSyncDayOfWeek{
    .id = "nettrace/sync-day-of-week",
    .severity = Severity::note,
    .statement = "the day of the week is that of the date",
    .message = "day of week {0}, and the date is day {1} (0 is Sunday)",
    .why = "no reader uses it; one-collect counts from Monday",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kTickFrequency{
    .id = "nettrace/tick-frequency",
    .severity = Severity::error,
    .statement = "the clock has ticks",
    .message = "{0d} ticks per second, expected more than 0",
    .why = "TraceEvent divides by it: all times are wrong, or the file cannot be opened",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kPointerSize{
    .id = "nettrace/pointer-size",
    .severity = Severity::error,
    .statement = "pointers have 4 or 8 bytes",
    .message = "pointers of {0d} bytes, expected 4 or 8",
    .why = "readers take the addresses of stacks from wrong places",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kProcessorCount{
    .id = "nettrace/processor-count",
    .severity = Severity::warning,
    .statement = "a machine has processors",
    .message = "{0d} processors, expected 1 or more",
    .why = "readers show the number and do not need it",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kKeyValueCount{
    .id = "nettrace/key-value-count",
    .severity = Severity::error,
    .statement = "the pairs of the Trace fit its block",
    .message = "{0d} pairs in {1 byte|bytes}",
    .why = "TraceEvent stops with a FormatException, or drops the pairs if the number is negative",
    .spec = "3.3 Trace",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kTraceKeyValue{
    .id = "nettrace/trace-key-value",
    .severity = Severity::warning,
    .statement = "the values of the known keys are decimal numbers",
    .message = "the value of {text} is not a decimal number",
    .why = "TraceEvent ignores the pair",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

constexpr Rule kDuplicateTraceKey{
    .id = "nettrace/duplicate-trace-key",
    .severity = Severity::note,
    .statement = "a key of the Trace occurs once",
    .message = "the key occurs a second time",
    .why = "readers use the last one",
    .spec = "3.3 Trace",
    .since = "0.2.0",
};

namespace {

template <FixedName Name>
constexpr const Field& kTraceField = View<kTrace>::field<Name>();

struct DateField {
    const Field* field;
    std::string_view name;
    uint64_t least, most;
};
constexpr DateField kDateFields[] = {
    {&kTraceField<"year">, "the year", 1, 9999},   {&kTraceField<"month">, "the month", 1, 12},
    {&kTraceField<"day_of_week">, "", 0, kNone},   {&kTraceField<"day">, "the day", 1, 31},
    {&kTraceField<"hour">, "the hour", 0, 23},     {&kTraceField<"minute">, "the minute", 0, 59},
    {&kTraceField<"second">, "the second", 0, 59}, {&kTraceField<"millisecond">, "the millisecond", 0, 999},
};
enum : size_t { kYearAt, kMonthAt, kDayOfWeekAt, kDayAt, kDateFieldCount = std::size(kDateFields) };

constexpr uint64_t days_in(uint64_t year, uint64_t month) {
    constexpr uint8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return kDays[month - 1] + (month == 2 && is_leap ? 1u : 0u);
}

// 0 is Sunday. The years before 1582 are of the calendar of today, as in .NET.
constexpr uint64_t day_of_week(uint64_t year, uint64_t month, uint64_t day) {
    constexpr uint8_t kShifts[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    if (month < 3) --year;
    return (year + year / 4 - year / 100 + year / 400 + kShifts[month - 1] + day) % 7;
}
static_assert(day_of_week(2024, 2, 29) == 4 && day_of_week(2026, 11, 29) == 0 && day_of_week(1, 1, 1) == 1);

bool check_date(Session& session, PartReader& trace) {
    std::array<uint64_t, kDateFieldCount> values{};
    std::array<Place, kDateFieldCount> places;
    bool is_bad = false;
    for (size_t i = 0; i < kDateFieldCount; ++i) {
        const DateField& date = kDateFields[i];
        if (!trace.fixed(*date.field, 2, values[i])) return false;
        places[i] = trace.last();
        const bool has_month = i == kDayAt && !is_bad;
        const uint64_t most = has_month ? days_in(values[kYearAt], values[kMonthAt]) : date.most;
        if (is_bad || (values[i] >= date.least && values[i] <= most)) continue;
        is_bad = true;
        Diagnostic finding{.rule = &kSyncTimeInvalid, .place = places[i], .text = date.name};
        const uint64_t numbers[] = {values[i]};
        session.findings.add_outside(finding, numbers);
    }
    if (is_bad) return true;
    const uint64_t expected = day_of_week(values[kYearAt], values[kMonthAt], values[kDayAt]);
    if (values[kDayOfWeekAt] != expected)
        session.findings.add_outside<kSyncDayOfWeek>(places[kDayOfWeekAt], {values[kDayOfWeekAt], expected});
    return true;
}

uint64_t as_signed(uint64_t value) { return static_cast<uint64_t>(sign_extended(value, 4)); }

bool check_pointer_size(Session& session, PartReader& trace) {
    uint64_t size = 0;
    if (!trace.fixed(kTraceField<"pointer_size">, 4, size)) return false;
    const bool is_known = size == 4 || size == 8;
    session.pointer_size = is_known ? static_cast<uint8_t>(size) : 0;
    if (!is_known) session.findings.add_outside<kPointerSize>(trace.last(), {as_signed(size)});
    if (is_known) session.context.identity.word_size = session.pointer_size;
    return true;
}

bool check_processors(Session& session, PartReader& trace) {
    uint64_t ignored = 0, count = 0;
    if (!trace.fixed(kTraceField<"process_id">, 4, ignored) || !trace.fixed(kTraceField<"processors">, 4, count))
        return false;
    const uint64_t processors = as_signed(count);
    if (static_cast<int64_t>(processors) > 0)
        session.processors = processors;
    else
        session.findings.add_outside<kProcessorCount>(trace.last(), {processors});
    return trace.fixed(kTraceField<"sampling_rate">, 4, ignored);
}

constexpr std::string_view kNumberKeys[] = {"HardwareThreadCount", "ProcessId", "ExpectedCPUSamplingRate",
                                            "SystemPageSize"};

// The pairs of version 6.
class TracePairs {
  public:
    TracePairs(Session& session, BlockCursor& cursor)
        : session_(session), cursor_(cursor), keys_(session.context.budget, session.context.work) {}

    Walked run(uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            if (const Walked walked = pair(i); walked != Walked::whole) return walked;
        return Walked::whole;
    }

  private:
    struct Key {
        uint64_t key = 0;  // a hash; 1 if it is 0
        bool is_vacant() const { return key == 0; }
    };

    Walked pair(uint64_t index) {
        constexpr uint64_t kUsual = 256;  // bytes
        return cursor_.take_item(kPair, kUsual, [&](PartReader& part) {
            part.be_element(&kTraceField<"pairs">, index);
            return read(part);
        });
    }

    bool read(PartReader& part) {
        const uint64_t begin = part.at();
        Bytes key, value;
        if (!part.text8(View<kPair>::field<"key_size">(), View<kPair>::field<"key">(), key)) return false;
        const uint64_t value_at = part.at();
        if (!part.text8(View<kPair>::field<"value_size">(), View<kPair>::field<"value">(), value)) return false;
        check_key(key, part.place(&View<kPair>::field<"key">(), begin, value_at - begin));
        check_value(key, value, part.place(&View<kPair>::field<"value">(), value_at, part.at() - value_at));
        return true;
    }

    void check_key(Bytes key, const Place& place) {
        const uint64_t hash = std::max<uint64_t>(1, seeded(key, hash_seed()));
        if (keys_.find(hash) != nullptr)
            session_.findings.add<kDuplicateTraceKey>(place);
        else if (!keys_.insert({hash}))
            session_.tracking.end(Tracked::keys, place.offset);
    }

    void check_value(Bytes key, Bytes value, const Place& place) {
        const auto* const known = std::find(std::begin(kNumberKeys), std::end(kNumberKeys), as_text(key));
        if (known == std::end(kNumberKeys)) return;
        const bool is_number = !value.empty() && std::all_of(value.begin(), value.end(),
                                                             [](uint8_t byte) { return byte >= '0' && byte <= '9'; });
        if (!is_number) session_.findings.add({.rule = &kTraceKeyValue, .place = place, .text = *known}, {});
    }

    Session& session_;
    BlockCursor& cursor_;
    HashTable<Key> keys_;
};

}  // namespace

// The fields that all versions have, and the rest of those before version 6. False: a framing fault of version 6.
bool check_trace(Session& session, PartReader& trace) {
    uint64_t sync = 0, frequency = 0;
    if (!check_date(session, trace) || !trace.fixed(kTraceField<"sync_ticks">, 8, sync)) return false;
    session.threads.set_sync(sync);
    if (!trace.fixed(kTraceField<"ticks_per_second">, 8, frequency)) return false;
    if (static_cast<int64_t>(frequency) <= 0) session.findings.add_outside<kTickFrequency>(trace.last(), {frequency});
    if (session.version < kNetperf3) return true;
    if (!check_pointer_size(session, trace)) return false;
    return session.is_plain() || check_processors(session, trace);
}

BlockEnd walk_plain_trace(Session& session, const Block& block) {
    ++session.counts.blocks;
    BlockCursor cursor(session, block);
    const auto walk = [&]() -> Walked {
        constexpr uint64_t kFixed = fixed_size(kTrace, kPlainLayout);
        const Bytes seen = cursor.see(kFixed);
        PartReader trace = cursor.part(seen.first(std::min<uint64_t>(seen.size(), kFixed)), kTrace);
        uint64_t count = 0;
        if (!check_trace(session, trace) || !trace.fixed(kTraceField<"pair_count">, 4, count))
            return seen.size() < cursor.left() ? Walked::cut : cursor.fail(trace);
        const Place count_place = trace.last();
        cursor.pass(kFixed);
        const uint64_t pairs = as_signed(count);
        if (pairs > cursor.left() / 2) return cursor.fail(kKeyValueCount, count_place, {pairs, cursor.left()});
        if (const Walked walked = TracePairs(session, cursor).run(pairs); walked != Walked::whole) return walked;
        const uint64_t at = cursor.at(), left = cursor.left();
        ++session.index;
        if (left == 0) return Walked::whole;
        if (cursor.is_cut_within(left)) return Walked::cut;
        session.findings.add<kBlockResidue>({.offset = at, .length = left, .record = &kTrace}, {left});
        return Walked::whole;
    };
    return cursor.end_of(walk());
}

constinit const RuleList kTraceRules = rules<&kSyncTimeInvalid, &kSyncDayOfWeek, &kTickFrequency, &kPointerSize,
                                             &kProcessorCount, &kKeyValueCount, &kTraceKeyValue, &kDuplicateTraceKey>;

}  // namespace tracelint::nettrace
