"""Edits that people ask for in a few words, put as record and file operations (``cli.md``, "Inputs")."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.evidence import WHEN_UNDATED
from gitmem.format.layout import TOPICS, is_topic
from gitmem.format.text import excerpt
from gitmem.ids import BlockId, SourceId, TopicPath
from gitmem.request import (
    CreateRecord,
    DeleteRecord,
    Destination,
    FileDelete,
    FileMove,
    FilesEdit,
    MergeRecords,
    MoveRecords,
    NewSource,
    RecordsEdit,
    SourceRef,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim
    from gitmem.store.tree import Tree

HEADING_SEPARATOR = " > "
QUOTE_LABEL = "new-source-remembered"
MAX_LABEL_CHARACTERS = 40

_NOT_IN_LABELS = str.maketrans("[]<>|`", "()()  ")


def names_path(argument: str) -> bool:
    """Whether an argument means a topic file, not a block: it has a slash or ends in ``.md``."""
    return "#^" not in argument and ("/" in argument or argument.endswith(".md"))


def block_id(argument: str) -> BlockId:
    """The id in ``id``, ``^id``, ``#^id`` or ``path#^id``."""
    return BlockId(argument.rpartition("^")[2])


def remembered(  # noqa: PLR0913  (a claim with its evidence has these parts)
    tree: Tree,
    text: str,
    *,
    topic: str,
    heading: str | None,
    time: str | None,
    quote: str | None,
    source: str | None,
    said_at: str,
) -> tuple[RecordsEdit, tuple[NewSource, ...]]:
    """One claim, resting on an archived source or on words that are archived with it (0.22).

    ``said_at`` is the ISO time of the words. Without ``heading`` the claim goes under the file's first heading, or
    under one made from the file's name.
    """
    if source is not None and quote is not None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "give a quote or a source, not both")
    if quote is not None and not quote.strip():
        raise InvalidRequest(Code.INVALID_ARGUMENT, "the quote is empty: evidence is what somebody said")
    sources: tuple[NewSource, ...] = ()
    if source is not None:
        ref = SourceRef(source, SourceId(source))
    else:
        words = text if quote is None else quote
        ref = SourceRef(QUOTE_LABEL, _label(words))
        sources = (NewSource(words, "user", label=QUOTE_LABEL, timestamp=said_at),)
    path = topic_path(topic, implied=True)
    destination = Destination(path, headings_for(tree, path, heading))
    when = None if time == WHEN_UNDATED else time
    return RecordsEdit((CreateRecord(text, when, (ref,), destination),)), sources


def headings_for(tree: Tree, path: TopicPath, heading: str | None) -> tuple[str, ...]:
    """The headings a record goes under: as given, else the file's first, else the file's name as a title."""
    if heading is not None:
        titles = tuple(title.strip() for title in heading.split(HEADING_SEPARATOR))
        if not all(titles):
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"{heading!r} has an empty title; write 'A > B'")
        return titles
    topic = tree.topic(path)
    if topic is not None and topic.headings:
        return (topic.headings[0].title,)
    stem = posixpath.basename(path).removesuffix(".md")
    words = stem.replace("-", " ").replace("_", " ").split()
    return (" ".join(words).capitalize() if words else stem,)


def removed(facts: Facts, tree: Tree, arguments: Sequence[str]) -> FilesEdit | RecordsEdit:
    """Delete blocks, whole files, and all topics of a folder.

    An alias alone goes by its own id; a block's own id takes the block. Raises ``NotFound``: ``MEMORY_NOT_FOUND`` or
    ``PATH_NOT_FOUND``.
    """
    if all(map(names_path, arguments)):
        paths = dict.fromkeys(path for argument in arguments for path in _topics(tree, argument))
        return FilesEdit(tuple(FileDelete(path) for path in paths))
    ids: dict[BlockId, None] = {}
    for argument in arguments:
        if names_path(argument):
            claims = (claim for path in _topics(tree, argument) for claim in facts.of_topic(path))
            ids.update(dict.fromkeys(found for claim in claims for found in claim.ids))
        else:
            wanted = block_id(argument)
            claim = claim_of(facts, wanted)
            ids.update(dict.fromkeys(claim.ids if wanted == claim.id else (wanted,)))
    return RecordsEdit(tuple(DeleteRecord(found) for found in ids))


