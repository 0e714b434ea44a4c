// The functions of the C interface that check many files by one call, for callers to whom a call costs more than a
// check.
#include <sys/stat.h>

#include <chrono>
#include <cstdio>

#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/handles.hpp"
#include "validator/bindings/c/options.hpp"
#include "validator/library/state.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/json/json_report.hpp"
#include "validator/tool/json/sums.hpp"

namespace tracelint::c {
namespace {

using Clock = std::chrono::steady_clock;

struct CheckedFiles {
    size_t done = 0;
    StringSink text;
    Sums sums;
    std::string sums_json;
    std::string left;  // files that are large, as elements of an array
};

Handles<tracelint_files, CheckedFiles>& all_files() {
    static auto& files = *new Handles<tracelint_files, CheckedFiles>;  // used until the last thread ends
    return files;
}

void add_element(std::string& array, const std::string& element) {
    if (!array.empty()) array += ',';
    array += element;
}

// A file of the caller's list.
struct ListedFile {
    std::string path;
    ManifestEntry entry;
};

ListedFile listed_file(const tracelint_file_list& list, size_t index) {
    ListedFile file;
    file.path = list.paths[index];
    file.entry.number = list.entries == nullptr ? index + 1 : list.entries[index];
    if (list.sizes != nullptr && list.sizes[index] != TRACELINT_UNKNOWN) file.entry.size = list.sizes[index];
    if (list.etags != nullptr && list.etags[index] != nullptr) file.entry.etag = list.etags[index];
    return file;
}

// Its first error, which the row names.
const Diagnostic* first_error(const Report& report) {
    if (report.count(Severity::error) == 0) return nullptr;
    for (const Diagnostic& diagnostic : report.diagnostics())
        if (severity_of(diagnostic) == Severity::error) return &diagnostic;
    return nullptr;
}

std::string row_of(const Checked& checked, Clock::duration took) {
    const Outcome& outcome = checked.outcome;
    const Report& report = outcome.report();
    const Diagnostic* error = first_error(report);
    const auto text_or_null = [](std::string_view text) { return text.empty() ? "null" : json_string(text); };
    std::string row = "[" + std::to_string(checked.entry->number) + ',' + JsonText::path(checked.path).text() + ',' +
                      text_or_null(outcome.format == nullptr ? std::string_view() : outcome.format->id) + ',' +
                      json_string(verdict_of(checked)) + ',' + text_or_null(outcome.failure);
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        row += ',' + std::to_string(report.count(severity));
    row += error == nullptr ? std::string(",null,null,null")
                            : ',' + json_string(message_of(*error)) + ',' + json_string(error->rule->id) + ',' +
                                  std::to_string(error->place.offset);
    row += ',' + (outcome.size ? std::to_string(*outcome.size) : "null") +
           (outcome.context.limit_hit ? ",true," : ",false,");
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.6f]", std::chrono::duration<double>(took).count());
    return row + seconds.data();
}

// As tracelint_files_result() describes it.
std::string json_of(const Sums& sums, const std::string& left) {
    std::string formats, findings;
    for (const auto& [format, sum] : sums.formats) {
        std::string counts = std::to_string(sum.files) + ',' + std::to_string(sum.bytes);
        for (const uint64_t files : sum.by_verdict) counts += ',' + std::to_string(files);
        add_element(formats, json_string(format) + ":[" + counts + ']');
    }
    for (const auto& [kind, sum] : sums.findings) {
        std::string examples;
        for (const ExampleFile& example : sum.examples)
            add_element(examples, '[' + std::to_string(example.entry) + ',' +
                                      json_string(JsonText::path(example.path).text()) + ']');
        add_element(findings, '[' + json_string(kind.rule) + ',' + json_string(kind.format) + ',' +
                                  json_string(to_string(kind.severity)) + ',' + std::to_string(sum.findings) + ',' +
                                  std::to_string(sum.files) + ",[" + examples + "]]");
    }
    return "{\"bytes\":" + std::to_string(sums.bytes) + ",\"limited\":" + std::to_string(sums.limited) +
           ",\"formats\":{" + formats + "},\"findings\":[" + findings + "],\"large\":[" + left + "]}";
}

class Checking {
  public:
    Checking(const tracelint_file_list& list, PreparedOptions& options)
        : list_(list), options_(options), files_(std::make_unique<CheckedFiles>()) {}

