#!/usr/bin/env bash
# Builds the command without zstd, and checks that it says what it cannot read, and makes nothing up about it.
# Usage: without_zstd.sh FOLDER [PROGRAM]
#   FOLDER   for the build; an earlier one there is continued
#   PROGRAM  a command that was built without zstd, to be checked instead
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
folder=$1 program=${2:-$1/tracelint}
mkdir -p "$folder"
if [ $# -eq 1 ]; then
    cmake -S "$root" -B "$folder" -G Ninja -DTRACELINT_ZSTD=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 \
        >"$folder/configure.log" || { cat "$folder/configure.log" >&2; exit 1; }
    cmake --build "$folder" --target tracelint >"$folder/build.log" || { cat "$folder/build.log" >&2; exit 1; }
fi

failures=0
fail() {
    echo "without_zstd: $*" >&2
    failures=$((failures + 1))
}
# check STATUS ARGUMENT...: what the command prints, in $text.
check() {
    local expected=$1 status=0
    shift
    text=$("$program" --no-config "$@" 2>&1) || status=$?
    [ "$status" -eq "$expected" ] || fail "$* ended with $status, not $expected"
    text=$(tr -s ' \n' '  ' <<<"$text")
}
says() { [[ $text == *"$1"* ]] || fail "nothing says '$1' in: $text"; }
is_silent_on() { [[ $text != *"$1"* ]] || fail "'$1' is made up: $text"; }

real=$root/corpus/siblings/real/c-writer-compressed
check 4 --notes --with "$real/perf.data" "$real/jit-8.dump"
says "8 functions of pid 8, "
says "; compressed samples were not read; record again without -z"
says "this tracelint was built without zstd, so what compressed records hold is not checked"
says "[perfdata/tracking-limit]"
says "[siblings/compressed-not-injected]"
for rule in perfdata/compressed-corrupt perfdata/compressed-tail perfdata/no-samples siblings/no-marker-mmap \
    siblings/pid-unknown siblings/inject-not-done; do
    is_silent_on "[$rule]"
done
printf '10000 10 f\n' >"$folder/perf-77.map"
check 4 --notes --with "$real/perf.data" "$folder/perf-77.map"
says "; compressed samples were not read"
is_silent_on "[siblings/map-pid-unknown]"

# A container of zstd is told from a format that nobody knows.
printf '\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00' >"$folder/empty.dump.zst"
check 1 "$folder/empty.dump.zst"
says "compressed with zstd, which this build of tracelint cannot open"
((failures == 0))
