"""How claims and their differences look to people: lines that ``render.page`` takes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import click

from gitmem_cli.render import on_terminal, one_line
from gitmem_cli.shown import GAP, count, indented, joined, place, styled, warned
from gitmem_cli.words import compared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.answers import BlockAnswer, ChangedAnswer, ClaimsAnswer
    from gitmem.history.diff import StatAnswer

COLORS = {"+": "green", "~": "yellow", ">": "blue", "=": "magenta", "-": "red"}
"""The sign of each kind of difference, as in commit messages: added, changed, moved, merged, removed."""

KINDS = ("added", "changed", "moved", "merged", "removed")

FULLEST_BAR = 60


def moment(at: str) -> str:
    """A time as the reader's clock shows it, to the minute."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def fitted(text: str, room: int) -> str:
    """Text on one line of at most so many characters."""
    line = one_line(text)
    return line if len(line) <= room else f"{line[: room - 1].rstrip()}…"


def block_line(block: BlockAnswer) -> str:
    """Where a claim stands, under which headings, and of what time it is."""
    return joined(
        (
            styled(f"^{block.id}", bold=True),
            place(block.path, block.line),
            styled(" > ".join(block.headings), dim=True) if block.headings else None,
            block.when and styled(block.when),
            warned(block.trust_state != "trusted", block.trust_state),
        )
    )


def brief(claims: ClaimsAnswer) -> Iterator[str]:
    """One line for each claim that differs; its text is cut to a terminal's width, and whole in a pipe."""
    width = max(shutil.get_terminal_size().columns, 60) if on_terminal() else None
    for block in claims.added:
        yield _cut("+", block.id, block.path, block.content, width)
    for changed in claims.changed:
        yield _cut("~", changed.id, changed.path, changed.after, width)
    yield from _renamed(claims)
    for block in claims.removed:
        yield _cut("-", block.id, block.path, block.content, width)


def narrowed(claims: ClaimsAnswer, concerns: Callable[[str, str], bool]) -> ClaimsAnswer:
    """What differs of some claims only: ``concerns(id, path)`` says of which; a merge concerns both its blocks.

    ``from`` and ``to`` of a move may name headings after the path.
    """
    paths = {changed.id: changed.path for changed in claims.changed}

    def files(place: str) -> str:
        return place.partition(" > ")[0]

    return replace(
        claims,
        added=tuple(block for block in claims.added if concerns(block.id, block.path)),
        changed=tuple(changed for changed in claims.changed if concerns(changed.id, changed.path)),
        moved=tuple(
            moved
            for moved in claims.moved
            if concerns(moved.id, files(moved.from_)) or concerns(moved.id, files(moved.to))
        ),
        merged=tuple(
            merged
            for merged in claims.merged
            if any(concerns(block, paths.get(merged.into, "")) for block in (merged.id, merged.into))
        ),
        removed=tuple(block for block in claims.removed if concerns(block.id, block.path)),
    )


def number_of(claims: ClaimsAnswer) -> int:
    """How many differences there are."""
    return sum(len(getattr(claims, kind)) for kind in KINDS)


def full(claims: ClaimsAnswer, *, words: bool = False) -> Iterator[str]:
    """Every claim that differs with its text; changed ones before and after, or word by word."""
    for block in claims.added:
        yield _head("+", block.id, block.path, block.when)
        yield from _colored(block.content, "+")
    for changed in claims.changed:
        yield from _changed(changed, words=words)
    yield from _renamed(claims)
    for block in claims.removed:
        yield _head("-", block.id, block.path, block.when)
        yield from _colored(block.content, "-")


def totals(claims: ClaimsAnswer) -> str:
    """How many claims of each kind: ``2 added, 1 changed``."""
    counts = [(len(getattr(claims, kind)), kind) for kind in KINDS]
    return ", ".join(f"{number:,} {kind}" for number, kind in counts if number) or "no claim differs"


def stat_lines(stat: Sequence[StatAnswer]) -> Iterator[str]:
    """One line for each file with a bar of signs, as ``git diff --stat`` draws them."""
    width = max((len(line.path) for line in stat), default=0)
    rows = [(line.path, _signs(line)) for line in stat]
    most = max((sum(number for _, number in signs) for _, signs in rows), default=0)
    digits = len(str(most))
    for path, signs in rows:
        total = sum(number for _, number in signs)
        bar = "".join(click.style(sign * _scaled(number, most), fg=COLORS[sign]) for sign, number in signs)
        yield f" {styled(path)}{' ' * (width - len(path))} | {total:>{digits}} {bar}".rstrip()
    yield f" {count(len(rows), 'file')} changed"


def _signs(line: StatAnswer) -> list[tuple[str, int]]:
    numbers = (line.added, line.changed, line.moved, line.merged, line.removed)
    return [(sign, number) for sign, number in zip(COLORS, numbers, strict=True) if number]


def _scaled(number: int, most: int) -> int:
    return number if most <= FULLEST_BAR else max(1, number * FULLEST_BAR // most)


def _changed(changed: ChangedAnswer, *, words: bool) -> Iterator[str]:
    yield _head("~", changed.id, changed.path)
    if changed.before == changed.after:
        yield from indented(changed.after)
    elif words:
        yield f"{GAP}{compared(changed.before, changed.after)}"
    else:
        yield from _colored(changed.before, "-", sign="- ")
        yield from _colored(changed.after, "+", sign="+ ")
    if changed.evidence_added:
        yield f"{GAP}{styled('now also cites ' + ', '.join(changed.evidence_added), dim=True)}"


def _renamed(claims: ClaimsAnswer) -> Iterator[str]:
    for moved in claims.moved:
        yield joined((styled(f"> ^{moved.id}", color=COLORS[">"]), styled(f"{moved.from_} -> {moved.to}")))
    for merged in claims.merged:
        yield joined((styled(f"= ^{merged.id}", color=COLORS["="]), styled(f"is part of ^{merged.into} now")))


def _head(sign: str, block: str, path: str, when: str | None = None) -> str:
    return joined((styled(f"{sign} ^{block}", color=COLORS[sign]), styled(path, color="cyan"), when and styled(when)))


def _cut(sign: str, block: str, path: str, content: str, width: int | None) -> str:
    if width is None:
        return joined((_head(sign, block, path), one_line(content)))
    room = width - len(f"{GAP}{sign} ^{block}{GAP}{path}{GAP}")
    return joined((_head(sign, block, path), fitted(content, max(room, 24))))


def _colored(text: str, kind: str, *, sign: str = "") -> Iterator[str]:
    return (f"{GAP}{styled(f'{sign}{line}', color=COLORS[kind])}" for line in text.split("\n"))
