"""What a caller asks of a transaction: new evidence, one edit, and who is asking (``behaviours.md`` parts 3 to 5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.authority import Authority
    from gitmem.format.model import Tier, TrustState
    from gitmem.ids import BlockId, Revision, SourceId, TopicPath


class Surface(StrEnum):
    """What kind of caller writes; the value of the ``Gitmem-Writer`` trailer (``architecture.md`` section 3)."""

    CLI = "cli"
    TOOL = "tool"
    BACKGROUND = "background"
    REORGANIZE = "reorganize"
    BACKFILL = "backfill"
    PROMOTE = "promote"
    RESTORE = "restore"
    UNDO = "undo"
    IMPORT = "import"
    HAND = "hand"
    MERGE = "merge"


class Position(StrEnum):
    """Where a created or moved record goes inside its heading (5.5)."""

    START = "start"
    END = "end"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Person:
    """The author of a commit."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class NewSource:
    """One message to archive with the transaction.

    ``label`` is the transaction-local name (``new-source-x``) that the edit may cite, or ``None``. ``handle`` is
    given by callers that archive turns; ``None`` derives one from provenance, role, content, time and ordinal
    (7.16, 0.22). ``timestamp`` is kept as given; ``None`` is archived as ``undated``. ``trust_state``, ``tier``,
    ``principal_id`` and ``speaker_kind`` are set by the caller's code from its authority, never from a payload.
    """

    content: str
    role: str
    label: str | None = None
    handle: SourceId | None = None
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None
    trust_state: TrustState | None = None
    tier: Tier | None = None
    principal_id: str | None = None
    speaker_kind: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRef:
    """One source of a record operation: a handle (or transaction-local label) and the label to show."""

    source: str
    label: str


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a record goes; ``headings`` is the path of titles, created when missing (5.6)."""

    topic_path: TopicPath
    headings: tuple[str, ...]
    position: Position = Position.END
    anchor: BlockId | None = None


@dataclass(frozen=True, slots=True)
class CreateRecord:
    """Add one block (5.4)."""

    content: str
    time: str | None
    sources: tuple[SourceRef, ...]
    destination: Destination


@dataclass(frozen=True, slots=True)
class UpdateRecord:
    """Replace a block's prose, time and evidence, keeping its ids (5.7)."""

    memory_id: BlockId
    content: str
    time: str | None
    sources: tuple[SourceRef, ...]


@dataclass(frozen=True, slots=True)
class DeleteRecord:
    """Remove one id; the last id of a block removes the block (5.8)."""

    memory_id: BlockId


@dataclass(frozen=True, slots=True)
class MoveRecords:
    """Move blocks in the declared order (5.12)."""

    memory_ids: tuple[BlockId, ...]
    destination: Destination


@dataclass(frozen=True, slots=True)
class MergeRecords:
    """Fold blocks into one: ``keep``'s prose, all citations, ids ``^absorbed... ^keep`` (``cli.md``, Inputs)."""

    keep: BlockId
    absorbed: tuple[BlockId, ...]


@dataclass(frozen=True, slots=True)
class CiteRecord:
    """Add one more piece of evidence to a block, its prose unchanged: the same thing was said again."""

    memory_id: BlockId
    time: str | None
    sources: tuple[SourceRef, ...]


RecordOperation = CreateRecord | UpdateRecord | DeleteRecord | MoveRecords | MergeRecords | CiteRecord


@dataclass(frozen=True, slots=True)
class PatchEdit:
    """A unified diff of topic files (part 4)."""

    text: str


@dataclass(frozen=True, slots=True)
class FileWrite:
    """Replace or create one whole file."""

    path: TopicPath
    content: str


@dataclass(frozen=True, slots=True)
class FileDelete:
    """Delete one whole file."""

    path: TopicPath


@dataclass(frozen=True, slots=True)
class FileMove:
    """Rename one topic file; links that reach it follow (2.4)."""

    path: TopicPath
    to: TopicPath


FileChange = FileWrite | FileDelete | FileMove


@dataclass(frozen=True, slots=True)
class FilesEdit:
    """Whole-file changes (5a)."""

    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class RecordsEdit:
    """Record operations (5b), applied in order, moves last (5.13)."""

    operations: tuple[RecordOperation, ...]


@dataclass(frozen=True, slots=True)
class ExactEdit:
    """Topic files set to exactly these bytes of history, ``None``: absent; not normalized (restore, undo)."""

    files: Mapping[TopicPath, bytes | None]


@dataclass(frozen=True, slots=True)
class PromoteEdit:
    """Vouch for pending sources, each by one line of ``sources/promotions.jsonl`` (0.4); trusted ones are skipped.

    ``at`` is an ISO time with offset; ``tier`` says who may see what rests on them.
    """

    sources: tuple[SourceId, ...]
    tier: Tier
    at: str


@dataclass(frozen=True, slots=True)
class NoEdit:
    """Only sources."""


Edit = PatchEdit | FilesEdit | RecordsEdit | ExactEdit | PromoteEdit | NoEdit


@dataclass(frozen=True, slots=True)
class RemovalBudget:
    """What an edit may take away without a person's word (``WRITER_BUDGET_EXCEEDED`` beyond it).

    ``blocks`` is how many it may remove; ``seen`` are those whose text its writer was shown, ``None``: all;
    ``unexplained`` those that it may not remove, because its writer should have said why and did not (0.19).
    """

    blocks: int
    seen: frozenset[BlockId] | None = None
    unexplained: frozenset[BlockId] = frozenset()


@dataclass(frozen=True, slots=True)
class Request:
    """One transaction.

    ``base_revision`` is what the caller read; ``None`` takes what is current under the lock (callers that looked at
    nothing, such as ``remember``). ``limited`` applies the size limits of 3.11. ``hand`` marks an edit that the owner
    typed, which may cite any trusted source; ``destructive`` one that leaves an autosave first. ``provenance`` names
    the session or surface for derived handles. ``evidence``, when given, are the only messages that the edit may newly
    cite besides those it archives (10.12); ``removals`` limits what a writer may take away.
    """

    edit: Edit
    authority: Authority
    surface: Surface
    author: Person
    base_revision: Revision | None = None
    sources: tuple[NewSource, ...] = ()
    subject: str | None = None
    body: str | None = None
    limited: bool = True
    hand: bool = False
    destructive: bool = False
    provenance: str | None = None
    extra_trailers: Mapping[str, str] = field(default_factory=dict)
    evidence: frozenset[SourceId] | None = None
    removals: RemovalBudget | None = None
