// perf map, section 3: the checks of a line by itself.
#pragma once

#include "grammars/perfmap/line.hpp"
#include "grammars/perfmap/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::perfmap {

// A line, and where it stands.
struct LineInFile {
    const Line& parts;
    View<kLine> record;
    bool is_terminated;  // by LF. Else its findings depend on where the file ends

    Place whole() const { return place({0, parts.text.size()}); }
    Place place(const Part& part) const { return record.place<"text">(part.at, part.length); }
    // Start and size.
    Place range() const { return place({parts.start.part.at, parts.size.part.end() - parts.start.part.at}); }
};

// What is reported once a file, at the first place.
struct ReportedOnce {
    bool carriage_return = false, prefix = false, non_ascii = false;
    // Reports none of it from here on.
    void mute() { carriage_return = prefix = non_ascii = true; }
};

// Reports a finding about a line.
template <const Rule& R>
void report(ValidationContext& context, const LineInFile& line, const Place& place,
            std::array<uint64_t, 4> numbers = {}) {
    context.report.add({.rule = &R, .place = place, .numbers = numbers, .about_end = !line.is_terminated});
}

// 2. The name of the file.
void check_file_name(ValidationContext& context);
// 3.1 The CR at the end of a line, at `at` bytes from its start; asked of every line.
void check_carriage_return(ValidationContext& context, const LineInFile& line, uint64_t at, ReportedOnce& once);
// 3.1 The blanks.
void check_separators(ValidationContext& context, const LineInFile& line);
// 3.1 The LF. `end`: the offset of the end of the line.
void check_final_newline(ValidationContext& context, const LineInFile& line, uint64_t end);
// 3.2 The 0x of numbers; asked of every line whose first number can be read.
void check_prefixes(ValidationContext& context, const LineInFile& line, ReportedOnce& once);
// 3.2 The values. Whether the range ends at or below 2^64.
bool check_range(ValidationContext& context, const LineInFile& line);
// 3.3 The name.
void check_name(ValidationContext& context, const LineInFile& line, ReportedOnce& once);

extern const RuleList kLineRules;
extern const RuleList kNumberRules;
extern const RuleList kNameRules;

}  // namespace tracelint::perfmap
