// The oracle for html reports: the data in the page is whole, cannot end its element, and says of a file what the check
// and the file's bytes say.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct Checked;

inline constexpr size_t kPageLimit = 5'000'000;  // bytes

// The data of a page; nothing if the page around it is not what it should be.
std::optional<std::string_view> report_in(std::string_view page);

// Whether the page says of a file what its check does. `trace`: the file's bytes, if it can be read by its path.
Complaint html_agrees(std::string_view page, const Checked& checked, std::optional<Bytes> trace = {});

// The same for the page of an input that can be read a second time.
Complaint page(const Input& input);

}  // namespace tracelint
