#include "grammars/nettrace/checks/header.hpp"

#include "grammars/nettrace/checks/versions.hpp"

namespace tracelint::nettrace {

constexpr Rule kTruncatedHeader{
    .id = "nettrace/truncated-header",
    .severity = Severity::error,
    .statement = "a file has a whole header",
    .message = "the file ends after {0} of the {1} bytes of {text}",
    .why = "no reader finds anything in the file",
    .spec = "2. Identification; 3.1 Objects",
    .since = "0.2.0",
    .about_end = true,
};

constexpr Rule kBadMagic{
    .id = "nettrace/bad-magic",
    .severity = Severity::error,
    .statement = "a file begins with \"Nettrace\", or with the signature of a netperf file",
    .message = "the first bytes are neither \"Nettrace\" nor the start of a netperf file",
    .why = "readers refuse the file",
    .spec = "2. Identification",
    .since = "0.2.0",
};

constexpr Rule kBadSignature{
    .id = "nettrace/bad-signature",
    .severity = Severity::error,
    .statement = "the signature is the 20 bytes !FastSerialization.1",
    .message = "the signature is not !FastSerialization.1",
    .why = "readers refuse the file",
    .spec = "2. Identification; 3.1 Objects",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::error,
                                          .when = "its length is wrong",
                                          .message = "the signature has {0} bytes, expected 20",
                                          .why = {}},
};

constexpr Rule kReservedNonzero{
    .id = "nettrace/reserved-nonzero",
    .severity = Severity::error,
    .statement = "the reserved word of version 6 is 0",
    .message = "the reserved word is {0}, expected 0",
    .why = "readers take the file for version 4 and fail with 'Invalid FastSerialization header'",
    .spec = "2. Identification; 3.2 Blocks of version 6",
    .since = "0.2.0",
};

constexpr Rule kMinorVersion{
    .id = "nettrace/minor-version",
    .severity = Severity::note,
    .statement = "the minor version is 0",
    .message = "minor version {0}; 0 is the one that is known",
    .why = "readers have to accept it, and skip what it adds",
    .spec = "3.2 Blocks of version 6",
    .since = "0.2.0",
};

namespace {

constexpr uint64_t kMagicSize = kMagic.size();
constexpr std::string_view kNetperfStart("\x14\0\0\0", 4);
constexpr uint64_t kAllOfHeader = 32;

// Whether the bytes begin with the text, or are a beginning of it.
bool begins(Bytes bytes, std::string_view text) {
    const size_t length = std::min(bytes.size(), text.size());
    return as_text(bytes.first(length)) == text.substr(0, length);
}

Bytes from(Bytes bytes, size_t at) { return bytes.subspan(std::min(at, bytes.size())); }

class HeaderCheck {
  public:
    explicit HeaderCheck(Session& session) : session_(session) {
        const Bytes seen = session.window.view(0, kAllOfHeader);
        bytes_ = seen.first(std::min<size_t>(seen.size(), kAllOfHeader));
    }

    FileStart run() {
        if (bytes_.empty() || (bytes_.size() < kMagicSize && begins(bytes_, kMagic)))
            return cut(&View<kHeader>::field<"magic">(), "the magic", 0, kMagicSize);
        if (begins(bytes_, kMagic)) return nettrace();
        const Bytes signature = from(bytes_, 4);
        if (begins(bytes_, kNetperfStart)) {
            if (bytes_.size() < 4) return cut(length_field(), "the length of the signature", 0, 4);
            return netperf(signature);
        }
        if (signature.size() >= kSignatureLength && begins(signature, kSignature)) {
            return bad_length(0);
        }
        report({.rule = &kBadMagic, .place = place(nullptr, 0, std::min<uint64_t>(kMagicSize, bytes_.size()))}, {});
        return {};
    }

