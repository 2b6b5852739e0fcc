"""One error-level finding refuses the change, under the failure code of the first."""

from __future__ import annotations

import pytest

from gitmem.checks import gate
from gitmem.checks.registry import CHECKS, REQUEST_CHECKS
from gitmem.errors import Code, Finding, InvalidRequest, Refused, Severity


def finding(check: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(check, severity, "some-code", f"{check} says no", "topics/a.md", 3)


def test_warnings_pass() -> None:
    gate.refuse_errors([])
    gate.refuse_errors([finding("citations", Severity.WARNING)])


def test_the_first_error_names_the_failure_and_all_are_carried() -> None:
    findings = [finding("text", Severity.WARNING), finding("citations"), finding("paths")]
    with pytest.raises(Refused) as caught:
        gate.refuse_errors(findings)
    assert caught.value.code is Code.MISSING_SOURCE
    assert caught.value.path == "topics/a.md"
    assert caught.value.findings == tuple(findings)
    assert "(and 1 more)" in caught.value.message


def test_a_limit_is_the_callers_mistake() -> None:
    with pytest.raises(InvalidRequest) as caught:
        gate.refuse_errors([finding("limits")])
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_every_check_has_its_own_name() -> None:
    names = [rule.NAME for rule in CHECKS] + [rule.NAME for rule in REQUEST_CHECKS]
    assert len(names) == len(set(names))
