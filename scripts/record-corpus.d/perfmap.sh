# The producers of perf maps, with the programs of jitdump and mlpd. Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(node-20 erlang php java-17 mono)

# summarise FILE: lines, and those with 0x.
summarise() {
    gzip -cdf "$1" | awk '/^0x/ { prefixed++ } END { printf "%d lines%s\n", NR, prefixed ? ", with 0x" : "" }'
}

# keep_map NAME: records /tmp/perf-<pid>.map under a name that does not claim to be that of a process.
keep_map() { keep "/tmp/perf-$pid.map" "$1.perfmap"; }

record_node_20() {
    [[ $(node --version 2>/dev/null) == v20.* ]] || skip "needs Node 20"
    program jitdump/app.js
    run node --perf-basic-prof-only-functions - <"$work/app.js"
    keep_map node-20
    run node --perf-basic-prof --interpreted-frames-native-stack - <"$work/app.js"
    keep_map node-20-all
}

record_erlang() {
    need erlang-base
    program jitdump/t.erl
    program jitdump/small.script
    (
        cd "$work" || exit
        cp "$(erl -noshell -eval 'io:format("~s", [code:which(lists)]), halt().')" .
        erlc t.erl
        erl -noshell -eval 'ok = systools:script2boot("small"), halt().'
    )
    run erl +JPperf map -boot ./small -noshell
    keep_map erlang-25
}

record_php() {
    need php8.2-cli php8.2-opcache
    program jitdump/t.php
    run php8.2 -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.huge_code_pages=0 \
        -d opcache.jit_buffer_size=32M -d opcache.jit_debug=0x10 -d opcache.file_update_protection=0 \
        -d opcache.jit=tracing t.php
    keep_map php-8.2
}

record_java_17() {
    need openjdk-17-jdk-headless
    program jitdump/App.java
    local jdk=/usr/lib/jvm/java-17-openjdk-amd64/bin
    run "$jdk/javac" App.java
    # The name goes to the end of the line, return types and parameters included.
    run "$jdk/java" -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -cp . App
    keep_map java-17
}

record_mono() {
    need mono-runtime mono-mcs
    program mlpd/Hello.cs
    run mcs -out:Hello.exe Hello.cs
    run mono --jitmap Hello.exe
    keep_map mono-6.8
}
