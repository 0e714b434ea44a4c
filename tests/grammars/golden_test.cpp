// The record tables against the base files, which were typed by hand from the specification: each field
// holds what the comment beside its bytes says.
#include <doctest/doctest.h>

#include <set>

#include "tests/support/goldens.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint {
namespace {

std::vector<Golden> goldens_of(const Format& format) {
    Errors errors;
    std::vector<Golden> goldens = goldens_of(format, errors);
    for (const std::string& error : errors) FAIL_CHECK(error);
    return goldens;
}

// Where the file and its annotation part ways; empty where they do not.
std::string difference(const Golden& golden, const Tables& tables) {
    const Values read = decoded(golden, tables, golden.shows_lengths);
    const Values wanted = asserted(golden);
    for (size_t i = 0; i < std::max(read.size(), wanted.size()); ++i) {
        const std::string has = i < read.size() ? read[i] : "nothing more";
        const std::string says = i < wanted.size() ? wanted[i] : "nothing more";
        if (has == says) continue;
        const size_t line = i < wanted.size() ? golden.file.assertions[i].line : 0;
        return golden.path + ":" + std::to_string(line) + ": the comments say " + says + ", the tables read " + has;
    }
    return {};
}

}  // namespace

TEST_CASE("the tables read every base file as its comments say" * doctest::test_suite(kEachBase)) {
    for (const Format* format : tested_formats()) {
        const Tables tables(*format);
        for (const Golden& golden : goldens_of(*format)) {
            const std::string where = difference(golden, tables);
            CHECK_MESSAGE(where.empty(), where);
        }
    }
}

TEST_CASE("every record occurs in a base file of every byte order" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        std::set<std::pair<std::string_view, ByteOrder>> seen;
        const Tables tables(*format);
        for (const Golden& golden : goldens_of(*format))
            for (const Golden::Part& part : golden.parts)
                if (part.record != nullptr)
                    decode(*part.record, golden.bytes_of(part), part.layout, true,
                           [&](const Leaf& leaf) { seen.insert({leaf.record->name, part.layout.order}); });
        for (const Record* record : tables.originals()) {
            if (record->fallback) continue;
            CHECK_MESSAGE(seen.contains({record->name, ByteOrder::little}),
                          record->name << ": in no little-endian file");
            if (format->both_byte_orders)
                CHECK_MESSAGE(seen.contains({record->name, ByteOrder::big}), record->name << ": in no big-endian file");
        }
    }
}

TEST_CASE("some base file of each record with opaque bytes shows their length" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        std::set<const Field*> shown;
        const Tables tables(*format);
        for (const Golden& golden : goldens_of(*format)) {
            if (!golden.shows_lengths) continue;
            for (const Golden::Part& part : golden.parts)
                decode(*part.record, golden.bytes_of(part), part.layout, true,
                       [&](const Leaf& leaf) { shown.insert(leaf.field); });
        }
        for (const Record* record : tables.originals()) {
            if (record->fallback) continue;
            for (const Field& field : record->fields())
                if (field.type == Type::bytes)
                    CHECK_MESSAGE(shown.contains(&field),
                                  record->name << "." << field.name << ": no file tells its length");
        }
    }
}

}  // namespace tracelint
