"""A memory to read: people who are trusted and not, old and new archives, merged, undated and linked blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import anchor
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWNER = TrustMetadata(TrustState.TRUSTED, "human", "owner", Tier.OWNER)
PAIRED = TrustMetadata(TrustState.TRUSTED, "human", "bob", Tier.PAIRED)
PENDING = TrustMetadata(TrustState.PENDING, "human", "stranger", None)

V2 = "sources/chat/_v2/g1.md"
LEGACY = "sources/chat/g1.md"
DIALOG = "sources/D1.md"
ADA = "topics/people/ada.md"
BOB = "topics/people/bob.md"
CORE = "topics/core.md"

TRICKY = "first line\r\n<!-- source-meta:not-mine -->\n\x1b[31mred\x1b[0m tail"
"""A body with a line that looks like metadata, a carriage return and a terminal escape."""


def handle(message: str) -> SourceId:
    return SourceId(f"chat/g1/{message}")


def files() -> dict[str, bytes]:
    """The memory's topics and sources by path."""
    return {
        V2: HEADER + b"".join(_frames()),
        LEGACY: _legacy(),
        DIALOG: b'<a id="d1-1"></a>\n[2023-05-08] Caroline: I planted tomatoes. [D1:1]\n\n'
        b'<a id="d1-2"></a>\n[2023-05-08] Melanie: Tomatoes need sun. [D1:2]\n',
        ADA: _topic(
            "# Ada\n",
            "Ada is building a budget tracker in Flask.[^e-a1] ^old1 ^aaaa1111\n",
            _note("e-a1", "2024-03-15", "m1"),
            "## Home\n",
            "Ada keeps a budget for the garden.[^e-a2] ^bbbb2222\n",
            "Ada knows [Bob](bob.md#^dddd4444) from school.[^e-a1] ^cccc3333\n",
            _note("e-a2", "undated", "m6"),
        ),
        BOB: _topic("# Bob\n", "Bob moved to Lisbon.[^e-b1] ^dddd4444\n", _note("e-b1", "2023", "m3")),
        CORE: _topic("# Core\n", "Ada likes short answers.[^e-c1] ^ffff6666\n", _note("e-c1", "2024-03-15", "m1", 1)),
    }


def pets() -> bytes:
    """What somebody appends to Ada's topic with plain git: a claim on the word of a stranger."""
    return _topic("\n### Pets\n", "Ada has a cat called Turing.[^e-a3] ^eeee5555\n", _note("e-a3", "2024-05", "m4"))


def lay_out(folder: Path) -> Path:
    """Write the files into a folder, to be adopted by a new workspace."""
    for path, data in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def _frames() -> Iterator[bytes]:
    said = (
        ("m1", "2024-03-15T10:00:00+00:00", "7391", "Ada", OWNER, "I am building a budget tracker in Flask"),
        ("m2", "2024-03-15T10:01:00+00:00", None, None, OWNER, "A tracker is a fine way to keep a budget"),
        ("m3", "2023-06-01T10:00:00+00:00", "88", "Bob", PAIRED, "I moved to Lisbon"),
        ("m4", "2024-05-02T10:00:00+00:00", "666", "Eve", PENDING, "Your cat is called Turing"),
        ("m5", "2024-06-01T10:00:00+00:00", "", "Ada", OWNER, TRICKY),
        ("m6", None, "7391", "Ada", OWNER, "The garden has a budget too"),
    )
    for message, when, speaker_id, display, metadata, body in said:
        yield render_frame(
            handle=handle(message),
            timestamp=when,
            role="assistant" if message == "m2" else "user",
            body=body,
            speaker_id=speaker_id or None,
            speaker_display=display,
            metadata=metadata,
        )


def _legacy() -> bytes:
    lines = []
    for message, words in (("m1", "an older copy of the budget tracker"), ("m0", "[Ada (7391)] hello from before")):
        lines += [f'<a id="{anchor(handle(message))}"></a>', f"[2022-01-01] user: {words} [{handle(message)}]", ""]
    return "\n".join(lines).encode()


def _topic(*parts: str) -> bytes:
    return "\n".join(parts).encode()


def _note(name: str, when: str, message: str, up: int = 2) -> str:
    return f"[^{name}]: Time: `{when}`; Sources: [{message}]({'../' * up}{V2}#{anchor(handle(message))})\n"
