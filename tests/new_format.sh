#!/usr/bin/env bash
# Proves that .github/CONTRIBUTING.md says all that a new format needs: follows its steps in a copy of the tree, for a
# format called "sample", and runs the program that comes out. What the format does not change is linked from a build.
#   tests/new_format.sh SCRATCH BUILD COMPILER FLAGS
#     SCRATCH   a folder for the copy and its build; an earlier copy there is replaced
#     BUILD     the build folder that has the libraries, made by COMPILER; FLAGS are the definitions that it was built with
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
scratch=$(mkdir -p "$1" && cd "$1" && pwd)
build=$2 compiler=$3 flags=$4
fail() { echo "new_format: $*" >&2; exit 1; }

# A copy of the tree, without what was built.
rm -rf "$scratch/tree"
mkdir -p "$scratch/tree"
cp -r "$root"/{CMakeLists.txt,.clang-format,.github,corpus,fuzz,grammars,scripts,tests,validator} "$scratch/tree"
cd "$scratch/tree"

# The script makes the files that the document lists, in the place of NAME, and no other.
made=$(scripts/new-format sample | sort)
listed=$(sed -n '/^<!-- files of a format -->$/,/^<!-- end -->$/s/^- `\([^`]*\)`.*/\1/p' .github/CONTRIBUTING.md | sed 's/NAME/sample/g')
[ -n "$listed" ] || fail "CONTRIBUTING.md lists no files"
for file in $made; do
    covered=
    for entry in $listed; do
        # shellcheck disable=SC2254  # an entry may be a pattern
        case $file in $entry) covered=1 ;; esac
    done
    [ -n "$covered" ] || fail "CONTRIBUTING.md does not list $file"
done
for entry in $listed; do
    compgen -G "$entry" >/dev/null || fail "CONTRIBUTING.md lists $entry, which no step makes"
done
scripts/new-format sample 2>/dev/null && fail "a second format of the same name is made"
scripts/new-format 'Sample!' 2>/dev/null && fail "any name is taken"
includes=$(scripts/check.d/includes 2>&1 | grep 'grammars/sample' || true)
[ -z "$includes" ] || fail "$includes"

# Without optimisation, which saves time.
cmake -S tests/new_format -B "$scratch/build" -G Ninja -DTREE="$PWD" -DNAME=sample -DBUILD="$build" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="-O0 $flags" >"$scratch/build.log" &&
    cmake --build "$scratch/build" >>"$scratch/build.log" 2>&1 || { tail -n 40 "$scratch/build.log" >&2; fail "it does not build"; }
tracelint=$scratch/build/tracelint

rules=$($tracelint rules | grep -o 'sample/[a-z-]*' | sort -u)
cases=$(cd corpus/sample/rules && ls | sed 's|\(.*\)\.case|sample/\1|' | sort)
[ "$rules" = "$cases" ] || fail "the rules of the program are not those of the cases:"$'\n'"$(diff <(echo "$rules") <(echo "$cases"))"

$tracelint generate sample --seed 7 -o good.sample
$tracelint --fail-on warning good.sample >good.txt || fail "a generated file is not clean: $(cat good.txt)"
grep -q '"format":"sample"' <($tracelint --output json good.sample) || fail "the format is not recognised"

# A typed file, and one that is broken in a known way.
printf '1YOT\3\0\0\0' >typed.sample
found=$($tracelint --output concise typed.sample) && fail "an error does not decide the exit status"
[[ $found == typed.sample:0x4+2:*'[sample/unknown-version]' ]] || fail "the typed file has: $found"
for rule in started-twice unknown-task trailing-bytes; do
    $tracelint generate sample --seed 7 --violate "sample/$rule" -o "$rule.sample" 2>generate.log
    $tracelint --output concise "$rule.sample" >"$rule.txt" || true
    [ "$(grep -c "\[sample/$rule\]" "$rule.txt")" = 1 ] || fail "the planted fault of $rule is not found: $(cat "$rule.txt")"
    $tracelint explain "sample/$rule" | grep -q '\^' || fail "explain has no example of $rule"
done
$tracelint dump good.sample | grep -q 'TASK' || fail "dump does not know the records"
echo "new_format: the steps are complete"
