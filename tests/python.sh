#!/usr/bin/env bash
# The Python package: its tests, and its types. Skipped where pytest is missing; the types also where mypy is.
#   tests/python.sh LIBRARY                  all but those of tracelint.dask
#   tests/python.sh LIBRARY dask PROGRAM     these; PROGRAM is the command, to compare with
set -euo pipefail
export TRACELINT_LIBRARY=$1
cd "$(dirname "$(readlink -f "$0")")/../validator/bindings/python"
export PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1
python=/usr/bin/python3  # Debian's, which has Debian's pytest
if ! $python -c 'import pytest' 2>/dev/null; then
    echo "[skipped] python3-pytest is not installed"
    exit 77
fi
if [ "${2:-}" = dask ]; then
    export TRACELINT_PROGRAM=$3
    if ! $python -c 'import distributed, fsspec' 2>/dev/null; then
        echo "[skipped] python3-distributed or python3-fsspec is not installed"
        exit 77
    fi
    exec $python -m pytest -q -p no:cacheprovider tests/test_dask.py
fi
$python -m pytest -q -p no:cacheprovider --ignore tests/test_dask.py tests
if ! $python -c 'import mypy' 2>/dev/null; then
    echo "[skipped] mypy is not installed"
    exit 77
fi
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
$python -m mypy --strict --python-version 3.9 --cache-dir "$cache" tracelint tests/consumer.py
