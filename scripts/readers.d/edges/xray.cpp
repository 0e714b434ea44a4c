// LLVM's XRay library: reads a log and brings its records into order, as llvm-xray convert does.
#include <llvm/Support/DataExtractor.h>
#include <llvm/XRay/Trace.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const llvm::StringRef bytes(reinterpret_cast<const char*>(data), size);
    llvm::Expected<llvm::xray::Trace> trace = llvm::xray::loadTrace(llvm::DataExtractor(bytes, true, 8), true);
    if (!trace) llvm::consumeError(trace.takeError());
    return 0;
}
