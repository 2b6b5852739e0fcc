"""Which claims and files an argument means: a BLOCK, or a PATH that has a slash or ends in ``.md`` (``cli.md``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.compose import block_id, names_path
from gitmem.errors import Code, NotFound
from gitmem.format.layout import TOPICS, is_topic
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId
    from gitmem.memory import Memory
    from gitmem.store.tree import Tree


def claims_named(memory: Memory, argument: str) -> tuple[Claim, ...]:
    """The block's claim, or the claims of a topic file or folder in path and file order.

    Raises ``NotFound``: ``MEMORY_NOT_FOUND`` or ``PATH_NOT_FOUND``.
    """
    if names_path(argument) or argument in memory.snapshot.names(""):
        folder = standing_path(argument, memory.snapshot)
        paths = (entry.path for entry in memory.snapshot.entries(folder) if is_topic(entry.path))
        return tuple(claim for path in paths for claim in memory.facts.of_topic(TopicPath(path)))
    wanted = block_id(argument)
    claims = memory.facts.claims(wanted)
    if not claims:
        if memory.facts.created(wanted) is None:
            raise never_held(wanted)
        message = f"no block ^{wanted} stands at this revision; `gitmem history {wanted}` tells what became of it"
        raise NotFound(Code.MEMORY_NOT_FOUND, message, details={"memory_id": wanted})
    return claims


def never_held(wanted: BlockId) -> NotFound:
    """The failure of asking about an id that no claim ever had."""
    message = f"the memory never held a block ^{wanted}; `gitmem search` finds blocks by what they say"
    return NotFound(Code.MEMORY_NOT_FOUND, message, details={"memory_id": wanted})


def standing_path(argument: str, *trees: Tree) -> str:
    """The file or folder of any of the trees that an argument means; ``topics/`` may be missing.

    Raises ``NotFound`` (``PATH_NOT_FOUND``).
    """
    path = "/".join(step for step in argument.split("/") if step not in {"", "."})
    for candidate in (path, f"{TOPICS}/{path}"):
        if path and any(next(iter(tree.entries(candidate)), None) for tree in trees):
            return candidate
    raise NotFound(
        Code.PATH_NOT_FOUND, f"nothing stands at {argument}; `gitmem browse` lists what there is", path=argument
    )
