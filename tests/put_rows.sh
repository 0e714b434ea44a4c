#!/usr/bin/env bash
# Whether scripts/nightly.d/put-rows keeps the last row of each name, whatever else stands in the table and in what it reads.
#   tests/put_rows.sh SCRATCH
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
mkdir -p "$1"
cd "$1"
table='# Results

| target | date | findings |
|---|---|---|
| prefix | 2026-01-01 | none |
| gzip | 2026-01-01 | none |
'
rows='| target | date | findings |
|---|---|---|
| prefix | 2026-01-02 | a \n & b |
building
| prefixes | 2026-01-03 | none |
| prefix | 2026-01-04 | a fault |'
wanted='# Results

| target | date | findings |
|---|---|---|
| prefix | 2026-01-04 | a fault |
| gzip | 2026-01-01 | none |
| prefixes | 2026-01-03 | none |'
printf '%s' "$table" >table.md
said=$("$root/scripts/nightly.d/put-rows" table.md <<<"$rows")
diff <(echo "$wanted") table.md
diff <(echo "$rows") <(echo "$said")
"$root/scripts/nightly.d/put-rows" table.md <<<'| gzip | 2026-01-05 | a \n & b |' >said
grep -qxF '| gzip | 2026-01-05 | a \n & b |' table.md
