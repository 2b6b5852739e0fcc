"""The memory at one commit, with everything that is known about it: what readers are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotAllowed
from gitmem.format.model import Tier
from gitmem.ids import ZERO_OID
from gitmem.store.revision import derived_fresh, revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog, View
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid, Revision
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree
    from gitmem.visible.narrowing import Narrowing


@dataclass(frozen=True, slots=True)
class Memory:
    """One state: ``commit`` is the one that was read, ``revision`` the newest memory commit at or below it.

    ``fresh`` says whether the derived views at the commit show its memory. ``view`` is what the catalogue knows of the
    commit (documents, first-parent history). ``catalog`` itself may stand at another commit.

    For a reader who is not the owner ``snapshot``, ``facts`` and ``view`` hold what they may see, and nothing else
    (``gitmem.visible``): ``narrowing`` is ``None`` for the owner.
    """

    repo: Repo
    commit: Oid
    revision: Revision | None
    fresh: bool
    snapshot: Tree
    facts: Facts
    view: View
    catalog: Catalog
    narrowing: Narrowing | None = None

    def whole(self) -> Snapshot:
        """The commit's own tree, for what works on files. Raises ``NotAllowed`` for readers of a part."""
        if self.narrowing is not None:
            message = "only the owner may look at the working directory and at files as they are"
            raise NotAllowed(Code.NOT_ALLOWED, message)
        return Snapshot.at(self.repo, self.commit)

    def at(self, commit: Oid) -> Tree:
        """The files of another commit as the reader sees them. Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
        return self.seen(Snapshot.at(self.repo, commit))

    def seen(self, tree: Tree) -> Tree:
        """Another state of the files as the reader sees it."""
        return tree if self.narrowing is None else self.narrowing.tree(tree)


def read_memory(
    repo: Repo, catalog: Catalog, commit: Oid, tip: Oid | None = None, reader: Tier | None = Tier.OWNER
) -> Memory:
    """The memory at a commit (zeros: none yet), the catalogue brought to ``tip``, by default the commit itself.

    A reader of older revisions gives the current tip, so that the catalogue stays where everybody needs it. Raises
    ``NotFound`` (``REVISION_NOT_FOUND``), and ``Unavailable`` when the catalogue cannot follow.
    """
    snapshot: Tree = Snapshot.at(repo, commit)
    catalog.refresh(commit if tip is None else tip)
    view = catalog.at(commit)
    narrowing = None
    if reader is not Tier.OWNER:
        from gitmem.visible.narrowing import Narrowing  # noqa: PLC0415  (owners need it not)

        narrowing = Narrowing(view, snapshot, reader)
        view, snapshot = narrowing.view, narrowing.files
    unborn = commit == ZERO_OID
    return Memory(
        repo=repo,
        commit=commit,
        revision=None if unborn else revision_of(repo, commit),
        fresh=not unborn and derived_fresh(repo, commit),
        snapshot=snapshot,
        facts=view.facts,
        view=view,
        catalog=catalog,
        narrowing=narrowing,
    )
