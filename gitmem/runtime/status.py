"""The state of a memory at a glance (``cli.md``, ``status``); light, because prompts and watchers ask often."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.format.layout import CORE, GITMEM, TOPIC_CORE
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.ids import ZERO_OID, TopicPath
from gitmem.runtime.token_counts import count_tokens
from gitmem.store.dirty import dirty_paths
from gitmem.store.head import read_head
from gitmem.store.refs import autosaves, first_parents, rescues
from gitmem.store.revision import is_derive_commit, revision_of

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.format.workspace_file import WorkspaceSettings
    from gitmem.ids import Oid, Revision
    from gitmem.memory import Memory
    from gitmem.store.repository import Repo

_BRANCHES = "refs/heads/"
_SHOWN_ID = re.compile(r"\^([A-Za-z0-9_-]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class DerivedStatus:
    """Whether the views show the newest memory commit, and the one they do show (``None``: there are none yet)."""

    fresh: bool
    of: str | None


@dataclass(frozen=True, slots=True)
class TopicsStatus:
    """How many topic files and blocks."""

    files: int
    blocks: int


@dataclass(frozen=True, slots=True)
class SourcesStatus:
    """How many archives and messages; ``pending`` ones nobody vouches for, ``uncited`` trusted ones no topic cites."""

    files: int
    records: int
    pending: int
    uncited: int


@dataclass(frozen=True, slots=True)
class CoreStatus:
    """``core.md``: its tokens (o200k_base), how many it may have, and the blocks of its master that are not in it."""

    tokens: int
    budget: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FailureStatus:
    """The last failure of a writer: when (ISO time with offset), and its stable code (12.3)."""

    at: str
    reason_code: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class WriterStatus:
    """What the writer last did, and how many turns wait for it; ``None`` where nothing is recorded (12.1, 12.6)."""

    last_outcome: str | None
    last_success_at: str | None
    last_failure: FailureStatus | None
    pending_turns: int


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Which revision the catalogue answers for, and whether that is the current one."""

    revision: str | None
    fresh: bool


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """The state of a memory. ``branch`` is ``None`` when HEAD is detached, ``head`` and ``revision`` before anything.

    ``dirty`` are paths that somebody is editing; ``autosaves`` and ``rescues`` count what can be gone back to.
    """

    workspace_id: str
    revision: str | None
    head: str | None
    branch: str | None
    derived: DerivedStatus
    topics: TopicsStatus
    sources: SourcesStatus
    dirty: tuple[str, ...]
    core: CoreStatus
    writer: WriterStatus
    autosaves: int
    rescues: int
    index: IndexStatus


@dataclass(frozen=True, slots=True)
class PlacedStatusAnswer(StatusAnswer):
    """The state with the folder on this machine, which is told only when asked for (12.8)."""

    path: str


def status(memory: Memory, pending_turns: int) -> StatusAnswer:
    """The state of the current memory; reads only, but for the catalogue and remembered token counts."""
    repo = memory.repo
    settings = parse_workspace_file(memory.snapshot.read(GITMEM) or b"")
    held = memory.catalog.statistics()
    branch = read_head(repo).branch
    return StatusAnswer(
        workspace_id=settings.id,
        revision=memory.revision,
        head=None if memory.commit == ZERO_OID else memory.commit,
        branch=None if branch is None else branch.removeprefix(_BRANCHES),
        derived=derived_status(memory),
        topics=TopicsStatus(held.topics, held.blocks),
        sources=SourcesStatus(held.archives, held.records, held.pending, held.uncited),
        dirty=dirty_paths(repo),
        core=_core(memory, settings),
        writer=WriterStatus(None, None, None, pending_turns),
        autosaves=len(autosaves(repo)),
        rescues=len(rescues(repo)),
        index=index_status(memory),
    )


def placed(answer: StatusAnswer, path: Path) -> PlacedStatusAnswer:
    """The state with the folder on this machine."""
    return PlacedStatusAnswer(**{field.name: getattr(answer, field.name) for field in fields(answer)}, path=str(path))


def derived_status(memory: Memory) -> DerivedStatus:
    """Which memory commit the views show: the one below the newest derive commit."""
    return DerivedStatus(memory.fresh, _derived_of(memory.repo, memory.commit))


def _derived_of(repo: Repo, tip: Oid) -> Revision | None:
    for passed in first_parents(repo, tip) if tip != ZERO_OID else ():
        if is_derive_commit(repo, passed.oid):
            return revision_of(repo, passed.oid)
    return None


def index_status(memory: Memory) -> IndexStatus:
    """Where the catalogue stands now; ``read_memory`` brought it to the memory, or failed."""
    at = memory.catalog.commit
    revision = None if at == ZERO_OID else revision_of(memory.repo, at)
    return IndexStatus(revision, revision == memory.revision)


def _core(memory: Memory, settings: WorkspaceSettings) -> CoreStatus:
    entry = memory.snapshot.entry(CORE)
    text = "" if entry is None else (memory.snapshot.read(CORE) or b"").decode("utf-8", "replace")
    tokens = 0 if entry is None else count_tokens(memory.repo.gitmem_dir, entry.oid, text)
    shown = set(_SHOWN_ID.findall(text))
    claims = memory.facts.of_topic(TopicPath(TOPIC_CORE))
    return CoreStatus(tokens, settings.core_max_tokens, tuple(claim.id for claim in claims if claim.id not in shown))
