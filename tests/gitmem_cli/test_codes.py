"""The documented codes are the ones there are (`cli.md`, codes to exits)."""

from __future__ import annotations

from pathlib import Path

from gitmem.errors import RETRYABLE, Code
from gitmem_cli.command import EXITS
from gitmem_cli.errors import BUG, EXIT_OF_CLASS

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
