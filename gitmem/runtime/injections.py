"""What models were given of the memory, and whether a claim was among it (``cli.md``, ``log --injected``)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from gitmem.runtime.events import Injected
from gitmem.runtime.events_log import FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime
    from pathlib import Path

    from gitmem.format.model import Tier


@dataclass(frozen=True, slots=True)
class InjectionAnswer:
    """One time that a claim was put before a model."""

    at: str
    session: str | None
    tier: str
    surface: str
    revision: str | None
    query_hash: str | None


@dataclass(frozen=True, slots=True)
class InjectedAnswer:
    """When the claim was given to a model, newest first.

    The record reaches back to ``since``; whether it was given before is not known. ``None``: nothing is recorded.
    """

    id: str
    aliases: tuple[str, ...]
    since: str | None
    injections: tuple[InjectionAnswer, ...]


def query_hash(query: str) -> str:
    """What stands for the words of a search in the record."""
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()


def given(  # noqa: PLR0913  (what there is to say of it)
    now: datetime,
    *,
    tier: Tier | None,
    surface: str,
    revision: str | None,
    blocks: tuple[str, ...],
    session: str | None = None,
    query: str | None = None,
) -> Injected:
    """The event of something that a model is given now."""
    return Injected(
        at=now.astimezone(UTC).isoformat(timespec="seconds"),
        session=session or None,
        tier="" if tier is None else tier.value,
        surface=surface,
        revision=revision,
        blocks=blocks,
        query_hash=None if query is None else query_hash(query),
    )


def injections(folder: Path, ids: Collection[str]) -> tuple[str | None, tuple[InjectionAnswer, ...]]:
    """Since when there is a record in the runtime folder, and what of it is about one of the ids, newest first."""
    since, found = None, []
    for event in _events(folder):
        since = since or event["at"]
        if event.get("event") == Injected.name and not set(ids).isdisjoint(event.get("blocks") or ()):
            fields = (event.get(name) for name in ("at", "session", "tier", "surface", "revision", "query_hash"))
            found.append(InjectionAnswer(*fields))  # type: ignore[arg-type]  # as it was written
    return since, tuple(reversed(found))


def _events(folder: Path) -> Iterator[dict[str, str]]:
    """What can be read of the file, oldest first."""
    try:
        with (folder / FILE).open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if isinstance(event, dict) and isinstance(event.get("at"), str):
                    yield event
    except FileNotFoundError:
        return
