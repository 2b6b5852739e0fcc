"""What the catalogue asks of a repository's history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree


class Commits(Protocol):
    """A history of trees."""

    def parents(self, commit: Oid) -> tuple[Oid, ...] | None:
        """The commit's parents, whether or not they are here; ``None`` when the commit itself is not."""
        ...

    def tree(self, commit: Oid) -> Tree:
        """The commit's files; for the zero id no files. Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
        ...


class RepositoryCommits:
    """The commits of a repository."""

    def __init__(self, repo: Repo) -> None:
        """Read from this repository."""
        self._repo = repo

    def parents(self, commit: Oid) -> tuple[Oid, ...] | None:
        """The commit's parents."""
        from gitmem.store.commits import read_commit  # noqa: PLC0415 (a catalogue that stands at HEAD asks for nothing)

        found = read_commit(self._repo, commit)
        return None if found is None else found.parents

    def tree(self, commit: Oid) -> Tree:
        """The commit's files."""
        return Snapshot.at(self._repo, commit)
