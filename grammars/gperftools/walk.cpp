// gperftools, section 4: the walk over a file, except for the records of its profiles.
//
// A file has one or more profiles: a header of five slots, the records, a trailer, and a list of mapped objects as
// text. Walk drives one machine (machine.hpp) over all of them. In the states of the header and the text it classifies
// the bytes itself; in the states of the records it asks RecordWalk (walk_records.hpp).
//
// A slot has 4 or 8 bytes in either byte order, and nothing in the file says which. recognise.cpp decides it by the
// first header, and the walk is instantiated for each of the four layouts. A profile that follows the text is a file of
// a forked child; its checks start afresh (checks/profile.hpp).
#include "grammars/gperftools/gperftools.hpp"

#include "grammars/gperftools/checks/header.hpp"
#include "grammars/gperftools/checks/text.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/walk_records.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::gperftools {
namespace {

// Drives the machine over all profiles of a file. Word size and byte order are those of the first header.
template <Layout L>
class Walk {
  public:
    Walk(Window& window, ValidationContext& context, const Wrapper& wrapper)
        : window_(window),
          context_(context),
          profile_(context),
          records_(window, profile_, position_),
          text_(window, profile_),
          wrapper_(wrapper) {
        profile_.layout = L;
        profile_.wrapped = wrapper.exists;
    }

    void run() {
        while (state_ != State::stopped) {
            input_state_ = state_;
            position_.length = 0;
            take(kMachine, state_, classify(), *this);
        }
    }

    // What the driver of the machine asks for.
    void report(const Rule& rule, Symbol symbol) {
        if (symbol == Symbol::trailer_no_records && profile_.blames_timer()) return;
        position_.finding.rule = &rule;
        context_.report.add(position_.finding);
    }
    void accept(Symbol symbol);
    void skip(Symbol symbol) {
        records_.skip(symbol);
        position_.at += position_.length;
    }
    void stop(Symbol symbol) {
        if (symbol == Symbol::zero_header) {
            accept_header();
            context_.left_at = position_.at + header_size(L);
        }
        count_records();
    }

  private:
    using Header = View<kHeader, L>;

    Bytes ahead(uint64_t wanted) { return window_.view(position_.at, wanted); }

    // Each returns the first symbol of its state that fits the input (section 4.1), with the finding of the symbol's
    // edge in `position_`. The input is checked when the machine accepts it.
    Symbol classify();
    Symbol classify_wrapper();
    Symbol classify_header();
    Symbol classify_opening();
    Symbol classify_line();
    Symbol find_trailer();

    void accept_header();
    void finish_profile(bool ends_file);
    void count_records();

    TextKind kind_of_text() const {
        return input_state_ == State::locations ? TextKind::locations : TextKind::mappings;
    }

