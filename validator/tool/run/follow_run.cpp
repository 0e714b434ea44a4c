// Files that are followed: a thread for each, which waits for more bytes, and one that looks into the folders.
#include "validator/tool/run/follow_run.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "validator/recognise.hpp"
#include "validator/tool/inputs/followed_file.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/one_file.hpp"
#include "validator/tool/run/outputs.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostFollowed = 64;     // files at a time, each with a thread
constexpr size_t kMostWatched = 10'000;  // files in all folders
constexpr int kBetweenLooks = 500;       // milliseconds, at a folder
// A format is known before kDetectionBytes are there if it is at least so sure: by a magic number or by the file's
// name.
constexpr int kSureAtOnce = 60;

// What a file in a folder looked like.
struct Look {
    ino_t inode = 0;
    uint64_t size = 0;
    timespec modified{};
    bool operator==(const Look& other) const {
        return inode == other.inode && size == other.size && modified.tv_sec == other.modified.tv_sec &&
               modified.tv_nsec == other.modified.tv_nsec;
    }
};

std::optional<Look> look_at(const std::string& path) {
    struct stat status;
    if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return Look{status.st_ino, static_cast<uint64_t>(status.st_size), status.st_mtim};
}

// The format of the file, as soon as its bytes show it; null if check() is to find it out, since all that is needed for
// that is there, or will not come.
const Format* format_so_far(FollowedFile& file, const std::string& path) {
    for (size_t wanted = 1;; ++wanted) {
        const Bytes bytes = file.opening(wanted, kDetectionBytes);
        if (bytes.size() < wanted || bytes.size() == kDetectionBytes) return nullptr;
        const Opening opening = opening_of(bytes, path);
        for (const Format* format : formats())
            if (format->recognise(opening) >= kSureAtOnce) return format;
        wanted = bytes.size();
    }
}

std::string_view text_of(FollowEnd end) {
    switch (end) {
        case FollowEnd::closed: return "its writer closed it";
        case FollowEnd::idle: return "nothing more was written";
        case FollowEnd::replaced: return "it was removed or replaced; what has its name now is not followed";
        default: return {};
    }
}

class FollowRun {
    using Clock = std::chrono::steady_clock;

  public:
    explicit FollowRun(const CheckLine& line) : line_(line) {}
    FollowRun(const FollowRun&) = delete;
    FollowRun& operator=(const FollowRun&) = delete;

    ExitStatus run() {
        if (const ExitStatus failed = outputs_.open(line_.reporting, Outputs::Use::follow); failed != kClean)
            return failed;
        outputs_.begin();
        for (const std::string& name : line_.inputs.files)
            if (is_folder(name))
                folders_.push_back(name);
            else
                start(name, false);
        look_into_folders(true);
        while (!folders_.empty() && wait_for_signal(kBetweenLooks) && !is_idle()) look_into_folders(false);
        for (Following& following : followings_) following.thread.join();
        return outputs_.finish(summary_, status_);
    }

  private:
    // Passes the findings of one file on as they are made.
    class LiveFindings final : public FindingObserver {
      public:
        LiveFindings(FollowRun& run, const std::string& path) : run_(run), outcome_({}), file_{path, outcome_} {}
        void found(const Diagnostic& diagnostic) override {
            const size_t most = run_.line_.reporting.max_per_rule;
            if (++shown_[diagnostic.rule] > most && most != 0) return;
            const std::scoped_lock lock(run_.mutex_);
            run_.outputs_.found(file_, diagnostic);
        }

      private:
        FollowRun& run_;
        Outcome outcome_;
        Checked file_;
        std::map<const Rule*, size_t> shown_;
    };

    // While it lives, a trace in a folder may grow.
    class Busy {
      public:
        explicit Busy(FollowRun& run) : run_(run) { change(1); }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
        ~Busy() { change(-1); }

      private:
        void change(int by) {
            const std::scoped_lock lock(run_.mutex_);
            run_.traces_ += by;
            run_.last_busy_ = Clock::now();
        }
        FollowRun& run_;
    };

    // A file, and the thread that follows it.
    struct Following {
        std::thread thread;
        bool is_over = false;
    };

    // Joins the threads that are over.
    void reap() {
        std::list<Following> over;
        {
            const std::scoped_lock lock(mutex_);
            for (auto at = followings_.begin(); at != followings_.end();) {
                const auto following = at++;
                if (following->is_over) over.splice(over.end(), followings_, following);
            }
        }
        for (Following& following : over) following.thread.join();
    }

    // Whether no trace was followed for the time that the user gave.
    bool is_idle() {
        const std::chrono::seconds most(line_.inputs.idle_seconds);
        const std::scoped_lock lock(mutex_);
        return most.count() != 0 && traces_ == 0 && Clock::now() - last_busy_ >= most;
    }

