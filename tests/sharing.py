"""A memory of which a part is shared: a block and a message for each way in which they may be visible, or not.

Everything that only the owner may see holds the word ``HIDDEN``, in whatever way a thing can hold a word: in texts,
headings, paths, handles, speakers, block and evidence ids, subjects and e-mail addresses.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import PROMOTIONS, anchor, archive_path
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.promotions import Promotion, render_promotion
from gitmem.ids import SourceId
from workspaces import make, reopened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HIDDEN = "zqhid"
SHARED = "zqpub"

OWNER = TrustMetadata(TrustState.TRUSTED, "human", "owner", Tier.OWNER)
PAIRED = TrustMetadata(TrustState.TRUSTED, "human", "ada", Tier.PAIRED)
PENDING = TrustMetadata(TrustState.PENDING, "human", "stranger", None)
OLD_SHARED = TrustMetadata(TrustState.TRUSTED, None, None, None)

WHEN = "2024-03-15T10:00:00+00:00"
MIXED_FILE = "topics/mix.md"


@dataclass(frozen=True)
class Kind:
    """One way to be visible: which metadata the message has, whether it was vouched for, who sees what rests on it."""

    name: str
    metadata: TrustMetadata | None
    promoted: Tier | None = None
    shared: bool = False
    legacy: bool = False
    archived: bool = True
    also: str | None = None
    """Another kind whose message the block cites too."""

    @property
    def word(self) -> str:
        """In every text of the kind."""
        return (SHARED if self.shared else HIDDEN) + self.name

    @property
    def block(self) -> str:
        return f"{self.word}1"

    @property
    def path(self) -> str:
        return f"topics/{self.word}.md"

    @property
    def handle(self) -> SourceId:
        return SourceId(f"chat/{self.word}/m1")

    @property
    def archive(self) -> str:
        return f"sources/chat/{self.word}.md" if self.legacy else archive_path("chat", self.word)

    @property
    def has_message(self) -> bool:
        return self.archived and self.also is None


KINDS = (
    Kind("owner", OWNER),
    Kind("paired", PAIRED, shared=True),
    Kind("pending", PENDING),
    Kind("vouchedowner", PENDING, promoted=Tier.OWNER),
    Kind("vouchedpaired", PENDING, promoted=Tier.PAIRED, shared=True),
    Kind("mixed", None, also="owner"),
    Kind("mixedpending", None, also="pending"),
    Kind("tierless", OLD_SHARED),
    Kind("unstamped", None),
    Kind("legacy", None, legacy=True),
    Kind("lost", None, archived=False),
)
NAMED = {kind.name: kind for kind in KINDS}
SOURCELESS = f"{HIDDEN}sourceless"
"""The word of a block that cites nothing."""


def build(folder: Path) -> Path:
    """Make the workspace: three commits by plain git, and one by the owner, who remembers something."""
    make(folder).close()
    for path, data in _sources().items():
        _put(folder, path, data)
    _commit(folder, f"memory: archive {HIDDEN}subject")
    for kind in KINDS:
        _put(folder, kind.path, _topic(kind, "said first").encode())
    _put(folder, f"topics/{SOURCELESS}.md", f"# {SOURCELESS}\n\nA {SOURCELESS} claim. ^{SOURCELESS}1\n".encode())
    _commit(folder, f"memory: write {HIDDEN}subject")
    for kind in KINDS:
        _put(folder, kind.path, _topic(kind, "said later").encode())
    _put(folder, MIXED_FILE, _mix().encode())
    _commit(folder, f"memory: change {HIDDEN}subject")
    with reopened(folder) as workspace:
        workspace.remember(f"The owner likes {HIDDEN}remembered.", "topics/core.md", time="2024-03-15")
    return folder


def _sources() -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    promotions = b""
    for kind in KINDS:
        if not kind.has_message:
            continue
        if kind.legacy:
            text = f'<a id="{anchor(kind.handle)}"></a>\n[2024-03-15] user: It said {kind.word} [{kind.handle}]\n'
            found[kind.archive] = text.encode()
            continue
        frame = render_frame(
            handle=kind.handle,
            timestamp=WHEN,
            role="user",
            body=f"It said {kind.word}body budget\nand more {kind.word}",
            speaker_id=f"{kind.word}id",
            speaker_display=f"{kind.word}name",
            metadata=kind.metadata,
        )
        found[kind.archive] = HEADER + frame
        if kind.promoted is not None:
            promotions += render_promotion(Promotion(WHEN, "owner", kind.handle, f"{kind.word}id", kind.promoted))
    frames = (
        render_frame(
            handle=SourceId(f"chat/group/{word}"),
            timestamp=WHEN,
            role="user",
            body=f"In the group: {word} budget",
            speaker_id=f"{word}id",
            speaker_display=f"{word}name",
            metadata=metadata,
        )
        for word, metadata in ((f"{HIDDEN}g1", OWNER), (f"{SHARED}g2", PAIRED), (f"{HIDDEN}g3", PENDING))
    )
    found[archive_path("chat", "group")] = HEADER + b"".join(frames)
    found[PROMOTIONS] = promotions
    return found


def _cited(kind: Kind) -> Sequence[Kind]:
    return (NAMED["paired"], NAMED[kind.also]) if kind.also else (kind,)


def link(kind: Kind) -> str:
    """The link of a topic to the message of a kind."""
    return f"[{kind.word}](../{kind.archive}#{anchor(kind.handle)})"


def block_of(kind: Kind, words: str, block: str) -> str:
    """A block that rests on what the kind rests on, with its footnote."""
    sources, note = ", ".join(link(one) for one in _cited(kind)), f"e-{block}"
    claim = f"The {kind.word} was {words} of the budget.[^{note}] ^{block}\n"
    return f"{claim}\n[^{note}]: Time: `2024-03-15`; Sources: {sources}\n"


def add(folder: Path, path: str, text: str) -> None:
    """Commit a file by plain git, past the checks."""
    _put(folder, path, text.encode())
    _commit(folder, f"memory: add {HIDDEN}subject")


def _topic(kind: Kind, words: str) -> str:
    return f"# About {kind.word}\n\n{block_of(kind, words, kind.block)}"


def _mix() -> str:
    """Every kind below a heading of its own in one file."""
    parts = ["# Mix\n"]
    parts += [f"## The {kind.word} part\n\n{block_of(kind, 'mixed in', f'{kind.word}2')}" for kind in KINDS]
    return "\n".join(parts)


def _put(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)


def _commit(folder: Path, subject: str) -> None:
    who = ("-c", "user.name=Test", "-c", f"user.email={HIDDEN}@example.invalid", "-c", "core.hooksPath=/dev/null")
    for words in (("add", "-A"), ("commit", "-q", "-m", subject)):
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
