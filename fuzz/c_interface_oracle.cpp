// Random sequences of calls of the C interface.
#include "fuzz/c_interface_oracle.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/own_session_oracle.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>

namespace tracelint {
namespace {

Complaint expect(const char* call, tracelint_error got, tracelint_error deserved) {
    if (got == deserved) return {};
    return std::string(call) + " returned '" + tracelint_error_string(got) + "' instead of '" +
           tracelint_error_string(deserved) + "'; " + tracelint_error_detail();
}

// Options by number: right ones first.
constexpr uint8_t kRightOptions = 8;

// What the options point to.
struct Choices {
    const char* patterns[2] = {"jitdump/", "gperftools"};
    const char* unknown[2] = {"jitdump/", "no-rule"};
    const char* missing[1] = {nullptr};
    tracelint_choice severities[1] = {{"xray/", TRACELINT_OFF}};
    tracelint_choice no_severity[1] = {{"xray/", 17}};
    tracelint_setting settings[1] = {{"samply-260", "no such choice"}};
    const char* readers[2] = {"any", "perf"};
    tracelint_companion companions[2] = {{"perf-4.map", "1000 10 f\n", 10}, {"perf.data", "PERFILE2", 8}};
};

void expect_texts(void*, const tracelint_finding* finding) {
    const bool is_whole = finding->size == sizeof *finding && finding->rule != nullptr && *finding->message != 0;
    if (!is_whole || *tracelint_severity_string(finding->severity) == 0) std::abort();
}

// Sets the options of a number, and returns what they deserve.
tracelint_error set_options(uint8_t number, const Choices& of, tracelint_options& options) {
    switch (number) {
        case 0: return TRACELINT_OK;
        case 1: options.max_memory = 1; return TRACELINT_OK;
        case 2: options.max_per_rule = TRACELINT_UNLIMITED; return TRACELINT_OK;
        case 3:
            options.select = of.patterns;
            options.select_count = 2;
            options.severities = of.severities;
            options.severity_count = 1;
            return TRACELINT_OK;
        case 4: options.format = "jitdump"; return TRACELINT_OK;
        case 5:  // earlier versions have none of these
            if (options.size < sizeof options) return TRACELINT_OK;
            options.readers = of.readers;
            options.reader_count = 2;
            return TRACELINT_OK;
        case 6:
            if (options.size < sizeof options) return TRACELINT_OK;
            options.companions = of.companions;
            options.companion_count = 2;
            return TRACELINT_OK;
        case 7:
            if (options.size >= sizeof options) options.on_finding = expect_texts;
            return TRACELINT_OK;
        case 8: options.format = "no format"; return TRACELINT_ERROR_INVALID_OPTION;
        case 9:
            options.ignore = of.unknown;
            options.ignore_count = 2;
            return TRACELINT_ERROR_INVALID_OPTION;
        case 10: options.ignore_count = 1; return TRACELINT_ERROR_NULL_ARGUMENT;
        case 11:
            options.select = of.missing;
            options.select_count = 1;
            return TRACELINT_ERROR_NULL_ARGUMENT;
        case 12:
            options.severities = of.no_severity;
            options.severity_count = 1;
            return TRACELINT_ERROR_INVALID_OPTION;
        default:
            options.settings = of.settings;
            options.setting_count = 1;
            return TRACELINT_ERROR_INVALID_OPTION;
    }
}
constexpr uint8_t kOptions = 14;

// A source that breaks its promises in the way of a number; 0 and 1 keep them. 0 cannot seek.
struct UserInput {
    Bytes bytes;
    uint8_t way;
    size_t most = std::numeric_limits<size_t>::max();  // bytes of one read
    uint64_t at = 0;

