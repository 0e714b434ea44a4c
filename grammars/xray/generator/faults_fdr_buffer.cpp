// Planted faults of the records of a buffer and of their fields.
#include <tuple>

#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {

// Planted faults of the records of a buffer.

namespace {

constexpr uint64_t kLargestEvent = 0x7fffffff;

// A record in which its buffer is to end.
struct NewEnd {
    Buffer buffer;
    size_t record;
    uint64_t in_record;  // bytes of the record that stay
};

// From version 2 on: ends a buffer in a record for which `fits(record)` holds, after `from` to `to - 1` of its bytes,
// where `span(record)` is the pair of `from` and `to`.
template <class Fits, class Span>
std::optional<NewEnd> end_inside(FileRecords& file, Random& random, Fits fits, Span span) {
    std::vector<NewEnd> places;
    if (!is_counted(file)) return std::nullopt;
    for (const Buffer& buffer : buffers_of(file)) {
        uint64_t before = 0;
        for (size_t i = buffer.new_buffer; i < buffer.end; before += bytes_of(file[i++]).size()) {
            if (!fits(file[i])) continue;
            const auto [from, to] = span(file[i]);
            const uint64_t left = between(random, from, to - 1);
            if (before + left >= kLeastExtents) places.push_back({buffer, i, left});
        }
    }
    if (places.empty()) return std::nullopt;
    const NewEnd end = pick_of(random, places);
    const uint64_t count = size_before(file, end.buffer, end.record) + end.in_record;
    if (hides_a_buffer(file, end.buffer, count)) return std::nullopt;
    file[end.buffer.start].set("count", count);
    return end;
}

using Span = std::pair<uint64_t, uint64_t>;

uint64_t payload_of(const RecordValues& event) { return event.find("payload")->text.size(); }

// A record of a preamble with at least `more` records after it.
std::optional<size_t> any_of_preamble(const FileRecords& file, Random& random, size_t more) {
    const auto buffer = any_buffer(file, random);
    if (!buffer) return std::nullopt;
    return between(random, buffer->new_buffer, buffer->body - 1 - more);
}

// A metadata record of a preamble or body, including EndOfBuffer.
std::optional<size_t> any_metadata(const FileRecords& file, Random& random) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (has_kind(file[i]) && file[i].record != &kBufferExtents) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

// A metadata record of a body, but not an event, as the bytes of its payload would be read.
std::optional<size_t> any_plain_metadata(const FileRecords& file, Random& random) {
    std::vector<size_t> places;
    for (const Buffer& buffer : buffers_of(file))
        for (size_t i = buffer.body; i < buffer.end; ++i)
            if (has_kind(file[i]) && !is_event(file[i])) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

// Inserts the record at any of the places.
std::optional<size_t> insert_anywhere(FileRecords& file, Random& random, const std::vector<Place>& places,
                                      RecordValues record) {
    if (places.empty()) return std::nullopt;
    const Place place = pick_of(random, places);
    if (!insert_at(file, place, std::move(record))) return std::nullopt;
    return place.at;
}

constexpr FaultRow kBufferRows[] = {
    // The count ends in a record.
    {"xray/record-overruns-extents",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto end = end_inside(
             file, random, [](const RecordValues&) { return true; },
             [&](const RecordValues& record) { return Span{1, fixed_size(*record.record, layout_of(file))}; });
         if (!end) return std::nullopt;
         return at_bytes(end->record, 0, end->in_record);
     }},
    // Version 1: the buffer ends in a record, which takes the place of EndOfBuffer after an event.
    {"xray/record-overruns-extents",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kRest, [&](size_t i) { return file[i].find("rest")->text.size() > 1; });
         if (!at) return std::nullopt;
         const RecordValues last =
             one_in(random, 2) ? made(file, kTscWrap, {}) : made(file, kFunction, {{"function_id", 1}});
         const std::string bytes = bytes_of(last);
         const uint64_t rest = file[*at].find("rest")->text.size();
         const uint64_t left = between(random, 1, std::min<uint64_t>(rest, bytes.size()) - 1);
         file[*at - 1] = made(file, kCustomEvent, {{"tsc", kNone}}, random_bytes(random, rest - left));
         file[*at] = raw_record(bytes.substr(0, left));
         return at_bytes(*at, 0, left);
     }},
    // The payload stays and is read as records. Findings in it are not reported.
    {"xray/event-size-nonpositive",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const Record& record = either(one_in(random, 2), kCustomEvent, kTypedEvent);
         const auto at = choose(file, random, record, any);
         if (!at) return std::nullopt;
         const uint64_t least = kNone - kLargestEvent;
         file[*at].set("size", one_in(random, 2) ? 0 : one_in(random, 2) ? kNone : between(random, least, kNone));
         return at_field(*at, "size");
     }},
    // The size is too large.
    {"xray/event-payload-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, either(one_in(random, 2), kCustomEvent, kTypedEvent), any);
         if (!at) return std::nullopt;
         const Buffer buffer = buffer_of(file, *at);
         const uint64_t before = size_before(file, buffer, *at) + kMetadataSize;
         const uint64_t most = size_of(file, buffer) - before;
         file[*at].set("size", one_in(random, 2) ? most + 1 : between(random, most + 1, kLargestEvent));
         return at_field(*at, "size");
     }},
    // The count ends in the payload.
    {"xray/event-payload-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto end = end_inside(file, random, is_event, [](const RecordValues& record) {
             return Span{kMetadataSize, kMetadataSize + payload_of(record)};
         });
         if (!end) return std::nullopt;
         return at_field(end->record, "size");
     }},
    // Two adjacent records of a preamble are swapped. The finding is at the first.
    {"xray/record-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_of_preamble(file, random, 1);
         // NewCPUId before Pid breaks another rule.
         if (!at || file[*at].record == &kPid) return std::nullopt;
         std::swap(file[*at], file[*at + 1]);
         return at_bytes(*at, 0, kMetadataSize);
     }},
    // A record of a preamble is missing. The finding is at the next one.
    {"xray/record-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_of_preamble(file, random, 0);
         if (!at || file[*at].record == &kPid) return std::nullopt;
         const Buffer buffer = buffer_of(file, *at);
         const bool is_last = *at + 1 == buffer.body;
         // The next record must be unexpected.
         if (is_last && (buffer.body == buffer.end || file[buffer.body].record == &kNewCpuId)) return std::nullopt;
         if (!resize(file, buffer, -static_cast<int64_t>(kMetadataSize))) return std::nullopt;
         erase(file, *at);
         return at_bytes(*at, 0, fixed_size(*file[*at].record, layout_of(file)));
     }},
    // A record of a preamble in a body, as a new record or by changing the kind of another one.
    {"xray/record-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<Kind> kinds = {kNewBufferKind, kWallClockKind};
         if (kPid.exists_in(layout_of(file).version)) kinds.push_back(kPidKind);
         const Kind kind = pick_of(random, kinds);
         std::optional<size_t> at;
         if (one_in(random, 2)) {
             at = insert_anywhere(file, random, places_in_bodies(file), made(file, *metadata_of(kind), {}));
         } else {
             at = any_plain_metadata(file, random);
             if (at) file[*at].set("kind", kind);
         }
         if (!at) return std::nullopt;
         return at_bytes(*at, 0, kMetadataSize);
     }},
    // BufferExtents in a body.
    {"xray/record-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_plain_metadata(file, random);
         if (!at || !is_counted(file)) return std::nullopt;
         file[*at].set("kind", kBufferExtentsKind);
         return at_bytes(*at, 0, kMetadataSize);
     }},
    // The count includes part of the next buffer.
    {"xray/record-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t buffer_size = file.front().number("buffer_size");
         const uint64_t most = buffer_size < kLeastBufferSize ? kMostExtents : std::min(buffer_size, kMostExtents);
         const auto buffer = any_buffer(file, random);
         if (!buffer || !is_counted(file) || buffer->end == file.size()) return std::nullopt;
         const uint64_t count = file[buffer->start].number("count");
         if (count == most) return std::nullopt;
         file[buffer->start].set("count", one_in(random, 2) ? count + 1 : between(random, count + 1, most));
         return at_bytes(buffer->end, 0, kMetadataSize);
     }},
    // The count ends after Pid.
    {"xray/incomplete-preamble",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto pid = choose(file, random, kPid, any);
         if (!pid) return std::nullopt;
         const Buffer buffer = buffer_of(file, *pid);
         const uint64_t count = size_before(file, buffer, *pid + 1);
         if (hides_a_buffer(file, buffer, count)) return std::nullopt;
         file[buffer.start].set("count", count);
         return at_bytes(*pid + 1, 0, 0);
     }},
    {"xray/missing-pid-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto pid = choose(file, random, kPid, any);
         if (!pid || !resize(file, buffer_of(file, *pid), -static_cast<int64_t>(kMetadataSize))) return std::nullopt;
         erase(file, *pid);
         return at_bytes(*pid, 0, kMetadataSize);
     }},
    // EndOfBuffer, as a new record or by changing the kind of another one.
    {"xray/record-kind-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (kEndOfBuffer.exists_in(layout_of(file).version)) return std::nullopt;
         std::optional<size_t> at;
         if (one_in(random, 2)) {
             at = insert_anywhere(file, random, places_in_bodies(file), made(file, kEndOfBuffer, {}));
         } else {
             at = any_metadata(file, random);
             if (at) file[*at].set("kind", kEndOfBufferKind);
         }
         if (!at) return std::nullopt;
         return at_bytes(*at, 0, 1);
     }},
    // BufferExtents or Pid anywhere in a buffer, or TypedEvent in a body.
    {"xray/record-kind-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<const Record*> later;
         for (const Record* record : RecordList{&kBufferExtents, &kPid, &kTypedEvent})
             if (!record->exists_in(layout_of(file).version) && !buffers_of(file).empty()) later.push_back(record);
         if (later.empty()) return std::nullopt;
         const Record& record = *pick_of(random, later);
         const bool typed = &record == &kTypedEvent;
         const auto at =
             insert_anywhere(file, random, typed ? places_in_bodies(file) : places_in_buffers(file),
                             made(file, record, {}, typed ? random_bytes(random, between(random, 1, 20)) : ""));
         if (!at) return std::nullopt;
         return at_bytes(*at, 0, 1);
     }},
    {"xray/unknown-record-kind",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_metadata(file, random);
         if (!at) return std::nullopt;
         file[*at].set("kind", one_in(random, 2) ? std::size(kKinds) : between(random, std::size(kKinds), 127));
         return at_bytes(*at, 0, 1);
     }},
    {"xray/unknown-function-action",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kFunction, any);
         if (!at) return std::nullopt;
         file[*at].set("action", between(random, std::size(kActions), 7));
         return at_bytes(*at, 0, 1);
     }},
    // One or more arguments.
    {"xray/call-arg-without-entry",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<Place> places = places_in_bodies(file);
         std::erase_if(places, [&](const Place& place) {
             const RecordValues& before = file[place.at - 1];
             return is_entry(before) || before.record == &kCallArgument;
         });
         const RecordValues argument = made(file, kCallArgument, {{"value", random()}});
         const auto at = insert_anywhere(file, random, places, argument);
         if (!at) return std::nullopt;
         if (one_in(random, 3)) insert_at(file, {buffer_of(file, *at), *at + 1}, argument);
         return at_bytes(*at, 0, kMetadataSize);
     }},
    // EndOfBuffer becomes an event whose payload fills the buffer, or another record if nothing follows it.
    {"xray/eob-missing",
     [](FileRecords& file,
        Random& random) -> std::
                            optional<Planted> {
                                const auto at = choose(file, random, kEndOfBuffer, any);
                                if (!at) return std::nullopt;
                                const Buffer buffer = buffer_of(file, *at);
                                if (*at + 1 == buffer.end) {
                                    file[*at] = made(file, kTscWrap, {{"tsc", clock_at(file, buffer, *at).now}});
                                    return at_bytes(*at, kMetadataSize, 0);
                                }
                                const uint64_t rest = file[*at + 1].find("rest")->text.size();
                                file[*at] = made(file, kCustomEvent, {{"tsc", kNone}}, random_bytes(random, rest));
                                erase(file, *at + 1);
                                return at_bytes(*at, kMetadataSize + rest, 0);
                            }},
};

}  // namespace

