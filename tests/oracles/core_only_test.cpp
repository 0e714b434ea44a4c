// The core library needs nothing else: a program that links only it finds what the command line finds.
#include "tests/oracles/peer_run.hpp"

namespace tracelint {
namespace {

TEST_CASE("a program that links only the core checks a file of every format") {
    const PeerRun shell;
    const std::string corpus = paths::root() + "/corpus/museum/";
    for (const std::string file : {"jitdump/cpython-macos-64-bit-tid.jitdump", "xray/typed-events-undercounted.xray",
                                   "mlpd/half-of-version-15.mlpd"}) {
        CAPTURE(file);
        const std::string quoted = "'" + corpus + file + "'";
        const std::string findings = "'" + paths::program() + "' --output concise --notes " + quoted +
                                     " | sed -n 's/.*:\\(0x[0-9a-f]*+[0-9]*\\): .*\\[\\(.*\\)\\]$/\\1 \\2/p'";
        const std::vector<std::string> found = shell.lines("'" + paths::core_only() + "' " + quoted);
        CHECK_FALSE(found.empty());
        CHECK(found == shell.lines(findings));
    }
}

}  // namespace
}  // namespace tracelint
