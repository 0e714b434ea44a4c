// The dump or perf map of a recording.
#include "validator/tool/run/partners.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/options/configuration.hpp"

#ifndef __wasi__
#include <fcntl.h>
#include <unistd.h>
#endif

namespace tracelint {
namespace {

std::string_view unpacked(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}

std::string_view base_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// With its last slash; empty: the working directory.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The digits of "jit-<digits>.dump"; empty: it is named otherwise.
std::string digits_of_dump(std::string_view base) {
    constexpr std::string_view kBefore = "jit-", kAfter = ".dump";
    if (!base.starts_with(kBefore) || !base.ends_with(kAfter) || base.size() <= kBefore.size() + kAfter.size())
        return {};
    const std::string_view digits = base.substr(kBefore.size(), base.size() - kBefore.size() - kAfter.size());
    const bool are_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return std::string(are_digits ? digits : std::string_view());
}

}  // namespace

bool is_named_like_recording(std::string_view name) { return unpacked(name).ends_with(".data"); }

bool is_named_like_code(std::string_view name) {
    name = unpacked(name);
    return name.ends_with(".dump") || (name.starts_with("perf-") && name.ends_with(".map"));
}

std::vector<std::string> files_named_like_pairs(const std::string& folder) {
    std::vector<std::string> paths;
    const auto close = [](DIR* opened) { closedir(opened); };
    const std::unique_ptr<DIR, decltype(close)> opened(opendir(folder.c_str()));
    while (const dirent* const entry = opened == nullptr ? nullptr : readdir(opened.get())) {
        const std::string name = entry->d_name;
        if (!is_named_like_recording(name) && !is_named_like_code(name)) continue;
        std::string path = folder + (folder.ends_with('/') ? "" : "/") + name;
        struct stat status;
        if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) paths.push_back(std::move(path));
    }
    std::ranges::sort(paths);
    return paths;
}

#ifdef __wasi__  // a host gives the files that it names

bool is_recording_file(const std::string&) { return false; }
Partners partners_of(const std::string&, const RecordingSummary&, const CheckLine&, Budget&) { return {}; }

#else

namespace {

// A descriptor of a regular file.
class OpenedFile final : public Source {
  public:
    OpenedFile(int descriptor, uint64_t size) : descriptor_(descriptor), size_(size) {}
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;
    ~OpenedFile() override { close(descriptor_); }

    size_t read(uint8_t* to, size_t bytes) override {
        if (Interruption::has_come()) failure_ = kInterrupted;
        if (!failure_.empty() || at_ >= size_) return 0;
        const ssize_t got = pread(descriptor_, to, static_cast<size_t>(std::min<uint64_t>(bytes, size_ - at_)),
                                  static_cast<off_t>(at_));
        if (got < 0) failure_ = "cannot read";
        if (got <= 0) return 0;
        at_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }
    bool seek(uint64_t offset) override {
        at_ = offset;
        return true;
    }
    uint64_t size() const override { return size_; }
    std::string failure() const override { return failure_; }

  private:
    int descriptor_;
    uint64_t size_;
    uint64_t at_ = 0;
    std::string failure_;
};

// A regular file of an owner that is trusted, opened without following a link; null if absent.
std::unique_ptr<Source> open_trusted(const std::string& path, uid_t owner_of_recording) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    struct stat status;
    const bool is_trusted = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                            (status.st_uid == geteuid() || status.st_uid == 0 || status.st_uid == owner_of_recording);
    if (is_trusted) return std::make_unique<OpenedFile>(descriptor, static_cast<uint64_t>(status.st_size));
    close(descriptor);
    return nullptr;
}

// What a partner must be: the dump or the map of a process.
struct Wanted {
    uint32_t pid = 0;
    std::string digits{};  // in the name of a dump; empty: it is a map
};

bool is_dump_of(const Partner& partner, const Wanted& wanted) {
    const CodeDump& dump = partner.facts->dump;
    return dump.is_present && (dump.pid == wanted.pid || std::to_string(dump.pid) == wanted.digits);
}