constinit const FaultList kBufferFaults{kBufferRows};

// Planted faults of the fields of a buffer's records, and of the buffers of a thread.

namespace {

constexpr uint64_t kMicros = 1'000'000;  // in a second

// The field by which an event or function advances the TSC; empty for other records.
std::string_view delta_of(const RecordValues& record) {
    if (record.record == &kFunction) return "tsc_delta";
    return record.find("delta") != nullptr ? "delta" : std::string_view{};
}

bool has_tsc(const RecordValues& record) { return record.record == &kNewCpuId || record.record == &kTscWrap; }

uint64_t negative(uint64_t number) { return ~number + 1; }

// A number that is negative as a signed one, or 0.
uint64_t draw_nonpositive(Random& random) {
    return one_in(random, 3) ? 0 : negative(one_in(random, 2) ? 1 : between(random, 1, 1u << 31));
}

std::optional<Planted> make_nonpositive(FileRecords& file, Random& random, const Record& record,
                                        std::string_view field) {
    const auto at = choose(file, random, record, any);
    if (!at) return std::nullopt;
    file[*at].set(field, draw_nonpositive(random));
    return at_field(*at, field);
}

// The time in which a thread filled a buffer.
struct Filled {
    uint64_t pid, tid;
    uint64_t first, last;
    size_t new_buffer;