    // Null: there is no memory for the first file.
    std::unique_ptr<CheckedFiles> run() {
        const Clock::time_point begun = Clock::now();
        for (size_t index = 0; index < list_.count; ++index) {
            try {
                check_one(listed_file(list_, index));
            } catch (const std::bad_alloc&) {
                if (files_->done == 0) return nullptr;
                break;
            }
            ++files_->done;
            if (list_.most_bytes != 0 && files_->text.text.size() >= list_.most_bytes) break;
            const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun).count();
            if (list_.most_milliseconds != 0 && static_cast<uint64_t>(passed) >= list_.most_milliseconds) break;
        }
        files_->sums_json = json_of(files_->sums, files_->left);
        return std::move(files_);
    }

  private:
    // Throws std::bad_alloc only, and then has added nothing.
    void check_one(const ListedFile& file) {
        struct stat status{};
        const bool is_compared = file.entry.size || list_.large != 0;
        const bool is_known = is_compared && stat(file.path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
        const auto stored = static_cast<uint64_t>(status.st_size);
        if (is_known && !file.entry.size && list_.large != 0 && stored >= list_.large)
            return add_element(files_->left,
                               '[' + std::to_string(file.entry.number) + ',' + std::to_string(stored) + ']');
        const Clock::time_point begun = Clock::now();
        options_.set_file_name(file.path);
        Outcome outcome(options_.engine());
        if (is_known && file.entry.size && stored != *file.entry.size)
            outcome.failure = "changed: its size is " + std::to_string(stored) + ", in the manifest " +
                              std::to_string(*file.entry.size);
        if (outcome.failure.empty()) {
            const std::unique_ptr<Source> source = open_file(file.path);
            outcome.failure = source->failure();
            if (outcome.failure.empty()) outcome = check(*source, options_.engine());
        }
        if (outcome.out_of_memory) throw std::bad_alloc();
        Checked checked{.path = file.path, .outcome = outcome, .entry = &file.entry};
        StringSink lines;
        if (list_.as_rows != 0)
            lines.text = (files_->text.text.empty() ? "" : ",") + row_of(checked, Clock::now() - begun);
        else
            write_file_lines(lines, checked, {});
        files_->text.text += lines.text;
        files_->sums.add(checked);
    }

    const tracelint_file_list& list_;
    PreparedOptions& options_;
    std::unique_ptr<CheckedFiles> files_;
};

tracelint_error check_files(const tracelint_file_list* given, const tracelint_options* of_caller,
                            tracelint_files** to) {
    tracelint_file_list list{};
    if (!take(given, list)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_file_list");
    if (list.paths == nullptr && list.count != 0) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_file_list");
    for (size_t index = 0; index < list.count; ++index)
        if (list.paths[index] == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_file_list.paths");
    Options options;
    if (const tracelint_error error = take_options(of_caller, options); error != TRACELINT_OK) return error;
    PreparedOptions prepared(options);
    if (!prepared.fault().empty()) return fail(TRACELINT_ERROR_INVALID_OPTION, prepared.fault());
    std::unique_ptr<CheckedFiles> files = Checking(list, prepared).run();
    if (files == nullptr) return fail(TRACELINT_ERROR_OUT_OF_MEMORY);
    *to = all_files().add(std::move(files));
    return TRACELINT_OK;
}

tracelint_files_result result_of(const CheckedFiles& files) {
    tracelint_files_result result{};
    result.done = files.done;
    result.text = files.text.text.c_str();
    result.text_length = files.text.text.size();
    result.sums = files.sums_json.c_str();
    result.sums_length = files.sums_json.size();
    return result;
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::all_files;
using tracelint::c::fail;
using tracelint::c::guarded;

tracelint_error tracelint_check_files(const tracelint_file_list* list, const tracelint_options* options,
                                      tracelint_files** files) {
    return guarded([&] {
        if (list == nullptr || files == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        return tracelint::c::check_files(list, options, files);
    });
}

tracelint_error tracelint_files_read(const tracelint_files* files, tracelint_files_result* result) {
    return guarded([&] {
        if (files == nullptr || result == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const std::shared_ptr<const tracelint::c::CheckedFiles> of = all_files().find(files);
        if (of == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint::c::fill(result, tracelint::c::result_of(*of));
    });
}

tracelint_error tracelint_files_free(tracelint_files* files) {
    if (files == nullptr) return TRACELINT_OK;
    return guarded([&] {
        if (all_files().remove(files) == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{TRACELINT_OK};
    });
}
