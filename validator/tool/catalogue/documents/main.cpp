// tracelint_documents FOLDER: writes the manual pages, the completions and the references of the grammars into FOLDER,
// as they are to be installed.
// tracelint_documents --examples FILE: writes the examples of the rules as C++, for what has no room for their cases.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "validator/tool/catalogue/docs.hpp"
#include "validator/tool/catalogue/documents/manual.hpp"
#include "validator/tool/catalogue/example.hpp"
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

// What bindings/wasm/command/examples.cpp needs.
void write_examples(const fs::path& path) {
    std::string text =
        "// Made by tracelint_documents.\n#include <span>\n#include <string_view>\n\nnamespace tracelint {\n\n"
        "struct Example {\n    std::string_view rule, text;\n};\nconstexpr Example kAll[] = {\n";
    for (const Rule* rule : all_rules())
        if (const std::string example = example_of(*rule); !example.empty())
            text.append("    {\"").append(rule->id).append("\", R\"example(").append(example).append(")example\"},\n");
    write(path, text +
                    "};\nextern const std::span<const Example> kExamples;\n"
                    "const std::span<const Example> kExamples = kAll;\n\n}  // namespace tracelint\n");
}

}  // namespace
}  // namespace tracelint

int main(int count, char** words) {
    const bool asks_for_examples = count == 3 && std::string_view(words[1]) == "--examples";
    if (count != 2 && !asks_for_examples) {
        std::fputs("usage: tracelint_documents FOLDER\n       tracelint_documents --examples FILE\n", stderr);
        return 2;
    }
    try {
        asks_for_examples ? tracelint::write_examples(words[2]) : tracelint::write_documents(words[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracelint_documents: %s\n", error.what());
        return 1;
    }
    return 0;
}
