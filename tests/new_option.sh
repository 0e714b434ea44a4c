#!/usr/bin/env bash
# Proves that an option is a row of the table and what obeys it: adds one to a copy of the tree, by changing two files, and
# looks for it in help, manual, completions and configuration.
#   tests/new_option.sh SCRATCH BUILD COMPILER FLAGS
#     SCRATCH   a folder for the copy and its build; an earlier copy there is replaced
#     BUILD     the build folder that has the libraries, made by COMPILER; FLAGS are the definitions that it was built with
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
scratch=$(mkdir -p "$1" && cd "$1" && pwd)
build=$2 compiler=$3 flags=$4
fail() { echo "new_option: $*" >&2; exit 1; }

rm -rf "$scratch/tree"
mkdir -p "$scratch/tree"
cp -r "$root"/{corpus,grammars,scripts,tests,validator} "$scratch/tree"
cd "$scratch/tree"

# 1. The table: a member of a part, and the option that sets it.
sed -i '/^struct Reporting {$/a\    bool mute = false;' validator/tool/options/check_options.hpp
sed -i '/^inline constexpr std::tuple kCheckOptions{$/a\
    PartOption<Reporting>{\
        .names = "--mute-all",\
        .doc = "print nothing at all",\
        .facts = {.key = ConfigurationKey::one},\
        .flag = \&Reporting::mute,\
    },' validator/tool/options/check_options.hpp
# 2. What obeys it.
sed -i 's/if (output\.file\.empty() && reporting\.quiet) continue;/if (reporting.mute) continue;/' validator/tool/run/outputs.cpp
changed=$( (diff -rq "$root/validator" validator || true) | wc -l)
[ "$changed" = 2 ] || fail "$changed files are changed, not 2"

cmake -S tests/new_format -B "$scratch/build" -G Ninja -DTREE="$PWD" -DBUILD="$build" \
    "-DCHANGED=validator/tool/options/*.cpp;validator/tool/run/*.cpp;validator/tool/catalogue/documents/*.cpp" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="-O0 $flags" >"$scratch/build.log" &&
    cmake --build "$scratch/build" >>"$scratch/build.log" 2>&1 || { tail -n 40 "$scratch/build.log" >&2; fail "it does not build"; }
tracelint=$scratch/build/tracelint
"$scratch/build/tracelint_documents" "$scratch/documents"

trace=corpus/jitdump/real/node-20.dump
[ -n "$($tracelint --no-config $trace)" ] && [ -z "$($tracelint --no-config --mute-all $trace)" ] || fail "it is not obeyed"
$tracelint --help | grep -q -- '--mute-all  *print nothing at all' || fail "help lacks it"
for file in man/man1/tracelint.1 man/man5/tracelint.json.5 bash-completion zsh fish; do
    grep -rqE 'mute.{0,2}[-_].{0,2}all' "$scratch/documents/$file" || fail "$file lacks it"
done
echo '{"mute_all": true}' >mute.json
[ -z "$($tracelint --config mute.json $trace)" ] || fail "a configuration does not give it"
$tracelint --config mute.json --show-config | grep -q '"mute_all": true' || fail "--show-config does not show it"
echo "new_option: two files are enough"
