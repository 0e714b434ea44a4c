// Walks folders.
#include "validator/tool/inputs/inputs.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "validator/input/system_call.hpp"

namespace tracelint {

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

struct FolderEntry {
    std::string name;
    unsigned char type = DT_UNKNOWN;  // as the folder has it
};

namespace {

// Opens a folder that is in the folder `in`. Null: errno says why.
OpenFolder open_folder(int in, const std::string& name, int flags) {
    const int descriptor =
        uninterrupted([&] { return openat(in, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags); });
    if (descriptor < 0) return nullptr;
    OpenFolder folder(fdopendir(descriptor));
    if (folder == nullptr) {
        const int why = errno;
        close(descriptor);
        errno = why;
    }
    return folder;
}

enum class EntryKind : uint8_t { file, folder, other };

EntryKind kind_of(mode_t mode) {
    return S_ISREG(mode) ? EntryKind::file : S_ISDIR(mode) ? EntryKind::folder : EntryKind::other;
}

// What cannot be asked for counts as a file, so that opening it says why. A link to a folder may lead back to a folder
// above it.
EntryKind kind_of(int folder, const FolderEntry& entry) {
    if (entry.type == DT_REG) return EntryKind::file;
    if (entry.type == DT_DIR) return EntryKind::folder;
    if (entry.type != DT_LNK && entry.type != DT_UNKNOWN) return EntryKind::other;
    struct stat status;
    if (fstatat(folder, entry.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return EntryKind::file;
    if (!S_ISLNK(status.st_mode)) return kind_of(status.st_mode);
    if (fstatat(folder, entry.name.c_str(), &status, 0) != 0) return EntryKind::file;
    return S_ISREG(status.st_mode) ? EntryKind::file : EntryKind::other;
}

}  // namespace

bool is_folder(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// What was named and walked through so far, by the folder that holds it and its name there.
class Seen {
  public:
    // All are known before the first walk.
    explicit Seen(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            if (name != "-" && !is_folder(name)) named_.try_emplace(place_of(name));
    }

    // The index that an earlier walk gave to the folder. Without one, it gets this index.
    std::optional<size_t> enter(const FileIdentity& folder, size_t index) {
        const auto [known, is_new] = walked_.try_emplace({folder.device, folder.number}, index);
        return is_new ? std::nullopt : std::optional(known->second);
    }
    // A walk found a file. Whether it is also named.
    bool find(const FileIdentity& folder, const std::string& name) {
        if (named_.empty()) return false;
        const auto found = named_.find({folder.device, folder.number, name});
        if (found == named_.end()) return false;
        return found->second = true;
    }
    // Whether a name is the first of a file that no walk found.
    bool is_first(const std::string& name) { return !std::exchange(named_[place_of(name)], true); }

  private:
    using Folder = std::pair<dev_t, ino_t>;
    using Place = std::tuple<dev_t, ino_t, std::string>;

    Place place_of(const std::string& name) {
        const size_t slash = name.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : name.substr(0, slash + 1);
        const auto [known, is_new] = folders_.try_emplace(folder);
        struct stat status;
        if (is_new && stat(folder.c_str(), &status) == 0) known->second = {status.st_dev, status.st_ino};
        if (known->second == Folder{}) return {0, 0, name};
        return {known->second.first, known->second.second, name.substr(slash + 1)};
    }

    std::map<Place, bool> named_;  // true: it has been met
    std::map<Folder, size_t> walked_;
    std::unordered_map<std::string, Folder> folders_;  // of names; one that cannot be asked for is empty
};

// Goes through one named folder, depth first. Only the innermost kMostOpen folders are open at a time; the others are
// opened again from the folder below.
class FolderWalk {
  public:
    FolderWalk(Inputs& inputs, size_t walk) : inputs_(inputs), walk_(walk) {}

    void run(const std::string& name) {
        const Exclusions* const exclusions = inputs_.exclusions_;
        enter(open_folder(AT_FDCWD, name, 0), name,
              exclusions == nullptr ? Exclusions::Folder() : exclusions->folder(name));
        while (!levels_.empty()) {
            Level& level = levels_.back();
            if (level.next == level.entries.size())
                leave();
            else
                take(level, std::move(level.entries[level.next++]));
        }
    }

  private:
    static constexpr size_t kMostOpen = 32;

    struct Level {
        size_t folder;  // index in Inputs::folders_
        Exclusions::Folder compared;
        OpenFolder handle;
        FileIdentity identity;
        std::vector<FolderEntry> entries;  // sorted by name
        size_t next = 0;                   // the first entry that is still to be taken
    };

    void take(const Level& level, FolderEntry entry) {
        const int folder = dirfd(level.handle.get());
        const EntryKind kind = kind_of(folder, entry);
        const Exclusions* const exclusions = inputs_.exclusions_;
        if (kind != EntryKind::other && exclusions != nullptr && exclusions->covers(level.compared, entry.name)) {
            ++inputs_.excluded_in_[walk_];
            return;
        }
        switch (kind) {
            case EntryKind::file: {
                const bool is_named = inputs_.seen_ != nullptr && inputs_.seen_->find(level.identity, entry.name);
                inputs_.list_.push_back({std::move(entry.name), level.folder, {}, walk_, is_named});
                break;
            }
            case EntryKind::folder: {
                OpenFolder opened = open_folder(folder, entry.name, O_NOFOLLOW);
                Exclusions::Folder compared;
                if (exclusions != nullptr) compared = exclusions->enter(level.compared, entry.name);
                enter(std::move(opened), std::move(entry.name), std::move(compared));
                break;
            }
            case EntryKind::other: break;
        }
    }

    // Lists a folder that was opened, or failed to open with errno.
    void enter(OpenFolder handle, std::string name, Exclusions::Folder compared) {
        const size_t parent = levels_.empty() ? kNoFolder : levels_.back().folder;
        struct stat status;
        if (handle == nullptr || fstat(dirfd(handle.get()), &status) != 0) return cannot_list(std::move(name), parent);
        if (inputs_.seen_ != nullptr) {
            const auto before = inputs_.seen_->enter({status.st_dev, status.st_ino}, inputs_.folders_.size());
            if (before && holds_files(*before)) inputs_.repeats_[walk_] = true;
            if (before) return;
        }
        Level level{
            inputs_.folders_.size(), std::move(compared), std::move(handle), {status.st_dev, status.st_ino}, {}};
        while (const dirent* read = next_of(level.handle.get())) {
            const std::string_view entry = read->d_name;
            if (entry != "." && entry != "..") level.entries.push_back({std::string(entry), read->d_type});
        }
        if (errno != 0) cannot_list(name, parent);
        std::ranges::sort(level.entries, {}, &FolderEntry::name);
        inputs_.folders_.push_back({std::move(name), parent});
        levels_.push_back(std::move(level));
        if (levels_.size() > kMostOpen) levels_[levels_.size() - 1 - kMostOpen].handle.reset();
    }

    // Whether files were found in a folder, or below it.
    bool holds_files(size_t folder) const {
        return std::ranges::any_of(inputs_.list_, [&](const InputFile& input) {
            size_t above = input.parent;
            while (above != kNoFolder && above != folder) above = inputs_.folders_[above].parent;
            return above == folder;
        });
    }

    static const dirent* next_of(DIR* folder) {
        errno = 0;
        return readdir(folder);
    }

    // Goes back to the folder above.
    void leave() {
        const OpenFolder left = std::move(levels_.back().handle);
        levels_.pop_back();
        if (levels_.empty() || levels_.back().handle != nullptr) return;
        Level& above = levels_.back();
        above.handle = open_folder(dirfd(left.get()), "..", 0);
        struct stat status;
        if (above.handle != nullptr && fstat(dirfd(above.handle.get()), &status) == 0) {
            if (above.identity == FileIdentity{status.st_dev, status.st_ino}) return;
            errno = ESTALE;  // the folder was moved during the walk
        }
        const Inputs::Folder& folder = inputs_.folders_[above.folder];
        cannot_list(folder.name, folder.parent);
        levels_.clear();
    }

    void cannot_list(std::string name, size_t parent) {
        inputs_.list_.push_back(
            {std::move(name), parent, std::string("cannot list: ") + std::strerror(errno), walk_, false});
    }

    Inputs& inputs_;
    const size_t walk_;
    std::vector<Level> levels_;
};

Inputs::Inputs(const std::vector<std::string>& names, const Exclusions* exclusions)
    : exclusions_(exclusions != nullptr && !exclusions->empty() ? exclusions : nullptr) {
    std::optional<Seen> seen;
    if (names.size() > 1) seen_ = &seen.emplace(names);
    for (const std::string& name : names) {
        if (name != "-" && is_folder(name)) {
            walks_.push_back(name);
            excluded_in_.push_back(0);
            repeats_.push_back(false);
            FolderWalk(*this, walks_.size() - 1).run(name);
        } else if (exclusions_ != nullptr && exclusions_->covers(name)) {
            ++excluded_;
        } else {
            list_.push_back({name, kNoFolder, {}, {}, false});
        }
    }
    if (seen) remove_repeated();
    exclusions_ = nullptr;
    seen_ = nullptr;
}

// A file that was named and found stays where it was found: there, others may belong to it.
void Inputs::remove_repeated() {
    std::erase_if(list_, [&](const InputFile& input) {
        return !input.walk && input.name != "-" && !seen_->is_first(input.name);
    });
}

Inputs::Inputs(std::vector<ManifestEntry> entries, std::string fetched)
    : entries_(std::move(entries)), fetched_(std::move(fetched)) {
    list_.reserve(entries_.size());
    for (ManifestEntry& entry : entries_) list_.push_back({std::move(entry.path), kNoFolder, {}, {}, false});
}

std::string Inputs::path_of(const InputFile& input) const {
    std::vector<const std::string*> names{&input.name};
    size_t length = input.name.size();
    for (size_t folder = input.parent; folder != kNoFolder; folder = folders_[folder].parent) {
        names.push_back(&folders_[folder].name);
        length += names.back()->size() + 1;
    }
    std::string path;
    path.reserve(length);
    for (size_t i = names.size(); i-- > 0;) {
        if (!path.empty() && path.back() != '/') path += '/';
        path += *names[i];
    }
    return path;
}

std::string Inputs::place_of(const InputFile& input) const {
    if (fetched_.empty() || input.name.find("://") == input.name.npos) return path_of(input);
    return fetched_ + '/' + std::to_string(entry_of(input)->number);
}

std::string Inputs::fetch_failure(const InputFile& input) const {
    const std::string place = place_of(input);
    if (place == input.name) return {};
    constexpr size_t kMost = 1000;
    const std::unique_ptr<Source> source = open_regular_file(place + ".failure");
    std::string text(kMost, '\0');
    text.resize(source->read(reinterpret_cast<uint8_t*>(text.data()), kMost));
    return text.substr(0, text.find('\n'));
}

uint64_t Inputs::total_size() const {
    uint64_t total = 0;
    for (const InputFile& input : list_) {
        const std::string place = place_of(input);
        struct stat status;
        const bool is_read = place == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(place.c_str(), &status) == 0;
        if (!is_read || !S_ISREG(status.st_mode)) return 0;
        total += static_cast<uint64_t>(status.st_size);
    }
    return total;
}

std::unique_ptr<Source> Inputs::open(const InputFile& input) const {
    const std::string path = place_of(input);
    return input.walk && !input.is_named ? open_regular_file(path) : open_input(path);
}

namespace {

std::optional<FileIdentity> identity_of(const struct stat& status) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

std::optional<FileIdentity> regular_file(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? identity_of(status) : std::nullopt;
}

std::optional<FileIdentity> regular_file(const std::string& path) {
    if (path == "-") return regular_file(STDIN_FILENO);
    struct stat status;
    return stat(path.c_str(), &status) == 0 ? identity_of(status) : std::nullopt;
}

}  // namespace tracelint
