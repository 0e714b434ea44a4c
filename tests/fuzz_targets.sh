#!/usr/bin/env bash
# The program of all fuzz targets. Each target has seeds and a dictionary, and has no complaint about a seed, whether an
# option chooses it or the name of the program. Its inputs are changed by its own mutator. An unknown target is refused.
#   tests/fuzz_targets.sh FUZZER SEEDS SCRATCH
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
fuzzer=$1 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
fail() { echo "$*"; exit 1; }

"$2" "$root" "$scratch/seeds"
"$fuzzer" --list-targets >"$scratch/targets"
for name in $(sed -n 's/^ *FORMAT(\([A-Za-z0-9]*\)).*/raw_\L\1 structured_\L\1/p' "$root/grammars/formats.hpp") never_crash; do
    grep -q "^$name"$'\t' "$scratch/targets" || fail "--list-targets does not list $name"
done
[ -z "$(cut -f 1 "$scratch/targets" | sort | uniq -d)" ] || fail "--list-targets lists a name twice"

# holds NAME SEED PROGRAM [OPTION]
holds() {
    local log=$scratch/$1.log
    "$3" ${4:-} -artifact_prefix="$scratch/$1-" "$2" >"$log" 2>&1 || { cat "$log"; fail "$3 ${4:-} fails"; }
    { grep -qx "target: $1" "$log" && grep -q "^Executed $2" "$log"; } || { cat "$log"; fail "$3 ${4:-}: another target"; }
}
# The target on the first of its seeds.
try() {
    local name=$1 kinds=$2 kind seed
    for kind in $kinds; do
        seed=$(find "$scratch/seeds/$kind" -type f | sort | sed -n 1p)
        { [ -n "$seed" ] && [ -s "$scratch/seeds/$kind.dict" ]; } || fail "$name: no seeds or words of kind $kind"
    done
    holds "$name" "$seed" "$fuzzer" "--target=$name"
    ln -s "$fuzzer" "$scratch/$name"
    holds "$name" "$seed" "$scratch/$name"
}
export -f fail holds try
export fuzzer scratch
cut -f 1,2 --output-delimiter $'\n' "$scratch/targets" |
    xargs -d '\n' -n 2 -P "$(nproc)" bash -euo pipefail -c 'try "$1" "$2"' try

# libFuzzer names the mutators of inputs with new coverage: those of a structured target are crossed by its own.
for name in raw_jitdump structured_jitdump; do
    "$fuzzer" --target=$name -seed=1 -runs=3000 -artifact_prefix="$scratch/" "$scratch/seeds/sample/jitdump" >"$scratch/$name.log" 2>&1 ||
        { cat "$scratch/$name.log"; fail "$name fails"; }
    grep -q ' MS: .*Custom-' "$scratch/$name.log" || { cat "$scratch/$name.log"; fail "$name: no new coverage"; }
done
grep -q CustomCrossOver "$scratch/structured_jitdump.log" || fail "structured_jitdump crosses inputs as bytes"
! grep -q CustomCrossOver "$scratch/raw_jitdump.log" || fail "raw_jitdump crosses inputs as records"
grep -q ' MS: .*CrossOver-' "$scratch/raw_jitdump.log" || fail "raw_jitdump does not cross inputs"

status=0
"$fuzzer" --target=never_crashes >"$scratch/log" 2>&1 || status=$?
[ $status = 2 ] || fail "an unknown target ends with $status"
grep -q "never_crashes" "$scratch/log" && grep -qx "  never_crash" "$scratch/log" || fail "no list of targets for an unknown one"
echo "$(wc -l <"$scratch/targets") targets hold on a seed"