  private:
    FileStart nettrace() {
        constexpr uint64_t kWordAt = kMagicSize, kTextAt = kWordAt + 4;
        if (bytes_.size() < kTextAt) return cut(length_field(), "the length of the signature", kWordAt, 4);
        const uint64_t word = load(bytes_.data() + kWordAt, 4, ByteOrder::little);
        const Bytes text = from(bytes_, kTextAt);
        const bool is_version_6 = text.size() >= 4 && load(text.data(), 4, ByteOrder::little) == 6;
        if (word == 0 || is_version_6) return plain(word, text);
        if (word != kSignatureLength) return bad_length(kWordAt);
        return signature_at(kTextAt, text, true);
    }

    FileStart plain(uint64_t word, Bytes rest) {
        session_.version = kPlainBlocks;
        session_.threads.set_plain(true);
        if (word != 0)
            report({.rule = &kReservedNonzero, .place = place(&View<kHeader>::field<"reserved">(), 8, 4)}, {word});
        if (rest.size() < 4) return cut(&View<kHeader>::field<"major">(), "the major version", 12, 4);
        if (rest.size() < 8) return cut(&View<kHeader>::field<"minor">(), "the minor version", 16, 4);
        const View<kHeader, kPlainLayout> header(bytes_.data(), 0, ByteOrder::little, kNone);
        const uint64_t major = header.get<"major">(), minor = header.get<"minor">();
        session_.context.identity.format_version = major;
        if (major != kPlainBlocks) {
            report({.rule = &kUnsupportedVersion, .place = header.place<"major">()}, {major});
            return {};
        }
        if (minor != 0) report({.rule = &kMinorVersion, .place = header.place<"minor">()}, {minor});
        return {.is_readable = true, .is_nettrace = true, .is_plain = true, .minor = minor, .size = 20};
    }

    FileStart netperf(Bytes signature) {
        session_.version = kNetperf3;
        return signature_at(4, signature, false);
    }

    FileStart signature_at(uint64_t at, Bytes text, bool is_nettrace) {
        const Field* const field = &View<kHeader>::field<"signature">();
        if (!begins(text, kSignature)) {
            const uint64_t length = std::min<uint64_t>(text.size(), kSignatureLength);
            report({.rule = &kBadSignature, .place = place(field, at, length)}, {});
            return {};
        }
        if (text.size() < kSignatureLength) return cut(field, "the signature", at, kSignatureLength);
        return {.is_readable = true, .is_nettrace = is_nettrace, .size = at + kSignatureLength};
    }

    FileStart bad_length(uint64_t at) {
        const uint64_t length = load(bytes_.data() + at, 4, ByteOrder::little);
        report({.rule = &kBadSignature, .place = place(length_field(), at, 4), .is_overridden = true}, {length});
        return {};
    }

    FileStart cut(const Field* field, std::string_view name, uint64_t at, uint64_t size) {
        const uint64_t there = bytes_.size() - std::min<uint64_t>(at, bytes_.size());
        report({.rule = &kTruncatedHeader,
                .place = place(field, std::min<uint64_t>(at, bytes_.size()), there),
                .text = name},
               {there, size});
        return {};
    }

    static const Field* length_field() { return &View<kHeader>::field<"signature_length">(); }
    Place place(const Field* field, uint64_t at, uint64_t length) const {
        return {at, length, &kHeader, field, nullptr, kNone, kNone};
    }
    void report(const Diagnostic& finding, std::initializer_list<uint64_t> numbers) {
        session_.findings.add_outside(finding, std::span(numbers.begin(), numbers.size()));
    }

    Session& session_;
    Bytes bytes_;
};

}  // namespace

FileStart check_header(Session& session) { return HeaderCheck(session).run(); }

constinit const RuleList kHeaderRules =
    rules<&kTruncatedHeader, &kBadMagic, &kBadSignature, &kReservedNonzero, &kUnsupportedVersion, &kLegacyVersion,
          &kMinorVersion, &kObjectVersion, &kMinReaderVersion>;

}  // namespace tracelint::nettrace