// Most lines of a map can be read as such.
bool is_map(const Partner& partner) {
    const SymbolMap& map = partner.facts->map;
    uint64_t lines = 0;
    for (const auto& [name, count] : partner.outcome->context.statistics)
        if (name == "records") lines = count;
    return map.is_present && !map.ranges.empty() && 2 * map.ranges.size() >= lines;
}

// Checks the file; null: it is not what is wanted.
std::unique_ptr<Partner> checked(const std::string& path, Source& source, const Wanted& wanted, const CheckLine& line,
                                 Budget& budget) {
    constexpr uint64_t kMostKept = 1 * kMiB;
    auto partner = std::make_unique<Partner>();
    partner->path = path;
    partner->facts = std::make_unique<Facts>(budget);
    partner->kept.start(kMostKept);
    const FileChoices choices = choices_for(line.choices, path);
    CheckOptions options;
    options.file_name = path;
    options.limits = line.limits.of_file;
    options.settings = choices.settings;
    options.report = {line.reporting.max_per_rule, &line.choices.filter, &choices.severities};
    options.facts = partner->facts.get();
    KeepingSource keeping(source, partner->kept);
    partner->outcome = std::make_unique<Outcome>(tracelint::check(keeping, options));
    const Outcome& outcome = *partner->outcome;
    if (!outcome.failure.empty() || outcome.format == nullptr || outcome.container != Container::none) return nullptr;
    const bool is_right = wanted.digits.empty() ? is_map(*partner) : is_dump_of(*partner, wanted);
    return is_right ? std::move(partner) : nullptr;
}

class Search {
  public:
    Search(const std::string& recording, const CheckLine& line, Budget& budget)
        : folder_(folder_of(recording)), line_(line), budget_(budget) {
        struct stat status;
        if (stat(recording.c_str(), &status) == 0) owner_ = status.st_uid;
    }

    void run(const RecordedProcess& process) {
        const std::string pid = std::to_string(process.pid);
        const std::string_view name = base_name_of(process.dump);
        if (const std::string digits = digits_of_dump(name); !digits.empty())
            take_first({folder_ + std::string(name), process.dump}, {process.pid, digits});
        const std::string map = "perf-" + pid + ".map";
        if (process.leaves + process.in_chains != 0) take_first({folder_ + map, "/tmp/" + map}, {process.pid});
    }

    Partners found;

  private:
    // A path in a recording counts if it is whole.
    void take_first(const std::vector<std::string>& paths, const Wanted& wanted) {
        for (const std::string& path : paths) {
            const bool is_beside = &path == &paths.front();
            if (path.find('\0') != path.npos || (!is_beside && !path.starts_with('/'))) continue;
            const std::unique_ptr<Source> source = open_trusted(path, owner_);
            if (source == nullptr) continue;
            if (std::unique_ptr<Partner> partner = checked(path, *source, wanted, line_, budget_)) {
                found.push_back(std::move(partner));
                return;
            }
        }
    }

    const std::string folder_;
    const CheckLine& line_;
    Budget& budget_;
    uid_t owner_ = 0;
};

}  // namespace

bool is_recording_file(const std::string& path) {
    struct stat status;
    if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const std::unique_ptr<Source> source = open_regular_file(path);
    uint8_t magic[8] = {};
    size_t got = 0;
    while (got < sizeof magic) {
        const size_t more = source->read(magic + got, sizeof magic - got);
        if (more == 0) return false;
        got += more;
    }
    const std::string_view text(reinterpret_cast<const char*>(magic), sizeof magic);
    return text == "PERFILE2" || text == "2ELIFREP";
}

Partners partners_of(const std::string& recording, const RecordingSummary& summary, const CheckLine& line,
                     Budget& budget) {
    Search search(recording, line, budget);
    for (const RecordedProcess& process : summary.listed) search.run(process);
    return std::move(search.found);
}

#endif

}  // namespace tracelint
