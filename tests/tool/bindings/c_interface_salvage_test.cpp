// Salvage by way of the C interface.
#include "tests/tool/bindings/c_interface.hpp"

namespace tracelint {
namespace {

struct HeldSalvage {
    ~HeldSalvage() { tracelint_salvaged_free(salvaged); }
    tracelint_salvaged* salvaged = nullptr;
};

int32_t append(void* user, const void* bytes, size_t length) {
    static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), length);
    return 1;
}

tracelint_sink sink_of(std::string& to) {
    auto sink = sized<tracelint_sink>();
    sink.user = &to;
    sink.write = append;
    return sink;
}

std::string cut_trace() { return read_file(kRoot / "corpus/jitdump/real/node-18.dump").value().substr(0, 5000); }

TEST_CASE("a salvage says what it wrote and what it left out") {
    const std::string cut = cut_trace();
    std::string written;
    const tracelint_sink sink = sink_of(written);
    HeldSalvage held;
    REQUIRE(tracelint_salvage_memory(cut.data(), cut.size(), nullptr, &sink, &held.salvaged) == TRACELINT_OK);
    CHECK(written == cut.substr(0, 4903));

    auto summary = sized<tracelint_salvage_summary>();
    REQUIRE(tracelint_salvaged_summary(held.salvaged, &summary) == TRACELINT_OK);
    CHECK(summary.verdict == TRACELINT_SALVAGE_SALVAGED);
    CHECK(std::string(summary.format) == "jitdump");
    CHECK(summary.container == nullptr);
    CHECK(summary.why == nullptr);
    CHECK(summary.input_size == 5000);
    CHECK(summary.new_size == 4903);
    CHECK(summary.records_kept == 3);
    REQUIRE(summary.change_count == 1);

    auto change = sized<tracelint_change>();
    REQUIRE(tracelint_salvaged_change(held.salvaged, 0, &change) == TRACELINT_OK);
    CHECK(change.kind == 0);
    CHECK(change.offset == 0x1327);
    CHECK(change.length == 97);
    CHECK(std::string(change.rule) == "jitdump/truncated-record");
    CHECK(change.bytes == nullptr);
    CHECK(tracelint_salvaged_change(held.salvaged, 1, &change) == TRACELINT_ERROR_OUT_OF_RANGE);
}

TEST_CASE("a file is salvaged by its path, and an input by the caller's functions") {
    std::string written;
    const tracelint_sink sink = sink_of(written);
    HeldSalvage of_file;
    REQUIRE(tracelint_salvage_file(kTrace.c_str(), nullptr, &sink, &of_file.salvaged) == TRACELINT_OK);
    CHECK(written.size() == 918);  // only flags are wrong
    auto change = sized<tracelint_change>();
    REQUIRE(tracelint_salvaged_change(of_file.salvaged, 0, &change) == TRACELINT_OK);
    CHECK(change.kind == 1);
    CHECK(change.offset == 0x20);
    CHECK(change.byte_count == change.length);
    REQUIRE(change.bytes != nullptr);

    struct Reading {
        std::string bytes;
        size_t at = 0;
    } reading{read_file(kTrace).value()};
    auto source = sized<tracelint_source>();
    source.user = &reading;
    source.total = reading.bytes.size();
    source.read = [](void* user, void* to, size_t bytes) {
        auto& from = *static_cast<Reading*>(user);
        const size_t count = from.bytes.copy(static_cast<char*>(to), bytes, from.at);
        from.at += count;
        return static_cast<int64_t>(count);
    };
    source.seek = [](void* user, uint64_t offset) {
        static_cast<Reading*>(user)->at = static_cast<size_t>(offset);
        return int32_t{1};
    };
    std::string again;
    const tracelint_sink other = sink_of(again);
    HeldSalvage of_functions;
    REQUIRE(tracelint_salvage_callback(&source, nullptr, &other, &of_functions.salvaged) == TRACELINT_OK);
    CHECK(again == written);
}

TEST_CASE("misuse of salvage is an error") {
    const std::string cut = cut_trace();
    std::string written;
    const tracelint_sink sink = sink_of(written);
    tracelint_salvaged* salvaged = nullptr;
    const auto salvage = [&](const tracelint_options* options, const tracelint_sink* to) {
        return tracelint_salvage_memory(cut.data(), cut.size(), options, to, &salvaged);
    };
    CHECK(salvage(nullptr, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    auto no_function = sized<tracelint_sink>();
    CHECK(salvage(nullptr, &no_function) == TRACELINT_ERROR_NULL_ARGUMENT);
    auto no_size = sink;
    no_size.size = 1;
    CHECK(salvage(nullptr, &no_size) == TRACELINT_ERROR_STRUCT_SIZE);
    auto options = sized<tracelint_options>();
    options.format = "jitdmp";
    CHECK(salvage(&options, &sink) == TRACELINT_ERROR_INVALID_OPTION);
    CHECK(salvaged == nullptr);
    CHECK(written.empty());

    auto refusing = sink;
    refusing.write = [](void*, const void*, size_t) { return int32_t{0}; };
    REQUIRE(salvage(nullptr, &refusing) == TRACELINT_OK);
    auto summary = sized<tracelint_salvage_summary>();
    REQUIRE(tracelint_salvaged_summary(salvaged, &summary) == TRACELINT_OK);
    CHECK(summary.verdict == TRACELINT_SALVAGE_UNWRITABLE);
    CHECK(summary.why != nullptr);
    CHECK(tracelint_salvaged_free(salvaged) == TRACELINT_OK);
    CHECK(tracelint_salvaged_free(salvaged) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_salvaged_summary(salvaged, &summary) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_salvaged_free(nullptr) == TRACELINT_OK);
}

}  // namespace
}  // namespace tracelint
