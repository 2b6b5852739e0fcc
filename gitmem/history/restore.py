"""Going back to an earlier revision: exact, not additive; sources stay (``cli.md``, "History")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.compose import block_id
from gitmem.errors import Code, InvalidRequest, NotFound, Refused
from gitmem.format.layout import TOPICS, is_topic
from gitmem.format.text import excerpt
from gitmem.format.topic import parse_topic
from gitmem.history.back import Going
from gitmem.history.graft import graft, without_headings, without_ids
from gitmem.history.named import standing_path
from gitmem.ids import TopicPath
from gitmem.request import ExactEdit, Surface
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gitmem.facts.base import Facts
    from gitmem.format.model import Block, Topic
    from gitmem.ids import BlockId, Oid
    from gitmem.memory import Memory
    from gitmem.store.tree import Tree

LISTED_CHARACTERS = 200
"""How much of a list of paths a subject shows."""


def restoring(memory: Memory, of: Oid, paths: Sequence[str] = (), block: str | None = None) -> Going:
    """The way back to the topics of a revision, to those at or below ``paths``, or to one BLOCK of them.

    Raises ``InvalidRequest`` for paths and a block in one call, and as ``restore_topics`` and ``restore_block`` do.
    """
    if block is not None and paths:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "restore paths or a block, not both at once")
    earlier = Snapshot.at(memory.repo, of)
    if block is not None:
        what, edit = f"^{block_id(block)}", restore_block(memory.snapshot, memory.facts, earlier, block_id(block))
    else:
        what, edit = ", ".join(paths) or "topics", restore_topics(memory.snapshot, earlier, paths)
    subject = f"memory: restore {excerpt(what, LISTED_CHARACTERS)} of {of[:12]}"
    return Going(memory, of, edit, Surface.RESTORE, subject)


def restore_topics(current: Tree, earlier: Tree, paths: Sequence[str] = ()) -> ExactEdit:
    """Set the topics (those at or below ``paths``, if given) to what they were.

    Raises ``NotFound`` (``PATH_NOT_FOUND``) for a path that stands in neither state, and ``Refused``
    (``READ_ONLY_PATH``) for one outside ``topics/``: sources only grow, and views are derived.
    """
    changed = {change.path for change in earlier.changes(current) if is_topic(change.path)}
    if paths:
        folders = [_topics_at(given, current, earlier) for given in paths]
        changed = {path for path in changed if any(path == at or path.startswith(f"{at}/") for at in folders)}
    return ExactEdit({TopicPath(path): earlier.read(path) for path in sorted(changed)})


def restore_block(current: Tree, facts: Facts, earlier: Tree, wanted: BlockId) -> ExactEdit:
    """Set one block to what it was, where it stands now, or else where it stood.

    What it was merged into since keeps its own ids and prose. ``facts`` are the current ones. Raises ``NotFound``
    (``MEMORY_NOT_FOUND``) when the earlier state has no such block.
    """
    found = _find(earlier, wanted)
    if found is None:
        raise NotFound(Code.MEMORY_NOT_FOUND, f"no block ^{wanted} stood in the memory at that revision")
    topic, block = found
    carriers = dict.fromkeys(claim.path for held in (wanted, *block.ids) for claim in facts.claims(held))
    home = next(iter(carriers), topic.path)
    texts = {path: _without(_standing(current, path), block.ids) for path in carriers if path != home}
    texts[home] = graft(_standing(current, home), topic, block).text
    files = {path: text.encode() or None for path, text in texts.items()}
    return ExactEdit({path: data for path, data in files.items() if data != current.read(path)})


def _topics_at(given: str, current: Tree, earlier: Tree) -> str:
    path = standing_path(given, current, earlier)
    if path != TOPICS and not path.startswith(f"{TOPICS}/"):
        message = f"{path} is not a topic: sources only grow, and views follow the topics by themselves"
        raise Refused(Code.READ_ONLY_PATH, message, path=path)
    return path


def _without(topic: Topic, ids: Collection[BlockId]) -> str:
    held = {block.headings[:depth] for block in topic.blocks for depth in range(1, len(block.headings) + 1)}
    return without_headings(without_ids(topic, ids), held).text


def _standing(tree: Tree, path: TopicPath) -> Topic:
    return tree.topic(path) or parse_topic(path, "")


def _find(tree: Tree, wanted: BlockId) -> tuple[Topic, Block] | None:
    """The topic and block that carry the id; files that do not even spell it are not parsed."""
    spelled = tuple(name.encode("utf-8", "surrogateescape") for name in (f"^{wanted}", f"[^{wanted}]"))
    for entry in tree.entries(TOPICS):
        data = tree.read(entry.path) or b""
        topic = tree.topic(entry.path) if any(spelling in data for spelling in spelled) else None
        for block in topic.blocks if topic is not None else ():
            if topic is not None and wanted in block.ids:
                return topic, block
    return None
