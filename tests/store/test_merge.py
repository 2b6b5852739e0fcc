"""Three-way merges of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.ids import Oid
from gitmem.store.merge import merge_file
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

BASE = "one\n\ntwo\n\nthree\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (BASE.replace("one", "uno"), BASE.replace("three", "drei é"), "uno\n\ntwo\n\ndrei é\n"),
        (BASE, BASE.replace("two\n\n", ""), "one\n\nthree\n"),
        (BASE.replace("two", "zwei"), BASE.replace("two", "deux"), None),
    ],
)
def test_what_both_changed_alike_or_apart(tmp_path: Path, ours: str, theirs: str, expected: str | None) -> None:
    repo = make(tmp_path / "w").repo
    base, present, other = (Oid(str(repo.git.create_blob(text.encode()))) for text in (BASE, ours, theirs))
    merged = merge_file(repo, "topics/a.md", ancestor=base, ours=present, theirs=other)
    assert merged == (None if expected is None else expected.encode())
