"""The documented codes are the ones there are (`cli.md`, codes to exits)."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.checks.registry import CHECKS, REQUEST_CHECKS
from gitmem.errors import RETRYABLE, Code
from gitmem_cli.command import EXITS
from gitmem_cli.errors import BUG, EXIT_OF_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "codes.md"


def table(title: str) -> list[list[str]]:
    section = DOCUMENT.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_every_exit_is_documented_in_the_words_of_the_help() -> None:
    assert {int(exit_): meaning for exit_, meaning in table("Exits")} == EXITS


def test_every_failure_code_is_documented_with_the_exit_of_its_class() -> None:
    exits = {code: status for kind, status in EXIT_OF_CLASS.items() for code in kind.codes}
    documented = {code.strip("`"): (int(exit_), retry) for code, exit_, retry, _, _ in table("Failure codes")}
    assert documented == {code: (exits[code], "yes" if code in RETRYABLE else "no") for code in Code}


def test_every_failure_code_says_what_it_means_and_what_to_do() -> None:
    assert all(meaning.endswith(".") and todo.endswith(".") for *_, meaning, todo in table("Failure codes"))


def test_a_bug_has_a_code_of_its_own() -> None:
    assert BUG not in set(Code)
    assert f"`{BUG}`" in DOCUMENT.read_text("utf-8")


KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
MAKERS = frozenset({"Finding", "Defect", "finding", "_finding", "_defect"})
SOURCES = tuple(Path(__file__).resolve().parents[2] / folder for folder in ("gitmem", "hooks"))
CHECK_NAMES = frozenset(rule.NAME for rule in (*REQUEST_CHECKS, *CHECKS)) | {
    "undo",
    "merge",
    "objects",
    "forget",
    "hooks",
    "locks",
}


def test_every_finding_code_of_the_source_is_documented() -> None:
    documented = [code.strip("`") for code, _, _ in table("Finding codes")]
    assert sorted(documented) == sorted(
        {code for folder in SOURCES for path in folder.rglob("*.py") for code in codes_in(path)}
    )


def test_every_finding_code_names_its_checks_and_says_what_it_means() -> None:
    for _, checks, meaning in table("Finding codes"):
        assert set(checks.split(", ")) <= CHECK_NAMES
        assert meaning.endswith(".")


def codes_in(path: Path) -> Iterator[str]:
    """The finding codes that a module makes: arguments of what makes findings, or beside the sentence they go with."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for literal in _literals(node):
            if KEBAB.fullmatch(literal) and literal not in CHECK_NAMES:
                yield literal


def _literals(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        parts = node.args if name in MAKERS else []
    else:
        parts = node.elts if isinstance(node, ast.Tuple) and any(map(_is_sentence, node.elts)) else []
    return (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _is_sentence(part: ast.expr) -> bool:
    if isinstance(part, ast.JoinedStr):
        return True
    return isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value
