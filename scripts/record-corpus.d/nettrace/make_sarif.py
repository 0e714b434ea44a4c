"""Writes a log in SARIF whose rewriting takes some seconds and collects garbage."""

import json
import sys

results = [
    {
        "ruleId": f"R{number % 50}",
        "message": {"text": f"message number {number}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": f"src/file{number % 997}.c"},
                    "region": {"startLine": number % 5000 + 1},
                }
            }
        ],
    }
    for number in range(30000)
]
log = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "tool"}}, "results": results}]}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(log, file)
