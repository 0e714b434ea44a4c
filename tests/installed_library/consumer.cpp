// A third-party program: checks a file as a whole and in pieces, and prints one finding per line.
#include <cstdio>
#include <fstream>
#include <vector>

#include <tracelint/tracelint.hpp>

namespace {

void print(const tracelint::Finding& finding) {
    std::printf("0x%llx+%llu: %s: %s [%s]\n", static_cast<unsigned long long>(finding.place().offset),
                static_cast<unsigned long long>(finding.place().length),
                std::string(to_string(finding.severity())).c_str(), finding.message().c_str(),
                std::string(finding.rule()).c_str());
}

tracelint::Result check_in_pieces(const char* path) {
    std::ifstream file(path, std::ios::binary);
    tracelint::Session session;
    std::vector<char> piece(1000);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
        session.feed({reinterpret_cast<const std::uint8_t*>(piece.data()), static_cast<std::size_t>(file.gcount())});
    return session.finish();
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const tracelint::Result result = tracelint::check_file(arguments[1]);
    for (const tracelint::Finding& finding : result.findings()) print(finding);
    const tracelint::Result in_pieces = check_in_pieces(arguments[1]);
    const bool agree = in_pieces.findings().size() == result.findings().size();
    std::printf("%s %s, %s\n", std::string(result.format()).c_str(), std::string(to_string(result.verdict())).c_str(),
                agree ? "the same in pieces" : "another report in pieces");
    return agree ? 0 : 1;
}
