// The public checks: the engine's, with everything that could throw made part of the result.
#include "validator/library/company.hpp"
#include "validator/library/guarded_source.hpp"

namespace tracelint {
namespace {

// Throws std::bad_alloc only, as `source` throws nothing else.
Result checked(Source& source, const Options& options, const std::string& file_name, bool is_foreign = false) {
    PreparedOptions prepared(options);
    if (!prepared.fault().empty()) return failed_result(Failure::options, prepared.fault());
    CompanyCheck company(prepared, file_name);
    return company.result(company.check_input(source, is_foreign));
}

}  // namespace

Result check(Source& source, const Options& options) noexcept {
    return result_without_exception([&] {
        GuardedSource guarded(source);
        return checked(guarded, options, options.file_name);
    });
}

Result check_memory(Bytes bytes, const Options& options) noexcept {
    return result_without_exception([&] {
        MemorySource source(bytes);
        return checked(source, options, options.file_name);
    });
}

Result check_file(const std::string& path, const Options& options) noexcept {
    return result_without_exception([&] {
        const std::unique_ptr<Source> source = open_file(path);
        const bool is_foreign = !options.readers.empty() && ReaderCheck::is_foreign(path);
        return checked(*source, options, options.file_name.empty() ? path : options.file_name, is_foreign);
    });
}

}  // namespace tracelint
