// Planted faults of the fields of a buffer's records, and of the buffers of a thread.
#include "grammars/xray/generator/faults.hpp"

#include <tuple>

namespace tracelint::xray::faults {
namespace {

constexpr uint64_t kMicros = 1'000'000;  // in a second

// The field by which an event or function advances the TSC; empty for other records.
std::string_view delta_of(const RecordValues& record) {
    if (record.record == &kFunction) return "tsc_delta";
    return record.find("delta") != nullptr ? "delta" : std::string_view{};
}

bool tells_tsc(const RecordValues& record) { return record.record == &kNewCpuId || record.record == &kTscWrap; }

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
             if (tells_tsc(file[i])) from = i;
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
         const Record& record = one_in(random, 2) ? kCustomEvent : kTypedEvent;
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