    // False: a signal has come.
    bool wait_for_signal(int milliseconds) const {
        pollfd ready[] = {{interruption_.descriptor(), POLLIN, 0}};
        return poll(ready, std::size(ready), milliseconds) <= 0 && !Interruption::has_come();
    }

    // Files that appear, or change, are followed. Those that are there at first are only noted.
    void look_into_folders(bool is_first) {
        reap();
        for (const std::string& folder : folders_) {
            std::error_code failure;
            for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
                const std::string path = entry.path().string();
                const std::optional<Look> look = look_at(path);
                if (!look) continue;
                const auto known = watched_.find(path);
                if (known != watched_.end() && known->second == *look) continue;
                if (known == watched_.end() && watched_.size() == kMostWatched) {
                    complain_once(fmt::format("only {} files in folders are watched", grouped(kMostWatched)));
                    break;
                }
                const bool is_followed =
                    known != watched_.end() && known->second.inode == look->inode && is_taken(path);
                watched_[path] = *look;
                if (!is_first && !is_followed) start(path, true);
            }
            if (failure) complain_once(fmt::format("{}: {}", shown_path(folder), failure.message()));
        }
    }

    bool is_taken(const std::string& path) {
        const std::scoped_lock lock(mutex_);
        return std::ranges::find(taken_, path) != taken_.end();
    }

    void start(const std::string& path, bool is_found) {
        {
            const std::scoped_lock lock(mutex_);
            if (running_ == kMostFollowed) {
                complain(fmt::format("{}: not followed, since {} files are already", shown_path(path), kMostFollowed));
                status_ = worse(status_, kInternal);
                return;
            }
            ++running_;
            taken_.push_back(path);
        }
        Following& following = followings_.emplace_back();
        following.thread = std::thread([this, &following, path, is_found] {
            follow_one(path, is_found);
            const std::scoped_lock lock(mutex_);
            --running_;
            std::erase(taken_, path);
            following.is_over = true;
        });
    }

    void follow_one(const std::string& path, bool is_found) {
        try {
            check_one(path, is_found);
        } catch (const std::exception& error) {
            const std::scoped_lock lock(mutex_);
            complain(fmt::format("{}: {}", shown_path(path), error.what()));
            status_ = worse(status_, kInternal);
        }
    }

    void check_one(const std::string& path, bool is_found) {
        FollowedFile file(path, {.idle = std::chrono::seconds(line_.inputs.idle_seconds)});
        file.end_waiting_at(interruption_.descriptor());
        const FileChoices choices = choices_for(line_.choices, path);
        LiveFindings live(*this, path);
        CheckOptions options = check_options_of(line_, choices, path);
        options.report.observer = &live;
        options.is_growing = [&] { return file.end() != FollowEnd::closed; };
        if (options.format == nullptr) options.format = format_so_far(file, path);
        if (is_found && options.format == nullptr && is_foreign(file, path)) return;
        const Busy busy(*this);
        DemandCheck demands(choices.demands);
        if (!choices.demands.empty()) options.expectations = &demands;
        Outcome outcome = check(file, options);
        if (outcome.failure.empty()) outcome.failure = file.failure();
        const std::scoped_lock lock(mutex_);
        const Checked checked{path, outcome};
        if (!outcome.failure.empty()) complain(fmt::format("{}: {}", shown_path(path), printable(outcome.failure)));
        if (const std::string_view why = text_of(file.end()); !why.empty())
            complain(fmt::format("{}: no longer followed: {}", shown_path(path), why));
        status_ = worse(status_, tally(checked, line_.reporting.fail_on, summary_));
        outputs_.file(checked);
    }

    // Whether a file that was found in a folder is no trace.
    static bool is_foreign(FollowedFile& file, const std::string& path) {
        const Bytes bytes = file.opening(0, kDetectionBytes);
        MemorySource source(bytes);
        Budget budget(Limits{}.memory);
        OpenedInput input(source, budget);
        if (input.container() != Container::none) return false;
        return recognise(formats(), opening_of(bytes, path)) == nullptr;
    }

    void complain_once(const std::string& message) {
        if (std::ranges::find(complaints_, message) != complaints_.end()) return;
        complaints_.push_back(message);
        complain(message);
        const std::scoped_lock lock(mutex_);
        status_ = worse(status_, kInternal);
    }

    const CheckLine& line_;
    Interruption interruption_;
    std::vector<std::string> folders_, complaints_;
    std::map<std::string, Look> watched_;
    std::list<Following> followings_;

    std::mutex mutex_;  // of what follows
    Outputs outputs_;
    Summary summary_;
    ExitStatus status_ = kClean;
    size_t running_ = 0;              // threads
    std::vector<std::string> taken_;  // their paths
    int traces_ = 0;                  // threads that have found a trace
    Clock::time_point last_busy_ = Clock::now();
};

}  // namespace

ExitStatus follow(const CheckLine& line) { return FollowRun(line).run(); }

}  // namespace tracelint
