#include "fuzz/tool/xml.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

class XmlReader {
  public:
    explicit XmlReader(std::string_view text) : rest_(text) {}

    std::optional<XmlElement> read() {
        if (!has_legal_characters(rest_)) return std::nullopt;
        if (!take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return std::nullopt;
        XmlElement holder;
        if (!content(holder, 0) || !rest_.empty() || holder.children.size() != 1) return std::nullopt;
        if (holder.text.find_first_not_of('\n') != std::string::npos) return std::nullopt;
        return holder.children.front();
    }

  private:
    static constexpr int kDeepest = 8;

    // XML 1.0, production 2.
    static bool has_legal_characters(std::string_view text) {
        for (Bytes rest = as_bytes(text); !rest.empty();) {
            if (rest[0] >= 0x20 && rest[0] < 0x80) {
                rest = rest.subspan(1);
                continue;
            }
            const Utf8Sequence sequence = first_utf8_sequence(rest);
            const char32_t code = sequence.code;
            const bool is_control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
            if (!sequence.well_formed || is_control || code == 0xfffe || code == 0xffff) return false;
            rest = rest.subspan(sequence.length);
        }
        return true;
    }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string name() {
        size_t end = 0;
        while (end < rest_.size() && ((rest_[end] >= 'a' && rest_[end] <= 'z') || rest_[end] == '-')) ++end;
        std::string word(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return word;
    }

    // Up to one of the `ends`, with entities resolved.
    bool text_until(std::string_view ends, std::string& text) {
        while (!rest_.empty() && ends.find(rest_.front()) == std::string_view::npos) {
            const char next = rest_.front();
            if (next == '<' || rest_.starts_with("]]>")) return false;
            if (next == '&') {
                if (!entity(text)) return false;
                continue;
            }
            text += next;
            rest_.remove_prefix(1);
        }
        return true;
    }

    bool entity(std::string& text) {
        constexpr std::pair<std::string_view, char> kEntities[] = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
        for (const auto& [word, character] : kEntities) {
            if (!take(word)) continue;
            text += character;
            return true;
        }
        return false;
    }

    // What is between two tags.
    bool content(XmlElement& parent, int depth) {
        while (text_until("<", parent.text) && !rest_.empty()) {
            if (rest_.starts_with("</")) return true;
            if (depth == kDeepest || !element(parent, depth)) return false;
        }
        return rest_.empty();
    }

    bool element(XmlElement& parent, int depth) {
        XmlElement& child = parent.children.emplace_back();
        if (!take("<")) return false;
        child.name = name();
        if (child.name.empty()) return false;
        while (take(" ")) {
            const std::string attribute = name();
            std::string value;
            if (attribute.empty() || !take("=\"") || !text_until("\"", value) || !take("\"")) return false;
            if (!child.attributes.emplace(attribute, value).second) return false;
        }
        if (take("/>")) return true;
        return take(">") && content(child, depth + 1) && take("</" + child.name + ">");
    }

    std::string_view rest_;
};

}  // namespace

std::string XmlElement::attribute(const std::string& of) const {
    const auto found = attributes.find(of);
    return found == attributes.end() ? std::string() : found->second;
}

std::optional<XmlElement> read_xml(std::string_view text) { return XmlReader(text).read(); }

}  // namespace tracelint
