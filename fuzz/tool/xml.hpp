// Reads XML as strictly as readers of reports do: what is not well-formed (XML 1.0) is a fault. Knows the part of XML
// that reports consist of: elements, attributes in double quotes, text, the five predefined entities.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // of the element itself
    std::vector<XmlElement> children;

    // Empty if absent.
    std::string attribute(const std::string& of) const;
};

// The root element; nothing if the text is not well-formed.
std::optional<XmlElement> read_xml(std::string_view text);

}  // namespace tracelint
