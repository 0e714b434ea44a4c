#!/usr/bin/env python3
"""Checks the files of a manifest with Dask, and writes a part for each shard.

    with_dask.py MANIFEST FOLDER SHARDS [SCHEDULER]

All workers see FOLDER under the same path. Run it again after a failure: finished shards are left as they are. Merge the
parts with `tracelint merge FOLDER/part-*.ndjson --expect-manifest MANIFEST`.
"""

import sys

import distributed
import tracelint.dask


def main() -> None:
    manifest, folder, shards, *scheduler = sys.argv[1:]
    cluster = scheduler[0] if scheduler else distributed.LocalCluster(dashboard_address=None)
    with distributed.Client(cluster) as client:
        tracelint.dask.check_shards(manifest, folder, int(shards), client, progress=True)


if __name__ == "__main__":
    main()
