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
