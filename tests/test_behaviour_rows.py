"""Every row of `behaviours.md`, parts 8 to 13, 15 and 16, has a test that names it, and so have the changes of part 0.

A test names a row in a comment inside it (its decorators and the line above them included) or in its docstring; the
docstring of a module, which names whole parts, does not count.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent

ROWS = (
    *("8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "8.9", "8.10", "8.11", "8.12", "8.13", "8.14", "8.15"),
    *("8.17", "8.18", "8.19", "8.20", "8.22"),  # 8.16: no embedding is offered; 8.21: 0.4 leaves one of its two files
    *("9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7", "9.8", "9.9", "9.10", "9.11"),
    *("10.1", "10.2", "10.3", "10.4", "10.5", "10.6", "10.7", "10.8", "10.9", "10.10"),
    *("10.11", "10.12", "10.13", "10.14", "10.15"),
    *("11.1", "11.2", "11.3", "11.4", "11.5"),
    *("12.1", "12.2", "12.3", "12.4", "12.5", "12.6", "12.7", "12.8"),
    *("13.1", "13.2", "13.3", "13.4", "13.5", "13.6"),
    "14.8",
    *("15.1", "15.2", "15.4"),  # 15.3 is about the shell, which 0.7 takes away
    # 16.5, 16.7: no embedding is offered; 16.8, 16.13: of settings and a page that 0.12 and 0.14 do not keep
    *("16.1", "16.2", "16.3", "16.4", "16.6", "16.9", "16.10", "16.11", "16.12", "16.14"),
    *("0.3", "0.7", "0.14", "0.16", "0.17", "0.18", "0.19", "0.23", "0.24", "0.25", "0.29", "0.30", "0.31", "0.32"),
)

_ROW = re.compile(r"(?<![\d.])(?:0|[89]|1[0-6])\.\d{1,2}(?![\d.]*\d)(?! (?:s|ms|MB|%))")


def rows_of(source: str) -> Iterator[str]:
    """The rows that the tests of a module name."""
    if not _ROW.search(source):
        return
    lines = source.splitlines(keepends=True)
    for test in ast.walk(ast.parse(source)):
        if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef) and test.name.startswith("test_"):
            first = min([test.lineno, *(decorator.lineno for decorator in test.decorator_list)])
            spoken = "".join(lines[max(first - 2, 0) : test.end_lineno])
            if _ROW.search(spoken):
                yield from _ROW.findall(ast.get_docstring(test) or "")
                yield from _commented(spoken)


def _commented(source: str) -> Iterator[str]:
    """The rows in the comments of a test; reading tokens is slow, so that only what holds a row is read."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("# ---"):
            yield from _ROW.findall(token.string)


@pytest.fixture(scope="module")
def named() -> dict[str, set[str]]:
    """Where each row is named."""
    found = defaultdict[str, set[str]](set)
    for file in TESTS.rglob("test_*.py"):
        if file != Path(__file__):
            for row in rows_of(file.read_text("utf-8")):
                found[row].add(file.relative_to(TESTS).as_posix())
    return found


def test_no_row_is_without_a_test(named: dict[str, set[str]]) -> None:
    assert [row for row in ROWS if not named.get(row)] == []


def test_a_row_is_named_by_a_test_and_by_nothing_else() -> None:
    source = '''"""9.1, 9.2."""
LIMIT = 9.3  # 9.4
# --- 9.5

@mark  # 10.1 to 10.3
def test_a():  # behaviours.md 9.6, 9.10
    """It is so (9.7)."""
    assert 9.8 < 19.8  # takes 0.3 s, 9.9; 10.2.3
'''
    assert sorted(rows_of(source)) == ["10.1", "10.3", "9.10", "9.6", "9.7", "9.9"]
