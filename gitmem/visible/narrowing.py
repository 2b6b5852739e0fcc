"""One state of the memory, narrowed to what a reader may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.catalog import View
from gitmem.visible.corpus import VisibleCorpus
from gitmem.visible.facts import VisibleFacts
from gitmem.visible.tree import VisibleTree

if TYPE_CHECKING:
    from gitmem.format.model import Tier
    from gitmem.store.tree import Tree


class Narrowing:
    """What a reader sees of a state, and of earlier ones, by what is known of the messages now."""

    def __init__(self, view: View, tree: Tree, reader: Tier | None) -> None:
        """Narrow what the catalogue knows of a commit, and its files."""
        self.facts = VisibleFacts(view.facts, reader)
        self.files = self.tree(tree)
        self.view = View(view.commit, self.facts, VisibleCorpus(view.corpus, self.facts, self.files), view.history)

    def tree(self, tree: Tree) -> VisibleTree:
        """The files of another commit of the same history."""
        return VisibleTree(tree, self.facts)
