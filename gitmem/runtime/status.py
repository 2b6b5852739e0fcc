"""The state of a memory at a glance (``cli.md``, ``status``).

Prompts and watchers ask often, so it is light: named tuples are made ten times faster than dataclasses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.layout import CORE, GITMEM, TOPIC_CORE
from gitmem.format.workspace_file import DEFAULT_CORE_MAX_TOKENS, parse_workspace_file
from gitmem.ids import ZERO_OID, TopicPath
from gitmem.runtime.writer_status import read_record
from gitmem.store.dirty import dirty_paths
from gitmem.store.head import Head, current_tip, read_head
from gitmem.store.refs import autosaves, first_parents, rescues
from gitmem.store.revision import is_derive_commit, revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.ids import Oid
    from gitmem.runtime.writer_status import FailureStatus
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Entry

_BRANCHES = "refs/heads/"
_SHOWN_ID = re.compile(r"\^([A-Za-z0-9_-]+)", re.ASCII)


class DerivedStatus(NamedTuple):
    """Whether the views show the newest memory commit, and the one they do show (``None``: there are none yet)."""

    fresh: bool
    of: str | None


class TopicsStatus(NamedTuple):
    """How many topic files and blocks."""

    files: int
    blocks: int


class SourcesStatus(NamedTuple):
    """How many archives and messages; ``pending`` ones nobody vouches for, ``uncited`` trusted ones no topic cites."""

    files: int
    records: int
    pending: int
    uncited: int


class CoreStatus(NamedTuple):
    """``core.md``: its tokens (o200k_base), how many it may have, and the blocks of its master that are not in it."""

    tokens: int
    budget: int
    left_out: tuple[str, ...]


class WriterStatus(NamedTuple):
    """What the writer last did, and how many turns wait for it; ``None`` where nothing is recorded (12.1, 12.6)."""

    last_outcome: str | None
    last_success_at: str | None
    last_failure: FailureStatus | None
    pending_turns: int


class IndexStatus(NamedTuple):
    """Which revision the catalogue answers for, and whether that is the current one."""

    revision: str | None
    fresh: bool


@dataclass(frozen=True)
class StatusAnswer:
    """The state of a memory.

    ``branch`` is ``None`` when HEAD is detached, and so are ids and ``head`` before the first commit.
    ``dirty`` are paths that somebody is editing; ``autosaves`` and ``rescues`` count what can be gone back to.
    """

    workspace_id: str | None
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


def status(repo: Repo, catalog: Catalog, pending_turns: int) -> StatusAnswer:
    """The state of the current memory; reads only, but for the catalogue and remembered token counts.

    Raises ``Unavailable`` when the catalogue cannot be brought to it, and ``NotFound`` (``REVISION_NOT_FOUND``) on a
    branch without a commit.
    """
    head = Head(read_head(repo).branch, current_tip(repo))
    catalog.refresh(head.tip)
    snapshot, held = Snapshot.at(repo, head.tip), catalog.statistics()
    tracked = snapshot.read(GITMEM)
    settings = None if tracked is None else parse_workspace_file(tracked)
    revision = revision_of(repo, head.tip)
    return StatusAnswer(
        workspace_id=None if settings is None else settings.id,
        revision=revision,
        head=head.tip,
        branch=None if head.branch is None else head.branch.removeprefix(_BRANCHES),
        derived=derived_status(repo, head.tip),
        topics=TopicsStatus(held.topics, held.blocks),
        sources=SourcesStatus(held.archives, held.records, held.pending, held.uncited),
        dirty=dirty_paths(repo),
        core=_core(catalog, snapshot, DEFAULT_CORE_MAX_TOKENS if settings is None else settings.core_max_tokens),
        writer=WriterStatus(*read_record(repo.gitmem_dir), pending_turns),
        autosaves=len(autosaves(repo)),
        rescues=len(rescues(repo)),
        index=IndexStatus(revision, fresh=catalog.commit == head.tip),
    )


def derived_status(repo: Repo, tip: Oid) -> DerivedStatus:
    """Whether the views show the newest memory commit, and which they do: the one below the newest derive commit."""
    for passed in first_parents(repo, tip) if tip != ZERO_OID else ():
        if is_derive_commit(repo, passed.oid):
            return DerivedStatus(passed.oid == tip, revision_of(repo, passed.oid))
    return DerivedStatus(fresh=False, of=None)


def _core(catalog: Catalog, snapshot: Snapshot, budget: int) -> CoreStatus:
    rendered = snapshot.entry(CORE)
    text = "" if rendered is None else (snapshot.read(CORE) or b"").decode("utf-8", "replace")
    tokens = 0 if rendered is None else _count(snapshot, rendered, text)
    if snapshot.entry(TOPIC_CORE) is None:
        return CoreStatus(tokens, budget, ())
    shown = set(_SHOWN_ID.findall(text))
    claims = catalog.facts().of_topic(TopicPath(TOPIC_CORE))
    return CoreStatus(tokens, budget, tuple(claim.id for claim in claims if claim.id not in shown))


def _count(snapshot: Snapshot, rendered: Entry, text: str) -> int:
    from gitmem.runtime.token_counts import count_tokens  # noqa: PLC0415 (most memories have no core)

    return count_tokens(snapshot.repo.gitmem_dir, rendered.oid, text)
