// Oracles for what precedes the format: recognition and the gzip container.
#include <algorithm>

#include "fuzz/chunked_source.hpp"
#include "fuzz/findings.hpp"
#include "fuzz/gzip_member.hpp"
#include "validator/generator/random.hpp"
#include "validator/gzip.hpp"

namespace tracelint {
namespace {

std::string name_of(const Format* format) { return std::string(format == nullptr ? "no format" : format->id); }

// The format that recognises the bytes with the highest confidence, or null. A tie is a complaint.
struct Claim {
    const Format* format = nullptr;
    Complaint complaint{};
};

Claim claim_of(Bytes opening) {
    Claim claim;
    int surest = 0;
    for (const Format* format : formats()) {
        const int sure = format->recognise({opening, {}});
        if (sure < 0 || sure > 100)
            return {nullptr, name_of(format) + " returns the confidence " + std::to_string(sure)};
        if (sure != format->recognise({opening, {}}))
            return {nullptr, name_of(format) + " returns another confidence the second time"};
        if (sure == 0 || sure < surest) continue;
        claim.complaint.reset();
        if (sure == surest)
            claim.complaint =
                name_of(claim.format) + " and " + name_of(format) + " claim the file with the same confidence";
        claim.format = format;
        surest = sure;
    }
    return claim;
}

Complaint same_format(std::string_view how, const Outcome& outcome, const Format* claims) {
    if (outcome.format != claims)
        return std::string(how) + ": recognised as " + name_of(outcome.format) + ", but claimed by " + name_of(claims);
    uint64_t unknown = 0;
    for (const Rule* rule : {&kUnknownFormat, &kEmptyInput, &kGitLfsPointer}) unknown += outcome.report().count(*rule);
    if (unknown != (claims == nullptr ? 1 : 0))
        return std::string(how) + ": input/unknown-format contradicts the recognised format";
    return std::nullopt;
}

bool is_of_container(const Diagnostic& diagnostic) { return diagnostic.rule->of_container; }

// `expected` must be the only finding about the container itself.
Complaint expect_only(std::string_view what, const Outcome& outcome, const Violation& expected) {
    const Findings found = findings_of(outcome, is_of_container);
    if (found == Findings{expected}) return std::nullopt;
    return std::string(what) + ": found " + text_of(found) + " instead of " + text_of(expected);
}

Complaint cut_container(const std::string& member, const Input& input, uint64_t at) {
    const Outcome outcome = check_all({as_bytes(member).first(at), input.format, input.settings});
    return expect_only("cut at " + hex(at), outcome, {at, kGzipTruncated.id, 0});
}

Complaint followed_container(std::string member, const Input& input) {
    const uint64_t end = member.size();
    member.push_back('x');
    return expect_only("followed by a byte", check_all({as_bytes(member), input.format, input.settings}),
                       {end, kGzipTrailingData.id, 1});
}

Complaint whole_container(const std::string& file, const Input& input) {
    Outcome plain = check_all(input);
    const Outcome packed = check_all({as_bytes(file), input.format, input.settings});
    if (packed.container != Container::gzip) return "a gzip file is not recognised";
    if (!packed.size) plain.size.reset();
    if (transcript(packed) == transcript(plain)) return std::nullopt;
    return "in a container: " + transcript(packed) + "\nwithout: " + transcript(plain);
}

// Members that follow each other hold one file, wherever it was divided; some may be empty.
Complaint joined_container(const Input& input, const Packing& packing, Random& random) {
    const std::string_view all = as_text(input.bytes);
    std::string file;
    size_t at = 0;
    for (uint64_t left = between(random, 1, 4); left > 0; --left) {
        const size_t piece = below(random, all.size() - at + 1);
        file += gzip_member(all.substr(at, piece), packing);
        at += piece;
    }
    file += gzip_member(all.substr(at), packing) + std::string(below(random, 3), '\0');
    return whole_container(file, input);
}

// Some bits have no effect: the time, the operating system, and the padding in the last byte of the deflate data.
Complaint flipped_container(std::string member, const Input& input, uint64_t bit) {
    member[bit / 8] = static_cast<char>(member[bit / 8] ^ (1 << bit % 8));
    const Outcome outcome = check_all({as_bytes(member), input.format, input.settings});
    if (!findings_of(outcome, is_of_container).empty()) return std::nullopt;
    if (!outcome.size) return std::nullopt;  // no longer a trace
    const std::string flipped = transcript(outcome), plain = transcript(check_all(input));
    if (flipped == plain) return std::nullopt;
    return "flipped at " + hex(bit / 8) + ", the data changed but the container has no finding: " + flipped +
           "\nagainst: " + plain;
}

}  // namespace

Complaint recognition(Bytes file, uint64_t seed) {
    if (is_container(file)) return std::nullopt;
    const Bytes opening = file.first(std::min(file.size(), kDetectionBytes));
    const auto [claims, complaint] = claim_of(opening);
    if (complaint) return complaint;
    const Outcome whole = check_all({file, nullptr});
    if (const Complaint other = same_format("in one piece", whole, claims)) return other;

    Random random(seed);
    ChunkedSource pieces(file, {.seed = random() | 1, .seekable = one_in(random, 2)});
    if (const Complaint other = same_format("in pieces", check_source(pieces, {file, nullptr}), claims)) return other;

    // Bytes after the opening must not matter.
    if (opening.size() < kDetectionBytes) return std::nullopt;
    const std::string changed = std::string(as_text(opening)) + random_bytes(random, below(random, 64));
    return same_format("with other bytes after the opening", check_all({as_bytes(changed), nullptr}), claims);
}

bool is_container(Bytes file) {
    return file.size() >= kGzipMagic.size() && std::ranges::equal(file.first(kGzipMagic.size()), kGzipMagic);
}

Complaint container(const Input& input, uint64_t seed) {
    if (is_container(input.bytes)) return std::nullopt;  // nested containers: only the outer one is opened
    Random random(seed);
    const Packing packing{pick(random, {0, 1, 6}), static_cast<int>(between(random, 9, 12)), 1};
    const std::string member = gzip_member(as_text(input.bytes), packing);
    const bool is_read = check_all({as_bytes(member), input.format, input.settings}).size.has_value();
    switch (below(random, is_read ? 5 : 2)) {
        case 0: return whole_container(member, input);
        case 1: return joined_container(input, packing, random);
        case 2: return cut_container(member, input, between(random, kGzipMagic.size(), member.size() - 1));
        case 3: return followed_container(member, input);
        default: return flipped_container(member, input, between(random, 8 * kGzipMagic.size(), 8 * member.size() - 1));
    }
}

}  // namespace tracelint
