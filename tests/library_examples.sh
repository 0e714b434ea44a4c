#!/usr/bin/env bash
# The examples of validator/bindings/README.md in C++, C and Python, and that of README.md, compiled and run as they are.
#   tests/library_examples.sh BUILD COMPILER
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,3s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
build=$1 compiler=$2
scratch=$build/library_examples
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
fail() { echo "library_examples: $*" >&2; exit 1; }
# example LANGUAGE FILE [PAGE]: the one block of this language.
example() {
    local page=${3:-validator/bindings/README.md}
    awk -v start="\`\`\`$1" '$0 == start { inside = 1; next } /^```/ { inside = 0 } inside' "$root/$page" >"$2"
    [ -s "$2" ] || fail "$page has no example in $1"
}
# expect STATUS PATTERN COMMAND...
expect() {
    local status=0 wanted=$1 pattern=$2
    shift 2
    "$@" >output 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { cat output >&2; fail "$1 ends with $status instead of $wanted"; }
    grep -qE "$pattern" output || { cat output >&2; fail "$1 does not print $pattern"; }
}
broken=$root/corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump
healthy=$root/corpus/jitdump/real/node-18.dump
c_library=$build/validator/bindings/c

example cpp readme.cpp README.md
example cpp example.cpp
cmp readme.cpp example.cpp || fail "README.md shows another example in C++"
"$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I"$root/validator/include" example.cpp -o cpp \
    -L"$build/validator/library" -ltracelint -Wl,-rpath,"$build/validator/library"
example c example.c
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$root/validator/bindings/c" example.c -o c \
    -L"$c_library" -ltracelint_c -Wl,-rpath,"$c_library"
cp "$broken" perf.dump
expect 1 '^32: flags is 0x' ./cpp
expect 1 '^jitdump: error$' ./c
cp "$healthy" perf.dump
expect 0 'd' ./cpp
expect 0 '^jitdump: note$' ./c

/usr/bin/python3 -c 'import pytest' 2>/dev/null || { echo "[skipped] Python: python3-pytest is not installed"; exit 77; }
example python example.py
export PYTHONPATH=$root/validator/bindings/python PYTHONDONTWRITEBYTECODE=1
export TRACELINT_LIBRARY=$c_library/libtracelint_c.so.0
expect 0 "^note \{'error': 0" /usr/bin/python3 example.py
cp "$broken" perf.dump
expect 1 'AssertionError: perf.dump \(jitdump\): 1 error' /usr/bin/python3 example.py
