# Sourced by the scripts that run or package fuzz targets: their names, seeds, dictionaries and options. FOLDER is what
# fuzz_prepare has filled.

# fuzz_prepare BUILD FOLDER: writes the seeds and dictionaries of all kinds, and the list of targets, which is
# tracelint_fuzzer's. Expects the root of the tree as current folder.
fuzz_prepare() {
    "$1/tracelint_seeds" . "$2"
    "$1/tracelint_fuzzer" --list-targets >"$2/targets"
}

# fuzz_targets FOLDER: the names of all targets.
fuzz_targets() { cut -f 1 "$1/targets"; }

# fuzz_seeds FOLDER TARGET: the kinds of seeds of the target, which are folders in FOLDER.
fuzz_seeds() { awk -F '\t' -v target="$2" '$1 == target { print $2 }' "$1/targets"; }

# fuzz_dictionary FOLDER TARGET: the text of the dictionary.
fuzz_dictionary() {
    local kind
    for kind in $(fuzz_seeds "$1" "$2"); do cat "$1/$kind.dict"; done
}

# fuzz_options SECTION FILE: the options of a section, as arguments of libFuzzer or as a sanitizer's variable.
fuzz_options() {
    awk -v section="$1" '/^\[/ { inside = $0 == "[" section "]" }
        inside && $2 == "=" { printf section == "libfuzzer" ? "-%s=%s " : "%s=%s:", $1, $3 }' "$2"
}
