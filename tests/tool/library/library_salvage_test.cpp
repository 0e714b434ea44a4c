// Salvage by a program: it writes what the command writes, and says what it left out. What goes wrong is in the result.
#include <doctest/doctest.h>

#include <stdexcept>

#include "fuzz/containers.hpp"
#include "tests/support/oracle_files.hpp"
#include "tracelint/tracelint.hpp"

namespace tracelint {
namespace {

std::string node_trace() { return read_file(kRoot / "corpus/jitdump/real/node-18.dump").value(); }

// Takes all that is written.
struct Written {
    std::string bytes;
    std::function<bool(Bytes)> take() {
        return [this](Bytes more) {
            bytes += as_text(more);
            return true;
        };
    }
};

TEST_CASE("a truncated trace is salvaged up to its last whole record") {
    const std::string cut = node_trace().substr(0, 5000);
    Written written;
    const Salvaged salvaged = salvage_memory(as_bytes(cut), {}, written.take());
    CHECK(salvaged.verdict == SalvageVerdict::salvaged);
    CHECK(salvaged.is_written());
    CHECK(salvaged.why.empty());
    CHECK(salvaged.format == "jitdump");
    CHECK(salvaged.size == 5000);
    CHECK(salvaged.new_size == 4903);
    CHECK(salvaged.records_kept == 3);
    REQUIRE(salvaged.changes.size() == 1);
    const SalvageChange& change = salvaged.changes[0];
    CHECK(change.kind == SalvageChange::Kind::left_out);
    CHECK(change.offset == 0x1327);
    CHECK(change.length == 97);
    CHECK(change.rule == "jitdump/truncated-record");
    CHECK(written.bytes == cut.substr(0, 4903));
    CHECK(check_memory(as_bytes(written.bytes)).count(Severity::error) == 0);
}

TEST_CASE("a sound trace is copied, also in a container; a broken one leaves it") {
    const std::string packed = gzip_member(node_trace());
    Written copy;
    CHECK(salvage_memory(as_bytes(packed), {}, copy.take()).verdict == SalvageVerdict::clean);
    CHECK(copy.bytes == packed);

    const std::string broken = gzip_member(node_trace().substr(0, 5000));
    Written written;
    const Salvaged salvaged = salvage_memory(as_bytes(broken), {}, written.take());
    CHECK(salvaged.verdict == SalvageVerdict::salvaged);
    CHECK(salvaged.container == "gzip");
    CHECK(written.bytes == node_trace().substr(0, 4903));
}

TEST_CASE("nothing is written unless the result has no error") {
    struct Row {
        std::string input;
        Options options;
        SalvageVerdict verdict;
        std::string why;
    };
    Options wrong, small;
    wrong.format = "jitdmp";
    small.limits.memory = 1000;
    const Row rows[] = {
        {"no trace", {}, SalvageVerdict::impossible, "its format is not recognised"},
        {node_trace().substr(0, 30), {}, SalvageVerdict::impossible, "jitdump/truncated-header"},
        {node_trace(), wrong, SalvageVerdict::options, "no format is called 'jitdmp'"},
        {node_trace().substr(0, 5000), small, SalvageVerdict::limited, "a limit was reached"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.why);
        Written written;
        const Salvaged salvaged = salvage_memory(as_bytes(row.input), row.options, written.take());
        CHECK(salvaged.verdict == row.verdict);
        CHECK(salvaged.why.find(row.why) != std::string::npos);
        CHECK(written.bytes.empty());
    }
}

class OneWay final : public Source {
  public:
    size_t read(uint8_t*, size_t) override { return 0; }
};

class Throwing final : public Source {
  public:
    size_t read(uint8_t*, size_t) override { throw std::runtime_error("the disk is gone"); }
    bool seek(uint64_t) override { return true; }
};

TEST_CASE("what a caller's source or function does wrong is in the result") {
    const auto take_all = [](Bytes) { return true; };
    OneWay one_way;
    CHECK(salvage(one_way, {}, take_all).verdict == SalvageVerdict::unreadable);
    Throwing throwing;
    const Salvaged unread = salvage(throwing, {}, take_all);
    CHECK(unread.verdict == SalvageVerdict::unreadable);
    CHECK(unread.why.find("the disk is gone") != std::string::npos);
    CHECK(salvage_file((kRoot / "none").string(), {}, take_all).verdict == SalvageVerdict::unreadable);

    const std::string cut = node_trace().substr(0, 5000);
    CHECK(salvage_memory(as_bytes(cut), {}, [](Bytes) { return false; }).verdict == SalvageVerdict::unwritable);
    const Salvaged unwritten =
        salvage_memory(as_bytes(cut), {}, [](Bytes) -> bool { throw std::runtime_error("no room"); });
    CHECK(unwritten.verdict == SalvageVerdict::unwritable);
    CHECK(unwritten.why == "cannot write: no room");
}

}  // namespace
}  // namespace tracelint
