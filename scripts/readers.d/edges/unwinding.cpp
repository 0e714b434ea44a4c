// Every call frame record of a jitdump, read by LLVM's DWARFDebugFrame.
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDataExtractor.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugFrame.h>
#include <llvm/Support/raw_ostream.h>

static void read_eh_frame(llvm::StringRef bytes, bool is_little) {
    llvm::DWARFDebugFrame frames(llvm::Triple::x86_64, true, 0);
    if (llvm::Error fault = frames.parse(llvm::DWARFDataExtractor(bytes, is_little, 8)))
        return llvm::consumeError(std::move(fault));
    llvm::DIDumpOptions options;
    frames.dump(llvm::nulls(), options, nullptr, llvm::None);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr uint32_t kUnwindingInfo = 4;
    constexpr uint64_t kPrefix = 16, kFields = 24;
    const llvm::StringRef file(reinterpret_cast<const char*>(data), size);
    const bool is_little = file.startswith("DTiJ");
    if (!is_little && !file.startswith("JiTD")) return 0;
    const llvm::DataExtractor numbers(file, is_little, 8);
    uint64_t at = 8;
    at = numbers.getU32(&at);
    while (at + kPrefix <= size) {
        uint64_t field = at;
        const uint32_t kind = numbers.getU32(&field), length = numbers.getU32(&field);
        if (length < kPrefix || length > size - at) return 0;
        if (kind == kUnwindingInfo && length >= kPrefix + kFields) {
            field = at + kPrefix;
            const uint64_t unwinding = numbers.getU64(&field), header = numbers.getU64(&field);
            const llvm::StringRef data_of = file.substr(at + kPrefix + kFields, length - kPrefix - kFields);
            if (header <= unwinding) read_eh_frame(data_of.take_front(unwinding - header), is_little);
        }
        at += length;
    }
    return 0;
}
