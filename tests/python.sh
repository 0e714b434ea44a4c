#!/usr/bin/env bash
# The Python package: its tests, and its types. Skipped where pytest is missing; the types also where mypy is.
#   tests/python.sh LIBRARY all PROGRAM            all but those of tracelint.dask; PROGRAM is the command
#   tests/python.sh LIBRARY dask|faults PROGRAM    these
set -euo pipefail
export TRACELINT_LIBRARY=$(readlink -f "$1") PYTHONDONTWRITEBYTECODE=1
program=$(readlink -f "$3")
cd "$(dirname "$(readlink -f "$0")")/../validator/bindings/python"
export PYTHONPATH=$PWD
python=/usr/bin/python3  # Debian's, which has Debian's pytest
if ! $python -c 'import pytest' 2>/dev/null; then
    echo "[skipped] python3-pytest is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TRACELINT_PROGRAM=$program
if [ "$2" != all ]; then
    if ! $python -c 'import distributed, fsspec' 2>/dev/null; then
        echo "[skipped] python3-distributed or python3-fsspec is not installed"
        exit 77
    fi
    "${CXX:-c++}" -std=c++20 -shared -fPIC -o "$scratch/hook.so" ../../../tests/fleet/hook.cpp
    export TRACELINT_HOOK=$scratch/hook.so
    case $2 in
        dask) $python -m pytest -q -p no:cacheprovider tests/test_dask.py ;;
        faults) $python -m pytest -q -p no:cacheprovider tests/test_dask_faults.py ;;
        *) echo "tests/python.sh: no such tests: $2" >&2; exit 2 ;;
    esac
    exit
fi
$python -m pytest -q -p no:cacheprovider --ignore tests/test_dask.py --ignore tests/test_dask_faults.py tests
if ! $python -c 'import mypy' 2>/dev/null; then
    echo "[skipped] mypy is not installed"
    exit 77
fi
$python -m mypy --strict --python-version 3.9 --cache-dir "$scratch" tracelint tests/consumer.py
