"""Small source archives and the links that reach them, for tests."""

from __future__ import annotations

from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import anchor, archive_path
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.ids import SourceId

ARCHIVE = archive_path("chat", "t1")
OWNER = TrustMetadata(TrustState.TRUSTED, "human", "owner", Tier.OWNER)
PAIRED = TrustMetadata(TrustState.TRUSTED, "human", "ada", Tier.PAIRED)
PENDING = TrustMetadata(TrustState.PENDING, "human", "stranger", None)


def handle(message: str) -> SourceId:
    return SourceId(f"chat/t1/{message}")


def archive(*messages: str, before: bytes | None = None, **metadata: TrustMetadata) -> bytes:
    """An archive of messages ``m1``, ``m2``…, the owner's unless ``metadata`` says otherwise."""
    frames = [
        render_frame(
            handle=handle(message),
            timestamp="2024-03-15T10:00:00+00:00",
            role="user",
            body=f"what {message} says",
            speaker_id=None,
            speaker_display=None,
            metadata=metadata.get(message, OWNER),
        )
        for message in messages
    ]
    return append_frames(ARCHIVE, before, None, frames) if before is None else before + b"".join(frames)


def link(message: str, label: str | None = None, *, up: int = 1) -> str:
    """A source link from a topic ``up`` folders below the root."""
    return f"[{label or message}]({'../' * up}{ARCHIVE}#{anchor(handle(message))})"


def block(content: str, block_id: str, message: str = "m1", *, when: str = "2024-03-15", up: int = 1) -> str:
    """One block with a footnote of its own."""
    return f"{content}[^e-{block_id}] ^{block_id}\n\n[^e-{block_id}]: Time: `{when}`; Sources: {link(message, up=up)}\n"


def topic(title: str, *blocks: str) -> str:
    return "\n".join([f"# {title}\n", *blocks])
