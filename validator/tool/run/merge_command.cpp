// The command merge: reads the parts side by side, in the order of the manifest, and passes their files to the writers.
// Memory grows with the number of parts and of rules, not of files.
#include <fmt/core.h>

#include <algorithm>
#include <queue>

#include "validator/tool/fleet/part.hpp"
#include "validator/tool/fleet/rebuild.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/outputs.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostNamed = 10;  // shards that are missing, in a message

void complain_of(const std::string& path, const std::string& message) {
    complain(fmt::format("{} {}", printable(path), message));
}

// "3, 7-9 and 12 more"
std::string named(const std::vector<uint64_t>& shards) {
    std::string text;
    size_t ranges = 0;
    for (size_t i = 0; i < shards.size();) {
        if (ranges++ == kMostNamed) return text + fmt::format(" and {} more", shards.size() - i);
        size_t last = i;
        while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", shards[i]);
        if (last != i) text += fmt::format("-{}", shards[last]);
        i = last + 1;
    }
    return text;
}

class Merging {
  public:
    explicit Merging(const MergeLine& line) : line_(line) {}

    // Reads the heads of the parts. Reports those that do not fit together.
    ExitStatus open() {
        std::vector<std::string> paths = line_.parts;
        if (const ExitStatus failed = add_listed(line_.lists, paths); failed != kClean) return failed;
        if (paths.empty()) return kUnreadable;  // the lists that name none are reported
        ExitStatus status = kClean;
        for (const std::string& path : paths) {
            try {
                parts_.emplace_back(path);
            } catch (const PartFault& fault) {
                complain_of(path, fault.message);
                status = kUnreadable;
            }
        }
        if (!parts_.empty()) {
            for (const ExitStatus found : {of_one_run(), every_shard_once(), of_expected_manifest()})
                status = worse(status, found);
        }
        return status;
    }

    ExitStatus run() {
        Outputs outputs;
        if (overwrites_input()) return kUsage;
        const auto make = [](const WriterKind& kind, Sink& sink, const WriterOptions& options) {
            return kind.name == "text" ? make_overview_writer(sink, options) : kind.make(sink, options);
        };
        if (const ExitStatus failed = outputs.open(line_.reporting, Outputs::Use::shard, make); failed != kClean)
            return failed;
        outputs.begin();
        Summary summary;
        ExitStatus status = kClean;
        try {
            merge([&](const Checked& checked) {
                status = worse(status, tally(checked, line_.reporting.fail_on, summary));
                outputs.file(checked);
                return !outputs.all_failed();
            });
            if (!outputs.all_failed()) require_sums(summary);
        } catch (const PartFault& fault) {
            complain(fault.message);
            return kUnreadable;  // and no output gets its name
        }
        summary.part = &merged_;
        return outputs.finish(summary, status);
    }

  private:
    // An output must not overwrite what is read; that is reported.
    bool overwrites_input() const {
        for (const Output& output : line_.reporting.outputs) {
            const auto file = output.file.empty() ? std::nullopt : regular_file(output.file);
            if (!file) continue;
            const auto is_output = [&](const std::string& path) { return regular_file(path) == file; };
            const bool is_part = std::ranges::any_of(parts_, is_output, &PartReader::path);
            if (!is_part && std::ranges::none_of(line_.lists.names, is_output)) continue;
            complain(fmt::format("--output: {} is {}", printable(output.file),
                                 is_part ? "a part that is merged" : "a list of parts"));
            return true;
        }
        return false;
    }

    ExitStatus of_one_run() const {
        ExitStatus status = kClean;
        for (const PartReader& part : parts_) {
            const std::string what = difference(part.end(), parts_.front().end());
            if (what.empty()) continue;
            complain_of(part.path(), what + ' ' + printable(parts_.front().path()));
            status = kUnreadable;
        }
        return status;
    }

    ExitStatus every_shard_once() {
        const PartSummary& first = parts_.front().end().part;
        std::vector<const PartReader*> owners(first.shard_count);
        ExitStatus status = kClean;
        for (const PartReader& part : parts_)
            for (const uint64_t shard : part.end().part.shards) {
                if (shard > owners.size()) continue;  // of another number of shards, which is reported
                const PartReader*& owner = owners[shard - 1];
                if (owner != nullptr) {
                    complain_of(part.path(),
                                fmt::format("has shard {}, which {} also has", shard, printable(owner->path())));
                    status = kUnreadable;
                }
                owner = &part;
            }
        std::vector<uint64_t> missing;
        for (size_t i = 0; i < owners.size(); ++i)
            if (owners[i] == nullptr)
                missing.push_back(i + 1);
            else
                merged_.shards.push_back(i + 1);
        if (!missing.empty() && !line_.partial) {
            complain(fmt::format("{} of {} missing: {}; --partial merges the others", counted(missing.size(), "shard"),
                                 owners.size(), named(missing)));
            status = kUnreadable;
        }
        merged_.manifest = first.manifest;
        merged_.entries = first.entries;
        merged_.options = first.options;
        merged_.shard_count = first.shard_count;
        // All shards of a manifest are the one shard of an undivided one.
        if (missing.empty()) {
            merged_.shard_count = 1;
            merged_.shards = {1};
        }
        return status;
    }

