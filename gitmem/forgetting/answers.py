"""What ``forget`` answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.forgetting.proof import Proof


@dataclass(frozen=True, slots=True)
class ClaimCutAnswer:
    """A claim that rests on what is erased: what it said, and what it says then (``None``: it goes).

    ``current``: it stands in the current memory, not only in earlier states of it.
    """

    id: str
    path: str
    before: str
    after: str | None
    current: bool


@dataclass(frozen=True, slots=True)
class ForgetAnswer:
    """What is, or would be, erased.

    ``ok``: nothing of it was found any more; of a dry run: it could be done. ``sources`` are handles, as far as they
    are known; ``archived`` and ``turns`` count frames and turns. ``claims`` rest on what is erased alone, in whole or
    in part; ``shared`` rest on other messages too. ``commits`` is how many have another id. ``refs`` have moved;
    ``map`` is the file in ``.git/gitmem/forget/`` that a server takes. ``differing`` are old commits of which another
    clone made something else (``--apply``). What ``words_unknown`` messages said is not known here (any more): of those
    only handle and anchor are searched for, and ``ok`` says nothing of their words.
    """

    ok: bool
    dry_run: bool
    at: str
    sources: tuple[str, ...]
    archived: int
    turns: int
    claims: tuple[ClaimCutAnswer, ...]
    shared: tuple[ClaimCutAnswer, ...]
    versions: int
    commits: int
    refs: tuple[str, ...]
    revision: str | None
    map: str | None
    differing: int
    proof: Proof | None
    words_unknown: int = 0
    warnings: tuple[str, ...] = ()
