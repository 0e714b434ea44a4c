// The oracles, each a small function.
#include "fuzz/oracles.hpp"

#include "fuzz/chunked_source.hpp"
#include "fuzz/findings.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/library/state.hpp"

namespace tracelint {
namespace {

bool is_among(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_fault(const Diagnostic& diagnostic) { return severity_of(diagnostic) != Severity::note; }

Findings faults_of(const Outcome& outcome) { return findings_of(outcome, is_fault); }

std::string at_seed(const GenerateOptions& options) { return "seed " + std::to_string(options.seed) + ": "; }

std::string difference(std::string_view what, const Findings& first, const Findings& second) {
    return std::string(what) + ": " + text_of(first) + "\nbut otherwise: " + text_of(second);
}

bool same_values(const RecordValues& a, const RecordValues& b) {
    const auto same = [](const Value& x, const Value& y) {
        return x.leaf.kind == y.leaf.kind && x.leaf.field == y.leaf.field && x.leaf.element == y.leaf.element &&
               (x.is_text() ? x.text == y.text : x.leaf.number == y.leaf.number);
    };
    return a.record == b.record && std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same);
}

// Generated files are to be recognised. A format that is not in the list never is, so it is forced.
const Format* forced_format(const Generator& generator) {
    return std::ranges::find(formats(), generator.format) == formats().end() ? generator.format : nullptr;
}

Complaint is_clean(const Generator& generator, const std::string& generated, const GenerateOptions& options) {
    const Findings faults = faults_of(check_all({as_bytes(generated), forced_format(generator)}));
    if (faults.empty()) return std::nullopt;
    return at_seed(options) + "the generated file has " + text_of(faults);
}

// The offset of the first record that a cut at `cut` truncates, or that the framer does not recognise.
uint64_t end_of_whole_records(const Format& format, Bytes file, uint64_t cut) {
    const std::unique_ptr<Framer> framer = format.framer({});
    uint64_t offset = 0;
    while (offset < file.size()) {
        const Framer::Frame frame = framer->next_of_all(file.subspan(offset));
        if (frame.record == nullptr || frame.length == 0 || saturating_add(offset, frame.length) > cut) break;
        if (frame.needs != 0) break;  // its length is not known yet
        offset += frame.length;
    }
    return offset;
}

}  // namespace

Complaint never_crash(const Input& input) {
    const Outcome outcome = check_all(input);
    // A container of no known format is not read to its end: one window is filled, and the opening looked at.
    const uint64_t checked = outcome.size.value_or(kDetectionBytes);
    const uint64_t bytes = std::max<uint64_t>(input.bytes.size(), outcome.size.value_or(kWindow));
    const uint64_t work = outcome.context.work.total();
    if (work > kWorkPerByte * bytes + kWorkAtLeast)
        return std::to_string(work) + " units of work for " + std::to_string(bytes) + " bytes";
    const uint64_t most = inflated_at_most(input.bytes.size(), kLargestZstdRatio);
    for (const uint64_t inflated : {outcome.size.value_or(0), outcome.context.inflated})
        if (inflated > std::max<uint64_t>(most, input.bytes.size()))
            return std::to_string(inflated) + " bytes decompressed of " + std::to_string(input.bytes.size());
    if (!outcome.context.budget.is_whole()) return "the memory returned to the budget is not the memory taken from it";
    for (const Diagnostic& d : outcome.report().diagnostics()) {
        const uint64_t size = d.rule->of_container ? input.bytes.size() : checked;
        const bool related_fits = d.related_offset == kNone || is_inside(d.related_offset, d.related_length, size);
        if (!is_inside(d.place.offset, d.place.length, size) || !related_fits)
            return text_of(finding_of(d)) + " is outside the file of " + std::to_string(size) + " bytes";
        if (message_of(d).empty()) return text_of(finding_of(d)) + " has no message";
        (void)field_path(d.place);
    }
    return std::nullopt;
}

namespace {

constexpr Limits kNoLimits{.record = kNone, .memory = kNone};

bool is_about_limit(std::string_view rule) { return rule.ends_with("/tracking-limit"); }

std::string text_of(const Limits& limits) {
    return std::to_string(limits.memory) + " bytes of memory, records of " + std::to_string(limits.record);
}

// The findings of an outcome, kept or not, but for the notes about limits.
uint64_t findings_in(const Outcome& outcome) {
    uint64_t all = 0;
    for (const auto& [rule, count] : outcome.report().counts())
        if (!is_about_limit(rule)) all += count;
    return all;
}

// What is wrong with findings that are counted, but not listed for lack of memory.
std::string unlisted(const Outcome& less) {
    const std::map<std::string_view, uint64_t> not_kept = less.report().not_kept();
    if (not_kept.empty()) return {};
    for (const Rule* rule : input_rules())
        if (not_kept.contains(rule->id)) return "not listed: " + std::string(rule->id);
    if (less.context.limit_hit && less.report().count(kInputTrackingLimit) == 1) return {};
    return "not listed, without a word: " + std::to_string(not_kept.begin()->second) + " of " +
           std::string(not_kept.begin()->first);
}

// Chooses limits that are low enough to matter for an input that was checked without any, or leaves some as they are.
void lower(Limits& limits, Random& random, const Outcome& unlimited) {
    if (!one_in(random, 4)) {
        const uint64_t taken = unlimited.context.budget.most_taken();
        limits.memory = below(random, one_in(random, 2) ? taken + 1 : std::min<uint64_t>(taken, 4096) + 1);
    }
    const uint64_t size = unlimited.size.value_or(kDetectionBytes);
    if (!one_in(random, 4)) limits.record = below(random, pick(random, {uint64_t{64}, uint64_t{512}, size + 1}));
}

// How `less`, a check within limits, contradicts `all`, a check without.
std::string contradiction(const Outcome& all, const Outcome& less) {
    const auto of_file = [](const Diagnostic& d) { return !is_about_limit(d.rule->id); };
    const Findings expected = findings_of(all, of_file), found = findings_of(less, of_file);
    Findings made_up;
    std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                        std::inserter(made_up, made_up.end()));
    if (!made_up.empty()) return "made up: " + text_of(made_up);
    if (std::string wrong = unlisted(less); !wrong.empty()) return wrong;
    if (less.size && less.size != all.size) return "the size is " + std::to_string(*less.size);
    const bool names_limit =
        std::ranges::any_of(less.report().counts(), is_about_limit, [](const auto& count) { return count.first; });
    if (names_limit && !less.context.limit_hit) return "a limit is named, but the outcome says that none was hit";
    if (findings_in(less) == findings_in(all) || (names_limit && less.context.limit_hit)) return {};
    return "missing without a word: " + difference("found", found, expected);
}

}  // namespace

