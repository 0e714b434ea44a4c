# What the producers of several formats need beside the functions of scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

# run_to_status STATUS COMMAND...: a run that ends with this status, such as 137 after SIGKILL.
run_to_status() {
    # shellcheck disable=SC2016
    run bash -c '"${@:2}"; (($? == $1))' bash "$@"
}

# keep_empty FILE NAME: records what a process left that ended before anything was written.
keep_empty() {
    local file=$1 name=$2
    [[ -f $file && ! -s $file ]] || fail "$name is not empty"
    install -m 644 "$file" "$into/$name"
    rm "$file"
    echo "$name" >>"$recorded"
    echo "recorded: $name"
}

# need_foreign ARCHITECTURE PACKAGE...: packages of a foreign machine and what else is needed. The architecture stays
# known to dpkg, and apt-get update fetches its lists from then on.
need_foreign() {
    local architecture=$1 as_root=()
    shift
    if [[ $(dpkg --print-foreign-architectures | tr '\n' ' ') != *"$architecture "* ]]; then
        ((EUID == 0)) || as_root=(sudo -n)
        "${as_root[@]}" dpkg --add-architecture "$architecture" || skip "cannot add $architecture"
        # Lists of other machines' packages that cannot be had do no harm.
        "${as_root[@]}" apt-get update -qq >"$work/install.log" 2>&1 || true
    fi
    need "$@"
}

# unpack_foreign FOLDER PACKAGE...: packages that cannot be installed beside ours, unpacked into the FOLDER of $work.
unpack_foreign() {
    local folder=$1
    shift
    (cd "$work" && apt-get download -qq "$@" >/dev/null 2>&1) || skip "no $*"
    mkdir -p "$work/$folder"
    find "$work" -maxdepth 1 -name '*.deb' -exec dpkg-deb -x {} "$work/$folder" \; -delete
}

# boot_small_erlang: $work/small.boot calls main() of $work/t.erl. It loads two modules instead of the several hundred of
# a usual start, so that a dump has 1 MB instead of 6.
boot_small_erlang() {
    program jitdump/small.script
    (
        cd "$work" || exit
        cp "$(erl -noshell -eval 'io:format("~s", [code:which(lists)]), halt().')" .
        erlc t.erl
        erl -noshell -eval 'ok = systools:script2boot("small"), halt().'
    )
}

# ---- perf's agent for Java: no Debian package holds it ---------------------

java_17=/usr/lib/jvm/java-17-openjdk-amd64

# unpack_agent: its sources, in $work/linux.
unpack_agent() {
    local source=/usr/src/linux-source-6.1.tar.xz
    need gcc libc6-dev openjdk-17-jdk-headless
    [[ -f $java_17/include/jvmti.h ]] || skip "no jvmti.h"
    if [[ ! -f $source ]]; then
        # Only unpacked: 140 MB that nothing else here needs.
        (cd "$work" && apt-get download -qq linux-source-6.1 >/dev/null 2>&1) || skip "no linux-source-6.1"
        dpkg-deb -x "$work"/linux-source-6.1_*.deb "$work/package"
        source=$work/package$source
    fi
    mkdir "$work/linux"
    tar -C "$work/linux" --strip-components 1 --wildcards -xf "$source" \
        '*/tools/perf/jvmti/*' '*/tools/perf/util/jitdump.h' '*/tools/lib/string.c' '*/tools/lib/ctype.c' \
        '*/tools/include/linux/*' '*/tools/include/uapi/*' '*/tools/include/asm-generic/*'
    rm -rf "$work/package" "$work"/linux-source-6.1_*.deb
}

# build_agent OPTIMISATION: $work/libperf-jvmti.so.
build_agent() {
    local perf=tools/perf
    (
        cd "$work/linux"
        gcc "$1" -fPIC -shared -D_GNU_SOURCE -DHAVE_GETTID -DHAVE_JVMTI_CMLR \
            -I$perf -I$perf/util -Itools/include -I$java_17/include -I$java_17/include/linux \
            $perf/jvmti/libjvmti.c $perf/jvmti/jvmti_agent.c tools/lib/string.c tools/lib/ctype.c \
            -o "$work/libperf-jvmti.so"
    ) >"$work/build.log" 2>&1 || fail "cannot build the agent"
}
