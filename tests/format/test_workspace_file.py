"""The tracked .gitmem and .gitattributes (architecture.md section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Code, Refused
from gitmem.format.workspace_file import (
    GITATTRIBUTES_TEXT,
    WorkspaceSettings,
    is_workspace_id,
    parse_workspace_file,
    render_workspace_file,
)
from gitmem.ids import WorkspaceId

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Git

ID = WorkspaceId("w-0123abcd")
HEAD = "[gitmem]\nformatVersion = 1\nid = w-0123abcd\n"


def read(text: str) -> WorkspaceSettings:
    return parse_workspace_file(text.encode())


@given(st.integers(1, 999_999_999), st.integers(1, 500))
def test_settings_read_back(tokens: int, limit: int) -> None:
    settings = WorkspaceSettings(ID, 1, tokens, limit)
    assert parse_workspace_file(render_workspace_file(settings)) == settings


def test_the_defaults_are_2000_tokens_and_50_events() -> None:
    assert read(HEAD) == WorkspaceSettings(ID, 1, 2000, 50)


def test_keys_ignore_case_the_last_line_counts_and_others_are_ignored() -> None:
    text = "[GITMEM] ID = w-00000000\n[x]y=z\n" + HEAD + '[Core]\nMAXTOKENS="300"\n[recent] limit = 7\nlimit = 8 # x\n'
    assert read(text) == WorkspaceSettings(ID, 1, 300, 8)


def test_a_users_own_spelling_of_the_keys_is_read() -> None:
    assert read(HEAD + '[gitmem "core"]\nmaxTokens = 9\n[gitmem "recent"]\nlimit = 3\n').recent_limit == 3


@pytest.mark.parametrize("value", ["0", "501", "-1", "1.5", "2k", "true", "", "x", "99999999999", "٣"])
def test_a_limit_out_of_range_is_its_default(value: str) -> None:  # behaviours.md 16.9
    assert read(f'{HEAD}[recent]\nlimit = "{value}"\n').recent_limit == 50


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "true", "x"])
def test_a_budget_that_is_no_number_is_its_default(value: str) -> None:
    assert read(f"{HEAD}[core]\nmaxTokens = {value}\n").core_max_tokens == 2000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "format version"),
        ("[gitmem]\nid = w-0123abcd\n", "format version"),
        ("[gitmem]\nformatVersion = 2\nid = w-0123abcd\n", "format 2"),
        ("[gitmem]\nformatVersion = 1\n", "workspace id"),
        ("[gitmem]\nformatVersion = 1\nid = w-XYZ\n", "workspace id"),
        ("[gitmem]\nformatVersion = 1\nid\n", "workspace id"),
        ("[gitmem\n", "line 1"),
    ],
)
def test_a_file_that_makes_no_workspace_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refused:
        read(text)
    assert (refused.value.code, refused.value.path) == (Code.COMMIT_REJECTED, ".gitmem")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Refused, match="UTF-8"):
        parse_workspace_file(b"\xff")


def test_git_reads_what_is_rendered(tmp_path: Path, git: Git) -> None:
    (tmp_path / ".gitmem").write_bytes(render_workspace_file(WorkspaceSettings(ID)))
    listed = git(tmp_path, "config", "--file", ".gitmem", "--list").split("\n")
    assert listed == ["gitmem.formatversion=1", "gitmem.id=w-0123abcd", "core.maxtokens=2000", "recent.limit=50"]


@pytest.mark.parametrize(  # behaviours.md 9.1
    ("text", "expected"), [("w-0123abcd", True), ("w-0123ABCD", False), ("w-0123abc", False), ("w-0123abcd\n", False)]
)
def test_a_workspace_id_is_w_and_8_hex_digits(text: str, *, expected: bool) -> None:
    assert is_workspace_id(text) is expected


@pytest.mark.parametrize(
    ("path", "attributes"),
    [
        ("topics/core.md", {"diff": "gitmem-topic", "merge": "gitmem-topic"}),
        ("topics/people/ada.md", {"diff": "gitmem-topic", "merge": "gitmem-topic"}),
        ("sources/p/_v2/t.md", {"merge": "gitmem-archive"}),
        ("sources/D1.md", {"merge": "gitmem-archive"}),
        ("sources/promotions.jsonl", {"merge": "union"}),
        ("core.md", {"linguist-generated": "set", "merge": "gitmem-view"}),
        ("core.shared.md", {"linguist-generated": "set", "merge": "gitmem-view"}),
        ("timeline/2026/08/09.md", {"linguist-generated": "set", "merge": "gitmem-view"}),
        ("recent_events.jsonl", {"linguist-generated": "set", "merge": "gitmem-view"}),
        ("relations.json", {"linguist-generated": "set", "merge": "gitmem-view"}),
        (".gitmem", {}),
    ],
)
def test_git_gives_every_path_its_attributes(tmp_path: Path, git: Git, path: str, attributes: dict[str, str]) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitattributes").write_text(GITATTRIBUTES_TEXT)
    told = git(tmp_path, "check-attr", "-a", path).split("\n")
    found = dict(line.removeprefix(f"{path}: ").split(": ") for line in told)
    assert found == attributes | {"text": "unset", "ident": "unset", "filter": "unset"}
