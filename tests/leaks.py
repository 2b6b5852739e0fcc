"""A workspace in which a secret has got everywhere that git and gitmem keep things."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

SECRET = "Ada keeps fifty thousand francs behind the clock."  # noqa: S105  (a sentence)
TOLD = "Bob heard that Ada has money behind the clock."
OTHER = "Bob lives in Bern near the river Aare."
TURN = "chat/t/m2"


@dataclass(frozen=True)
class Leak:
    """A memory that holds the secret: its folder, the secret's handle, the block that says it."""

    workspace: Workspace
    folder: Path
    handle: str
    block: str


def remember(workspace: Workspace, text: str, topic: str = "people/ada.md", **options: str) -> tuple[str, str]:
    """A claim with its own words as evidence; the handle of the message, the id of the block."""
    result = workspace.remember(text, topic, time="2024-03-15", **options)
    return next(iter(result.source_ids.values())), next(iter(result.block_ids.values()))


def leak(folder: Path) -> Leak:
    """The secret, and what comes before and after it."""
    workspace = make(folder)
    remember(workspace, OTHER, "people/bob.md")
    handle, block = remember(workspace, SECRET)
    remember(workspace, "Ada likes tea with milk in the evening.")
    return Leak(workspace, folder, handle, block)


def spread(found: Leak, git: Git) -> None:
    """Carry the secret into every corner."""
    workspace, folder = found.workspace, found.folder
    workspace.add_turn("chat/t", "Hello, how are you this fine morning?", id="m1")
    workspace.add_turn("chat/t", SECRET, id="m2")
    workspace.add_turn("chat/t", "Thank you for telling me about it, Ada.", id="m3")
    git(folder, "tag", "-a", "v1", "-m", f"about\n{SECRET}")
    git(folder, "branch", "side")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(folder, "notes", "add", "-m", SECRET, "HEAD")
    git(
        folder,
        "notes",
        "--ref",
        "gitmem/written",
        "add",
        "-m",
        f"w-00000000 {git(folder, 'rev-parse', 'HEAD~1')}",
        "HEAD",
    )
    git(folder, "update-ref", "refs/gitmem/autosave/20260101T000000Z-1", "HEAD")
    rescue = git(folder, "commit-tree", "-m", "rescued", "HEAD^{tree}")
    git(folder, "update-ref", "refs/gitmem/rescue/20260101T000000Z-1", rescue)
    topic = folder / "topics/people/ada.md"
    topic.write_text(topic.read_text().replace("with milk", "with lemon"))
    git(folder, "stash")
    topic.write_text(topic.read_text().replace("with milk", "with sugar"))
    git(folder, "stash")
    git(folder, "worktree", "add", "-q", str(folder.parent / "linked"), "side")
    git(folder, "worktree", "add", "-q", "--detach", str(folder.parent / "detached"), "HEAD")
    private = folder / ".git"
    (private / "rr-cache" / "aa").mkdir(parents=True)
    (private / "rr-cache" / "aa" / "preimage").write_text(SECRET)
    (private / "ORIG_HEAD").write_text(git(folder, "rev-parse", "HEAD") + "\n")
    (private / "COMMIT_EDITMSG").write_text(SECRET)
    (private / "gitmem" / "events.jsonl").write_text(f'{{"event":"x","note":"{SECRET}"}}\n{{"event":"y"}}\n')
    (private / "gitmem" / "proposals").mkdir()
    (private / "gitmem" / "proposals" / ("0" * 64 + ".json")).write_text(SECRET)
    git(folder, "repack", "-q", "-a", "-d")
    git(folder, "commit-graph", "write", "--reachable")
    git(folder, "hash-object", "-w", "--stdin", stdin=SECRET)
    workspace.search("clock")


def every_object(folder: Path) -> bytes:
    """All objects of a repository, as git gives them."""
    command = ["git", "cat-file", "--batch-all-objects", "--unordered", "--batch"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


def every_file(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, its name too, without git's objects."""
    files = (path for path in folder.rglob("*") if path.is_file() and "objects" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def places(folder: Path, *words: str) -> list[str]:
    """Where in a folder's objects, files and names any of the words stands."""
    files = {"objects": every_object(folder), **every_file(folder.parent)}
    return [name for name, data in files.items() if any(w.encode() in data or w in name for w in words)]
