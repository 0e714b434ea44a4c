// What a fuzz target is, and how it reads the bytes that a fuzzer gives it.
#pragma once

#include <span>

#include "fuzz/oracles.hpp"

namespace tracelint {

// The bytes of one run. Parameters such as chunk sizes and cuts come from the last 8 of them. These remain part of the
// file, so files serve as seeds unchanged.
class FuzzInput {
  public:
    // `forced`: the format of a target for one format, otherwise null.
    explicit FuzzInput(Bytes bytes, const Format* forced = nullptr);

    Bytes bytes() const { return bytes_; }
    size_t size() const { return bytes_.size(); }
    uint64_t parameters() const { return parameters_; }

    // The format of the target, otherwise the recognised one; null if absent.
    const Format* known_format() const;
    // The known format, or one chosen by the parameters.
    const Format& format() const;
    // The bytes as a file to check, half of them with the format given rather than recognised.
    Input file() const;
    // With the format given.
    Input file_of_format() const;

    // For targets that generate their files.
    const Generator& generator() const;
    GenerateOptions generate_options() const;

  private:
    Bytes bytes_;
    const Format* forced_;
    uint64_t parameters_ = 0;
};

enum class FuzzMutator : uint8_t {
    plain,       // the fuzzer's own
    structured,  // for inputs that are files: validator/generator/mutate.hpp
};

struct FuzzTarget {
    std::string_view name;       // of targets for each format, what precedes the format's name
    std::string_view statement;  // what it holds its input to
    Complaint (*run)(const FuzzInput& input);
    FuzzMutator mutator = FuzzMutator::plain;
    bool is_for_each_format = false;
    // Their kind, as tracelint_seeds names it; none: those of the format, or of all formats. Targets that take
    // milliseconds for an input have `sample`, as all seeds would take them up to a minute.
    std::string_view seeds = {};
};

// Each file of targets exports its own; all_targets() lists them.
extern const std::span<const FuzzTarget> kAnswerTargets;
extern const std::span<const FuzzTarget> kGeneratedTargets;
extern const std::span<const FuzzTarget> kTextTargets;
extern const std::span<const FuzzTarget> kTraceTargets;

// A target that can be run: of one for each format, that of a format.
struct NamedTarget {
    const FuzzTarget* target = nullptr;
    const Format* format = nullptr;

    std::string name() const;
    std::vector<std::string_view> kinds_of_seeds() const;
};

std::vector<NamedTarget> all_targets();

}  // namespace tracelint
