#!/usr/bin/env bash
# Whether the build made a reference of each grammar, put the specification beside it, and they have what the reference
# links to.
#   tests/references.sh FOLDER    FOLDER: build/<profile>/documents
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$1"
status=0
complain() { echo "tests/references.sh: $*" >&2; status=1; }
for specification in $(find "$root/grammars" -name spec.md); do
    grammar=$(basename "$(dirname "$specification")")
    reference=grammars/$grammar/reference.md
    cmp "$specification" "grammars/$grammar/spec.md" || complain "the specification of $grammar is not in $PWD"
    [ -s "$reference" ] || { complain "$PWD/$reference is missing"; continue; }
    links=$(grep -oE '\]\([^)#]+' "$reference" | sed 's/](//' | sort -u)
    [ -n "$links" ] || complain "$reference links to no specification"
    for link in $links; do
        [ -f "grammars/$grammar/$link" ] || complain "$reference links to $link, which is not there"
    done
done
exit $status
