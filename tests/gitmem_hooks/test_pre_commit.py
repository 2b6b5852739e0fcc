"""`pre-commit` under real git (`architecture.md` section 5)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

ADA = "topics/people/ada.md"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A workspace with two topics, whose commits the hook looks at."""
    root = tmp_path / "memory"
    workspace = make(root)
    workspace.remember("Ada lives in Basel.", ADA, time="2026-03")
    workspace.remember("Bo plays chess.", "topics/people/bo.md", time="2026-03")
    workspace.close()
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gitmem_hooks pre-commit\n')
    hook.chmod(0o755)
    return root


def commit(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
    command = ["git", *who, "commit", "-q", "-m", "by hand", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)


def append(root: Path, text: str, path: str = ADA) -> None:
    (root / path).write_bytes((root / path).read_bytes() + text.encode())


def test_an_edit_that_keeps_the_rules_is_committed(memory: Path, git: Git) -> None:
    path = memory / ADA
    path.write_text(path.read_text().replace("lives in Basel", "lives in Bern"))
    assert commit(memory, "-a").returncode == 0
    assert git(memory, "log", "-1", "--format=%s") == "by hand"


def test_text_without_evidence_is_refused_with_its_place(memory: Path, git: Git) -> None:
    before = git(memory, "rev-parse", "HEAD")
    append(memory, "\nAda is tall.\n")
    done = commit(memory, "-a")
    assert done.returncode == 1
    assert f"{ADA}:7" in done.stderr
    assert "[missing-citation]" in done.stderr
    assert git(memory, "rev-parse", "HEAD") == before


def test_only_what_is_being_committed_counts(memory: Path) -> None:
    append(memory, "\nAda is tall.\n")
    append(memory, "\n<!-- a note -->\n", "topics/people/bo.md")
    assert commit(memory, "--", "topics/people/bo.md").returncode == 0
    assert commit(memory, "--", ADA).returncode == 1


def test_archived_messages_cannot_be_changed(memory: Path) -> None:
    (archive,) = (memory / "sources/gitmem/_v2").iterdir()
    archive.write_bytes(archive.read_bytes().replace(b"Basel", b"Paris"))
    assert "[source-changed]" in commit(memory, "-a").stderr


def test_views_are_not_committed_with_topics(memory: Path) -> None:
    append(memory, "\n<!-- a note -->\n")
    append(memory, "\n", "recent_events.jsonl")
    assert "[derived-path]" in commit(memory, "-a").stderr


def test_what_is_no_workspace_is_not_looked_at(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    command = [sys.executable, "-m", "gitmem_hooks", "pre-commit"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


def test_an_unknown_hook_is_a_misuse(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gitmem_hooks", "post-coffee"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr[:6]) == (2, "usage:")


def test_text_of_the_memory_does_not_steer_the_terminal(memory: Path) -> None:
    append(memory, "\nAda is \x1b[31mtall.[^e-nowhere] ^abc\n")
    assert "\x1b" not in commit(memory, "-a").stderr


def test_what_runs_before_a_commit_does_without_libgit2(memory: Path) -> None:
    (memory / "message").write_text("A subject\n")
    append(memory, "\n<!-- a note -->\n")
    subprocess.run(["git", "add", ADA], cwd=memory, check=True)
    code = """
import sys
from gitmem_hooks.__main__ import main
print(main(["pre-commit"]), main(["commit-msg", "message"]))
print([name for name in ("pygit2", "gitmem.request", "gitmem.store.repository") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=memory, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines() == ["0 0", "[]"]
    assert "Gitmem-Writer: hand" in (memory / "message").read_text()


def test_the_hook_loads_nothing_heavy() -> None:
    heavy = "click rich dateparser numpy rank_bm25 tiktoken gitmem.transaction gitmem.views gitmem.search gitmem.writer"
    code = f"import sys, gitmem_hooks.pre_commit; print([name for name in {heavy.split()} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