Complaint within_limits(const Input& input, uint64_t seed) {
    Input limited = input;
    limited.kept_per_rule = 0;
    limited.limits = kNoLimits;
    const Outcome all = check_all(limited);
    Random random(seed);
    lower(limited.limits, random, all);
    ChunkedSource source(input.bytes, {.seed = random(), .seekable = one_in(random, 2)});
    const Outcome less = one_in(random, 2) ? check_all(limited) : check_source(source, limited);
    if (!all.report().not_kept().empty()) return std::nullopt;
    const std::string wrong = contradiction(all, less);
    if (wrong.empty()) return std::nullopt;
    return "within " + text_of(limited.limits) + " (seed " + std::to_string(seed) + "), " + wrong;
}

Complaint chunks_agree(const Input& unlimited, uint64_t seed) {
    Random random(seed);
    Input input = unlimited;
    Outcome at_once = check_all(input);
    if (one_in(random, 2)) {
        lower(input.limits, random, at_once);
        at_once = check_all(input);
    }
    Chunking chunking;
    chunking.seekable = one_in(random, 2);
    switch (below(random, 3)) {
        case 0: chunking.seed = random() | 1; break;
        case 1: chunking.sizes = {between(random, 1, 64), between(random, 1, 300)}; break;
        default: chunking.short_at = below(random, input.bytes.size() + 1);
    }
    ChunkedSource source(input.bytes, chunking);
    const Outcome in_pieces = check_source(source, input);
    if (!in_pieces.size) at_once.size.reset();  // what cannot seek is not read for its size
    const std::string whole = transcript(at_once), pieces = transcript(in_pieces);
    if (pieces == whole) return std::nullopt;
    return "with " + text_of(input.limits) + ", in one piece: " + whole + "\nin pieces (seed " + std::to_string(seed) +
           "): " + pieces;
}

