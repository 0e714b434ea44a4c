// perf.data: records as small as some kernel or perf wrote them have no error and no warning, and smaller ones have.
#include <doctest/doctest.h>

#include <set>

#include "grammars/perfdata/generator/event.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using perfdata::Encoder;

// A record as its smallest writer wrote it: the size without a trailer, and what in it is not 0.
struct Row {
    std::string_view writer;
    uint32_t type;
    uint64_t size;
    // Numbers at offsets, of so many bytes.
    struct Number {
        uint64_t at, value;
        unsigned width = 8;
    };
    std::initializer_list<Number> numbers = {};
    enum class Least : uint8_t {
        no,                // another row has a smaller one
        yes,               // 8 bytes fewer are too small
        without_trailers,  // the same, and so is this size where records have trailers
    } least = Least::yes;
};
using enum Row::Least;

constexpr uint64_t kText = 0x6b6361747374;  // "tstack", in memory or from the other end

const Row kRows[] = {
    {"Linux 2.6.31, a name of 7 characters", 1, 48},
    {"Linux 2.6.31", 2, 24},
    {"Linux 2.6.31, a name of 7 characters", 3, 24},
    {"Linux 2.6.31", 4, 24, {}, without_trailers},
    {"Linux 2.6.32", 4, 32, {}, no},
    {"Linux 2.6.31", 5, 32},
    {"Linux 2.6.31", 6, 32},
    {"Linux 2.6.31", 7, 24, {}, without_trailers},
    {"Linux 2.6.32", 7, 32, {}, no},
    {"Linux 2.6.31, without read_format", 8, 24, {}, no},
    {"Linux 2.6.31, IP and TID", 9, 24},
    {"Linux 3.16, a name of 7 characters", 10, 80},
    {"Linux 4.1", 11, 32},
    {"Linux 4.1", 12, 16},
    {"Linux 4.2", 13, 16},
    {"Linux 4.3", 14, 8},
    {"Linux 4.3", 15, 16},
    {"Linux 4.12, without namespaces", 16, 24},
    {"Linux 5.1, a name of 7 characters", 17, 32},
    {"Linux 5.1", 18, 24},
    {"Linux 5.7, a path of 7 characters", 19, 24},
    {"Linux 5.9, one byte", 20, 24, {{18, 1, 2}}, no},
    {"Linux 5.16", 21, 16},
    {"Linux 6.19, without addresses", 22, 24},
    {"perf 2.6.34, an attribute of 64 bytes", 64, 72, {{12, 64, 4}, {32, 3}}},
    {"perf 2.6.34, without a name", 65, 16},
    {"perf 3.4, cycles", 65, 24, {{16, kText}}, no},
    {"perf of samples, all of the structure", 65, 80, {}, no},
    {"perf 2.6.34", 66, 12, {}, no},
    {"perf 5.19", 66, 16, {}, no},
    {"perf 2.6.34, without a pid", 67, 96, {}, no},
    {"perf 2.6.35, a name of 63 characters", 67, 100, {}, no},
    {"perf of late 2024, a name of 11 characters", 67, 48, {}, no},
    {"perf 2.6.35", 68, 8},
    {"perf 3.18, without ids", 69, 16},
    {"perf 4.1", 70, 16},
    {"perf 4.1", 71, 48},
    {"perf 4.1, a message of 7 characters", 72, 48},
    {"perf 5.1, a message of 7 characters", 72, 56, {{28, 1, 4}}},
    {"perf 6.0, of a guest", 72, 120, {{28, 2, 4}}, no},
    {"perf 4.5, without threads", 73, 16},
    {"perf 4.5, a list of one CPU", 74, 18, {{10, 1, 2}}, no},
    {"perf 4.5, a mask of one word", 74, 30, {{8, 1, 2}, {10, 1, 2}, {12, 8, 2}}, no},
    {"perf 6.1, a range", 74, 16, {{8, 2, 2}}, no},
    {"perf 4.5, without terms", 75, 16},
    {"perf 4.5", 76, 48},
    {"perf 4.5", 77, 24},
    {"perf 4.5, without a name", 78, 24},
    {"perf 4.5, a list of one CPU", 78, 30, {{8, 3}, {26, 1, 2}}, no},
    {"perf 4.3", 79, 32, {{16, 1}}},
    {"perf 5.10", 79, 56, {{16, 1}, {48, 1, 1}}, no},
    {"perf 4.13, an empty section", 80, 16, {{8, 20}}},
    {"perf 6.0", 82, 8},
    {"perf 6.16, without variables", 84, 32},
    {"perf 6.16", 85, 8},
    {"perf 6.16", 86, 8},
};

