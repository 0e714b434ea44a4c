# The producers of profiles in profile.proto: Go's runtime and its tool, gccgo, and encoders for Node. Sourced by
# scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(go gccgo go-tool gperftools pprof-format datadog node-pprof)

# summarise FILE: its size without gzip.
summarise() {
    printf '%s bytes\n' "$(gzip -cdf "$1" | wc -c)"
}

# Sets $version to that of Go.
find_go() {
    need golang-go
    version=$(go env GOVERSION) version=${version#go}
}

# keep_profiles PREFIX: all that a program of ours wrote.
keep_profiles() {
    local file
    for file in "$work"/*.pprof; do
        keep "$file" "$1-$(basename "$file")"
    done
}

# run_profiles COMMAND...: builds profiles.go with it, without a module, and runs it.
run_profiles() {
    program profiles.go
    run env GO111MODULE=off GOCACHE="$work/cache" GOFLAGS=-trimpath "$@" -o profiles profiles.go
    run ./profiles
}

record_go() {
    find_go
    run_profiles go build
    keep_profiles "go-$version"
}

record_gccgo() {
    need gccgo-12
    program profiles.go
    run gccgo-12 -O1 -g -o profiles profiles.go
    run ./profiles
    keep_profiles gccgo-12
}

# What the tool writes of Go's own profiles.
record_go_tool() {
    find_go
    run_profiles go build
    local name
    for name in raw:-proto focus:-proto\ -focus=spin; do
        # shellcheck disable=SC2086
        (cd "$work" && go tool pprof ${name#*:} -output="tool-${name%%:*}.out" profiles cpu.pprof >/dev/null 2>&1)
        keep "$work/tool-${name%%:*}.out" "go-tool-$version-${name%%:*}.pprof"
    done
    (cd "$work" && go tool pprof -proto -output=diff.out -diff_base=heap.pprof allocs.pprof >/dev/null 2>&1)
    keep "$work/diff.out" "go-tool-$version-diff.pprof"
    (cd "$work" && go tool pprof -proto -output=merged.out cpu.pprof cpu-idle.pprof >/dev/null 2>&1)
    keep "$work/merged.out" "go-tool-$version-merged.pprof"
    (cd "$work" && go tool pprof -topproto -output=top.out profiles cpu.pprof >/dev/null 2>&1)
    keep "$work/top.out" "go-tool-$version-top.pprof"
}

# A profile of gperftools, converted without symbols.
record_gperftools() {
    find_go
    local source
    source=$(find "$root/corpus/gperftools/real" -name '*linked.prof' ! -name '*i386*' ! -name '*s390x*' | sort | head -n 1)
    [[ -n $source ]] || skip "no profile of gperftools"
    cp "$source" "$work/source.prof"
    (cd "$work" && go tool pprof -symbolize=none -proto -output=converted.out source.prof >/dev/null 2>&1)
    keep "$work/converted.out" "go-tool-$version-gperftools.pprof"
}

record_pprof_format() {
    local archive
    command -v npm >/dev/null || need npm
    archive=$(cd "$work" && npm pack --silent pprof-format@2.3.2 2>"$work/npm.log") || skip "npm has no pprof-format"
    tar -xzf "$work/$archive" -C "$work"
    program encode.js
    run node encode.js
    keep "$work/encoded.pprof" pprof-format-2.3.2.pprof
}

# install_npm PACKAGE@VERSION: into $work, as npm does, with what its own scripts build or fetch.
install_npm() {
    command -v npm >/dev/null || need npm
    (cd "$work" && npm install --silent --no-audit --no-fund --prefix . "$1" >npm.log 2>&1) || skip "npm has no $1"
}

record_datadog() {
    install_npm @datadog/pprof@5.20.0
    program work.js
    program datadog.js
    run node datadog.js
    keep_profiles datadog-pprof-5.20.0
}

record_node_pprof() {
    install_npm pprof@5.0.0
    program work.js
    program google.js
    run node google.js
    keep_profiles node-pprof-5.0.0
}
