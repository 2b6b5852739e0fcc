"""The memory at another commit than the one the database holds, for ``--at``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.at import PastFacts, line_of
from gitmem.catalog.history import CatalogHistory
from gitmem.catalog.manifest import differing
from gitmem.catalog.moving import held_tree
from gitmem.catalog.past_corpus import PastCorpus
from gitmem.catalog.tip import tip_of
from gitmem.facts.contribution import contributions_of

if TYPE_CHECKING:
    from gitmem.catalog.commits import Commits
    from gitmem.catalog.corpus import CatalogCorpus
    from gitmem.catalog.database import Reading
    from gitmem.catalog.facts import CatalogFacts
    from gitmem.ids import Oid


def look_back(
    reading: Reading, commits: Commits, facts: CatalogFacts, corpus: CatalogCorpus, commit: Oid
) -> tuple[PastFacts, PastCorpus, CatalogHistory]:
    """Facts, documents and history of the commit, laid by difference over those that the database holds."""
    tree, line = commits.tree(commit), line_of(reading, commits, commit)
    changed = contributions_of(tree, differing(reading, held_tree(commits, tip_of(reading)), tree))
    past = PastFacts(facts, changed, line)
    return past, PastCorpus(corpus, reading, changed, past, tree), CatalogHistory(reading, line.seq, line.beyond)
