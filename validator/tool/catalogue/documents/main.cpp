// tracelint_documents FOLDER: writes the manual pages, the completions and the references of the grammars into FOLDER,
// as they are to be installed.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "validator/tool/catalogue/docs.hpp"
#include "validator/tool/catalogue/documents/manual.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/options/build_info.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file << text;
    file.close();
}

void write_documents(const fs::path& folder) {
    for (const ManualPage& page : manual_pages(build_info().documents_date)) {
        const std::string section = std::to_string(page.section);
        const fs::path path = folder / "man" / ("man" + section) / (page.name + '.' + section);
        if (page.alias.empty())
            write(path, page.text);
        else
            fs::create_symlink(page.alias + '.' + section, path);
    }
    write(folder / "bash-completion/completions/tracelint", bash_completion());
    write(folder / "zsh/vendor-completions/_tracelint", zsh_completion());
    write(folder / "fish/vendor_completions.d/tracelint.fish", fish_completion());
    for (const Grammar* grammar : all_grammars())
        write(folder / "grammars" / folder_of_grammar(grammar->id) / "reference.md", reference_of(*grammar));
}

}  // namespace
}  // namespace tracelint

int main(int count, char** words) {
    if (count != 2) {
        std::fputs("usage: tracelint_documents FOLDER\n", stderr);
        return 2;
    }
    try {
        tracelint::write_documents(words[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracelint_documents: %s\n", error.what());
        return 1;
    }
    return 0;
}
