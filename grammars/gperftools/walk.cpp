// gperftools, section 4: the walk over a file, but for the records of its profiles.
#include "grammars/gperftools/walk.hpp"

#include "grammars/gperftools/header.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/record_walk.hpp"
#include "grammars/gperftools/text.hpp"

namespace tracelint::gperftools {
namespace {

// Drives the machine over all profiles of a file; word size and byte order are those of the first header.
template <Layout L>
class Walk {
  public:
    Walk(Window& window, ValidationContext& context, const Wrapper& wrapper)
        : window_(window),
          context_(context),
          report_(context.report),
          profile_(context),
          records_(window, profile_, position_),
          text_(window, profile_),
          wrapper_(wrapper) {
        profile_.layout = L;
        profile_.wrapped = wrapper.exists;
        position_.at = wrapper.length;
    }

    void run() {
        state_ = kMachine.at(State::wrapper, wrapper_.exists ? Symbol::whole_wrapper : Symbol::no_wrapper).to;
        while (state_ != State::stopped) take(look());
        records_.settle_deep_chains();
        count_records();
    }

  private:
    using Header = View<kHeader, L>;

    Bytes ahead(uint64_t wanted) { return window_.view(position_.at, wanted); }

    // Each finds the row of its state that fits what stands at the position, checks what the row demands but for the
    // rule of its edge, and says in `position_` how many bytes to step over and what that rule would say.
    Symbol look();
    Symbol look_at_header();
    void take_first_header();
    Symbol look_at_opening();
    Symbol look_at_text();

    void take(Symbol symbol);
    void finish_profile(State left);
    void count_records();

    Window& window_;
    ValidationContext& context_;
    Report& report_;
    Position position_;
    Profile profile_;
    RecordWalk<L> records_;
    Text text_;
    const Wrapper wrapper_;
    State state_ = State::wrapper;
};

// --- the machine ----------------------------------------------------------------------------------------------------

template <Layout L>
Symbol Walk<L>::look() {
    position_.step = 0;
    switch (state_) {
        case State::header: return look_at_header();
        case State::records: return records_.look();
        case State::resync: return records_.look_for_trailer();
        case State::opening: return look_at_opening();
        default: return look_at_text();
    }
}

// Goes along the edge: says its rule, finishes a profile that ends here, steps over what was looked at.
template <Layout L>
void Walk<L>::take(Symbol symbol) {
    const Edge<State, Symbol>& edge = kMachine.at(state_, symbol);
    // Which rule a chain breaks that is too deep is known at the end of the file.
    if (edge.rule != nullptr && symbol != Symbol::chain_too_deep) {
        position_.refusal.rule = edge.rule;
        report_.add(position_.refusal);
    }
    const State left = std::exchange(state_, edge.to);
    if (state_ == State::stopped || symbol == Symbol::next_profile) finish_profile(left);
    position_.at += position_.step;
}

// Says what is said of a profile as a whole. A text is finished only if the walk came from one.
template <Layout L>
void Walk<L>::finish_profile(State left) {
    profile_.ends_file = state_ == State::stopped;
    profile_.finish_records(position_.at);
    if (left == State::mappings || left == State::locations) text_.finish(position_.at);
    profile_.finish();
}

// --- HEADER ---------------------------------------------------------------------------------------------------------

// A whole header is checked at once: no fault of it is an edge of the machine.
template <Layout L>
Symbol Walk<L>::look_at_header() {
    const Bytes bytes = ahead(header_size(L));
    const Header header(bytes.data(), position_.at, L.order, kNone);
    if (bytes.size() < header_size(L)) {
        position_.refused(Symbol::cut_header, header.whole(bytes.size()), {bytes.size()});
        if (position_.at == 0 && bytes.empty())
            position_.refusal.hint = "its writer was killed, crashed, or left by _exit before it wrote anything";
        return Symbol::cut_header;
    }
    check_header(profile_, header);
    if (profile_.totals.profiles++ == 0) take_first_header();
    position_.step = behind_header<L>([this](uint64_t wanted) { return ahead(wanted); });
    return Symbol::header;
}

// What is known of the file as soon as it has a whole header.
template <Layout L>
void Walk<L>::take_first_header() {
    context_.identity = {profile_.version, L.order, L.word_size};
    if (!wrapper_.exists) return;
    // Only now, as a header that is cut silences it.
    report_.add(*kMachine.at(State::wrapper, Symbol::whole_wrapper).rule,
                {.length = wrapper_.length, .record = &kWrapper}, {wrapper_.length});
}

// --- TEXT and JTEXT -------------------------------------------------------------------------------------------------

// Chooses the grammar of the text, and tells whether a list of mapped objects is missing. Steps over nothing.
template <Layout L>
Symbol Walk<L>::look_at_opening() {
    const Bytes bytes = ahead(std::max<uint64_t>(kOpeningBytes, header_size(L)));
    const bool is_java =
        profile_.version == kJavaVersion || (!profile_.is_native() && opening_of(bytes) == Opened::locations);
    text_.begin(is_java ? Text::Kind::locations : Text::Kind::mappings, position_.at);
    if (is_java) return Symbol::location_text;
    if (profile_.wrapped || (!bytes.empty() && !begins_profile<L>(bytes))) return Symbol::mapping_text;
    position_.refused(Symbol::no_text, {.offset = position_.at});
    position_.refusal.about_end = bytes.empty();
    return Symbol::no_text;
}

// Takes a line, unless another profile begins where it would.
template <Layout L>
Symbol Walk<L>::look_at_text() {
    const Bytes bytes = ahead(1);
    if (bytes.empty()) return Symbol::end_of_file;
    if (bytes[0] == 0 && begins_profile<L>(ahead(header_size(L)))) {
        const Header header(nullptr, position_.at, L.order, kNone);
        return position_.refused(Symbol::next_profile, header.whole(header_size(L)), {profile_.totals.profiles + 1});
    }
    position_.step = text_.take(position_.at);
    return Symbol::line;
}

// --- the end --------------------------------------------------------------------------------------------------------

// The statistics of the file; those that are 0 in most files are left out then.
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
}

}  // namespace

// Without the end of a wrapper there is no profile to walk over, and nothing else is said.
void validate(Window& window, ValidationContext& context) {
    const Wrapper wrapper = read_wrapper(window);
    if (wrapper.exists && !wrapper.is_whole) {
        context.report.add(*kMachine.at(State::wrapper, Symbol::endless_wrapper).rule,
                           {.length = wrapper.length, .record = &kWrapper}, {wrapper.length});
        context.statistics.emplace_back("records", 0);
        return;
    }
    const size_t layout = identify([&](size_t wanted) { return window.view(wrapper.length, wanted); });
    with_layout(layout, [&]<Layout L>() { Walk<L>(window, context, wrapper).run(); });
}

}  // namespace tracelint::gperftools
