// `describe`: the record tables of a format, for other tools.
#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {

ExitStatus run_describe(const DescribeLine& line) {
    FileSink sink;
    line.kind->write(*line.format, sink);
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
