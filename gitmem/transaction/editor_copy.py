"""A copy of one topic for an editor, and taking what comes back (``cli.md``, ``edit``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.compose import headings_for
from gitmem.edit.three_way import merge_topics
from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, Conflict, NotFound, Refused
from gitmem.store.head import writable_branch
from gitmem.store.index_file import IndexFile
from gitmem.store.left_alone import read_bases
from gitmem.store.snapshot import Snapshot, blob
from gitmem.store.typed_files import TypedFile
from gitmem.store.workfiles import WorkFiles
from gitmem.transaction.hand import MEMORY, YOURS, HandText, Taken, decoded
from gitmem.transaction.refused import newest_refused, with_remarks, without_remarks

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.ids import Oid, TopicPath
    from gitmem.store.head import Branch
    from gitmem.store.repository import Repo
    from gitmem.transaction.base import Base


@dataclass(frozen=True, slots=True)
class StagedCopy:
    """What an editor is given: ``text``, with ``remarks`` above it; and what it was made from.

    ``base`` is the memory's text of the topic at the tip of ``branch``, ``stood`` what the file in the working
    directory had when its text went into the copy.
    """

    path: TopicPath
    text: str
    base: str
    branch: Branch
    stood: tuple[Oid | None, ...] | None = None
    remarks: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The text to edit."""
        return with_remarks(self.text, self.remarks)

    def typed(self, edited: str) -> str:
        """What somebody made of it, without the remarks."""
        return without_remarks(edited)

    def take(self, text: str) -> Callable[[Repo, Base], Taken]:
        """What gives the edited text to a transaction; raises ``Conflict`` when the branch was switched meanwhile."""

        def take(_repo: Repo, base: Base) -> Taken:
            if base.branch.name != self.branch.name:
                message = f"HEAD is on {base.branch.name} now, and the edit was begun on {self.branch.name}"
                raise Conflict(Code.REPOSITORY_BUSY, message, path=self.path)
            return Taken((HandText(self.path, text, self.base, self.stood),))

        return take


def staged_copy(repo: Repo, argument: str, *, retry: bool = False) -> StagedCopy:
    """The topic as it stands: the memory's text, with what is typed in the working directory and not yet committed.

    Where both changed the same block, both stand there between markers. A topic that is not there yet begins with its
    title. With ``retry`` it is the text that was refused last, under the reasons. Raises ``Conflict``
    (``REPOSITORY_BUSY``) when nothing could be committed now, ``Refused`` for a path that is not a topic's, and
    ``NotFound`` (``PATH_NOT_FOUND``) when nothing of it was refused.
    """
    path = topic_path(argument, implied=True)
    branch = writable_branch(repo)
    memory = Snapshot.at(repo, branch.tip)
    base = decoded(memory.read(path) or b"")
    file = _file(repo, memory, path)
    if retry:
        return _refused(repo, path, base, branch, file)
    if file is not None and file.disk.data is not None:
        merged = merge_topics(path, decoded(file.base or b""), decoded(file.disk.data), base, (YOURS, MEMORY))
        return StagedCopy(path, merged.text, base, branch, file.stood)
    stood = None if file is None else file.stood
    if memory.entry(path) is None:
        return StagedCopy(path, f"# {headings_for(memory, path, None)[0]}\n\n", base, branch, stood)
    return StagedCopy(path, base, base, branch, stood)


def _refused(repo: Repo, path: TopicPath, base: str, branch: Branch, file: TypedFile | None) -> StagedCopy:
    refused = newest_refused(repo, path)
    if refused is None:
        message = f"no edit of {path} was refused; `gitmem edit {path}` opens it"
        raise NotFound(Code.PATH_NOT_FOUND, message, path=path)
    try:
        before = decoded(Snapshot.at(repo, refused.base).read(path) or b"")
    except NotFound:  # the history was made anew since
        before = base
    merged = merge_topics(path, before, decoded(refused.text), base, (YOURS, MEMORY))
    same = refused.stood is not None and file is not None and file.disk.oid == refused.stood[0]
    return StagedCopy(path, merged.text, base, branch, file.stood if same and file else None, refused.reasons)


def _file(repo: Repo, memory: Snapshot, path: TopicPath) -> TypedFile | None:
    """The file in the working directory where it differs from the memory; ``None`` where it does not.

    Raises ``Refused`` for a link or a folder in its place.
    """
    if repo.workdir is None:
        return None
    bases, entry = read_bases(repo), IndexFile.load(repo.gitdir / "index").entry(path)
    with WorkFiles(repo.workdir, repo.gitmem_dir) as files:
        disk = files.read(path)
    if disk.foreign:
        message = f"{path} is a link or a folder here; only a plain file can be a topic (`git restore` puts it back)"
        raise Refused(Code.PATH_OUTSIDE_WORKSPACE, message, path=path)
    known = memory.entry(path)
    base = blob(repo, bases[path]) if path in bases else memory.read(path)
    if path not in bases and disk.oid == (None if known is None else known.oid):
        return None
    return TypedFile(path, disk, base, None if entry is None else entry.oid)
