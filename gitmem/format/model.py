"""The values that the parsers of this package produce: what a topic file and a source archive say.

All values are frozen and hold no reference to a repository. Offsets count characters of the file's text (topics) or
bytes of the file (archives); lines are 1-based and LF-separated (``formats.md``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.ids import Target

if TYPE_CHECKING:
    from gitmem.ids import BlockId, EvidenceId, SourceId, TopicPath


# --- topics -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceLink:
    """One source of a footnote: ``[label](target)``, or a plain handle.

    ``target`` is exactly as written (relative to the topic file, or a plain handle with ``label`` equal to it);
    ``resolved`` is the workspace form ``sources/...md#anchor``, or ``None`` for a plain handle or a link that leaves
    ``sources/``.
    """

    label: str
    target: str
    resolved: Target | None


@dataclass(frozen=True, slots=True)
class Definition:
    """A footnote definition ``[^id]: Time: `when`; Sources: ...``; ``when`` is ``None`` for ``undated``."""

    id: EvidenceId
    when: str | None
    sources: tuple[SourceLink, ...]
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citation:
    """One ``[^id]`` inside a block; offsets of the bracketed text; ``clause`` is the prose that it closes."""

    id: EvidenceId
    clause: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockLink:
    """A link in a block's prose to another block, ``[text](path#^id)``; ``target_path`` from the workspace root.

    ``block`` is ``None`` for a link to a topic file without ``#^id`` (refused in changed paragraphs, 2.12).
    ``start`` and ``end`` are the offsets of the destination between the parentheses.
    """

    text: str
    target_path: str
    block: BlockId | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """One memory block as it stands in its file.

    ``start``/``end`` bound the paragraph (suffix included, final LF excluded); for a legacy unit, the unit up to and
    including its citation. ``content`` is the prose without citations and suffix, runs of whitespace kept, ends
    stripped. ``headings`` are the titles from the outermost heading down. ``aliases`` come in file order.
    """

    id: BlockId
    aliases: tuple[BlockId, ...]
    legacy: bool
    line: int
    start: int
    end: int
    headings: tuple[str, ...]
    content: str
    citations: tuple[Citation, ...]
    links: tuple[BlockLink, ...]

    @property
    def ids(self) -> tuple[BlockId, ...]:
        """Every id that resolves to this block, in file order: aliases first, its own last."""
        return (*self.aliases, self.id)


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading; ``start``/``end`` bound its lines without the final LF."""

    level: int
    title: str
    line: int
    start: int
    end: int


class TextKind(StrEnum):
    """What a stretch of text outside every block is."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    QUOTE = "quote"
    TABLE = "table"
    FENCE = "fence"
    INDENTED_CODE = "indented-code"
    HTML = "html"
    COMMENT = "comment"
    ANCHOR = "anchor"
    FRONT_MATTER = "front-matter"
    RULE = "rule"
    REFERENCE = "reference"


SUBSTANTIVE = frozenset(
    {
        TextKind.PARAGRAPH,
        TextKind.LIST,
        TextKind.QUOTE,
        TextKind.TABLE,
        TextKind.FENCE,
        TextKind.INDENTED_CODE,
        TextKind.HTML,
    }
)
"""Kinds that a request may not bring in outside a cited block (``behaviours.md`` 0.15)."""


@dataclass(frozen=True, slots=True)
class Element:
    """A stretch of text that is neither block, heading nor definition, kept byte for byte."""

    kind: TextKind
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Defect:
    """Something in a topic that the format does not allow; ``code`` is a kebab-case finding code."""

    code: str
    message: str
    line: int
    block: BlockId | None = None
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One parsed topic file; parsing never fails, what is wrong is in ``defects`` (in file order)."""

    path: TopicPath
    text: str
    blocks: tuple[Block, ...]
    definitions: tuple[Definition, ...]
    headings: tuple[Heading, ...]
    elements: tuple[Element, ...]
    defects: tuple[Defect, ...]


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """One citation of a claim with what its footnote says; order of the sources as written."""

    id: EvidenceId
    when: str | None
    clause: str
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A block freed from its file's offsets: what is compared, indexed, derived and shown.

    ``ordinal`` counts the blocks of the file from 0. ``links`` are the ids of the blocks it links to, in order, each
    once. Legacy units are claims too.
    """

    id: BlockId
    aliases: tuple[BlockId, ...]
    path: TopicPath
    ordinal: int
    line: int
    headings: tuple[str, ...]
    content: str
    evidence: tuple[CitedEvidence, ...]
    links: tuple[BlockId, ...]

    @property
    def ids(self) -> tuple[BlockId, ...]:
        """Every id that resolves to this claim, aliases first, its own last."""
        return (*self.aliases, self.id)

    @property
    def whens(self) -> tuple[str, ...]:
        """Its distinct event times in citation order, undated ones left out."""
        return tuple(dict.fromkeys(e.when for e in self.evidence if e.when is not None))


# --- sources ----------------------------------------------------------------------------------------------------


class TrustState(StrEnum):
    """Whether a source may be cited (``behaviours.md`` part 8)."""

    TRUSTED = "trusted"
    PENDING = "pending"


class Tier(StrEnum):
    """The authority a source was said with; absent (``None``) for legacy and unstamped history."""

    OWNER = "owner"
    PAIRED = "paired"


@dataclass(frozen=True, slots=True)
class TrustMetadata:
    """The decoded ``source-meta`` of a frame; ``legacy_scope`` keeps an older shape's ``origin_scope``."""

    trust_state: TrustState
    speaker_kind: str | None
    principal_id: str | None
    authority_tier: Tier | None
    legacy_scope: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One archived message, from a v2 frame or from a legacy archive.

    ``path`` is the archive's workspace path, ``anchor`` the fragment that reaches it (``source-<16 hex>`` or ``d1-3``),
    ``line`` the physical line of its first record line. ``start``/``end`` are byte offsets of the whole frame in the
    file (for a frame exactly what ``render_frame`` gives: the blank line before its anchor to after the record's last
    LF, so frames tile the file); ``body_start``/``body_end`` those of the body (after ``label: ``, last LF excluded).
    ``timestamp`` is the text between the brackets (``"undated"`` when there was none). ``label`` is the header's label
    as written. ``speaker_id`` is decoded. ``metadata`` is ``None`` when the frame has none (trusted legacy).
    """

    handle: SourceId
    path: str
    anchor: str
    line: int
    start: int
    end: int
    body_start: int
    body_end: int
    timestamp: str
    label: str
    speaker_id: str | None
    speaker_display: str | None
    speaker_trusted: bool
    metadata: TrustMetadata | None
    framed: bool

    @property
    def target(self) -> Target:
        """The workspace form of a link to this record."""
        return Target(f"{self.path}#{self.anchor}")


@dataclass(frozen=True, slots=True)
class Archive:
    """One scanned archive file.

    ``records`` are those of the longest valid prefix, ``valid_length`` that prefix's length in bytes; ``defect`` says
    why the scan stopped before the end, ``None`` when the file is strictly framed to its last byte. Legacy archives
    are always complete.
    """

    path: str
    records: tuple[Record, ...]
    valid_length: int
    defect: Defect | None
    framed: bool
