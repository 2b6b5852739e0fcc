"""What a command reads besides its arguments (`cli.md`, "Inputs")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.mark.parametrize(
    "text", ["9" * 5000, "[" * 100_000, "[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900, "[" + "9" * 4000 + "]"]
)
def test_json_that_is_too_much_is_an_invalid_argument(
    gitmem: Gitmem, workspace: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "changes.json").write_text(text)
    arguments = ("update", "--base", "HEAD", "--changes", str(tmp_path / "changes.json"), "--json")
    answer = gitmem(*arguments, cwd=workspace)
    assert answer.status == 2
    assert answer.code in {"INVALID_ARGUMENT", "INVALID_CHANGE"}
