// The public salvage: the engine's, with everything that could throw made part of the result.
#include "validator/salvage/salvage.hpp"

#include "validator/library/guarded_source.hpp"
#include "validator/library/state.hpp"

namespace tracelint {
namespace {

Salvaged ended(SalvageVerdict verdict, std::string why) {
    Salvaged salvaged;
    salvaged.verdict = verdict;
    salvaged.why = std::move(why);
    return salvaged;
}

SalvageChange change_of(const Edit& edit) {
    using Kind = SalvageChange::Kind;
    const Bytes bytes = edit.replacement();
    return {.kind = edit.is_drop()     ? Kind::left_out
                    : edit.length == 0 ? Kind::inserted
                                       : Kind::set,
            .offset = edit.offset,
            .length = edit.length,
            .new_offset = edit.new_offset(),
            .records = edit.records,
            .rule = edit.rule == nullptr ? std::string_view() : edit.rule->id,
            .bytes = {bytes.begin(), bytes.end()}};
}

void describe(const Salvage& salvage, Salvaged& salvaged) {
    salvaged.why = salvage.why();
    if (salvage.format() != nullptr) salvaged.format = salvage.format()->id;
    salvaged.container = to_string(salvage.container());
    salvaged.size = salvage.size();
    if (!salvaged.is_written()) return;
    salvaged.new_size = salvage.new_size();
    salvaged.records_kept = salvage.records().kept;
    salvaged.records_left_out = salvage.records().dropped;
    for (const Edit& edit : salvage.edits()) salvaged.changes.push_back(change_of(edit));
}

// Passes the trace on to the caller, whose function may throw.
void write_to(Salvage& salvage, const Source& source, const std::function<bool(Bytes)>& write, Salvaged& salvaged) {
    std::string thrown;
    bool is_refused = false;
    const std::string failure = salvage.copy([&](Bytes bytes) {
        try {
            is_refused = !write(bytes);
        } catch (const std::exception& error) {
            is_refused = true;
            thrown = error.what();
        } catch (...) {
            is_refused = true;
        }
        return !is_refused;
    });
    if (is_refused) {
        salvaged.verdict = SalvageVerdict::unwritable;
        salvaged.why = thrown.empty() ? "cannot write: the caller's function failed" : "cannot write: " + thrown;
    } else if (!failure.empty() || source.has_changed()) {
        salvaged.verdict = SalvageVerdict::unreadable;
        salvaged.why = failure.empty() ? "another process changed the file while it was read" : failure;
    }
}

Salvaged salvaged_from(Source& source, const Options& options, const std::string& file_name,
                       const std::function<bool(Bytes)>& write) {
    const PreparedOptions prepared(options);
    if (!prepared.fault().empty()) return ended(SalvageVerdict::options, prepared.fault());
    if (source.failure().empty() && !source.seek(0))
        return ended(SalvageVerdict::unreadable,
                     "salvage reads the input several times, and this one can be read once");
    SalvageOptions own;
    own.format = prepared.engine().format;
    own.file_name = own.new_name = file_name;
    own.settings = prepared.engine().settings;
    own.limits = options.limits;
    Salvage salvage(source, own);
    Salvaged salvaged;
    salvaged.verdict = salvage.run();
    describe(salvage, salvaged);
    if (salvaged.is_written()) write_to(salvage, source, write, salvaged);
    return salvaged;
}

template <class Make>
Salvaged without_exception(Make make) noexcept {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        return ended(SalvageVerdict::limited, "out of memory");  // short enough to need none
    } catch (...) {
        return ended(SalvageVerdict::internal, "internal error");
    }
}

}  // namespace

Salvaged salvage(Source& source, const Options& options, const std::function<bool(Bytes)>& write) noexcept {
    return without_exception([&] {
        GuardedSource guarded(source);
        return salvaged_from(guarded, options, options.file_name, write);
    });
}

Salvaged salvage_memory(Bytes bytes, const Options& options, const std::function<bool(Bytes)>& write) noexcept {
    return without_exception([&] {
        MemorySource source(bytes);
        return salvaged_from(source, options, options.file_name, write);
    });
}

Salvaged salvage_file(const std::string& path, const Options& options,
                      const std::function<bool(Bytes)>& write) noexcept {
    return without_exception([&] {
        const std::unique_ptr<Source> source = open_file(path);
        return salvaged_from(*source, options, options.file_name.empty() ? path : options.file_name, write);
    });
}

}  // namespace tracelint