namespace {

// Feeds every piece, including those after the result is decided.
Outcome fed(const Input& input, size_t queue, std::vector<size_t> sizes) {
    PushedCheck check(options_of(input), queue);
    size_t turn = 0;
    for (Bytes rest = input.bytes; !rest.empty(); ++turn) {
        const size_t size = std::min(rest.size(), sizes[turn % sizes.size()]);
        (void)check.feed(rest.first(size));
        rest = rest.subspan(size);
    }
    return check.finish();
}

// The transcript of a walk that ends early has a size or not: whether it met the end depends on the pieces.
std::string without_size(std::string text) {
    const size_t from = text.find(", "), to = text.find(", version ");
    return text.erase(from, to - from);
}

// Checks the pieces with the public session, whose queue has a fixed size.
Result fed_to_session(const Input& input, Bytes bytes, const std::vector<size_t>& sizes) {
    Options options;
    if (input.format != nullptr) options.format = input.format->id;
    options.kept_per_rule = input.kept_per_rule;
    options.limits = input.limits;
    for (const Option* option : all_options())
        options.settings.push_back(
            {std::string(option->name), std::string(option->choices[input.settings.of(*option)])});
    Session session(options);
    size_t turn = 0;
    for (Bytes rest = bytes; !rest.empty(); ++turn) {
        const size_t size = std::min(rest.size(), sizes[turn % sizes.size()]);
        session.feed(rest.first(size));
        rest = rest.subspan(size);
    }
    return session.finish();
}

// A session, which now and then gets so much behind the input that it has a thread.
Complaint session_agrees(const Input& input, Random& random, std::vector<size_t> sizes) {
    if (input.format != nullptr && find_format(input.format->id) != input.format) return std::nullopt;
    std::string bytes(as_text(input.bytes));
    if (one_in(random, 8)) {
        bytes.resize(bytes.size() + Session::kCollected + below(random, Session::kCollected));
        for (size_t& size : sizes) size *= 64;
    }
    ChunkedSource pipe(as_bytes(bytes), {.seekable = false});
    const std::string pulled = without_size(transcript(check_source(pipe, input)));
    const Result result = fed_to_session(input, as_bytes(bytes), sizes);
    if (result.state() == nullptr) return "a session has no result: " + std::string(result.failure_text());
    const std::string pushed = without_size(transcript(result.state()->outcome));
    if (pushed == pulled) return std::nullopt;
    return "read from a pipe: " + pulled + "\nfed to a session: " + pushed;
}

}  // namespace

