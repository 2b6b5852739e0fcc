"""The hand edits of the working directory, as a transaction takes them (``cli.md``, ``commit``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, NotFound, Refused
from gitmem.format.layout import GITATTRIBUTES, GITMEM, TOPICS, is_derived, is_source, is_topic
from gitmem.ids import TopicPath
from gitmem.store.typed_files import typed_files
from gitmem.transaction.hand import HandText, Taken, decoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.store.typed_files import TypedFile
    from gitmem.transaction.base import Base


def take_typed(arguments: Sequence[str]) -> Callable[[Repo, Base], Taken]:
    """What reads the topics that were edited at or below the named paths, all of them when none is named.

    A topic may be named without ``topics/`` and ``.md``. It raises ``Refused``: ``READ_ONLY_PATH`` for a path that is
    not edited by hand, ``PATH_OUTSIDE_WORKSPACE`` for a link or folder in a topic's place; ``NotFound``
    (``PATH_NOT_FOUND``) for one that was never there.
    """

    def take(repo: Repo, base: Base) -> Taken:
        wanted = tuple(_named(base.snapshot, argument) for argument in arguments)
        everything = not wanted or TOPICS in wanted
        found = typed_files(repo, base.snapshot, lambda path: everything or any(map(_below(path), wanted)))
        for path in wanted:
            if not any(_below(file.path)(path) for file in found) and not any(base.snapshot.entries(path)):
                raise NotFound(Code.PATH_NOT_FOUND, f"there is no topic {path}", path=path)
        texts = tuple(_text(file) for file in found if is_topic(file.path))
        return Taken(texts, tuple(_aside(found)))

    return take


def _below(path: str) -> Callable[[str], bool]:
    return lambda prefix: path == prefix or path.startswith(f"{prefix}/")


def _named(memory: Snapshot, argument: str) -> str:
    steps = [step for step in argument.split("/") if step not in {"", "."}]
    path = "/".join(steps)
    if is_derived(path) and memory.entry(path) is not None:
        message = f"{path} is derived and follows the topics; edit those, and `git restore {path}` brings the view back"
        raise Refused(Code.READ_ONLY_PATH, message, path=path)
    if path in {"", TOPICS}:
        return TOPICS
    folder = path if steps[0] == TOPICS else f"{TOPICS}/{path}"
    if not argument.endswith(".md") and any(memory.entries(folder)):
        return folder
    return topic_path(argument if argument.endswith(".md") else f"{argument}.md", implied=True)


def _text(file: TypedFile) -> HandText:
    if file.disk.foreign:
        message = f"{file.path} is a link or a folder; only a plain file can be a topic (`git restore` puts it back)"
        raise Refused(Code.PATH_OUTSIDE_WORKSPACE, message, path=file.path)
    text = None if file.disk.data is None else decoded(file.disk.data)
    return HandText(TopicPath(file.path), text, decoded(file.base or b""), file.stood)


def _aside(found: Sequence[TypedFile]) -> Iterator[str]:
    """What is edited and is not for hands, each with what to do."""
    for path in (file.path for file in found):
        if is_derived(path):
            yield f"{path} is derived: your edit of it is not committed; `git restore {path}` brings the view back"
        elif is_source(path):
            yield f"{path} is evidence: your edit of it is not committed; `git restore {path}` takes it back"
        elif path in {GITMEM, GITATTRIBUTES}:
            yield f"{path} is no topic and is not committed; `git commit -- {path}` commits it"
        elif path.startswith(f"{TOPICS}/") and not is_topic(path):
            yield f"{path} is no topic, whose name ends in .md; it is not committed"
