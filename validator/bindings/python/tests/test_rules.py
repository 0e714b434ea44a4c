"""The catalogue."""

import re

import pytest
import tracelint


def test_rules_are_described():
    rules = tracelint.rules()
    assert len({rule.id for rule in rules}) == len(rules) > 100
    for rule in rules:
        assert rule.statement and rule.why and rule.since
        assert tracelint.explain(rule.id) == rule
        assert all(len(line) <= 72 for line in str(rule).splitlines() if " " in line.strip())


def test_every_finding_can_be_explained(broken):
    for finding in tracelint.check(broken).findings:
        assert tracelint.explain(finding.rule).severity in ("note", "warning", "error")


def test_no_rule():
    with pytest.raises(KeyError):
        tracelint.explain("jitdump/no-such-rule")


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", tracelint.__version__)
