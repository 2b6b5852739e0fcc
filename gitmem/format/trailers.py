"""Commit messages: subject, claims in short and trailers, computed from the difference (``architecture.md`` 3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.text import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.format.claim import ClaimsDiff
    from gitmem.format.model import Claim, Tier
    from gitmem.ids import Oid, SourceId

MAX_SUBJECT_CHARS = 500
MAX_NAMED = 3
"""How many merged blocks a subject names; more are counted."""

MAX_LINES = 50
"""How many lines of one kind a message lists; beyond it only their number (a 10,000-block import lists counts)."""

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(?: (.*))?")
# What a reader of loose habits might take for a trailer of ours, or git for the end of the message.
WRITER = "Gitmem-Writer"
"""The trailer that names the surface a commit came through."""

_LOOKALIKE = re.compile(r"(?:Gitmem|Block|Source|Derived)-|---", re.IGNORECASE)


class _Kind(NamedTuple):
    """One kind of change: its sign in the body, its trailer, its verb, and (line, trailer value) of each."""

    sign: str
    trailer: str
    verb: str
    entries: list[tuple[str, str]]


def render_message(  # noqa: PLR0913, PLR0917  (a message has these parts)
    subject: str | None,
    body: str | None,
    diff: ClaimsDiff,
    writer: str,
    authority: Tier | None,
    sources_added: Sequence[SourceId] = (),
    extra: Mapping[str, str] | None = None,
) -> str:
    """Write a memory commit's message, ending in one LF; its last paragraph is the trailers, always.

    ``subject`` and ``body`` are the caller's (``None`` or blank: the subject is computed); they and every excerpt are
    made harmless, so nothing but this function writes a trailer. ``extra`` trailers follow the computed ones. Raises
    ``ValueError`` when an ``extra`` name is no trailer name: that is a bug in the caller.
    """
    kinds = _kinds(diff)
    paragraphs = [
        one_line(subject or "")[:MAX_SUBJECT_CHARS].strip() or compute_subject(diff, sources_added),
        _harmless(body or ""),
        "\n".join(_body_lines(kinds)),
        "\n".join(_trailers(kinds, writer, authority, sources_added, extra or {})),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


def render_trailers(
    diff: ClaimsDiff, writer: str, authority: Tier | None, sources_added: Sequence[SourceId] = ()
) -> tuple[str, ...]:
    """The trailers of a commit, a line each, as ``render_message`` has them; for a message that somebody else wrote."""
    return tuple(_trailers(_kinds(diff), writer, authority, sources_added, {}))


def render_derive_message(memory: Oid) -> str:
    """Write a derive commit's message: which memory commit its views were made from."""
    return f"views: derive from {memory[:12]}\n\nDerived-From: {memory}\n"


def compute_subject(diff: ClaimsDiff, sources_added: Sequence[SourceId] = ()) -> str:
    """Say in one line what a commit does: the claim itself when it is one that was added or changed, else counts."""
    kinds = [kind for kind in _kinds(diff) if kind.entries]
    if len(kinds) == 1 and len(kinds[0].entries) == 1 and (diff.added or diff.changed):
        claim = diff.added[0] if diff.added else diff.changed[0].after
        return f"memory: {excerpt(claim.content) or kinds[0].verb}"
    if into := _all_merged_into(diff):
        names = [f"^{one_line(merge.id)}" for merge in diff.merged]
        return f"memory: merge {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} into ^{one_line(into)}"
    counts = [f"{kind.verb} {_count(len(kind.entries), 'claim')}" for kind in kinds]
    if sources_added:
        counts.append(f"archive {_count(len(sources_added), 'source')}")
    return f"memory: {', '.join(counts) or 'no claim changes'}"


def parse_trailers(message: str) -> dict[str, tuple[str, ...]]:
    """Read the trailers of a message: name to values in order; only the last paragraph counts, and never the subject.

    Empty when that paragraph holds anything but trailers.
    """
    _, separator, rest = message.rstrip().rpartition("\n\n")
    if not separator:
        return {}
    trailers: dict[str, tuple[str, ...]] = {}
    for line in rest.split("\n"):
        found = _TRAILER.fullmatch(line)
        if found is None:
            return {}
        trailers[found[1]] = (*trailers.get(found[1], ()), found[2] or "")
    return trailers


def _all_merged_into(diff: ClaimsDiff) -> str | None:
    """The block that a few others were merged into, when that is all that happened: it has their evidence now."""
    into = {merge.into for merge in diff.merged}
    others = diff.added or diff.moved or diff.removed or {changed.after.id for changed in diff.changed} - into
    return next(iter(into)) if len(into) == 1 and len(diff.merged) <= MAX_NAMED and not others else None


def _kinds(diff: ClaimsDiff) -> list[_Kind]:
    moved = [(one_line(move.after.id), one_line(move.before.path), one_line(move.after.path)) for move in diff.moved]
    merged = [(one_line(merge.id), one_line(merge.into)) for merge in diff.merged]
    return [
        _Kind("+", "Block-Added", "add", _claims(diff.added)),
        _Kind("~", "Block-Changed", "change", _claims(change.after for change in diff.changed)),
        _Kind(">", "Block-Moved", "move", [(f"^{i} {old} -> {new}", f"{i} {old} -> {new}") for i, old, new in moved]),
        _Kind("=", "Block-Merged", "merge", [(f"^{old} -> ^{new}", f"{old} -> {new}") for old, new in merged]),
        _Kind("-", "Block-Removed", "remove", _claims(diff.removed)),
    ]


def _claims(claims: Iterable[Claim]) -> list[tuple[str, str]]:
    entries = []
    for claim in claims:
        where = f"{one_line(claim.id)} {one_line(claim.path)}"
        entries.append((f"^{where}: {excerpt(claim.content)}".rstrip(), where))
    return entries


def _body_lines(kinds: list[_Kind]) -> Iterable[str]:
    for kind in kinds:
        if len(kind.entries) > MAX_LINES:
            yield f"{kind.sign} {_count(len(kind.entries), 'claim')}"
        else:
            yield from (f"{kind.sign} {line}" for line, _ in kind.entries)


def _trailers(
    kinds: list[_Kind], writer: str, authority: Tier | None, sources: Sequence[SourceId], extra: Mapping[str, str]
) -> Iterable[str]:
    yield f"{WRITER}: {one_line(writer)}"
    yield f"Gitmem-Authority: {authority.value if authority else 'none'}"
    for kind in kinds:
        yield from _capped(kind.trailer, [value for _, value in kind.entries])
    yield from _capped("Source-Added", sources)
    for name, value in extra.items():
        if not _TOKEN.fullmatch(name):
            misuse = f"{name!r} is not the name of a trailer"
            raise ValueError(misuse)
        yield f"{name}: {one_line(value)}"


def _capped(name: str, values: Sequence[str]) -> list[str]:
    if len(values) > MAX_LINES:
        return [f"{name}-Count: {len(values)}"]
    return [f"{name}: {one_line(value)}" for value in values]


def _harmless(body: str) -> str:
    """Keep a body's lines and paragraphs; indent a line that passes for a trailer of ours or ends the message."""
    lines = (one_line(line) for line in body.replace("\r\n", "\n").split("\n"))
    return "\n".join(f"  {line}" if _LOOKALIKE.match(line) else line for line in lines).strip("\n")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
