"""Commit messages that name what is erased, said anew from what the rewritten commit does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from gitmem.facts.difference import claims_between, records_between
from gitmem.format.model import Tier
from gitmem.format.trailers import WRITER, compute_subject, parse_trailers, render_message

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.finder import Finder
    from gitmem.format.claim import ClaimsDiff
    from gitmem.ids import SourceId
    from gitmem.store.snapshot import Snapshot

ERASED_SUBJECT = "memory: the subject was erased"

_NAMED = re.compile(r"^(?:[+~>=-] \^|Block-[A-Za-z]+: )(\S+)", re.MULTILINE)
_SOURCE = re.compile(r"^Source-Added: (.*)$", re.MULTILINE)
_GENERATED = re.compile(r"[+~>=-] (?:\^\S|\d+ claims?$)")
_COMPUTED = re.compile(r"Gitmem-(?:Writer|Authority)|(?:Block|Source)-[A-Za-z-]+")
_SHA = re.compile(r"(?<![\^\w-])[0-9a-f]{7,40}(?![\w-])")
_BLOCK_LINE = re.compile(r"^(?:[+~>=-] \^|Block-).*$", re.MULTILINE)
_FULL = re.compile(r"\b[0-9a-f]{40}\b")


class Step(NamedTuple):
    """What a commit did: the memory before (its first parent's) and after it."""

    before: Snapshot
    after: Snapshot

    def difference(self) -> tuple[ClaimsDiff, tuple[SourceId, ...]]:
        """The claims it changed and the messages it archived."""
        changes = self.after.changes(self.before)
        handles = tuple(record.handle for record in records_between(self.before, self.after, changes))
        return claims_between(self.before, self.after, changes), handles


def named_commits(message: str) -> list[str]:
    """What in a message may be the id of a commit, or the beginning of one; ids of blocks are none."""
    if _SHA.search(message) is None:
        return []
    return _SHA.findall(_BLOCK_LINE.sub(lambda line: " ".join(_FULL.findall(line.group())), message))


def with_commits(message: str, new: Callable[[str], str]) -> str:
    """The message with every such id replaced."""
    lines = message.split("\n")
    return "\n".join(
        (_FULL if _BLOCK_LINE.match(line) else _SHA).sub(lambda found: new(found.group()), line) for line in lines
    )


def names_erased(message: str, erased: Erased, finder: Finder, changed: Collection[str]) -> bool:
    """Whether a message names an erased message, a claim that changes, or words that may not be found any more."""
    if any(name.lstrip("^") in changed for name in _NAMED.findall(message)):
        return True
    if any(erased.has(handle) for handle in _SOURCE.findall(message)):
        return True
    return finder.find(message.encode("utf-8", "surrogateescape")) is not None


def said_anew(message: str, old: Step, new: Step, finder: Finder) -> str:
    """The message of the commit as it is now; a foreign one loses the lines that quote."""
    trailers = parse_trailers(message)
    if WRITER not in trailers:
        return _without_lines(message, finder)
    subject, *middle = message.rstrip("\n").split("\n\n")[:-1]
    difference, handles = new.difference()
    keeps = subject != compute_subject(*old.difference()) and not _hit(subject, finder)
    lines = [line for line in "\n\n".join(middle).split("\n") if not _GENERATED.match(line) and not _hit(line, finder)]
    extra = {name: values[-1] for name, values in trailers.items() if not _COMPUTED.fullmatch(name)}
    tier = trailers.get("Gitmem-Authority", ("none",))[-1]
    return render_message(
        subject if keeps else None,
        "\n".join(lines).strip("\n"),
        difference,
        trailers[WRITER][-1],
        Tier(tier) if tier in set(Tier) else None,
        handles,
        {name: value for name, value in extra.items() if not _hit(value, finder)},
    )


def _without_lines(message: str, finder: Finder) -> str:
    subject, *rest = message.split("\n")
    kept = [line for line in rest if not _hit(line, finder)]
    return "\n".join([ERASED_SUBJECT if _hit(subject, finder) else subject, *kept])


def _hit(text: str, finder: Finder) -> bool:
    return finder.find(text.encode("utf-8", "surrogateescape")) is not None
