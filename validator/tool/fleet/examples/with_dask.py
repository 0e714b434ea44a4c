#!/usr/bin/env python3
"""Checks the files of a manifest with Dask, and writes a part for each shard.

    with_dask.py MANIFEST FOLDER SHARDS [SCHEDULER]

All workers see FOLDER under the same path and have the command, which TRACELINT may name. Run it again after a failure:
finished shards are left as they are. Merge the parts with `tracelint merge FOLDER/part-*.ndjson --expect-manifest MANIFEST`.
"""

import os
import sys

import distributed
import tracelint.dask


def main() -> None:
    manifest, folder, shards, *scheduler = sys.argv[1:]
    cluster = scheduler[0] if scheduler else distributed.LocalCluster(dashboard_address=":0")
    program = os.environ.get("TRACELINT", "tracelint")
    with distributed.Client(cluster) as client:
        with tracelint.dask.check(manifest, client, shards=int(shards), folder=folder, program=program) as run:
            distributed.progress(run.futures, notebook=False)
            print(run.summary())


if __name__ == "__main__":
    main()
