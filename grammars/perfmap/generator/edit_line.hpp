// perf map: edits of one line of a generated file.
#pragma once

#include "grammars/perfmap/line.hpp"
#include "grammars/perfmap/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::perfmap {

inline std::string& text_of(RecordValues& line) { return line.find("text")->text; }

// The parts of a line, whose text lives as long as the file is not edited.
inline Line parts_of(FileRecords& file, size_t line) {
    const std::string_view text = text_of(file[line]);
    return line_of(text.substr(0, text.size() - 1));
}

inline size_t any_line(const FileRecords& file, Random& random) { return below(random, file.size()); }

// Puts `text` in place of a part of the line.
inline void replace(FileRecords& file, size_t line, const Part& part, std::string_view text) {
    text_of(file[line]).replace(part.at, part.length, text);
}

// The finding is at the whole line, without its LF.
inline Planted at_line(FileRecords& file, size_t line) { return at_bytes(line, 0, text_of(file[line]).size() - 1); }
inline Planted at_part(size_t line, const Part& part) { return at_bytes(line, part.at, part.length); }

}  // namespace tracelint::perfmap