    Window& window_;
    ValidationContext& context_;
    Position position_;
    Profile profile_;
    RecordWalk<L> records_;
    Text text_;
    const Wrapper wrapper_;
    uint64_t skipped_bytes_ = 0;  // by searches for a trailer
    State state_ = State::wrapper;
    State input_state_ = State::wrapper;  // the state in which the input was classified
};

// --- the machine -----------------------------------------------------------------------------------------------------

template <Layout L>
Symbol Walk<L>::classify() {
    switch (state_) {
        case State::wrapper: return classify_wrapper();
        case State::header:
        case State::wrapped_header: return classify_header();
        case State::records: return records_.classify();
        case State::resync: return find_trailer();
        case State::opening: return classify_opening();
        case State::deep_chains: return records_.next_deep_chain();
        default: return classify_line();
    }
}

// Counts what the search passes.
template <Layout L>
Symbol Walk<L>::find_trailer() {
    const uint64_t from = position_.at;
    const Symbol found = records_.find_trailer();
    skipped_bytes_ += (found == Symbol::end_of_file ? window_.size() : position_.at) - from;
    return found;
}

template <Layout L>
void Walk<L>::accept(Symbol symbol) {
    switch (symbol) {
        case Symbol::header: accept_header(); break;
        case Symbol::record: records_.accept_record(); break;
        case Symbol::deep_chain: records_.accept_deep_chain(); break;
        case Symbol::trailer:
        case Symbol::trailer_no_records: records_.accept_trailer(); break;
        case Symbol::mapping_text:
        case Symbol::location_text:
        case Symbol::no_text: text_.begin(position_.at); break;
        case Symbol::line: position_.length = text_.check_line(kind_of_text(), position_.at); break;
        case Symbol::next_profile: finish_profile(false); break;
        case Symbol::end_in_wrapper:
        case Symbol::end_of_file: finish_profile(true); break;
        default: break;  // nothing to check
    }
    position_.at += position_.length;
}

// Reports what concerns a profile as a whole. Its text is finished only if the walk reached one.
template <Layout L>
void Walk<L>::finish_profile(bool ends_file) {
    profile_.ends_file = ends_file;
    profile_.finish_records(position_.at);
    if (input_state_ == State::mappings || input_state_ == State::locations) text_.finish(kind_of_text(), position_.at);
    profile_.finish();
}

// --- wrapper ---------------------------------------------------------------------------------------------------------

template <Layout L>
Symbol Walk<L>::classify_wrapper() {
    if (!wrapper_.exists) return Symbol::no_wrapper;
    position_.length = wrapper_.length;
    return position_.with_finding(wrapper_.is_whole ? Symbol::whole_wrapper : Symbol::unterminated_wrapper,
                                  {.length = wrapper_.length, .record = &kWrapper}, {wrapper_.length});
}

// --- header and wrapped header ---------------------------------------------------------------------------------------

// The finding of a complete header is about the wrapper before it; a truncated header silences that.
template <Layout L>
Symbol Walk<L>::classify_header() {
    const Bytes bytes = ahead(header_size(L));
    if (bytes.size() >= header_size(L) && all_zero(bytes.first(header_size(L)))) return Symbol::zero_header;
    if (bytes.size() >= header_size(L))
        return position_.with_finding(Symbol::header, {.length = wrapper_.length, .record = &kWrapper},
                                      {wrapper_.length});
    const Header header(bytes.data(), position_.at, L.order, kNone);
    position_.with_finding(Symbol::truncated_header, header.whole(bytes.size()), {bytes.size()});
    if (position_.at == 0 && bytes.empty())
        position_.finding.hint = "the writer was killed, crashed, or called _exit before its first flush";
    return Symbol::truncated_header;
}

template <Layout L>
void Walk<L>::accept_header() {
    check_header(profile_, Header(ahead(header_size(L)).data(), position_.at, L.order, kNone));
    if (profile_.totals.profiles++ == 0) context_.identity = {profile_.version, L.order, L.word_size};
    position_.length = header_length<L>([this](uint64_t wanted) { return ahead(wanted); });
}

// --- opening, mappings and locations ---------------------------------------------------------------------------------

// Chooses the grammar of the text, and returns whether the list of mapped objects is missing.
template <Layout L>
Symbol Walk<L>::classify_opening() {
    const Bytes bytes = ahead(std::max<uint64_t>(kOpeningBytes, header_size(L)));
    const bool is_java =
        profile_.version == kJavaVersion || (!profile_.is_native() && opening_of(bytes) == TextOpening::locations);
    if (is_java) return Symbol::location_text;
    if (profile_.wrapped || (!bytes.empty() && !begins_profile<L>(bytes))) return Symbol::mapping_text;
    position_.with_finding(Symbol::no_text, {.offset = position_.at});
    position_.finding.about_end = bytes.empty();
    position_.finding.is_overridden = bytes.empty() && profile_.may_be_from_go();
    return Symbol::no_text;
}

template <Layout L>
Symbol Walk<L>::classify_line() {
    const Bytes bytes = ahead(1);
    if (bytes.empty()) return Symbol::end_of_file;
    if (bytes[0] == 0 && begins_profile<L>(ahead(header_size(L)))) {
        const Header header(nullptr, position_.at, L.order, kNone);
        return position_.with_finding(Symbol::next_profile, header.whole(header_size(L)),
                                      {profile_.totals.profiles + 1});
    }
    return Symbol::line;
}

// --- the end ---------------------------------------------------------------------------------------------------------

// The statistics of the file. Those that are 0 in most files are left out when they are.
template <Layout L>
void Walk<L>::count_records() {
    const Totals& totals = profile_.totals;
    auto& statistics = context_.statistics;
    statistics.emplace_back("records", totals.records);
    statistics.emplace_back("samples", totals.samples);
    if (totals.profiles > 1) statistics.emplace_back("profiles", totals.profiles);
    if (totals.depth != 0) statistics.emplace_back("deepest call chain", totals.depth);
    if (totals.addresses != 0) statistics.emplace_back("distinct addresses", totals.addresses);
    if (totals.lines != 0) statistics.emplace_back("lines", totals.lines);
    if (totals.mappings != 0) statistics.emplace_back("mappings", totals.mappings);
    if (skipped_bytes_ != 0) statistics.emplace_back(kSkippedBytes, skipped_bytes_);
    const uint64_t skipped_records = skipped_bytes_ / record_size(L, 1);
    if (skipped_records != 0) statistics.emplace_back(kMostSkippedRecords, skipped_records);
}

}  // namespace

void validate(Window& window, ValidationContext& context) {
    const Wrapper wrapper = read_wrapper(window);
    const size_t layout = identify([&](size_t wanted) { return window.view(wrapper.length, wanted); });
    with_layout(layout, [&]<Layout L>() { Walk<L>(window, context, wrapper).run(); });
}

}  // namespace tracelint::gperftools
