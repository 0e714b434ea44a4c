// What the command line does without in WebAssembly: signals, threads, other processes, and the generator, which is as
// large as all the rest, with what needs it; and descriptions for other tools. No file grows there.
#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/catalogue/section.hpp"
#include "validator/tool/inputs/inflate_ahead.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/follow_run.hpp"
#include "validator/tool/run/supervisor.hpp"

namespace tracelint {

Interruption::Interruption() = default;
Interruption::~Interruption() = default;
bool Interruption::has_come() { return false; }
int Interruption::signal_number() { return 0; }
const char* Interruption::signal_name() { return nullptr; }

size_t InterruptibleSource::read(uint8_t* to, size_t bytes) { return ForwardingSource::read(to, bytes); }
std::string InterruptibleSource::failure() const { return ForwardingSource::failure(); }

std::unique_ptr<ContainerSource> open_container_ahead(Container container, Source& compressed, Budget& budget) {
    return open_container(container, compressed, budget);
}

// The specifications would take an eighth of the page that checks files, 182,000 bytes.
std::string_view text_of_section(const SpecSection&) { return {}; }

struct Supervisor::Slot {};
Supervisor::Supervisor(unsigned threads, uint64_t most_seconds) : threads_(threads), most_seconds_(most_seconds) {}
Supervisor::~Supervisor() = default;
Supervisor::Mark::Mark(const Supervisor*, size_t) {}
Supervisor::Mark::~Mark() = default;
const std::string* Supervisor::failure_of(size_t) const { return nullptr; }
ExitStatus Supervisor::run(const std::function<ExitStatus()>& check, const std::function<void(pid_t)>&) {
    return check();
}

namespace {
ExitStatus left_out(std::string_view command) {
    complain(std::string(command) + " is not part of the npm package; the native program has it");
    return kUsage;
}
}  // namespace

ExitStatus follow(const CheckLine&) { return left_out("--follow"); }

ExitStatus run_generate(const GenerateLine&) { return left_out("generate"); }
ExitStatus run_mutate(const MutateLine&) { return left_out("mutate"); }
ExitStatus run_dictionary(const DictionaryLine&) { return left_out("dictionary"); }
ExitStatus run_conform(const ConformLine&) { return left_out("conform"); }
ExitStatus run_describe(const DescribeLine&) { return left_out("describe"); }
// The list of kinds names them for --help.
void write_kaitai(const Format&, Sink&) {}
void write_imhex(const Format&, Sink&) {}

}  // namespace tracelint
