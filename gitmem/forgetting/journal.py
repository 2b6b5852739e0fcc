"""The note from which an interrupted erasing is finished.

It stands in ``.git/gitmem/forget/journal.json`` from before the first ref moves until the proof is done. What is to be
searched for stands in it in hex, so that it is never found itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable
from gitmem.forgetting.erased import Erased, Shared
from gitmem.forgetting.finder import Needle
from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store import durability
from gitmem.store.leftovers import forget_journal_path
from gitmem.store.refs import RefMove

if TYPE_CHECKING:
    from gitmem.store.repository import Repo

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Order:
    """What is erased, by whom and when; the same order on the same history gives the same object ids."""

    erased: Erased
    at: datetime
    author: Person


@dataclass(frozen=True, slots=True)
class Journal:
    """An erasing under way.

    ``moves`` are shared refs; ``own`` files of one worktree, relative to the common git directory, each with the id it
    had and has; ``stash`` the lines of the stash's log (``None``: there is none). ``needles`` are searched for at the
    end, ``too_short`` messages cannot be. ``map`` is the map's file name.
    """

    order: Order
    moves: tuple[RefMove, ...]
    own: tuple[tuple[str, Oid, Oid], ...]
    stash: tuple[str, ...] | None
    needles: tuple[Needle, ...]
    too_short: int
    map: str

    def write(self, repo: Repo) -> None:
        """Put it on disk, with everything that was written before it."""
        erased = self.order.erased
        data = {
            "version": _VERSION,
            "handles": sorted(erased.digests),
            "shared": erased.shared.value,
            "at": self.order.at.isoformat(),
            "author": [self.order.author.name, self.order.author.email],
            "moves": [[move.name, move.old, move.new] for move in self.moves],
            "own": [list(own) for own in self.own],
            "stash": None if self.stash is None else list(self.stash),
            "needles": [[needle.kind, needle.text.hex()] for needle in self.needles],
            "too_short": self.too_short,
            "map": self.map,
        }
        path = forget_journal_path(repo)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        durability.write_private(path, json.dumps(data).encode(), fsync=repo.fsync)


def read_journal(repo: Repo) -> Journal | None:
    """The journal; ``None`` when nothing was interrupted. Raises ``Unavailable`` for one that cannot be read."""
    try:
        data = json.loads(forget_journal_path(repo).read_bytes())
        erased = Erased(frozenset(data["handles"]), Shared(data["shared"]))
        return Journal(
            order=Order(erased, datetime.fromisoformat(data["at"]), Person(*data["author"])),
            moves=tuple(RefMove(name, _oid(old), _oid(new)) for name, old, new in data["moves"]),
            own=tuple((file, Oid(old), Oid(new)) for file, old, new in data["own"]),
            stash=None if data["stash"] is None else tuple(data["stash"]),
            needles=tuple(Needle(kind, bytes.fromhex(text)) for kind, text in data["needles"]),
            too_short=data["too_short"],
            map=data["map"],
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        message = "the journal of an interrupted `gitmem forget` cannot be read; run it again for the same sources"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message) from error


def _oid(value: str | None) -> Oid | None:
    return None if value is None else Oid(value)
