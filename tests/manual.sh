#!/usr/bin/env bash
# Whether the readers of manual pages have something to say about those that the build made. Ends with 77 if there is
# neither of them.
#   tests/manual.sh FOLDER    FOLDER: build/<profile>/documents/man
set -euo pipefail
cd "$1"
status=77
complain() { echo "tests/manual.sh: $*" >&2; status=1; }
pages=$(find . -type f -name '*.[0-9]' | sort)
[ "$(wc -l <<<"$pages")" -ge 7 ] || { complain "too few pages in $PWD: $pages"; exit 1; }
if command -v mandoc >/dev/null; then
    [ $status -eq 1 ] || status=0
    # shellcheck disable=SC2086
    mandoc -T lint -W warning $pages || complain "mandoc warns"
    for page in $pages; do
        # What a person sees in a terminal of 80 columns.
        wide=$(mandoc -T ascii -O width=78 "$page" | sed 's/.\x08//g' | awk 'length > 80')
        [ -z "$wide" ] || complain "$page has lines of more than 80 columns: $wide"
    done
else
    echo "[skipped] mandoc is not installed: scripts/install peers"
fi
if command -v man >/dev/null && man --version 2>/dev/null | grep -q '^man 2'; then
    [ $status -eq 1 ] || status=0
    for page in $pages; do
        words=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -Tutf8 -Z -l "$page" 2>&1 >/dev/null) || complain "man fails"
        [ -z "$words" ] || complain "man warns about $page: $words"
    done
else
    echo "[skipped] man-db is not installed: scripts/install peers"
fi
exit $status
