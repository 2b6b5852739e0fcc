"""Findings as SARIF 2.1.0, which code hosts show beside the lines they are about."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import quote

from gitmem.format.layout import GITMEM

if TYPE_CHECKING:
    from gitmem.audit.base import CheckAnswer, FindingAnswer

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(answer: CheckAnswer) -> dict[str, object]:
    """The answer as one SARIF run; the finding codes are its rules."""
    codes = sorted({finding.code for finding in answer.findings})
    driver = {
        "name": "gitmem",
        "version": version("gitmem-workspace"),
        "rules": [{"id": code, "shortDescription": {"text": code.replace("-", " ")}} for code in codes],
    }
    results = [_result(finding, codes) for finding in answer.findings]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(finding: FindingAnswer, codes: list[str]) -> dict[str, object]:
    fix = f" ({finding.fix})" if finding.fix else ""
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": f"{finding.message}{fix}"},
        "locations": [{"physicalLocation": _place(finding)}],
        "properties": {"check": finding.check, "block": finding.block, "commit": finding.commit},
    }


def _place(finding: FindingAnswer) -> dict[str, object]:
    """Where it is; what is about no file stands at the file that makes a repository a workspace.

    Code hosts take no result without a file and a line.
    """
    path = finding.path if finding.path is not None else GITMEM
    return {
        "artifactLocation": {"uri": quote(path, errors="surrogateescape")},
        "region": {"startLine": finding.line or 1},
    }