    static int64_t read(void* user, void* to, size_t wanted) {
        auto& input = *static_cast<UserInput*>(user);
        const uint64_t rest = saturating_sub(input.bytes.size(), input.at);
        const auto got = static_cast<size_t>(std::min<uint64_t>({wanted, rest, input.most}));
        if (input.way == 2) return -1;
        if (input.way == 3) return std::numeric_limits<int64_t>::max();
        if (got != 0) std::memcpy(to, input.bytes.data() + input.at, got);
        input.at += got;
        return static_cast<int64_t>(got);
    }
    static int32_t seek(void* user, uint64_t offset) {
        auto& input = *static_cast<UserInput*>(user);
        // As fseeko() and the file objects of languages do: their offsets are signed.
        if (input.way == 4 || offset > std::numeric_limits<int64_t>::max()) return 0;
        input.at = offset;
        return 1;
    }
};

// Bytes that a session collects before it has a thread.
constexpr size_t kCollected = size_t{256} << 10;

// What is larger may have met the end of its input or not, see tracelint_session_finish().
std::string without_size(std::string json) {
    const size_t at = json.find("\"size\":");
    if (at != std::string::npos) json.erase(at, json.find(',', at) - at);
    return json;
}

}  // namespace

template <class Object>
CallSequence::Handle<Object> CallSequence::choose(std::vector<Handle<Object>>& handles, uint8_t argument,
                                                  Handle<Object>*& own) {
    own = nullptr;
    switch (argument % 8) {
        case 0: return {};
        case 1: return {reinterpret_cast<Object*>(uintptr_t{argument} << 4), false};  // NOLINT: it is to be a wrong one
        default: break;
    }
    if (handles.empty()) return {};
    own = &handles[argument / 8 % handles.size()];
    return *own;
}

template <class Object>
tracelint_error CallSequence::by_handle(const Handle<Object>& handle, bool has_result) {
    if (handle.pointer == nullptr || !has_result) return TRACELINT_ERROR_NULL_ARGUMENT;
    if (!handle.is_live) return TRACELINT_ERROR_INVALID_HANDLE;
    return handle.is_finished ? TRACELINT_ERROR_WRONG_ORDER : TRACELINT_OK;
}

Complaint CallSequence::agrees(tracelint_report* report, Bytes bytes, uint8_t number, bool can_seek, const char* name) {
    Choices choices;
    tracelint_options options{};
    options.size = sizeof options;
    set_options(number, choices, options);
    options.file_name = name;
    constexpr size_t kFew = 7;
    UserInput input{bytes, 0, kFew};
    const tracelint_source source{sizeof source, &input, UserInput::read, nullptr, TRACELINT_UNKNOWN};
    tracelint_report* again = nullptr;
    const tracelint_error error = can_seek ? tracelint_check_memory(bytes.data(), bytes.size(), &options, &again)
                                           : tracelint_check_callback(&source, &options, &again);
    if (error != TRACELINT_OK) return "the same bytes have no report";
    const char *json = nullptr, *json_again = nullptr;
    tracelint_report_json(report, nullptr, &json, nullptr);
    tracelint_report_json(again, nullptr, &json_again, nullptr);
    std::string text(json), text_again(json_again);
    if (bytes.size() > kCollected) text = without_size(text), text_again = without_size(text_again);
    tracelint_report_free(again);
    if (text != text_again) return "the reports differ:\n" + text + "\n" + text_again;
    return {};
}

Complaint CallSequence::check(uint8_t kind, uint8_t argument) {
    Choices choices;
    Sized<tracelint_options> options(argument / 16 % 2 == 0 ? 0 : argument / 32);
    const auto number = static_cast<uint8_t>(argument % kOptions);
    tracelint_error deserved = TRACELINT_ERROR_STRUCT_SIZE;
    if (options.is_right()) deserved = set_options(number, choices, *options.get());
    tracelint_report* report = nullptr;
    tracelint_error got = TRACELINT_OK;
    uint8_t way = 0;
    // Without options all are the default ones. A result that has no place to go is noticed before anything is read.
    const bool has_options = number != 0 || !is_null(argument), has_result = !is_null(argument + 1);
    const bool has_input = !is_null(argument + 2);
    const tracelint_options* with = has_options ? options.get() : nullptr;
    if (!has_options) deserved = TRACELINT_OK;
    tracelint_report** const to = has_result ? &report : nullptr;
    std::string path;
    if (kind == 0) {
        got = has_input ? tracelint_check_memory(file_.data(), file_.size(), with, to)
                        : tracelint_check_memory(nullptr, 1, with, to);
    } else if (kind == 1) {
        Sized<tracelint_source> source(argument / 16 % 4 == 0 ? argument : 0);
        way = static_cast<uint8_t>(argument / 16 % 6);
        UserInput input{file_, way};
        if (source.is_right()) {
            source.get()->user = &input;
            source.get()->read = is_null(argument + 3) ? nullptr : UserInput::read;
            if (source.get()->read == nullptr) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
            source.get()->seek = way == 0 ? nullptr : UserInput::seek;
            source.get()->total = way == 5 ? file_.size() + 1 : file_.size();
        } else {
            deserved = TRACELINT_ERROR_STRUCT_SIZE;
        }
        got = tracelint_check_callback(has_input ? source.get() : nullptr, with, to);
    } else {
        const MemoryFile file(file_);
        path = file.path();
        got = tracelint_check_file(has_input ? path.c_str() : nullptr, with, to);
    }
    if (!has_result || !has_input) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
    if (const Complaint complaint = expect("check", got, deserved)) return complaint;
    if (got != TRACELINT_OK) return report == nullptr ? Complaint{} : "a failed check gives a report";
    reports_.push_back({report, true});
    // max_memory of 1: how a source gives its bytes decides what the window takes.
    if (number == 1 || way > 1) return {};
    // An earlier version has no readers and companions.
    const bool is_known = number < 5 || options.claimed >= sizeof(tracelint_options);
    return agrees(report, file_, is_known ? number : uint8_t{0}, kind != 1 || way == 1,
                  kind == 2 ? path.c_str() : nullptr);
}

Complaint CallSequence::use_session(uint8_t kind, uint8_t argument) {
    if (kind == 3) {
        Choices choices;
        Sized<tracelint_options> options(argument / 16 % 2 == 0 ? 0 : argument / 32);
        tracelint_error deserved = TRACELINT_ERROR_STRUCT_SIZE;
        // Only valid options that do not change the report.
        auto number = static_cast<uint8_t>(argument % 2 == 0 ? 0 : argument % kOptions);
        if (number < kRightOptions - 1) number = 0;
        if (options.is_right()) deserved = set_options(number, choices, *options.get());
        tracelint_session* session = nullptr;
        const bool has_options = number != 0 || !is_null(argument), has_result = !is_null(argument + 1);
        if (!has_options) deserved = TRACELINT_OK;
        if (!has_result) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
        const tracelint_error got =
            tracelint_session_open(has_options ? options.get() : nullptr, has_result ? &session : nullptr);
        if (got == TRACELINT_OK) sessions_.push_back({session, true});
        return expect("session_open", got, deserved);
    }
    Session* own = nullptr;
    const Session chosen = choose(sessions_, argument, own);
    if (kind == 4) {
        const size_t size = own == nullptr ? 0 : (file_.size() - own->fed) / (1 + argument / 64);
        const Bytes piece = own == nullptr ? Bytes() : file_.subspan(own->fed, size);
        int32_t more = 0;
        const bool has_bytes = !is_null(argument);
        const tracelint_error got =
            tracelint_session_feed(chosen.pointer, has_bytes ? piece.data() : nullptr, has_bytes ? piece.size() : 1,
                                   argument % 3 == 0 ? nullptr : &more);
        tracelint_error deserved = by_handle(chosen, true);
        if (deserved == TRACELINT_OK && !has_bytes) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
        if (got == TRACELINT_OK) own->fed += size, own->bytes += as_text(piece);
        return expect("session_feed", got, deserved);
    }
    if (kind == 5) {
        tracelint_report* report = nullptr;
        const bool has_result = argument % 5 != 0;
        const tracelint_error got = tracelint_session_finish(chosen.pointer, has_result ? &report : nullptr);
        tracelint_error deserved = by_handle(chosen, true);
        if (deserved == TRACELINT_OK && !has_result) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
        if (const Complaint complaint = expect("session_finish", got, deserved)) return complaint;
        if (got != TRACELINT_OK) return {};
        own->is_finished = true;
        reports_.push_back({report, true});
        return agrees(report, as_bytes(own->bytes), 0, false);
    }
    const tracelint_error got = tracelint_session_free(chosen.pointer);
    tracelint_error deserved = chosen.is_live ? TRACELINT_OK : TRACELINT_ERROR_INVALID_HANDLE;
    if (chosen.pointer == nullptr) deserved = TRACELINT_OK;
    if (own != nullptr) own->is_live = false;
    return expect("session_free", got, deserved);
}

Complaint CallSequence::use_report(uint8_t kind, uint8_t argument) {
    Report* own = nullptr;
    const Report chosen = choose(reports_, argument, own);
    if (kind == 7) {
        const tracelint_error got = tracelint_report_free(chosen.pointer);
        tracelint_error deserved = chosen.is_live ? TRACELINT_OK : TRACELINT_ERROR_INVALID_HANDLE;
        if (chosen.pointer == nullptr) deserved = TRACELINT_OK;
        if (own != nullptr) own->is_live = false;
        return expect("report_free", got, deserved);
    }
    if (kind == 8) {
        Sized<tracelint_summary> summary(argument / 32);
        tracelint_error deserved = by_handle(chosen, true);
        if (deserved == TRACELINT_OK && !summary.is_right()) deserved = TRACELINT_ERROR_STRUCT_SIZE;
        const bool has_result = !is_null(argument);
        if (!has_result) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
        return expect("report_summary", tracelint_report_summary(chosen.pointer, has_result ? summary.get() : nullptr),
                      deserved);
    }
    const char* json = nullptr;
    size_t length = 0;
    const bool has_result = argument % 7 != 0;
    const char* path = argument % 2 == 0 ? nullptr : "\xff\"";
    const char** to = has_result ? &json : nullptr;
    const auto write = argument / 8 % 2 == 0 ? tracelint_report_json : tracelint_report_document;
    const bool is_page = argument / 16 % 8 == 7;  // which takes long
    const tracelint_error got = is_page ? tracelint_report_html(chosen.pointer, nullptr, 0, to, &length)
                                        : write(chosen.pointer, path, to, &length);
    if (got == TRACELINT_OK && std::strlen(json) != length) return "a text of another length";
    return expect("report_json", got, by_handle(chosen, has_result));
}

Complaint CallSequence::use_element(uint8_t kind, uint8_t argument) {
    Report* own = nullptr;
    const Report chosen = choose(reports_, argument, own);
    tracelint_summary summary{};
    summary.size = sizeof summary;
    if (chosen.is_live) tracelint_report_summary(chosen.pointer, &summary);
    const std::array<size_t, 6> counts = {summary.finding_count, summary.statistic_count, summary.rule_count,
                                          summary.reader_count,  summary.companion_count, summary.finding_count};
    const size_t count = counts[kind % counts.size()];
    const size_t index = argument % 9 == 0 ? ~size_t{0} : argument % 8;
    const uint8_t size = argument / 32;
    bool is_sized = true;
    const bool has_result = !is_null(argument);
    tracelint_error got = TRACELINT_OK;
    const auto read = [&](auto sized, auto function) {
        is_sized = sized.is_right();
        got = function(chosen.pointer, index, has_result ? sized.get() : nullptr);
    };
    const char* json = nullptr;
    tracelint_report* companion = nullptr;
    switch (kind % counts.size()) {
        case 0: read(Sized<tracelint_finding>(size), tracelint_report_finding); break;
        case 1: read(Sized<tracelint_count>(size), tracelint_report_statistic); break;
        case 2: read(Sized<tracelint_count>(size), tracelint_report_rule); break;
        case 3: read(Sized<tracelint_reader>(size), tracelint_report_reader); break;
        case 4: got = tracelint_report_companion(chosen.pointer, index, has_result ? &companion : nullptr); break;
        default: got = tracelint_finding_json(chosen.pointer, index, has_result ? &json : nullptr, nullptr); break;
    }
    if (companion != nullptr) reports_.push_back({companion, true});
    tracelint_error deserved = by_handle(chosen, has_result);
    if (deserved == TRACELINT_OK && index >= count) deserved = TRACELINT_ERROR_OUT_OF_RANGE;
    if (deserved == TRACELINT_OK && !is_sized) deserved = TRACELINT_ERROR_STRUCT_SIZE;
    return expect("an element", got, deserved);
}

Complaint CallSequence::use_catalogue(uint8_t kind, uint8_t argument) {
    const size_t index = argument % 16 == 0 ? ~size_t{0} : argument;
    const bool is_rule = kind % 2 == 0;
    const size_t count = is_rule ? tracelint_rule_count() : tracelint_format_count();
    Sized<tracelint_rule> rule(argument / 16);
    Sized<tracelint_format> format(argument / 16);
    tracelint_error deserved = index >= count ? TRACELINT_ERROR_OUT_OF_RANGE : TRACELINT_OK;
    if (deserved == TRACELINT_OK && !rule.is_right()) deserved = TRACELINT_ERROR_STRUCT_SIZE;
    const bool has_result = !is_null(argument);
    if (!has_result) deserved = TRACELINT_ERROR_NULL_ARGUMENT;
    const tracelint_error got = is_rule ? tracelint_rule_at(index, has_result ? rule.get() : nullptr)
                                        : tracelint_format_at(index, has_result ? format.get() : nullptr);
    if (got == TRACELINT_OK && is_rule) {
        tracelint_rule same{};
        same.size = sizeof same;
        if (tracelint_rule_find(rule.get()->id, &same) != TRACELINT_OK || same.id != rule.get()->id)
            return "a rule is not found by its id";
    }
    return expect("the catalogue", got, deserved);
}

Complaint CallSequence::use_strings(uint8_t argument) {
    const int32_t number = argument - 64;
    for (const char* text : {tracelint_error_string(number), tracelint_severity_string(number),
                             tracelint_verdict_string(number), tracelint_error_detail(), tracelint_version()})
        if (text == nullptr || std::strlen(text) > 255) return "a string is null or too long";
    tracelint_rule rule{};
    if (tracelint_rule_find(is_null(argument) ? nullptr : "xray/", is_null(argument) ? &rule : nullptr) !=
        TRACELINT_ERROR_NULL_ARGUMENT)
        return "a rule is found without an id, or written nowhere";
    const std::string id(as_text(file_.first(std::min<size_t>(file_.size(), argument))));
    const tracelint_error got = tracelint_rule_find(id.c_str(), &rule);
    return got == TRACELINT_ERROR_NOT_FOUND ? Complaint{} : expect("rule_find", got, TRACELINT_ERROR_STRUCT_SIZE);
}

Complaint CallSequence::use_rest(uint8_t argument) {
    if (tracelint_abi() != TRACELINT_ABI) return "the ABI is not that of the header";
    const char* json = nullptr;
    size_t length = 0;
    const bool has_result = !is_null(argument);
    const tracelint_error got =
        tracelint_rules_json(has_result ? &json : nullptr, argument % 2 == 0 ? nullptr : &length);
    if (got == TRACELINT_OK && (*json != '[' && *json != '{')) return "the rules are no JSON";
    if (got == TRACELINT_OK && argument % 2 != 0 && std::strlen(json) != length) return "rules of another length";
    return expect("rules_json", got, has_result ? TRACELINT_OK : TRACELINT_ERROR_NULL_ARGUMENT);
}

Complaint CallSequence::feed_much(uint8_t argument) {
    Session* own = nullptr;
    const Session chosen = choose(sessions_, argument, own);
    // Now and then more than fits into the queue, but not so much that an input takes long.
    if (own != nullptr && own->bytes.size() > kCollected) return {};
    const std::string much(kCollected + argument * size_t{512}, '\0');
    const tracelint_error got = tracelint_session_feed(chosen.pointer, much.data(), much.size(), nullptr);
    if (got == TRACELINT_OK) own->bytes += much;
    return expect("session_feed", got, by_handle(chosen, true));
}

Complaint CallSequence::call_back(uint8_t argument) {
    // Two calls in turn, on a session with or without a thread.
    const OwnCall calls[] = {kOwnCalls[argument % std::size(kOwnCalls)],
                             kOwnCalls[argument / std::size(kOwnCalls) % std::size(kOwnCalls)]};
    std::string bytes(as_text(file_));
    if (argument >= 250) bytes.resize(bytes.size() + kCollected + 1);
    OwnSession session(as_bytes(bytes), size_t{1} << (8 + argument % 12), calls);
    return session.run();
}

Complaint CallSequence::call(uint8_t kind, uint8_t argument) {
    constexpr uint8_t kKinds = 23;
    ++calls_;
    switch (const auto chosen = static_cast<uint8_t>(kind % kKinds); chosen) {
        case 0:
        case 1:
        case 2: return check(chosen, argument);
        case 3:
        case 4:
        case 5:
        case 6: return use_session(chosen, argument);
        case 7:
        case 8:
        case 9: return use_report(chosen, argument);
        case 10:
        case 11:
        case 12:
        case 13:
        case 14:
        case 15: return use_element(chosen, argument);
        case 16:
        case 17: return use_catalogue(chosen, argument);
        case 18: return use_strings(argument);
        case 19: return use_rest(argument);
        case 20: return feed_much(argument);
        case 21: return call_back(argument);
        default: return use_session(4, argument);
    }
}

Complaint CallSequence::run() {
    for (size_t at = 0; at + 1 < program_.size(); at += 2)
        if (Complaint complaint = call(program_[at], program_[at + 1])) return complaint;
    return {};
}

CallSequence::~CallSequence() {
    for (const Report& report : reports_)
        if (report.is_live) tracelint_report_free(report.pointer);
    for (const Session& session : sessions_)
        if (session.is_live) tracelint_session_free(session.pointer);
}

Complaint c_interface(Bytes input) {
    const Bytes program = input.last(std::min(input.size(), 2 * CallSequence::kCalls));
    return CallSequence(program, input).run();
}

}  // namespace tracelint
