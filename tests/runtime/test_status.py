"""The state of a memory at a glance (`cli.md`, status; `behaviours.md` part 12)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gitmem import tokens
from gitmem.answers import to_json
from gitmem.errors import Code, NotFound
from gitmem.runtime.token_counts import FILE, count_tokens
from gitmem.store import refs
from reading_memory import lay_out
from workspaces import make, reopened, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

KEYS = (
    *("workspace_id", "revision", "head", "branch", "derived", "topics", "sources"),
    *("dirty", "core", "writer", "autosaves", "rescues", "index"),
)


def test_an_answer_has_the_documented_keys(workspace: Workspace) -> None:  # cli.md, status
    answer = to_json(workspace.status())
    assert tuple(answer) == KEYS  # type: ignore[arg-type]
    inside = {key: list(value) for key, value in answer.items() if isinstance(value, dict)}  # type: ignore[attr-defined]
    assert inside == {
        "derived": ["fresh", "of"],
        "topics": ["files", "blocks"],
        "sources": ["files", "records", "pending", "uncited"],
        "core": ["tokens", "budget", "left_out"],
        "writer": ["last_outcome", "last_success_at", "last_failure", "pending_turns"],
        "index": ["revision", "fresh"],
    }


def test_what_the_memory_holds_is_counted(tmp_path: Path) -> None:
    answer = make(tmp_path / "w", adopt=lay_out(tmp_path / "given")).status()
    assert answer.topics == (3, 5)
    assert answer.sources == (3, 9, 1, 5)  # the copy of m1 that its frame hides counts once
    assert answer.branch == "main"
    assert answer.dirty == ()


def test_the_revision_and_the_views_are_named(workspace: Workspace, folder: Path, git: Git) -> None:
    revision = workspace.remember("Ada likes tea.", "people/ada.md", time="2024").revision
    answer = workspace.status()
    assert (answer.revision, answer.head) == (revision, git(folder, "rev-parse", "HEAD"))
    assert answer.derived == (True, revision)
    assert answer.index == (revision, True)

    git(folder, "rm", "-q", "topics/people/ada.md")
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    answer = workspace.status()
    assert answer.revision == answer.head == git(folder, "rev-parse", "HEAD")
    assert answer.derived == (False, revision)
    assert answer.index == (answer.revision, True)


def test_a_detached_head_has_no_branch(workspace: Workspace, folder: Path, git: Git) -> None:
    git(folder, "switch", "-q", "--detach")
    assert workspace.status().branch is None


def test_what_is_being_edited_is_named(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    (folder / "topics/people/ada.md").write_text("edited")
    (folder / "topics/new.md").write_text("new")
    (folder / "notes.txt").write_text("ignored")
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/exclude").write_text("notes.txt\n")
    git(folder, "rm", "-q", "--cached", "recent_events.jsonl")
    assert workspace.status().dirty == ("recent_events.jsonl", "topics/new.md", "topics/people/ada.md")


def test_a_bare_workspace_has_nothing_to_edit(tmp_path: Path) -> None:
    workspace = make(tmp_path / "bare.git", bare=True)
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    assert workspace.status().dirty == ()


def test_what_can_be_gone_back_to_is_counted(workspace: Workspace) -> None:
    block = next(iter(workspace.remember("Ada likes tea.", "people/ada.md", time="2024").block_ids.values()))
    workspace.remove([block])
    refs.create_numbered(workspace.repo, "refs/gitmem/rescue/", workspace.memory().commit)
    answer = workspace.status()
    assert (answer.autosaves, answer.rescues) == (1, 1)


def test_the_core_is_measured_against_its_budget(workspace: Workspace) -> None:  # 13.1, 13.5
    first, last = (
        next(iter(workspace.remember(text, "core.md", time="2024").block_ids.values()))
        for text in ("Ada prefers short answers, <|endoftext|> or not.", "tea " * 2500 + "for two.")
    )
    core = workspace.status().core
    assert core.left_out == (last,)
    assert core.budget == 2000
    rendered = (workspace.repo.path / "core.md").read_text()
    assert first in rendered
    assert core.tokens == tokens.count(rendered)


def test_tokens_are_counted_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.remember("Ada prefers short answers.", "core.md", time="2024")
    counted = workspace.status().core.tokens
    monkeypatch.setattr(tokens, "count", lambda _text: 1 / 0)
    assert workspace.status().core.tokens == counted
    assert (workspace.repo.gitmem_dir / FILE).stat().st_mode & 0o777 == 0o600


def test_remembered_counts_are_only_a_memory_aid(tmp_path: Path) -> None:
    content = "a" * 40
    for damage in ("no JSON", "[1]", json.dumps({content: "many"}), json.dumps({"b" * 40: 3})):
        (tmp_path / FILE).write_text(damage)
        assert count_tokens(tmp_path, content, "one two three") == 3  # type: ignore[arg-type]
    assert json.loads((tmp_path / FILE).read_text()) == {"b" * 40: 3, content: 3}
    assert count_tokens(tmp_path / "nowhere", content, "one") == 1  # type: ignore[arg-type]
    for number in range(100):
        count_tokens(tmp_path, f"{number:040}", "one")  # type: ignore[arg-type]
    assert len(json.loads((tmp_path / FILE).read_text())) == 64


def test_the_folder_is_told_only_when_asked_for(workspace: Workspace, folder: Path) -> None:  # 12.8
    assert str(folder) not in json.dumps(to_json(workspace.status()))
    assert list(to_json(workspace.status(with_path=True))) == [*KEYS, "path"]  # type: ignore[call-overload]
    assert to_json(workspace.status(with_path=True))["path"] == str(folder)  # type: ignore[index]


def test_pending_turns_are_counted(workspace: Workspace, tmp_path: Path) -> None:  # 12.2
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"content": "I live in Lisbon."}\n{"content": "Noted.", "role": "assistant"}\n')
    workspace.ingest([chat], session="import/chat")
    assert workspace.status().writer == (None, None, None, 2)


def test_asking_changes_nothing(workspace: Workspace, folder: Path) -> None:  # 12.1
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    before = state(folder)
    workspace.status()
    assert state(folder) == before


def test_a_memory_that_was_only_begun_says_so(tmp_path: Path, git: Git) -> None:
    folder = tmp_path / "unborn"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".git" / "gitmem").mkdir()
    with pytest.raises(NotFound) as caught:
        reopened(folder).status()
    assert caught.value.code is Code.REVISION_NOT_FOUND
    assert [finding.code for finding in reopened(folder).doctor().findings] == ["no-memory"]


def test_status_loads_nothing_heavy(workspace: Workspace, folder: Path) -> None:  # P8
    workspace.status()
    program = (
        "import sys; from gitmem_cli.main import run; "
        f"status = run(['-C', {str(folder)!r}, 'status', '--json']); "
        "heavy = {'mistune', 'numpy', 'filelock', 'tiktoken', 'dateparser', 'regex', 'rich', 'gitmem.request'}; "
        "heavy &= set(sys.modules); "
        "sys.exit(str(heavy) if heavy else status)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