    ExitStatus of_expected_manifest() const {
        if (line_.expected_manifest.empty()) return kClean;
        const std::unique_ptr<Source> source = open_file(line_.expected_manifest);
        Blake2 hashing;
        std::string buffer(size_t{256} << 10, '\0');
        while (const size_t got = source->read(reinterpret_cast<uint8_t*>(buffer.data()), buffer.size()))
            hashing.take(std::string_view(buffer).substr(0, got));
        if (!source->failure().empty()) {
            complain(fmt::format("--expect-manifest: {}: {}", printable(line_.expected_manifest), source->failure()));
            return kUnreadable;
        }
        const std::string hash = hashing.finish();
        ExitStatus status = kClean;
        for (const PartReader& part : parts_) {
            if (part.end().part.manifest == hash) continue;
            complain_of(part.path(), "is from another manifest than " + printable(line_.expected_manifest));
            status = kUnreadable;
        }
        return status;
    }

    struct Next {
        uint64_t entry;
        size_t part;
        bool operator>(const Next& other) const { return entry > other.entry; }
    };

    // Calls `take` for each file in the order of the manifest, until it returns false.
    template <class Take>
    void merge(Take take) {
        std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
        for (size_t i = 0; i < parts_.size(); ++i) push_next(i, queue);
        uint64_t before = 0;
        while (!queue.empty()) {
            const Next next = queue.top();
            queue.pop();
            if (next.entry == before)
                throw PartFault{fmt::format("{} has entry {}, which another part also has",
                                            printable(parts_[next.part].path()), next.entry)};
            before = next.entry;
            if (!take_file(parts_[next.part], take)) return;
            push_next(next.part, queue);
        }
    }

    template <class Queue>
    void push_next(size_t part, Queue& queue) {
        guarded(parts_[part], [&] {
            if (const auto entry = parts_[part].next_entry()) queue.push({*entry, part});
        });
    }

    template <class Take>
    bool take_file(PartReader& part, Take take) {
        bool continues = true;
        guarded(part, [&] {
            const std::string lines = part.take_lines();
            const RebuiltFile file = rebuilder_.file(lines);
            const PartSummary& own = part.end().part;
            if (!std::ranges::binary_search(own.shards, shard_of(file.path, own.shard_count)))
                throw PartFault{fmt::format("has entry {}, whose path belongs to another shard", file.entry.number)};
            const Checked checked{
                .path = file.path, .outcome = *file.outcome, .entry = &file.entry, .lines = lines, .texts = file.texts};
            merged_.sums.add(checked);
            continues = take(checked);
        });
        return continues;
    }

    // Names the part in what it throws.
    template <class Action>
    static void guarded(const PartReader& part, Action action) {
        try {
            action();
        } catch (PartFault& fault) {
            throw PartFault{printable(part.path()) + ' ' + fault.message};
        }
    }

    // What the parts say of themselves must be what they hold.
    void require_sums(const Summary& summary) {
        Sums sums;
        uint64_t files = 0;
        for (const PartReader& part : parts_) {
            sums.add(part.end().part.sums);
            files += part.end().files;
            merged_.left_out += part.end().part.left_out;
        }
        if (sums != merged_.sums || files != summary.files)
            throw PartFault{"the parts do not match their last lines; one has lost lines, or was changed"};
        const bool is_complete = merged_.shards.size() == merged_.shard_count;
        if (is_complete && summary.files + merged_.left_out != merged_.entries)
            throw PartFault{fmt::format("the parts have {} of {} in the manifest", counted(summary.files, "file"),
                                        merged_.entries - std::min(merged_.left_out, merged_.entries))};
    }

    const MergeLine& line_;
    const Rebuilder rebuilder_;
    std::vector<PartReader> parts_;
    PartSummary merged_;
};

}  // namespace

ExitStatus run_merge(const MergeLine& line) {
    Merging merging(line);
    if (const ExitStatus failed = merging.open(); failed != kClean) return failed;
    const ExitStatus status = merging.run();
    return line.reporting.exit_zero ? without_findings(status) : status;
}

}  // namespace tracelint