Complaint pushes_agree(const Input& input, uint64_t seed) {
    ChunkedSource pipe(input.bytes, {.seekable = false});
    const Outcome from_pipe = check_source(pipe, input);
    Random random(seed);
    // Every byte handed over by itself takes its time.
    const size_t least = input.bytes.size() / 256 + 1;
    const size_t queue = between(random, least, pick(random, {least, 64 * least, 2 * input.bytes.size() + 1}));
    std::vector<size_t> sizes;
    for (uint64_t left = between(random, 1, 8); left > 0; --left)
        sizes.push_back(between(random, left == 1 ? least : 0, 64 * least));
    std::string pulled = transcript(from_pipe), pushed = transcript(fed(input, queue, sizes));
    if (!from_pipe.size) pulled = without_size(pulled), pushed = without_size(pushed);
    if (pushed == pulled) return session_agrees(input, random, sizes);
    return "read from a pipe: " + pulled + "\nfed (seed " + std::to_string(seed) + "): " + pushed;
}

Complaint fast_equals_plain(const Input& input) {
#ifdef TRACELINT_AGREEMENT
    (void)check_all(input);
    return std::nullopt;
#else
    (void)input;
    return "nothing is compared in a build without TRACELINT_AGREEMENT";
#endif
}

Complaint round_trip(const Format& format, Bytes file) {
    const FileRecords parts = decode_file(format, file);
    const std::string again = bytes_of(parts);
    if (again == as_text(file)) return std::nullopt;
    const auto differ = std::mismatch(again.begin(), again.end(), as_text(file).begin(), as_text(file).end());
    return "the encoded bytes differ at " + hex(static_cast<uint64_t>(differ.first - again.begin()));
}

Complaint generated_is_clean(const Generator& generator, const GenerateOptions& options) {
    const FileRecords file = generate(generator, options);
    return is_clean(generator, bytes_of(file), options);
}

Complaint generated_is_sound(const Generator& generator, const GenerateOptions& options) {
    const FileRecords file = generate(generator, options);
    const std::string bytes = bytes_of(file);
    if (const Complaint complaint = is_clean(generator, bytes, options)) return complaint;
    const FileRecords again = decode_file(*generator.format, as_bytes(bytes));
    if (again.size() != file.size())
        return at_seed(options) + std::to_string(file.size()) + " records were generated, " +
               std::to_string(again.size()) + " decoded";
    for (size_t i = 0; i < file.size(); ++i)
        if (!same_values(file[i], again[i]))
            return at_seed(options) + "record " + std::to_string(i) + " decodes to other values than were generated";
    return std::nullopt;
}

namespace {

// The planted fault must be reported, and otherwise only its declared consequences.
Complaint is_found(const Format& format, const PlantedFile& broken) {
    const Findings faults = faults_of(check_all({as_bytes(broken.bytes), &format}));
    Findings unexpected;
    bool found = false;
    for (const Violation& finding : faults) {
        if (finding == Violation{broken.offset, broken.rule->id, broken.length})
            found = true;
        else if (!is_among(broken.consequences, finding.rule))
            unexpected.insert(finding);
    }
    if (found && unexpected.empty()) return std::nullopt;
    return "planted " + text_of(Violation{broken.offset, broken.rule->id, broken.length}) + ", found " +
           text_of(faults);
}

}  // namespace

Complaint planted_fault(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options,
                        bool* fitted) {
    const std::optional<PlantedFile> broken = plant(generator, fault, options);
    if (fitted != nullptr) *fitted = broken.has_value();
    if (!broken) return std::nullopt;
    const Complaint complaint = is_found(*generator.format, *broken);
    return complaint ? Complaint(at_seed(options) + *complaint) : std::nullopt;
}

Complaint planted_fault(const Format& format, const PlantedFault& fault, Bytes file, uint64_t seed, bool* fitted) {
    FileRecords parts = decode_file(format, file);
    reset_leb_lengths(parts);
    const std::optional<PlantedFile> broken = plant(fault, std::move(parts), seed);
    if (fitted != nullptr) *fitted = broken.has_value();
    return broken ? is_found(format, *broken) : std::nullopt;
}

