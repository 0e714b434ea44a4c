// The record tables of a format, for other tools.
#pragma once

#include <span>
#include <string>

#include "validator/format.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

// As JSON, which description.schema.json describes.
void write_description(const Format& format, Sink& sink);
// As a specification for Kaitai Struct: a type for each record. Comments say what the language cannot.
void write_kaitai(const Format& format, Sink& sink);
// As a pattern for the hex editor ImHex: a struct for each record. Comments say what the language cannot.
void write_imhex(const Format& format, Sink& sink);

// A kind of output of describe.
struct DescriptionKind {
    std::string_view name;
    std::string_view tool;  // that reads it; empty: any
    void (*write)(const Format& format, Sink& sink);
};
std::span<const DescriptionKind> description_kinds();

// What a check demands of the value of its field: "at most 3", "a named value"; empty for none.
std::string demand_of(const Check& check);
// 0x1000 and above in hexadecimal.
std::string number_text(uint64_t number);

}  // namespace tracelint
