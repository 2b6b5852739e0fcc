"""``gitmem reorganize``, which is ``gitmem sleep`` too (`cli.md`; behaviours.md 0.19, backend hooks)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem

ADA = "topics/people/ada.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory in which one thing was written down twice."""
    workspace = make(tmp_path / "w")
    for text in ("Ada lives in Basel.", "Ada lives in Basel!"):
        workspace.remember(text, "people/ada.md", time="2024-03-15")
    workspace.close()
    return tmp_path / "w"


def test_the_document_has_the_keys_of_the_hook_and_those_of_a_write(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("reorganize", "--json", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert set(answer.json) == {
        "ok",
        "status",
        "writer",
        "dry_run",
        "topics",
        "changed_files",
        "claims",
        "removed",
        "revision",
        "derived_commit",
        "autosave",
        "failure",
    }
    assert (answer.json["status"], answer.json["topics"], answer.json["changed_files"]) == ("ok", 1, [ADA])
    assert len(answer.json["claims"]["merged"]) == 1
    again = gitmem("sleep", "--json", cwd=folder)
    assert (again.status, again.json["changed_files"], again.json["revision"]) == (0, [], answer.json["revision"])


def test_people_are_told_what_changed_and_how_to_go_back(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("reorganize", cwd=folder)
    assert answer.status == 0
    assert ADA in answer.out
    assert "1 merged" in answer.out
    assert "gitmem undo" in answer.out
    undone = gitmem("undo", cwd=folder)
    assert undone.status == 0
    assert gitmem("reorganize", "--dry-run", "--json", cwd=folder).json["changed_files"] == [ADA]


def test_a_dry_run_shows_the_claims_and_changes_nothing(gitmem: Gitmem, folder: Path) -> None:
    before = gitmem("status", "--json", cwd=folder).json["revision"]
    answer = gitmem("sleep", "--dry-run", cwd=folder)
    assert (answer.status, answer.out.split(":")[0]) == (0, "would change")
    assert "is part of" in answer.out
    assert gitmem("status", "--json", cwd=folder).json["revision"] == before


def test_a_memory_in_order_is_said_to_be(gitmem: Gitmem, folder: Path) -> None:
    gitmem("reorganize", cwd=folder)
    answer = gitmem("reorganize", cwd=folder)
    assert (answer.status, answer.out) == (0, "1 topic in order, nothing to do\n")


def test_a_model_is_for_the_model_writer(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("reorganize", "--writer", "embedded", "--model", "openai:x", "--json", cwd=folder)
    assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    assert gitmem("reorganize", "--writer", "nobody", "--json", cwd=folder).code == "INVALID_ARGUMENT"


def test_what_fails_is_in_the_document_and_in_the_exit_code(
    gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitmem.errors import Code, Conflict  # noqa: PLC0415  (only here)
    from gitmem.writer.organize import EmbeddedOrganizer  # noqa: PLC0415  (as above)

    def fail(*_: object) -> None:
        raise Conflict(Code.CONCURRENT_UPDATE, "somebody writes")

    monkeypatch.setattr(EmbeddedOrganizer, "organize", fail)
    answer = gitmem("reorganize", "--json", cwd=folder)
    assert (answer.status, answer.json["ok"], answer.json["status"]) == (3, False, "failed")
    assert answer.json["failure"] == {
        "reason_code": "CONCURRENT_UPDATE",
        "message": "somebody writes",
        "retryable": True,
    }
    told = gitmem("reorganize", cwd=folder)
    assert (told.status, told.out) == (3, "")
    assert "CONCURRENT_UPDATE" in told.err
