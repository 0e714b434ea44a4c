// What the command line does without in WebAssembly: signals, and the generator, which is as large as all the rest.
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {

Interruption::Interruption() = default;
Interruption::~Interruption() = default;
bool Interruption::has_come() { return false; }
const char* Interruption::signal_name() { return nullptr; }

size_t InterruptibleSource::read(uint8_t* to, size_t bytes) { return ForwardingSource::read(to, bytes); }
std::string InterruptibleSource::failure() const { return ForwardingSource::failure(); }

ExitStatus run_generate(const CommandLine&) {
    complain("generate is not part of the npm package; the native program has it");
    return kUsage;
}

}  // namespace tracelint
