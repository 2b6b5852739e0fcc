"""Per claim, the commit that made it what it is (``cli.md``, ``blame``)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.answers import BlockAnswer, block_answer
from gitmem.history.life import life, writers
from gitmem.history.named import claims_named
from gitmem.history.transactions import Origin, origin_of

if TYPE_CHECKING:
    from gitmem.format.model import Claim
    from gitmem.memory import Memory


@dataclass(frozen=True, slots=True)
class BlamedAnswer(BlockAnswer):
    """A claim, and the commit that gave it its present prose and evidence; moving it does not count."""

    by: Origin | None = None


@dataclass(frozen=True, slots=True)
class BlameAnswer:
    """The claims of a file (or the one block) in file order."""

    revision: str | None
    fresh: bool
    claims: tuple[BlamedAnswer, ...]


def blame(memory: Memory, argument: str) -> BlameAnswer:
    """Blame a BLOCK or PATH at a revision. Raises ``NotFound``: ``MEMORY_NOT_FOUND`` or ``PATH_NOT_FOUND``."""
    claims = tuple(_blamed(memory, claim) for claim in claims_named(memory, argument))
    return BlameAnswer(memory.revision, memory.fresh, claims)


def _blamed(memory: Memory, claim: Claim) -> BlamedAnswer:
    shown = block_answer(memory.facts, claim)
    wrote = writers(life(memory.view.history, claim.id))
    by = origin_of(memory.repo, wrote[-1].commit) if wrote else None
    return BlamedAnswer(**{field.name: getattr(shown, field.name) for field in fields(shown)}, by=by)
