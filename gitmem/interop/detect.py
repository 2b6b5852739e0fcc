"""Which format a document is in: each format is asked in turn (``ingest --format auto``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.interop.formats import FORMATS

if TYPE_CHECKING:
    from gitmem.interop.document import Document, Sample
    from gitmem.interop.format import Format

_NO_CONVERSATION = frozenset(
    {".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".heic", ".mp4", ".mov", ".webm", ".mp3", ".m4a", ".ogg"}
    | {".opus", ".wav", ".aac", ".pdf", ".zip", ".gz", ".html", ".css", ".js", ".vcf", ".tgs", ".docx", ".xlsx"}
    | {".pptx", ".dat", ".bin", ".exe", ".pyc"}
)
"""Endings of what exports hold beside conversations: not worth a look inside of a zip or folder."""


def may_hold_a_conversation(document: Document) -> bool:
    """Whether the document is worth a look: what the caller named is, and a member by its ending."""
    return not document.is_member or document.suffix not in _NO_CONVERSATION


def detect_format(sample: Sample) -> Format | None:
    """Give the first format that knows its document by the sample; ``None`` when none does."""
    return next((entry for entry in FORMATS if entry.looks_like(sample)), None)