Complaint mirrored(const Generator& generator, GenerateOptions options) {
    if (!generator.format->both_byte_orders) return std::nullopt;
    const auto all_of = [&](ByteOrder order) {
        options.model.byte_order = order;
        const FileRecords file = generate(generator, options);
        const std::string bytes = bytes_of(file);
        return findings_of(check_all({as_bytes(bytes), forced_format(generator)}),
                           [](const Diagnostic&) { return true; });
    };
    const Findings little = all_of(ByteOrder::little), big = all_of(ByteOrder::big);
    if (little == big) return std::nullopt;
    return at_seed(options) + difference("the little-endian file has", little, big);
}

Complaint mirrored_file(const Format& format, Bytes file) {
    if (!format.both_byte_orders) return std::nullopt;
    const auto comparable = [](const Diagnostic& d) { return !d.rule->depends_on.byte_order; };
    const Outcome outcome = check_all({file, &format});
    const bool is_clean = outcome.report().count(Severity::error) == 0;
    if (!is_clean || !faults_of(outcome).empty()) return std::nullopt;
    FileRecords parts = decode_file(format, file);
    for (const RecordValues& record : parts) {
        // Numbers in opaque bytes cannot be mirrored.
        for (const Value& value : record.values)
            if (value.leaf.field == nullptr || value.leaf.field->holds_numbers) return std::nullopt;
    }
    for (RecordValues& record : parts) record.layout.order = opposite(record.layout.order);
    const std::string bytes = bytes_of(parts);
    const Findings first = findings_of(outcome, comparable);
    const Findings second = findings_of(check_all({as_bytes(bytes), &format}), comparable);
    if (first == second) return std::nullopt;
    return difference("the original has", first, second);
}

Complaint prefix(const Format& format, Bytes file, uint64_t cut) {
    const Bytes start = file.first(std::min<uint64_t>(cut, file.size()));
    const Outcome whole = check_all({file, &format}), part = check_all({start, &format});
    // The framer would read the compressed bytes, but findings are about the decompressed ones.
    if (whole.container != Container::none || part.container != Container::none) return std::nullopt;
    // Truncation may change how the last record is read: a line of text and a call chain can be the same bytes.
    uint64_t end =
        std::min(end_of_whole_records(format, start, start.size()), end_of_whole_records(format, file, start.size()));
    for (const Outcome* outcome : {&whole, &part})
        for (const Diagnostic& d : outcome->report().diagnostics())
            if (d.rule->depends_on.resynchronisation) end = std::min(end, d.place.offset);
    const auto of_size = [](const Diagnostic& d) { return d.rule->depends_on.file_size; };
    if (!findings_of(whole, of_size).empty() || !findings_of(part, of_size).empty()) return std::nullopt;
    // A record in a stream may end in a part after the cut; its findings are placed at its first part.
    const auto is_in_stream = [](const Place& place) {
        return place.record != nullptr && place.field == nullptr &&
               std::ranges::any_of(place.record->fields(), &Field::is_streamed);
    };
    const auto kept = [&](const Diagnostic& d) {
        return d.place.offset + d.place.length <= end && d.place.offset < end && !d.about_end && !d.rule->about_end &&
               !d.rule->depends_on.later_records && !is_in_stream(d.place);
    };
    const Findings before = findings_of(whole, kept), after = findings_of(part, kept);
    if (before == after) return std::nullopt;
    return difference("before the cut at " + hex(cut) + ", the whole file has", before, after);
}

Complaint growing(const Format& format, Bytes file, uint64_t cut) {
    MemorySource source(file.first(std::min<uint64_t>(cut, file.size())));
    CheckOptions options;
    options.is_growing = [] { return true; };
    const Outcome outcome = check(source, options);
    if (outcome.format != nullptr && outcome.format != &format) return std::nullopt;  // not recognised so far
    const Findings faults = faults_of(outcome);
    if (faults.empty() || !faults_of(check_all({file, &format})).empty()) return std::nullopt;
    return difference("growing, cut at " + hex(cut) + ", the whole file has", Findings{}, faults);
}

}  // namespace tracelint
