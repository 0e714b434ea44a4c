// gperftools: the model of a profile, with its text.
#include "grammars/gperftools/generator/model.hpp"

#include <array>
#include <charconv>

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/gperftools/generator/faults.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::gperftools {

// The texts of generated profiles.

namespace {

constexpr uint64_t kPage = 4096;
constexpr size_t kPathColumn = 73;    // the column of paths printed by the kernel
constexpr size_t kInodeColumns = 11;  // the width of inodes printed by gperftools

constexpr std::string_view kPaths[] = {
    "/usr/bin/program",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/jvm/lib/server/libjvm.so",
    "/home/me/my program",
    "/opt/app/plugin.so (deleted)",
    "",
    "[heap]",
    "[stack]",
    "[vdso]",
    "//anon",
    "anon_inode:[perf_event]",
    "C:\\Windows\\System32\\ntdll.dll",
    "/srv/\xc3\xbc/lib.so",
};
constexpr std::string_view kOtherLines[] = {
    "\n", "   \n", "# mapped objects\n", "MAPPED_LIBRARIES:\n", "some text, nothing else\n",
};

// The number in hexadecimal, with at least `width` digits.
std::string hex_digits(uint64_t value, size_t width = 1) {
    std::array<char, 16> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const auto length = static_cast<size_t>(end - digits.data());
    return std::string(saturating_sub(width, length), '0').append(digits.data(), length);
}

// The text, followed by blanks up to `width` characters.
std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string line_of(const MappedObject& mapping, LineStyle style) {
    if (style == LineStyle::cooked)
        return "  " + hex_digits(mapping.start) + '-' + hex_digits(mapping.end) + ": " + mapping.path + '\n';
    const std::string front = hex_digits(mapping.start, 8) + '-' + hex_digits(mapping.end, 8) + ' ' +
                              mapping.permissions + ' ' + hex_digits(mapping.file_offset, 8);
    const std::string inode = std::to_string(mapping.inode);
    std::string line;
    switch (style) {
        case LineStyle::verbatim:
            line = front + " 08:01 " + inode + ' ';
            if (!mapping.path.empty()) line = padded(std::move(line), kPathColumn);
            break;
        case LineStyle::of_2_16: line = front + " 00:00 " + padded(inode, kInodeColumns); break;
        case LineStyle::until_2_15: line = front + " 00:00 " + padded(inode, kInodeColumns) + ' '; break;
        default: line = front + " 00:00 " + inode + ' '; break;
    }
    return line + mapping.path + '\n';
}

}  // namespace

std::vector<MappedObject> draw_mappings(Random& random, const Layout& layout) {
    std::vector<MappedObject> mappings;
    const uint64_t lowest = layout.word_size == 4 ? 0x08048000 : pick<uint64_t>(random, {0x400000, 0x555555554000});
    const uint64_t libraries = layout.word_size == 4 ? 0xf7c00000 : 0x7f1c2d3c0000;
    uint64_t next = lowest;
    for (uint64_t left = between(random, 1, 8); left > 0; --left) {
        MappedObject mapping;
        if (one_in(random, 4)) next = std::max(next, libraries);
        mapping.start = next + kPage * below(random, 16);
        mapping.end = mapping.start + kPage * between(random, 1, 64);
        mapping.permissions = pick<std::string>(random, {"r-xp", "r-xp", "r--p", "rw-p", "--xp", "rwx-"});
        mapping.file_offset = one_in(random, 2) ? kPage * below(random, 100) : 0;
        mapping.inode = one_in(random, 4) ? 0 : between(random, 1, 9'999'999);
        mapping.path = pick_of(random, kPaths);
        next = mapping.end;
        mappings.push_back(std::move(mapping));
    }
    mappings[below(random, mappings.size())].permissions = "r-xp";
    return mappings;
}

std::vector<std::string> lines_of(const std::vector<MappedObject>& mappings, LineStyle style, bool build,
                                  Random& random) {
    std::vector<std::string> lines;
    if (build) lines.push_back(pick<std::string>(random, {"build=/home/me/build\n", "  build=/x\n", "build=\n"}));
    for (MappedObject mapping : mappings) {
        if (build && one_in(random, 2)) mapping.path = pick<std::string>(random, {"$build/bin/program", "/a/$build"});
        lines.push_back(line_of(mapping, style));
        if (one_in(random, 12)) lines.emplace_back(pick_of(random, kOtherLines));
    }
    return lines;
}

std::vector<std::string> location_lines(const std::vector<uint64_t>& ids, Random& random) {
    std::vector<std::string> lines;
    if (!one_in(random, 8)) lines.emplace_back("\n");
    for (const uint64_t id : ids) {
        const char* rest =
            pick(random, {"com.example.Main.run (Main.java:42)", "GC", "VM", "java.lang.Object.wait (:-1)",
                          "memcpy (/usr/lib/libc.so.6)", "generated stub/JIT"});
        const size_t digits = pick<size_t>(random, {1, 8, 16});
        const auto indent = pick<std::string>(random, {"", " ", "\t"});
        const auto gap = pick<std::string>(random, {" ", "\t", "  "});
        lines.push_back(indent + "0x" + hex_digits(id, digits) + gap + rest + '\n');
    }
    if (one_in(random, 6)) lines.emplace_back("a line that says nothing\n");
    return lines;
}

// The model of profiles: samples whose stacks are in mapped objects, or ids of Java frames.

namespace {

class ProfileModel final : public PlannedModel {
  public:
    ProfileModel(Random& random, const ModelOptions& options) : PlannedModel(random) {
        layout_ = pick_of(random, kLayouts);
        if (options.byte_order) layout_.order = *options.byte_order;
        is_java_ = one_in(random, 5);
        is_wrapped_ = !is_java_ && one_in(random, 6);
        is_reduced_ = is_wrapped_ && one_in(random, 2);
        mappings_ = draw_mappings(random, layout_);
    }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written == 0) return plan_opening();
        if (!is_ended_) written < wanted ? plan_record() : plan_end();
    }

    void add(PlannedRecord record) { waiting_.push_back(std::move(record)); }

    void plan_opening() {
        if (is_wrapped_) {
            std::string text = "--- symbol\n";
            if (one_in(random_, 2)) text += "binary=/usr/bin/program\n";
            for (uint64_t left = below(random_, 4); left > 0; --left) text += "0x0000000000401136 main--inlined\n";
            add(PlannedRecord(kWrapper).bytes("text", text + "---\n--- profile\n"));
        }
        const uint64_t period =
            is_reduced_ ? 1 : pick<uint64_t>(random_, {10'000, 10'000, 250, 1000, 142'857, 999'999, 1});
        add(PlannedRecord(kHeader)
                .with("header_count", 0)
                .with("header_words", kKnownWords)
                .with("format_version", is_java_ ? kJavaVersion : kNativeVersion)
                .with("period", period)
                .with("padding", 0));
    }

    void plan_record() {
        std::vector<uint64_t> chain;
        if (!chains_.empty() && one_in(random_, 6)) {
            chain = pick_of(random_, chains_);  // evicted before, or written by an earlier flush
        } else {
            for (uint64_t left = draw_depth(); left > 0; --left) chain.push_back(draw_pc(chain.empty()));
            if (chains_.size() < 20) chains_.push_back(chain);
        }
        PlannedRecord record(kRecord, {{"sample_count", draw_count()}, {"num_pcs", chain.size()}});
        record.size("call_chain", chain.size());
        for (size_t i = 0; i < chain.size(); ++i) record.with("pc", chain[i], i);
        add(std::move(record));
    }

    uint64_t draw_depth() {
        if (one_in(random_, 40)) return pick<uint64_t>(random_, {64, 253, 254, 255});
        return between(random_, 1, one_in(random_, 4) ? 20 : 6);
    }

    uint64_t draw_count() {
        if (is_java_ && one_in(random_, 8)) return 0;
        return one_in(random_, 50) ? between(random_, 1, 100'000) : between(random_, 1, 9);
    }

    uint64_t draw_pc(bool is_leaf) {
        if (is_java_) {
            ids_.push_back(between(random_, 1, 60));
            return ids_.back();
        }
        // Callers may be any number, as stacks are guessed. The sampled PC is real.
        if (!is_leaf && one_in(random_, 20)) return between(random_, 1, layout_.word_size == 4 ? 0xffffffff : kNone);
        const MappedObject* mapping = &pick_of(random_, mappings_);
        while (!mapping->is_executable()) mapping = &pick_of(random_, mappings_);
        const uint64_t first = mapping->start + (is_leaf ? 0 : 1);
        return first + below(random_, mapping->end - mapping->start);
    }

    void plan_end() {
        is_ended_ = true;
        if (is_reduced_) return;
        add(PlannedRecord(kTrailer, {{"sample_count", 0}, {"num_pcs", 1}, {"pc", 0}}));
        const auto style = static_cast<LineStyle>(below(random_, 5));
        const bool has_text = !is_wrapped_ || one_in(random_, 2);
        std::vector<std::string> lines;
        std::sort(ids_.begin(), ids_.end());
        if (!one_in(random_, 8)) ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
        if (is_java_)
            lines = location_lines(ids_, random_);
        else if (has_text)
            lines = lines_of(mappings_, style, one_in(random_, 4), random_);
        for (std::string& line : lines) add(PlannedRecord(kLine).bytes("text", std::move(line)));
    }

    bool is_java_ = false;
    bool is_wrapped_ = false;
    bool is_reduced_ = false;  // as google-pprof --raw writes it: nothing after the records
    bool is_ended_ = false;
    std::vector<MappedObject> mappings_;
    std::vector<uint64_t> ids_;  // of the Java frames so far
    std::vector<std::vector<uint64_t>> chains_;
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<ProfileModel>(random, options);
}

}  // namespace tracelint::gperftools

namespace tracelint {

// The generator of the format: its model and its faults.

namespace gperftools {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults,
    &faults::kRecordFaults,
    &faults::kTextFaults,
    &faults::kMappingFaults,
};

}  // namespace
}  // namespace gperftools

constinit const Generator kGperftoolsGenerator{
    .format = &kGperftools, .model = gperftools::make_model, .faults = gperftools::kFaults};

}  // namespace tracelint