def moved(facts: Facts, tree: Tree, arguments: Sequence[str], to: str, heading: str | None) -> FilesEdit | RecordsEdit:
    """Move files or blocks. A file goes to ``to``, or into it when it is a folder; blocks go under a heading of it.

    Raises ``InvalidRequest`` for files and blocks in one call, and ``NotFound`` as ``removed`` does.
    """
    paths = [_existing(tree, argument) for argument in arguments if names_path(argument)]
    if not paths:
        path = topic_path(to, implied=True)
        claims = [claim_of(facts, block_id(argument)) for argument in arguments]
        ids = tuple(dict.fromkeys(found for claim in claims for found in claim.ids))
        return RecordsEdit((MoveRecords(ids, Destination(path, headings_for(tree, path, heading))),))
    if len(paths) != len(arguments) or heading is not None:
        message = "move files and blocks in separate calls; --heading goes with blocks"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return FilesEdit(tuple(_file_moves(paths, to)))


def merged(facts: Facts, keep: str, absorbed: Sequence[str]) -> RecordsEdit:
    """Fold blocks into the one that is kept (``cli.md``, ``merge-blocks``)."""
    kept = claim_of(facts, block_id(keep)).id
    others = [(item, claim_of(facts, block_id(item)).id) for item in absorbed]
    same = next((item for item, found in others if found == kept), None)
    if same is not None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{same} is already part of ^{kept}")
    return RecordsEdit((MergeRecords(kept, tuple(found for _, found in others)),))


def claim_of(facts: Facts, wanted: BlockId) -> Claim:
    """The claim that carries the id. Raises ``NotFound`` (``MEMORY_NOT_FOUND``)."""
    claims = facts.claims(wanted)
    if not claims:
        message = f"no block ^{wanted} stands in the memory; `gitmem search` finds blocks, `gitmem history` old ones"
        raise NotFound(Code.MEMORY_NOT_FOUND, message, details={"memory_id": wanted})
    return claims[0]


def _file_moves(paths: Sequence[TopicPath], to: str) -> Iterator[FileMove]:
    if to.endswith(".md"):
        if len(paths) > 1:
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"several files cannot all become {to}; name a folder")
        yield FileMove(paths[0], topic_path(to, implied=True))
        return
    for path in paths:
        yield FileMove(path, topic_path(f"{to.rstrip('/')}/{posixpath.basename(path)}", implied=True))


def _topics(tree: Tree, argument: str) -> tuple[TopicPath, ...]:
    """The topic, or those of a folder."""
    folder = _folder(tree, argument)
    if folder is None:
        return (_existing(tree, argument),)
    return tuple(TopicPath(entry.path) for entry in tree.entries(folder) if is_topic(entry.path))


def _folder(tree: Tree, argument: str) -> str | None:
    """The folder of topics that an argument names, if it names one."""
    steps = [step for step in argument.split("/") if step not in {"", "."}]
    if argument.startswith("/") or ".." in steps:
        return None
    path = "/".join(steps if steps[:1] == [TOPICS] else (TOPICS, *steps))
    return path if tree.entry(path) is None and any(is_topic(entry.path) for entry in tree.entries(path)) else None


def _existing(tree: Tree, argument: str) -> TopicPath:
    if folder := _folder(tree, argument):
        message = f"{folder} is a folder; name its topics, which `gitmem browse {folder}` lists"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    path = topic_path(argument, implied=True)
    if tree.entry(path) is None:
        raise NotFound(Code.PATH_NOT_FOUND, f"there is no topic {path}; `gitmem browse {TOPICS}` lists them", path=path)
    return path


def _label(words: str) -> str:
    """A readable, harmless label for a source link."""
    return excerpt(words.translate(_NOT_IN_LABELS), MAX_LABEL_CHARACTERS).strip() or "remembered"
