"""The map that is left: old ids of commits and tags to new ones, and the order, so that others can repeat it.

``.git/gitmem/forget/<utc>.map``. The first line is JSON with sorted keys: ``at``, ``author`` (name and address),
``handles`` (SHA-256 of each), ``shared``, ``version``, ``workspace``. Then, sorted, ``<old> <new>`` for each commit and
tag that has another id, zeros where nothing takes its place. Nothing in it says what was erased.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.forgetting.erased import Erased, Shared
from gitmem.forgetting.journal import Order
from gitmem.ids import ZERO_OID, Oid
from gitmem.request import Person

if TYPE_CHECKING:
    from collections.abc import Mapping

_VERSION = 1
_LINE = re.compile(r"([0-9a-f]{40}) ([0-9a-f]{40})")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ForgetMap:
    """An order that was carried out in one clone of a workspace, and what became of its commits."""

    order: Order
    workspace: str
    ids: Mapping[Oid, Oid]

    def render(self) -> bytes:
        """The bytes of the file."""
        erased, author = self.order.erased, self.order.author
        head = {
            "at": self.order.at.isoformat(),
            "author": [author.name, author.email],
            "handles": sorted(erased.digests),
            "shared": erased.shared.value,
            "version": _VERSION,
            "workspace": self.workspace,
        }
        lines = (f"{old} {self.ids[old]}" for old in sorted(self.ids))
        return "\n".join([json.dumps(head, sort_keys=True), *lines, ""]).encode()

    def followed_by(self, later: Mapping[Oid, Oid]) -> ForgetMap:
        """This map and one of what became of its commits later, as one."""
        ids = {old: later.get(new, new) for old, new in self.ids.items()}
        return ForgetMap(self.order, self.workspace, {**{o: n for o, n in later.items() if o not in ids}, **ids})


def map_of(order: Order, workspace: str, ids: Mapping[Oid, Oid | None]) -> ForgetMap:
    """The map of a rewriting."""
    return ForgetMap(order, workspace, {old: new or ZERO_OID for old, new in ids.items()})


def parse_map(data: bytes) -> ForgetMap:
    """Read a map. Raises ``InvalidRequest`` for anything else."""
    head, *lines = data.decode("utf-8", "replace").split("\n")
    try:
        found = json.loads(head)
        digests = frozenset(str(digest) for digest in found["handles"])
        shared, at = Shared(found["shared"]), datetime.fromisoformat(found["at"])
        author = Person(*found["author"])
        sound = found["version"] == _VERSION and all(map(_DIGEST.fullmatch, digests)) and at.tzinfo is not None
    except (ValueError, KeyError, TypeError, RecursionError):
        sound = False
    pairs = [_LINE.fullmatch(line) for line in lines if line]
    if not sound or not digests or None in pairs:
        message = "this is no map that `gitmem forget` left; it stands in .git/gitmem/forget/ where sources were erased"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    ids = {Oid(pair[1]): Oid(pair[2]) for pair in pairs if pair is not None}
    return ForgetMap(Order(Erased(digests, shared), at, author), str(found.get("workspace")), ids)
