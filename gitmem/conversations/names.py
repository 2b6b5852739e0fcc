"""Names of conversations and branches that one file system would take for each other (``behaviours.md`` 7.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.format.layout import SESSIONS_PREFIX, collision_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def refuse_twins(standing: Iterable[str], added: Iterable[str]) -> None:
    """Raise ``InvalidRequest`` when an added session ref is the twin of a standing or of another added one.

    Twins are equal under NFC and casefold but spelled differently, at any of the levels provider, thread and branch.
    """
    spelled: dict[str, str] = {}
    for level in {level for ref in standing for level in _levels(ref)}:
        spelled.setdefault(collision_key(level), level)
    for ref in added:
        for level in _levels(ref):
            twin = spelled.setdefault(collision_key(level), level)
            if twin != level:
                raise InvalidRequest(
                    Code.INVALID_ARGUMENT,
                    f"{_shown(level)} differs from {_shown(twin)} only by case or Unicode normalization; rename one",
                    details={"name": _shown(level), "twin": _shown(twin)},
                )


def _levels(ref: str) -> Iterator[str]:
    parts = ref.removeprefix(SESSIONS_PREFIX).split("/")
    for depth in range(1, len(parts) + 1):
        yield SESSIONS_PREFIX + "/".join(parts[:depth])


def _shown(level: str) -> str:
    return level.removeprefix(SESSIONS_PREFIX)
