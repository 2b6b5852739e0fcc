"""What an agent is told (``behaviours.md`` 8.5, 10.11, 10.12; ``formats.md``, "What the writing model reads")."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from gitmem.request import FilesEdit
from gitmem.writer.agent import Prompt
from gitmem.writer.prompts_rules import CORE_RULES, DATA, DISTILL, FORMAT, MENDING, REFUSED, SELECTION
from gitmem.writer.records_text import json_line, records_text

if TYPE_CHECKING:
    from datetime import tzinfo

    from gitmem.errors import Finding
    from gitmem.writer.base import Batch, Memory, Refusal

MOST_PATHS = 500
"""Topic files that the task names; an agent lists the others itself."""

MOST_FINDINGS = 100
"""Findings that a refusal tells."""

RULES = f"{DISTILL}\n\n{DATA}\n\n{SELECTION}\n\n{FORMAT}\n\n{CORE_RULES}\n\n{REFUSED}"
"""The rules for folding records into topics."""


def distilling(batch: Batch, memory: Memory, zone: tzinfo | None = None) -> Prompt:
    """The task of folding a batch; ``zone`` decides the dates over its records."""
    return Prompt(RULES, f"{topic_list(memory)}\n\n# Records\n\n{records_text(batch.turns, zone)}\n")


def topic_list(memory: Memory) -> str:
    """The paths of the topic files, one JSON text a line."""
    paths = memory.paths()
    lines = [json_line(path) for path in paths[:MOST_PATHS]]
    more = [f"and {len(paths) - MOST_PATHS} more"] if len(paths) > MOST_PATHS else []
    return "\n".join(("# Topic files", "", *(lines or ["none yet"]), *more))


def mending(prompt: Prompt, refusal: Refusal) -> Prompt:
    """The same task once more, with what became of the first attempt; its files are on the bench (10.6)."""
    edit = refusal.result.edit
    paths = [change.path for change in edit.changes] if isinstance(edit, FilesEdit) else []
    findings = [json_line(_told(finding)) for finding in refusal.findings[:MOST_FINDINGS]]
    why = json_line({"code": str(refusal.code), "message": refusal.message, "changed": paths})
    told = "\n".join(("# Refused", "", why, *findings))
    return replace(prompt, rules=f"{prompt.rules}\n\n{MENDING}", material=f"{prompt.material}\n{told}\n")


def _told(finding: Finding) -> dict[str, object]:
    return {key: value for key, value in asdict(finding).items() if value is not None and key != "check"}
