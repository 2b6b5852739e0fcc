"""Going back to an earlier revision: exact, not additive; sources stay (``cli.md``, "History")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, NotFound
from gitmem.format.layout import TOPICS, is_topic
from gitmem.history.graft import graft
from gitmem.ids import TopicPath
from gitmem.request import ExactEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.facts.base import Facts
    from gitmem.format.model import Block, Topic
    from gitmem.ids import BlockId
    from gitmem.store.tree import Tree


def restore_topics(current: Tree, earlier: Tree, paths: Sequence[str] = ()) -> ExactEdit:
    """Set the topics (those at or below ``paths``, if given) to what they were.

    Raises ``NotFound`` (``PATH_NOT_FOUND``) for a path that stands in neither state.
    """
    changes = [change for change in earlier.changes(current) if is_topic(change.path)]
    wanted = {change.path for change in changes}
    if paths:
        wanted = {path for path in wanted if any(_covers(given, path) for given in paths)}
        for given in paths:
            _require(given, (current, earlier))
    return ExactEdit({TopicPath(path): earlier.read(path) for path in sorted(wanted)})


def restore_block(current: Tree, current_facts: Facts, earlier: Tree, block_id: BlockId) -> ExactEdit:
    """Set one block to what it was, where it stands now, or else where it stood.

    Raises ``NotFound`` (``MEMORY_NOT_FOUND``) when the earlier state has no such block.
    """
    found = _find(earlier, block_id)
    if found is None:
        raise NotFound(Code.MEMORY_NOT_FOUND, f"no block ^{block_id} stood in the memory at that revision")
    topic, block = found
    standing = current_facts.claims(block.id)
    path = standing[0].path if standing else topic.path
    data = graft(current.topic(path), topic, block, path).encode()
    return ExactEdit({} if current.read(path) == data else {path: data})


def _find(tree: Tree, block_id: BlockId) -> tuple[Topic, Block] | None:
    """The topic and block that carry the id; files that do not even spell it are not parsed."""
    spelled = (f"^{block_id}".encode(), f"[^{block_id}]".encode())
    for entry in tree.entries(TOPICS):
        data = tree.read(entry.path) or b""
        topic = tree.topic(entry.path) if any(spelling in data for spelling in spelled) else None
        for block in topic.blocks if topic is not None else ():
            if topic is not None and block_id in block.ids:
                return topic, block
    return None


def _covers(given: str, path: str) -> bool:
    folder = given.rstrip("/")
    return path == folder or path.startswith(f"{folder}/")


def _require(given: str, trees: Iterable[Tree]) -> None:
    folder = given.rstrip("/")
    if not any(next(iter(tree.entries(folder)), None) for tree in trees):
        raise NotFound(Code.PATH_NOT_FOUND, f"{given} stands neither in the memory nor in that revision", path=given)