void put(std::string& record, const Row::Number& number, ByteOrder order) {
    const std::string bytes = Encoder(order).number(number.value, number.width).text();
    if (number.at + bytes.size() <= record.size()) record.replace(number.at, bytes.size(), bytes);
}

std::string record_of(const Row& row, uint64_t size, ByteOrder order) {
    std::string record(size, '\0');
    put(record, {0, row.type, 4}, order);
    put(record, {6, size, 2}, order);
    for (const Row::Number& number : row.numbers) put(record, number, order);
    return record;
}

// A stream with an attribute of 64 bytes, whose samples have IP and TID, and the record.
std::string stream_with(const std::string& record, bool has_trailers, ByteOrder order) {
    const uint64_t sample_id_all = order == ByteOrder::little ? uint64_t{1} << 18 : uint64_t{1} << (63 - 18);
    Encoder stream(order);
    stream.number(0x32454C4946524550).number(16);
    stream.number(64, 4).number(0, 2).number(72, 2);
    stream.number(0, 4).number(64, 4).number(0).number(1).number(3).number(0);
    stream.number(has_trailers ? sample_id_all : 0).number(0).number(0);
    return stream.text() + record;
}

// The rules that errors and warnings break.
std::vector<std::string> faults_in(const std::string& stream) {
    MemorySource source(as_bytes(stream));
    const Outcome outcome = check(source, {});
    std::vector<std::string> faults;
    for (const Diagnostic& found : outcome.report().diagnostics())
        if (severity_of(found) != Severity::note) faults.emplace_back(found.rule->id);
    return faults;
}

const std::vector<std::string> kTooSmall = {"perfdata/record-body-too-small"};
constexpr uint64_t kTrailer = 8;  // TID

template <class Visit>
void for_each_stream(Visit visit) {
    for (const Row& row : kRows)
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
            for (const bool has_trailers : {false, true}) {
                if (has_trailers && row.type >= perfdata::kHeaderAttrType) continue;
                CAPTURE(row.type);
                CAPTURE(row.writer);
                CAPTURE(has_trailers);
                const bool has_own = has_trailers && row.type != perfdata::kSampleType;
                visit(row, order, has_trailers, row.size + (has_own ? kTrailer : 0));
            }
}

}  // namespace

TEST_CASE("perf.data: what the kernel and perf wrote is large enough and padded enough") {
    for_each_stream([](const Row& row, ByteOrder order, bool has_trailers, uint64_t size) {
        const auto faults = faults_in(stream_with(record_of(row, size, order), has_trailers, order));
        const bool is_of_old_kernel = has_trailers && row.least == without_trailers;
        CHECK(faults == (is_of_old_kernel ? kTooSmall : std::vector<std::string>{}));
    });
}

TEST_CASE("perf.data: what is smaller than all that was written is too small") {
    for_each_stream([](const Row& row, ByteOrder order, bool has_trailers, uint64_t size) {
        if (row.least == no || size <= 8) return;
        CHECK(faults_in(stream_with(record_of(row, size - 8, order), has_trailers, order)) == kTooSmall);
    });
}

// The payloads of compressed records are judged elsewhere.
TEST_CASE("perf.data: the sizes of every type of records are asked for") {
    std::set<uint64_t> requested = {perfdata::kCompressedType, perfdata::kCompressed2Type};
    for (const Row& row : kRows) requested.insert(row.type);
    for (const Record* record : perfdata::kTypedRecords) {
        CAPTURE(record->name);
        CHECK(requested.contains(record->tag));
    }
}

}  // namespace tracelint
