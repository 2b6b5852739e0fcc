"""Which views a change reaches, and their bytes (``architecture.md`` section 3, step 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.format.layout import (
    CORE,
    CORE_SHARED,
    GITMEM,
    RECENT,
    RELATIONS,
    TIMELINE,
    TOPIC_CORE,
    is_source,
    timeline_path,
)
from gitmem.format.model import Tier
from gitmem.views import core, recent, relations, timeline
from gitmem.views.base import Affected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim
    from gitmem.store.tree import Tree
    from gitmem.views.base import ViewSettings


def affected_by(before: Iterable[Claim], after: Iterable[Claim], changed_paths: Iterable[str]) -> Affected:
    """The views that a change can reach, given the claims of the changed topics on both sides.

    Views show labels and the files of links, so a claim counts that reads differently in any way, its place in its file
    apart. ``changed_paths`` are all paths of the memory commit. Any change of the sources may change what the core and
    the recent rows may show (a promotion, a record that a broken link waited for); both are small and rendered.
    """
    paths = frozenset(changed_paths)
    old, new = ({replace(claim, ordinal=0, line=0) for claim in side} for side in (before, after))
    claims = old ^ new
    everywhere = GITMEM in paths or any(is_source(path) for path in paths)
    return Affected(
        whens=frozenset(when for claim in claims for when in claim.whens),
        core=everywhere or TOPIC_CORE in paths,
        recent=everywhere or bool(claims),
        relations=any(claim.links or claim.aliases for claim in claims),
    )


def derive(tree: Tree, facts: Facts, settings: ViewSettings, affected: Affected | None) -> dict[str, bytes | None]:
    """The derived paths whose bytes differ from what the tree holds, ``None``: the file goes.

    ``affected`` ``None`` renders everything from scratch and removes timeline files that nothing supports.
    """
    wanted = dict(_render(tree, facts, settings, affected))
    if affected is None:
        stale = (entry.path for entry in tree.entries(TIMELINE) if entry.path not in wanted)
        wanted.update(dict.fromkeys(stale))
    return {path: data for path, data in wanted.items() if data != tree.read(path)}


def _render(
    tree: Tree, facts: Facts, settings: ViewSettings, affected: Affected | None
) -> Iterator[tuple[str, bytes | None]]:
    whens = facts.whens() if affected is None else affected.whens
    for when in whens:
        yield timeline_path(when), timeline.render(facts, when)
    if affected is None or affected.core:
        master = tree.topic(TOPIC_CORE)
        for path, tier in ((CORE, Tier.OWNER), (CORE_SHARED, Tier.PAIRED)):
            text = core.render(master, facts, settings, tier).text
            yield path, text.encode() or None
    if affected is None or affected.recent:
        yield RECENT, recent.render(facts, settings.recent_limit)
    if affected is None or affected.relations:
        yield RELATIONS, relations.render(facts)
