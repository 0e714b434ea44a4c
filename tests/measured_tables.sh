#!/usr/bin/env bash
# Whether the build refuses a damaged table of readers, grammars/*/readers/measured.tsv, whatever is wrong with it.
#   tests/measured_tables.sh CMAKE SCRATCH
set -euo pipefail
cmake=$1 scratch=$2
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
table=grammars/xray/readers/measured.tsv
rm -rf "$scratch"
mkdir -p "$scratch/$(dirname "$table")"
status=0
complain() { echo "tests/measured_tables.sh: $*" >&2; status=1; }
embed() { "$cmake" -DROOT="$scratch" -DOUTPUT="$scratch/tables.cpp" -P "$root/scripts/embed-measured.cmake" >"$scratch/log" 2>&1; }

cp "$root/$table" "$scratch/$table"
embed || complain "the table of the tree is refused: $(cat "$scratch/log")"
while IFS='|' read -r what edit; do
    sed "$edit" "$root/$table" >"$scratch/$table"
    ! cmp -s "$root/$table" "$scratch/$table" || complain "no table has $what"
    ! embed || complain "a table is taken that has $what"
    grep -q 'measured.tsv' "$scratch/log" || complain "the table is not named that has $what: $(cat "$scratch/log")"
done <<'END'
an outcome that is none|2s/ignores/likes/
an outcome that is none among several|2s/refuses/likes/
no number of files|2s/ignores 8/ignores/
an empty cell|3s/\t[^\t]*$/\t/
a condition that is none|3s/\t-\t/\tsometimes\t/
a kind in decimal|3s/\t-\t/\trecords of 7\t/
a cell too many|4s/$/\t-/
a cell too few|4s/\t[^\t]*$//
an empty line|5s/.*//
no reader|1s/\tllvm.*//
a reader without a version|1s/@14//
a reader without a date|1s/, 2[0-9-]*//
another first line|1s/condition/when/
a character of C++|5s/ignores/ign"res/
a character of CMake|5s/ignores/ign;res/
END
exit $status