    bool is_of_thread_of(const Filled& other) const { return std::tie(pid, tid) == std::tie(other.pid, other.tid); }
};

std::vector<Filled> filled_buffers(const FileRecords& file) {
    std::vector<Filled> all;
    for (const Buffer& buffer : buffers_of(file)) {
        Filled filled{0, file[buffer.new_buffer].number("thread_id"), 0, 0, buffer.new_buffer};
        for (size_t i = buffer.new_buffer; i < buffer.body; ++i)
            if (file[i].record == &kPid) filled.pid = file[i].number("pid");
        const Clock clock = clock_at(file, buffer, buffer.end);
        filled.first = clock.first.value_or(0);
        filled.last = clock.now;
        if (filled.first <= filled.last) all.push_back(filled);
    }
    return all;
}

// The later one of the only two overlapping buffers; nothing if there are more, or none.
std::optional<Planted> only_overlap(const FileRecords& file) {
    std::vector<Filled> all = filled_buffers(file);
    std::sort(all.begin(), all.end(), [](const Filled& a, const Filled& b) {
        return std::tie(a.first, a.last, a.new_buffer) < std::tie(b.first, b.last, b.new_buffer);
    });
    std::optional<Planted> found;
    for (size_t later = 0; later < all.size(); ++later)
        for (size_t earlier = 0; earlier < later; ++earlier) {
            if (!all[earlier].is_of_thread_of(all[later]) || all[later].first >= all[earlier].last) continue;
            if (found) return std::nullopt;
            found = at_bytes(std::max(all[earlier].new_buffer, all[later].new_buffer), 0, kMetadataSize);
        }
    return found;
}

constexpr FaultRow kFieldRows[] = {
    {"xray/function-id-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kFunction, any);
         if (!at) return std::nullopt;
         file[*at].set("function_id", 0);
         return at_bytes(*at, 0, 4);
     }},
    // A new NewCPUId. All later records step back with it.
    {"xray/tsc-backwards",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<Place> places = places_in_bodies(file);
         if (places.empty() || file.front().number("constant_tsc") == 0) return std::nullopt;
         const Place place = pick_of(random, places);
         const uint64_t now = clock_at(file, place.buffer, place.at).now;
         if (now == 0) return std::nullopt;
         const uint64_t tsc = one_in(random, 2) ? now - 1 : below(random, now);
         if (!insert_at(file, place, made(file, kNewCpuId, {{"cpu", below(random, 64)}, {"tsc", tsc}})))
             return std::nullopt;
         return at_field(place.at, "tsc");
     }},
    // The last record with a TSC gets one from which a later delta overflows.
    {"xray/tsc-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer) return std::nullopt;
         size_t from = buffer->body - 1;
         for (size_t i = buffer->body; i < buffer->body_end; ++i)
             if (has_tsc(file[i])) from = i;
         std::vector<size_t> moves;
         for (size_t i = from + 1; i < buffer->body_end; ++i)
             if (const auto field = delta_of(file[i]); !field.empty() && file[i].number(field) != 0) moves.push_back(i);
         if (moves.empty()) return std::nullopt;
         const size_t at = pick_of(random, moves);
         const uint64_t gone = clock_at(file, *buffer, at).now - file[from].number("tsc");
         const uint64_t before = from < buffer->body ? 0 : clock_at(file, *buffer, from).now;
         const uint64_t last = clock_at(file, *buffer, buffer->end).now;
         const uint64_t tsc = kNone - below(random, file[at].number(delta_of(file[at]))) - gone;
         if (tsc < before) return std::nullopt;
         file[from].set("tsc", tsc);
         // The buffer must not overlap others of the thread.
         const Clock clock = clock_at(file, *buffer, buffer->end);
         if (*clock.first <= clock.now && clock.now > last) return std::nullopt;
         return at_field(at, delta_of(file[at]));
     }},
    {"xray/negative-event-delta",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const Record& record = either(one_in(random, 2), kCustomEvent, kTypedEvent);
         const auto at = choose(file, random, record, [&](size_t i) { return file[i].find("delta") != nullptr; });
         if (!at) return std::nullopt;
         const uint64_t most = std::min<uint64_t>(clock_at(file, buffer_of(file, *at), *at).now, 1u << 31);
         if (most == 0) return std::nullopt;
         file[*at].set("delta", negative(one_in(random, 2) ? 1 : between(random, 1, most)));
         return at_field(*at, "delta");
     }},
    // The microseconds are out of range.
    {"xray/wallclock-micros-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kWallClock, any);
         if (!at) return std::nullopt;
         const uint64_t below_range = negative(between(random, 1, 1u << 31));
         const uint64_t above_range = between(random, kMicros, one_in(random, 2) ? kMicros : 0x7fffffff);
         file[*at].set("micros", one_in(random, 2) ? below_range : above_range);
         return at_field(*at, "micros");
     }},
    // The seconds are negative.
    {"xray/wallclock-micros-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kWallClock, any);
         if (!at) return std::nullopt;
         file[*at].set("seconds", negative(one_in(random, 2) ? 1 : between(random, 1, uint64_t{1} << 63)));
         return at_field(*at, "seconds");
     }},
    {"xray/thread-id-nonpositive",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return make_nonpositive(file, random, kNewBuffer, "thread_id");
     }},
    {"xray/pid-nonpositive",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return make_nonpositive(file, random, kPid, "pid");
     }},
    // A buffer gets the id of another thread that filled a buffer at the same time.
    {"xray/overlapping-buffers",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Filled> all = filled_buffers(file);
         if (all.size() < 2) return std::nullopt;
         const Filled &one = pick_of(random, all), &other = pick_of(random, all);
         if (one.tid == other.tid || one.pid != other.pid) return std::nullopt;
         file[one.new_buffer].set("thread_id", other.tid);
         return only_overlap(file);
     }},
    // A buffer begins before another one of its thread ends.
    {"xray/overlapping-buffers",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Filled> all = filled_buffers(file);
         if (all.size() < 2) return std::nullopt;
         const Filled &one = pick_of(random, all), &other = pick_of(random, all);
         if (!one.is_of_thread_of(other) || one.first < other.last || other.last - other.first < 2) return std::nullopt;
         const Buffer buffer = buffer_of(file, one.new_buffer);
         file[buffer.body - 1].set("tsc", between(random, other.first + 1, other.last - 1));
         return only_overlap(file);
     }},
    // A copy, after the buffer or at the end of the file.
    {"xray/duplicate-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Buffer> buffers = buffers_of(file);
         if (buffers.empty()) return std::nullopt;
         const Buffer original = pick_of(random, buffers);
         const auto first = file.begin() + static_cast<std::ptrdiff_t>(original.start);
         const auto last = file.begin() + static_cast<std::ptrdiff_t>(original.end);
         const FileRecords copy(first, last);
         const size_t at = one_in(random, 2) ? original.end : file.size();
         file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), copy.begin(), copy.end());
         return at_bytes(at + original.new_buffer - original.start, 0, kMetadataSize);
     }},
};

}  // namespace

constinit const FaultList kFieldFaults{kFieldRows};

}  // namespace tracelint::xray::faults
