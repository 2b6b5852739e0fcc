"""Short ways to give a workspace a history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.format.layout import TOPICS
from gitmem.ids import Oid
from gitmem.store.snapshot import Snapshot
from gitmem.transaction.options import Options
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace

ADA = "people/ada.md"


class Clock:
    """A time that only moves when a test says so."""

    def __init__(self, workspace: Workspace, start: str = "2026-08-03T10:00:00+00:00") -> None:
        self.now = datetime.fromisoformat(start)
        workspace.options = Options(now=lambda: self.now)

    def forward(self, **distance: float) -> None:
        self.now += timedelta(**distance)

    def set(self, text: str) -> None:
        self.now = datetime.fromisoformat(text).replace(tzinfo=UTC)


def claim(workspace: Workspace, text: str, topic: str = ADA, *, heading: str | None = None, time: str = "2026") -> str:
    """Remember one claim; its block id."""
    (block,) = workspace.remember(text, topic, heading=heading, time=time).block_ids.values()
    return block


def change(workspace: Workspace, block: str, content: str, time: str = "2026") -> str:
    """Let a block say something else, on new evidence; the revision."""
    record = {"op": "update_record", "memory_id": block, "content": content, "time": time}
    source = {"source": "new-source-a", "label": "said"}
    result = workspace.update(
        {
            "base_revision": revision(workspace),
            "memory_changes": [{**record, "sources": [source]}],
            "sources": [{"label": "new-source-a", "role": "user", "content": f"said: {content}"}],
        }
    )
    assert result.revision is not None
    return result.revision


def write(workspace: Workspace, path: str, content: str | None) -> str:
    """Write or delete one whole file; the revision."""
    action = {"action": "delete"} if content is None else {"action": "write", "content": content}
    payload = {"base_revision": revision(workspace), "changes": [{"path": path, **action}]}
    result = workspace.update(payload)
    assert result.revision is not None
    return result.revision


def revision(workspace: Workspace) -> str:
    """The current revision."""
    found = workspace.memory().revision
    assert found is not None
    return found


def text(workspace: Workspace, path: str = f"topics/{ADA}") -> str:
    """A file of the current memory."""
    data = workspace.memory().snapshot.read(path)
    assert data is not None
    return data.decode()


def topics(workspace: Workspace, at: str | None = None) -> object:
    """What tells two states of the topics apart: the id of their tree."""
    commit = workspace.memory().commit if at is None else Oid(at)
    return Snapshot.at(workspace.repo, commit).node(TOPICS)


def says(workspace: Workspace, block: str) -> str | None:
    """What a block says now; ``None`` when it does not stand."""
    claims = workspace.memory().facts.claims(block)  # type: ignore[arg-type]  # a test's plain text
    return claims[0].content if claims else None


@dataclass(frozen=True)
class Story:
    """A history, a day for each transaction from 2026-08-03 on, and the names of what it made."""

    workspace: Workspace
    folder: Path
    home: str
    viola: str
    cat: str
    bob: str
    revisions: dict[str, str]


def tell(folder: Path) -> Story:
    """Ada's home changes; her viola moves and is merged into it; the cat goes; Bob comes by plain git."""
    workspace = make(folder)
    clock = Clock(workspace)
    revisions = {"begin": revision(workspace)}

    def done(what: str) -> None:
        revisions[what] = revision(workspace)
        clock.forward(days=1)

    home = claim(workspace, "Ada lives in Basel.", time="2024-03-15")
    done("home")
    viola = claim(workspace, "Ada plays the viola.", heading="Ada > Music", time="2024-05")
    done("viola")
    cat = claim(workspace, "Ada has a cat.", time="undated")
    done("cat")
    change(workspace, home, "Ada lives in Bern.", time="2025-01")
    done("moved house")
    workspace.move([viola], "music.md")
    done("move")
    workspace.merge_blocks(home, [viola])
    done("merge")
    workspace.remove([cat])
    done("remove")
    bob = claim(workspace, "Bob is Ada's brother.", "people/bob.md")
    done("bob")
    return Story(workspace, folder, home, viola, cat, bob, revisions)
