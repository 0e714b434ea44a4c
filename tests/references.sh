#!/usr/bin/env bash
# Whether the build made a reference of each grammar, put the specification beside it, and they have what the reference
# links to.
#   tests/references.sh FOLDER    FOLDER: build/<profile>/documents
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$1"
status=0
complain() { echo "tests/references.sh: $*" >&2; status=1; }
for specification in $(cd "$root" && find grammars -name spec.md); do
    folder=$(dirname "$specification")
    reference=$folder/reference.md
    cmp "$root/$specification" "$specification" || complain "$PWD has no $specification"
    [ -s "$reference" ] || { complain "$PWD/$reference is missing"; continue; }
    grep -qE '\]\(spec.md#' "$reference" || complain "$reference does not link to its specification"
    # Of both: the specification links to that of a grammar that extends it.
    for file in "$reference" "$specification"; do
        for link in $(grep -oE '\]\([a-z/.]*spec\.md' "$file" | sed 's/](//' | sort -u); do
            [ -f "$folder/$link" ] || complain "$file links to $link, which is not there"
        done
    done
done
exit $status
