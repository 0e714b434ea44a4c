# Sourced by the scripts that run or package fuzz targets: their names, seeds, dictionaries and options.

# The names of all targets. All functions expect the root of the tree as current folder.
fuzz_targets() {
    local source format
    for source in fuzz/targets/*.cpp; do basename "$source" .cpp; done
    for source in fuzz/targets/format/*.cpp; do
        for format in $(fuzz_formats); do echo "$(basename "$source" .cpp)_$format"; done
    done
}

fuzz_formats() { sed -n 's/^extern const Format k\(.*\);/\L\1/p' grammars/formats.hpp; }

# fuzz_seeds TARGET: the kinds of seeds of the target, as tracelint_seeds names them.
fuzz_seeds() {
    case "$1" in
        baseline | command_line | configuration | file_list | group | manifest | merge) echo "$1" ;;
        generated_is_clean | planted_fault) echo numbers ;;
        raw_* | structured_*) echo "${1#*_}" ;;
        # It is about calls, and slow: the seeds of all formats alone would take a minute.
        c_interface) printf '%s\n' perfdata perfmap ;;
        *) fuzz_formats ;;
    esac
}

# fuzz_dictionary TARGET SEEDS: the text of the dictionary.
fuzz_dictionary() {
    local kind
    for kind in $(fuzz_seeds "$1"); do cat "$2/$kind.dict"; done
}

# fuzz_options SECTION FILE: the options of a section, as arguments of libFuzzer or as a sanitizer's variable.
fuzz_options() {
    awk -v section="$1" '/^\[/ { inside = $0 == "[" section "]" }
        inside && $2 == "=" { printf section == "libfuzzer" ? "-%s=%s " : "%s=%s:", $1, $3 }' "$2"
}
