#!/usr/bin/env bash
# That scripts/check.d/english refuses phrases where people read them, and nothing else: in a scratch tree, one text at a
# time.
#   tests/english.sh SCRATCH
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
rm -rf "$1"
mkdir -p "$1"/{scripts/check.d,.github,grammars/x/generator,tests} \
    "$1"/validator/{tool/{docs,page},include/tracelint,bindings/{c,web,python/tracelint,wasm/npm}}
cp "$root"/scripts/check.d/english{,.phrases} "$1/scripts/check.d"
cd "$1"
failed=0
complain() { echo "tests/english.sh: $*" >&2; failed=1; }
# expect STATUS FILE TEXT: the check of a tree in which only this file has a text.
expect() {
    local status=0 output
    printf '%b' "$3" >"$2"
    output=$(scripts/check.d/english 2>&1) || status=$?
    [ "$status" -eq "$1" ] || complain "status $status instead of $1 for $2: $3"
    [ "$status" -eq 0 ] || [[ $output == *"$2:"* ]] || complain "the complaint does not name $2: $output"
    rm "$2"
}
words() { printf 'word %.0s' $(seq "$1"); }

expect 0 README.md 'The reader stops with an error.\n'
expect 1 README.md 'The reader gives up.\n'
expect 1 README.md 'The reader gives\nup.\n'                       # a line ends within the phrase
expect 1 README.md '| a | The reader gives up. |\n'
expect 1 README.md '- [The reader gives up](page.md).\n'
expect 0 README.md '```\nThe reader gives up.\n```\n`gives up` is code.\n'
expect 0 README.md "$(words 30)\n"
expect 1 README.md "$(words 31)\n"
expect 0 CHANGELOG.md "$(words 31)\n"
expect 0 README.md "$(printf 'line.\\n%.0s' $(seq 190))"
expect 1 README.md "$(printf 'line.\\n%.0s' $(seq 191))"
expect 1 CHANGELOG.md '- Shards that are missing are told.\n'
expect 1 validator/tool/docs/page.md 'Of several files, the first wins.\n'
expect 1 grammars/x/rule.cpp '.why = "the reader gives up",\n'
expect 1 grammars/x/rule.cpp '.why = "the reader gives "\n    "up",\n'
expect 1 validator/tool/help.hpp 'R"(check FILE, too\n)";\n'
expect 1 validator/tool/page/page.js 'text(`${reader} gives up.`);\n'
expect 1 validator/tool/page.schema.json '{"description": "Null if there is none."}\n'
expect 0 grammars/x/rule.cpp '// The reader gives up.\nint gives_up = 0;\n'
expect 0 grammars/x/generator/model.cpp '"gives up"\n'
expect 1 grammars/x/spec.md 'The reader gives up.\n'
expect 1 tests/page.md 'The reader gives up.\n'
expect 1 validator/bindings/c/errors.cpp 'return "the reader gives up";\n'
expect 1 validator/bindings/python/tracelint/_check.py 'class Reader:\n    """The reader\n    gives up."""\n'
expect 1 validator/bindings/python/tracelint/_check.py 'raise ValueError(f"{reader} gives up")\n'
expect 0 validator/bindings/python/tracelint/_check.py '# The reader gives up.\ngives_up = 0\n'
expect 1 validator/bindings/web/index.html '<p>The reader\ngives up.</p>\n'
expect 0 validator/bindings/web/index.html '<script>// gives up\n</script><p id="gives up"></p>\n'
expect 1 validator/bindings/wasm/npm/index.d.ts '/** The reader\n * gives up. */\n'
expect 1 validator/bindings/c/tracelint.h '/* The reader\n * gives up. */\n'
expect 1 validator/include/tracelint/check.hpp '// The reader\n// gives up.\n'
expect 0 validator/include/tracelint/check.hpp 'int gives_up();  // The reader.\n// Gives an up-to-date report.\n'

# The list is sound: what is no pattern with an advice is refused.
printf 'gives up\n' >scripts/check.d/english.phrases
! scripts/check.d/english 2>output || complain "a pattern without an advice is accepted"
grep -q 'english.phrases:1: expected a pattern' output || complain "the complaint about the list is: $(cat output)"
exit $failed
